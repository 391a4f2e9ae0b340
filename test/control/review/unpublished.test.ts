/** The Review page about a target whose new texts were never put in place. Dragoman died, and a person saved the file. */
import { expect, test, vi } from 'vitest';
import type { JobId } from '../../../src/job.ts';
import { StaleClaim } from '../../../src/ledger.ts';
import { BaselineLog } from '../../../src/state/baselines/log.ts';
import { daemonHere } from '../../daemon-here.ts';
import { Rig } from '../../rig.ts';

const CONFIG = `
lock: dragoman.lock
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de]
    routes:
`;
const WAIT = { interval: 20, timeout: 500_000 };
const SOURCES = { 'en/a.md': '# First text\n\nSecond text\n' };

const CASES: readonly {
  readonly name: string;
  readonly route: string;
  readonly source: string;
  readonly target: string;
  /** Of earlier runs. */
  readonly before: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
  /** The target that a person saves. */
  readonly saved: string;
}[] = [
  {
    name: 'a page, before its first delivery',
    route: '{ from: "{locale}/*.md" }',
    ...{ source: 'en/a.md', target: 'de/a.md', before: {} },
    files: { ...SOURCES, 'de/a.md': '# Erster Satz\n' },
    saved: '# Von Hand\n',
  },
  {
    name: 'a page that was delivered before',
    route: '{ from: "{locale}/*.md" }',
    ...{ source: 'en/a.md', target: 'de/a.md', before: { 'en/a.md': '# First text\n' } },
    files: SOURCES,
    saved: '# Von Hand\n',
  },
  {
    name: 'a table with a column for each language',
    route: '{ from: "tab/*.csv", columns: { key: id, source: en, targets: { de: de } } }',
    ...{ source: 'tab/a.csv', target: 'tab/a.csv', before: {} },
    files: { 'tab/a.csv': 'id,en,de\none,First text,Erster Satz\ntwo,Second text,\n' },
    saved: 'id,en,de\none,First text,Von Hand\ntwo,Second text,\n',
  },
];

test.each(CASES)('$name shows the text that is missing as missing', async (at) => {
  const config = `${CONFIG}      - ${at.route}\n`;
  await using rig = await Rig.start({ config, files: at.before });
  if (Object.keys(at.before).length > 0) await rig.once();
  for (const [path, content] of Object.entries(at.files)) rig.write(path, content);
  await dieBeforeRename(rig, () => rig.write(at.target, at.saved));
  const { daemon } = await daemonHere(rig);
  await using _daemon = daemon;
  const query = { language: 'de', file: at.source, states: [], from: 0, count: 9 } as const;
  const { rows } = await daemon.answers.control.reviewPortion(query);
  expect(rows.find(({ text }) => text.source === 'Second text')?.text).toMatchObject({
    ...{ state: 'missing', target: null },
  });
});

/** Runs until the first baseline is on record, and ends like a worker that was killed. */
async function dieBeforeRename(rig: Rig, save: () => void): Promise<void> {
  const { write } = BaselineLog.prototype;
  let isDead = false;
  using _spy = vi.spyOn(BaselineLog.prototype, 'write').mockImplementation(async function (
    this: BaselineLog,
    ...entry
  ) {
    if (!isDead) {
      await write.apply(this, entry);
      save();
    }
    isDead = true;
    throw new StaleClaim({ id: 'app/de' as JobId, fence: 1 });
  });
  const { daemon } = await daemonHere(rig);
  await using _daemon = daemon;
  const stop = new AbortController();
  const running = daemon.run({ drain: stop.signal, abort: new AbortController().signal });
  try {
    await vi.waitFor(() => expect(isDead).toBe(true), WAIT);
  } finally {
    stop.abort(new Error('SIGTERM'));
    await running;
  }
}
