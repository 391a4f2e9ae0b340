/** The list of the Review page of a large project: what is read for an answer, and how that slows other work. */
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Daemon } from '../../../src/daemon.ts';
import { readOnThreads } from '../../../src/parsing/parse.ts';
import { ParserThread } from '../../../src/parsing/thread.ts';
import { daemonHere } from '../../daemon-here.ts';
import { type ManualClock, manualClock } from '../../manual-clock.ts';
import { Rig } from '../../rig.ts';

const json = (texts: Record<string, string>) => `${JSON.stringify(texts, null, 2)}\n`;
const textsOf = (name: string, count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`text${index}`, `${name} number ${index}`]),
  );
const QUERY = { language: 'de', states: [], from: 0, count: 100 } as const;

async function translated(sources: Readonly<Record<string, number>>): Promise<{
  readonly daemon: Daemon;
  /** Its time stands still, so that no answer comes before its rows are known. */
  readonly clock: ManualClock;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}> {
  const both = Object.entries(sources).flatMap(([name, count]) => [
    [`locales/en/${name}.json`, json(textsOf(name, count))],
    [`locales/de/${name}.json`, json(textsOf(`German ${name}`, count))],
  ]);
  const rig = await Rig.start({
    config: `
lock: dragoman.lock
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de]
    routes: [{ from: "locales/{locale}/*.json" }]
`,
    files: Object.fromEntries(both),
  });
  await rig.once();
  const clock = manualClock();
  const { daemon } = await daemonHere(rig, clock);
  return {
    daemon,
    clock,
    [Symbol.asyncDispose]: async () => {
      await daemon[Symbol.asyncDispose]();
      await rig[Symbol.asyncDispose]();
    },
  };
}

/** The files that threads read for reviews from now on, and how many texts came at once. */
function readings() {
  const run = vi.spyOn(ParserThread.prototype, 'run');
  return {
    files: () =>
      run.mock.calls.flatMap(([parser, , { file }]) =>
        parser.name === 'read review' ? [file.replace(/.*\//, '')] : [],
      ),
    portions: () =>
      run.mock.settledResults.flatMap(({ value }) => {
        const texts = (value as { texts?: readonly unknown[] } | undefined)?.texts;
        return texts === undefined ? [] : [texts.length];
      }),
  };
}

// As the daemon of a user does.
beforeAll(() => {
  const threads = readOnThreads();
  return () => threads[Symbol.dispose]();
});
afterEach(() => vi.restoreAllMocks());

test('the texts of a large file come to the daemon in portions, which stop its other work only for moments, and each of them is listed in its place', async () => {
  await using app = await translated({ large: 3500 });
  const { control } = app.daemon.answers;
  const read = readings();
  const first = await control.reviewPortion(QUERY);
  expect(first).toMatchObject({ total: 3500, counting: false, counts: { done: 3500 } });
  expect(read.files()).toEqual(['large.json']);
  expect(Math.max(...read.portions())).toBeLessThanOrEqual(1000);
  const last = await control.reviewPortion({ ...QUERY, from: 3400 });
  expect(last.rows.map(({ text }) => text.key)).toEqual(
    Array.from({ length: 100 }, (_, index) => `text${3400 + index}`),
  );
  expect(read.files()).toEqual(['large.json']);
});

test('a partial answer comes when its rows are known and says that counting goes on; the other files are read once for the whole answer', async () => {
  const sources = Object.fromEntries(Array.from({ length: 6 }, (_, at) => [`part${at}`, 60]));
  await using app = await translated(sources);
  const { control } = app.daemon.answers;
  const read = readings();
  const first = await control.reviewPortion({ ...QUERY, partial: true });
  expect(first).toMatchObject({ counting: true, total: 120, counts: { done: 120 } });
  expect(first.rows).toHaveLength(100);
  expect(read.files()).toEqual(['part0.json', 'part1.json']);
  const [whole, again] = await Promise.all([
    control.reviewPortion(QUERY),
    control.reviewPortion(QUERY),
  ]);
  expect(whole).toMatchObject({ counting: false, total: 360, counts: { done: 360 } });
  expect(whole.rows).toEqual(first.rows);
  expect(again.rows).toEqual(first.rows);
  expect(read.files()).toEqual(Object.keys(sources).map((name) => `${name}.json`));
  // What is in memory is counted at once.
  expect(await control.reviewPortion({ ...QUERY, partial: true })).toMatchObject({
    ...{ counting: false, total: 360 },
  });
});

test('a partial answer is complete when all files had to be read for its rows', async () => {
  await using app = await translated({ part0: 60, part1: 60 });
  const { control } = app.daemon.answers;
  const last = await control.reviewPortion({ ...QUERY, from: 100, partial: true });
  expect(last).toMatchObject({ counting: false, total: 120 });
  expect(last.rows).toHaveLength(20);
});

test('a partial answer has after a second all that is known by then, and the next answer goes on reading', async () => {
  await using app = await translated({ part0: 60, part1: 60 });
  const { control } = app.daemon.answers;
  const run = ParserThread.prototype.run;
  const reading = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const spied = vi.spyOn(ParserThread.prototype, 'run').mockImplementation(async function (
    this: ParserThread,
    ...call
  ) {
    reading.resolve();
    await release.promise;
    return await run.apply(this, call);
  });
  const asked = control.reviewPortion({ ...QUERY, partial: true });
  await reading.promise;
  await app.clock.pass(1000);
  expect(await asked).toMatchObject({ counting: true, total: 0, rows: [], languages: ['de'] });
  const next = control.reviewPortion({ ...QUERY, partial: true });
  release.resolve();
  expect(await next).toMatchObject({ counting: false, total: 120 });
  expect(spied).toHaveBeenCalledTimes(2);
});
