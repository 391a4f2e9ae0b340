/** Saves of the Review page without a pause, and the job of the same file: they take turns. */
import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Clock, systemClock } from '../../../src/clock.ts';
import type { ReviewRow } from '../../../src/control/review-report.ts';
import type { Daemon } from '../../../src/daemon.ts';
import type { Event } from '../../../src/event.ts';
import { SourceMonitor } from '../../../src/intake/source-monitor.ts';
import { daemonHere } from '../../daemon-here.ts';
import { Rig } from '../../rig.ts';

const CONFIG = `
lock: dragoman.lock
defaults: { settle_ms: 0, review: { want: [machine] } }
projects:
  app:
    source: en
    targets: [de]
    routes: [{ from: "locales/{locale}/*.json" }]
`;
const KEYS = 400;
const texts = (word: string, more: Record<string, string> = {}) =>
  `${JSON.stringify({ ...Object.fromEntries(Array.from({ length: KEYS }, (_, n) => [`key${n}`, `${word} ${n}`])), ...more }, null, 2)}\n`;

/** An answer of the service that is so late comes when a test says so. */
const LATE_MS = 100_000_000;
let answers: PromiseWithResolvers<void>;
const CLOCK: Clock = {
  now: () => systemClock.now(),
  sleep: async (ms, signal) =>
    await (ms === LATE_MS ? answers.promise : systemClock.sleep(ms, signal)),
};

let rig: Rig;
let daemon: Daemon;
let events: Event[];
let stop: AbortController;
let running: Promise<void>;

beforeEach(async () => {
  answers = Promise.withResolvers();
  const files = { 'locales/en/app.json': texts('The text') };
  rig = await Rig.start({ config: CONFIG, files, clock: CLOCK });
  await rig.once();
  const here = await daemonHere(rig);
  ({ daemon } = here);
  events = [];
  here.events.subscribe((event) => void events.push(event));
  stop = new AbortController();
  running = daemon.run({ drain: stop.signal, abort: new AbortController().signal });
  await vi.waitFor(() => expect(kinds()).toContain('started'), WAIT);
});
afterEach(async () => {
  answers.resolve();
  stop.abort(new Error('SIGTERM'));
  await running;
  await daemon[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

const kinds = () => events.map(({ kind }) => kind);
const linesOf = (path: string) => {
  const lines = rig.exists(path) ? rig.read(path).split('\n') : [];
  return lines.filter((line) => /^\S+ \S+ \S+ /.test(line) && !line.startsWith('#'));
};
const WAIT = { interval: 20, timeout: 500_000 };

test('a job publishes a new text while people save into its file without a pause, and every save is answered and kept', async () => {
  const { control } = daemon.answers;
  const rows: ReviewRow[] = [];
  for (let from = 0; from < KEYS; from += 200) {
    const query = { language: 'de', file: 'locales/en/app.json', states: [], from, count: 200 };
    rows.push(...(await control.reviewPortion(query)).rows);
  }
  rig.write('locales/en/app.json', texts('The text', { added: 'A new text' }));
  const isThere = () => rig.read('locales/de/app.json').includes('"added"');
  let saved = 0;
  for (; saved < rows.length && !isThere(); saved++) {
    const { project, file, language, text } = rows[saved] as ReviewRow;
    const answer = await control.reviewSave({
      ...{ by: 'anna', project, file, language, id: text.id, text: `Von Hand ${saved}` },
      ...{ source: text.source_hash, was: text.target_hash, reviewed: true },
    });
    expect(answer).toMatchObject({ kind: 'saved' });
  }
  expect(isThere()).toBe(true);
  const now = rig.json('locales/de/app.json');
  for (let n = 0; n < saved; n++)
    expect(now[(rows[n] as ReviewRow).text.key]).toBe(`Von Hand ${n}`);
});

test('while another job waits for the service, a save waits for no look at the folders, and the new lock has all texts in the end', async () => {
  const { control } = daemon.answers;
  const query = { language: 'de', file: 'locales/en/app.json', states: [], from: 0, count: 1 };
  const [row] = (await control.reviewPortion(query)).rows;
  const { project, file, language, text } = row as ReviewRow;
  const late = { kind: 'latency', ms: LATE_MS, operation: 'POST /v2/translate' } as const;
  rig.sandbox.faults.add([{ ...late, times: 1 }]);
  rig.write('locales/en/other.json', '{ "other": "Other" }\n');
  await vi.waitFor(() => expect(rig.sandbox.faults.list()).toEqual([]), WAIT);
  const linesBefore = linesOf('dragoman.lock/app/de');
  rmSync(rig.path('dragoman.lock'), { recursive: true });
  vi.spyOn(SourceMonitor.prototype, 'scan').mockReturnValue(new Promise(() => {}));
  const answer = await control.reviewSave({
    ...{ by: 'anna', project, file, language, id: text.id, text: 'Von Hand' },
    ...{ source: text.source_hash, was: text.target_hash, reviewed: true },
  });
  expect(answer).toMatchObject({ kind: 'saved' });
  expect(kinds()).not.toContain('job-delivered');
  vi.restoreAllMocks();
  answers.resolve();
  const isComplete = () => linesOf('dragoman.lock/app/de').length === linesBefore.length + 1;
  await vi.waitFor(() => expect(isComplete()).toBe(true), WAIT);
});
