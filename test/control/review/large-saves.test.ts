/** What a daemon does after people have saved on the Review page, in large files and in small ones. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Clock, systemClock } from '../../../src/clock.ts';
import type { ReviewRow } from '../../../src/control/review-report.ts';
import type { Daemon } from '../../../src/daemon.ts';
import type { Event } from '../../../src/event.ts';
import { QUIET_MS } from '../../../src/intake/joined-saves.ts';
import { parseLock } from '../../../src/state/lock-text.ts';
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
      - { from: "ios/*.xcstrings" }
`;
const KEYS = 400;
/** The texts make the files large, not their number. */
const REST = ', in a sentence as applications have them'.repeat(18);
const words = (text: string) =>
  Array.from({ length: KEYS }, (_, n) => [`key${n}`, `${text} ${n}${REST}`]);
const largeJson = (text: string) => `${JSON.stringify(Object.fromEntries(words(text)), null, 2)}\n`;
const unit = (value: string) => ({ stringUnit: { state: 'translated', value } });
const largeCatalog = `${JSON.stringify(
  {
    sourceLanguage: 'en',
    strings: Object.fromEntries(
      words('The text').map(([key, text]) => [
        key,
        { localizations: { de: unit(`de ${text}`), en: unit(`${text}`) } },
      ]),
    ),
    version: '1.0',
  },
  null,
  2,
)}\n`;
const FILES = {
  'locales/en/large.json': largeJson('The text'),
  'locales/de/large.json': largeJson('Der Text'),
  'locales/en/small.json': '{ "title": "Welcome" }\n',
  'ios/App.xcstrings': largeCatalog,
};

/** The waiting time for further saves passes when the test says so. */
class HeldClock implements Clock {
  readonly #held = new Set<() => void>();

  now(): number {
    return Date.now();
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (ms !== QUIET_MS) return await systemClock.sleep(ms, signal);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#held.add(resolve);
    signal?.addEventListener('abort', () => {
      this.#held.delete(resolve);
      reject(signal.reason);
    });
    await promise;
  }

  pass(): void {
    for (const wake of this.#held) wake();
    this.#held.clear();
  }
}

let rig: Rig;
let daemon: Daemon;
let clock: HeldClock;
let told: Event[];
let stop: AbortController;
let running: Promise<void>;

beforeEach(async () => {
  rig = await Rig.start({ config: CONFIG, files: FILES });
  await rig.once();
  await begin();
});
afterEach(async () => {
  await end();
  await rig[Symbol.asyncDispose]();
});

async function begin(): Promise<void> {
  clock = new HeldClock();
  told = [];
  const here = await daemonHere(rig, clock);
  ({ daemon } = here);
  here.events.subscribe((event) => void told.push(event));
  stop = new AbortController();
  running = daemon.run({ drain: stop.signal, abort: new AbortController().signal });
  await vi.waitFor(() => expect(kinds()).toContain('started'), WAIT);
}

async function end(): Promise<void> {
  stop.abort(new Error('SIGTERM'));
  await running;
  await daemon[Symbol.asyncDispose]();
}

const WAIT = { interval: 20, timeout: 500_000 };
const kinds = () => told.map(({ kind }) => kind);
const jobs = () => kinds().filter((kind) => kind === 'job-delivered').length;
const edits = () => told.filter((event) => event.kind === 'target-edited');

async function saveFirst(file: string, said: string): Promise<ReviewRow> {
  const { control } = daemon.answers;
  const query = { language: 'de', file, states: [], from: 0, count: 1 } as const;
  const [row] = (await control.reviewPortion(query)).rows;
  const { project, language, text } = row as ReviewRow;
  const saved = await control.reviewSave({
    ...{ by: 'anna', project, file, language, id: text.id, text: said, reviewed: true },
    ...{ source: text.source_hash, was: text.target_hash },
  });
  expect(saved).toMatchObject({ kind: 'saved' });
  return row as ReviewRow;
}

async function isSeen(count: number): Promise<void> {
  await vi.waitFor(() => expect(edits()).toHaveLength(count), WAIT);
  // Long enough for a job to begin, if there were one.
  await daemon.answers.control.status({ projects: [], languages: [], paths: [] });
}

function stated({ text }: ReviewRow): readonly string[] {
  const { sections } = parseLock(rig.read('dragoman.lock/app/de'));
  return [...sections.values()]
    .flat()
    .filter(({ unit }) => unit === text.unit)
    .map(({ mark, review }) => `${mark} ${review}`);
}

const LARGE = 'locales/en/large.json';

test('saves into a large file start one job together, when nobody saves any more', async () => {
  await saveFirst(LARGE, 'Von Hand 1');
  await isSeen(1);
  const row = await saveFirst(LARGE, 'Von Hand 2');
  await isSeen(2);
  expect(kinds()).not.toContain('job-queued');
  // The lock needs no job for what a person said.
  expect(stated(row)).toEqual(['human reviewed']);

  clock.pass();
  await vi.waitFor(() => expect(jobs()).toBe(1), WAIT);
  expect(rig.json('locales/de/large.json')).toMatchObject({ key0: 'Von Hand 2' });
  expect(stated(row)).toEqual(['human reviewed']);
});

test('saves into a large file that has all languages start its jobs together, too', async () => {
  const catalog = 'ios/App.xcstrings';
  const seen = (count: number) =>
    vi.waitFor(
      () => expect(kinds().filter((kind) => kind === 'source-changed')).toHaveLength(count),
      WAIT,
    );
  const row = await saveFirst(catalog, 'Von Hand 1');
  await seen(1);
  await saveFirst(catalog, 'Von Hand 2');
  await seen(2);
  expect(kinds()).not.toContain('job-queued');

  clock.pass();
  await vi.waitFor(() => expect(jobs()).toBe(1), WAIT);
  expect(rig.read(catalog)).toContain('Von Hand 2');
  expect(stated(row)).toEqual(['human reviewed']);
});

test('a job that saves have not started before the daemon ends is done after its next start', async () => {
  const row = await saveFirst(LARGE, 'Von Hand');
  await isSeen(1);
  expect(kinds()).not.toContain('job-queued');
  await end();

  await begin();
  await vi.waitFor(() => expect(jobs()).toBe(1), WAIT);
  expect(rig.json('locales/de/large.json')).toMatchObject({ key0: 'Von Hand' });
  expect(stated(row)).toEqual(['human reviewed']);
});

test('an edit by another program, after a save into the same large file, starts a job at once', async () => {
  await saveFirst(LARGE, 'Von Hand');
  await isSeen(1);
  rig.write('locales/de/large.json', `${largeJson('Ein Text')}`);
  await vi.waitFor(() => expect(jobs()).toBe(1), WAIT);
  expect(edits()).toMatchObject([{ saved: 'page' }, {}]);
  expect(edits()[1]).not.toHaveProperty('saved');
});

test('a new source, after a save into its large target, starts a job at once that keeps the save', async () => {
  await saveFirst(LARGE, 'Von Hand');
  await isSeen(1);
  rig.write(LARGE, largeJson('The text').replace('}', ',\n"new": "A new text"}'));
  await vi.waitFor(() => expect(jobs()).toBe(1), WAIT);
  const { key0, new: added } = rig.json('locales/de/large.json');
  expect([key0, added]).toEqual(['Von Hand', expect.any(String)]);
  clock.pass();
});

test('a save into a small file starts its job at once, and is told as a save', async () => {
  await saveFirst('locales/en/small.json', 'Von Hand');
  await vi.waitFor(() => expect(jobs()).toBe(1), WAIT);
  expect(edits()).toEqual([
    { kind: 'target-edited', project: 'app', path: 'locales/de/small.json', saved: 'page' },
  ]);
});
