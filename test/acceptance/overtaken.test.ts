/** Somebody saves a file between the moment when its new texts are on record and the moment when they would be put in place. */
import { expect, test, vi } from 'vitest';
import type { Event } from '../../src/event.ts';
import type { JobId } from '../../src/job.ts';
import { StaleClaim } from '../../src/ledger.ts';
import { BaselineLog } from '../../src/state/baselines/log.ts';
import { daemonHere } from '../daemon-here.ts';
import { Rig } from '../rig.ts';

const CONFIG = `
lock: dragoman.lock
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de]
    routes:
`;

const FILES: readonly {
  readonly name: string;
  readonly route: string;
  readonly file: string;
  readonly others?: Readonly<Record<string, string>>;
  /** With the text of a person. */
  content(text: string): string;
  /** The bought text. */
  readonly bought: RegExp;
}[] = [
  {
    name: 'a table with a column for each language',
    route: '{ from: "tab/*.csv", columns: { key: id, source: en, targets: { de: de } } }',
    file: 'tab/a.csv',
    content: (text) => `id,en,de\none,First text,${text}\ntwo,Second text,\n`,
    bought: /^two,Second text,(?<text>.+)$/m,
  },
  {
    name: 'a catalog of gettext with the source in it',
    route: '{ from: "{locale}/*.po", embedded_source: true }',
    file: 'de/a.po',
    content: (text) =>
      `msgid ""\nmsgstr ""\n"Language: de\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "First text"\nmsgstr "${text}"\n\nmsgid "Second text"\nmsgstr ""\n`,
    bought: /msgid "Second text"\nmsgstr "(?<text>.+)"/,
  },
  {
    name: 'a catalog of Qt with the source in it',
    route: '{ from: "{locale}/*.ts", embedded_source: true }',
    file: 'de/a.ts',
    content: (text) =>
      `<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n<TS version="2.1" language="de" sourcelanguage="en">\n<context>\n    <name>Window</name>\n    <message>\n        <source>First text</source>\n        <translation>${text}</translation>\n    </message>\n    <message>\n        <source>Second text</source>\n        <translation type="unfinished"></translation>\n    </message>\n</context>\n</TS>\n`,
    bought: /<source>Second text<\/source>\s*<translation[^>]*>(?<text>[^<]+)</,
  },
  {
    name: 'a page',
    route: '{ from: "{locale}/*.md" }',
    file: 'de/a.md',
    others: { 'en/a.md': '# First text\n\nSecond text\n' },
    content: (text) => `# ${text}\n`,
    bought: /^# .+\n\n(?<text>.+)$/m,
  },
];

/** Saves a file when the first baseline is on record. */
function saveAfterFirstRecord(save: () => void) {
  const { write } = BaselineLog.prototype;
  let isSaved = false;
  return vi.spyOn(BaselineLog.prototype, 'write').mockImplementation(async function (
    this: BaselineLog,
    ...entry
  ) {
    await write.apply(this, entry);
    if (isSaved) return;
    isSaved = true;
    save();
  });
}

async function runUntil(rig: Rig, isOver: (heard: readonly Event['kind'][]) => boolean) {
  const { daemon, heard } = await daemonHere(rig);
  await using _daemon = daemon;
  const stop = new AbortController();
  const running = daemon.run({ drain: stop.signal, abort: new AbortController().signal });
  try {
    await vi.waitFor(() => expect(isOver(heard)).toBe(true), WAIT);
  } finally {
    stop.abort(new Error('SIGTERM'));
    await running;
  }
}

const WAIT = { interval: 20, timeout: 500_000 };

test.each(FILES)(
  '$name that a person saves at the last moment gets the bought text, and keeps the saved one',
  async ({ route, file, others, content, bought }) => {
    await using rig = await Rig.start({
      config: `${CONFIG}      - ${route}\n`,
      files: { ...others, [file]: content('Erster Satz') },
    });
    using spy = saveAfterFirstRecord(() => rig.write(file, content('Von Hand')));
    await runUntil(rig, (heard) => heard.includes('job-delivered'));
    expect(spy).toHaveBeenCalled();
    expect(rig.read(file)).toContain('Von Hand');
    expect(bought.exec(rig.read(file))?.groups?.['text']).toBeTruthy();
    expect(await rig.once()).toMatchObject({ held: [], failed: [], billed_characters: 0 });
    expect(bought.exec(rig.read(file))?.groups?.['text']).toBeTruthy();
  },
);

test.each(FILES)(
  '$name that a person saves after dragoman died at that moment gets the text in the next run',
  async ({ route, file, others, content, bought }) => {
    await using rig = await Rig.start({
      config: `${CONFIG}      - ${route}\n`,
      files: { ...others, [file]: content('Erster Satz') },
    });
    let isDead = false;
    using _spy = saveAfterFirstRecord(() => {
      rig.write(file, content('Von Hand'));
      isDead = true;
      // The worker ends without a word, as one that was killed.
      throw new StaleClaim({ id: 'app/de' as JobId, fence: 1 });
    });
    await runUntil(rig, () => isDead);
    expect(await rig.once()).toMatchObject({ held: [], failed: [] });
    expect(rig.read(file)).toContain('Von Hand');
    expect(bought.exec(rig.read(file))?.groups?.['text']).toBeTruthy();
  },
);
