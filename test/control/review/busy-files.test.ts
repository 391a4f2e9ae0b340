/** Saves of the Review page beside programs that write the same files, in place and without asking. */
import { truncateSync } from 'node:fs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Clock, systemClock } from '../../../src/clock.ts';
import type { ReviewRow } from '../../../src/control/review-report.ts';
import type { Daemon } from '../../../src/daemon.ts';
import { ParserThread } from '../../../src/parsing/thread.ts';
import { EditLog } from '../../../src/state/edit-log.ts';
import { daemonHere } from '../../daemon-here.ts';
import { Rig } from '../../rig.ts';

const CONFIG = `
lock: dragoman.lock
defaults: { settle_ms: 0, review: { want: [machine] } }
projects:
  app:
    source: en
    targets: [de]
    routes:
      - { from: "locales/{locale}/*.json" }
      - { from: "docs/{locale}/*.md", lane: text }
      - { from: "po/{locale}.po", embedded_source: true }
`;
const PO = 'msgid ""\nmsgstr ""\n"Language: de\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n';
const FILES = {
  'locales/en/app.json': '{ "title": "Welcome", "bye": "Goodbye" }\n',
  'docs/en/page.md': 'The first paragraph.\n\nThe second paragraph.\n',
  'po/de.po': `${PO}\nmsgid "Open the file"\nmsgstr ""\n\nmsgid "Quit now"\nmsgstr ""\n`,
};

/** A save waits so long at most. */
const SHORT_MS = 250;

/** Time passes when somebody waits, and the other program goes on meanwhile. */
class BusyClock implements Clock {
  #ahead = 0;
  goOn: (() => void) | undefined;

  now(): number {
    return Date.now() + this.#ahead;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const { goOn } = this;
    if (goOn === undefined || ms > SHORT_MS) return await systemClock.sleep(ms, signal);
    this.#ahead += ms;
    goOn();
  }
}

let rig: Rig;
let daemon: Daemon;
let clock: BusyClock;

beforeEach(async () => {
  rig = await Rig.start({ config: CONFIG, files: FILES });
  await rig.once();
  clock = new BusyClock();
  ({ daemon } = await daemonHere(rig, clock));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await daemon[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

async function rowsOf(file: string): Promise<readonly ReviewRow[]> {
  const { control } = daemon.answers;
  const query = { language: 'de', file, states: [], from: 0, count: 100 } as const;
  return (await control.reviewPortion(query)).rows;
}

const save = ({ project, file, language, text }: ReviewRow, said: string) =>
  daemon.answers.control.reviewSave({
    ...{ by: 'anna', project, file, language, id: text.id, text: said, reviewed: false },
    ...{ source: text.source_hash, was: text.target_hash },
  });

test.each(Object.keys(FILES))(
  'a save waits for a program that is writing %s, where the file is empty for a moment',
  async (path) => {
    const [row] = await rowsOf(path);
    const whole = rig.read(path);
    truncateSync(rig.path(path), 0);
    clock.goOn = () => rig.write(path, whole);
    expect(await save(row as ReviewRow, 'Von Hand')).toMatchObject({
      ...{ kind: 'saved', row: { text: { target: 'Von Hand' } } },
    });
  },
);

test('a save waits for a program that has written half of a page', async () => {
  const path = 'docs/en/page.md';
  const [, row] = await rowsOf(path);
  const whole = rig.read(path);
  rig.write(path, 'The first paragraph.\n\nThe sec');
  clock.goOn = () => rig.write(path, whole);
  expect(await save(row as ReviewRow, 'Von Hand')).toMatchObject({ kind: 'saved' });
});

test('a save into a file that stays broken says why, and not that the text is gone', async () => {
  const [row] = await rowsOf('locales/en/app.json');
  rig.write('locales/en/app.json', '{ "title": ');
  clock.goOn = () => {};
  expect(await save(row as ReviewRow, 'Von Hand')).toEqual({
    ...{ kind: 'refused', reason: expect.stringMatching(/^locales\/en\/app\.json:\d+:\d+: /) },
  });
});

test('a save that another program overwrites at once is reported, with the present text', async () => {
  const path = 'locales/de/app.json';
  const [row] = await rowsOf('locales/en/app.json');
  const before = rig.read(path);
  const { record } = EditLog.prototype;
  vi.spyOn(EditLog.prototype, 'record').mockImplementationOnce(async function (
    this: EditLog,
    ...edits
  ) {
    await record.apply(this, edits);
    rig.write(path, before);
  });
  expect(await save(row as ReviewRow, 'Von Hand')).toMatchObject({
    ...{ kind: 'changed', row: { text: { target: row?.text.target } } },
  });
});

test('a file that is source and translation at once is read once for all saves of a person', async () => {
  const rows = await rowsOf('po/de.po');
  const run = vi.spyOn(ParserThread.prototype, 'run');
  for (const row of rows)
    expect(await save(row, `Von Hand: ${row.text.source}`)).toMatchObject({ kind: 'saved' });
  const read = run.mock.calls.filter(([parser]) => parser.name === 'read review');
  expect(read).toEqual([]);
  expect((await rowsOf('po/de.po')).map(({ text }) => text.target)).toEqual(
    rows.map(({ text }) => `Von Hand: ${text.source}`),
  );
});
