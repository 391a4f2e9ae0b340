/** Saves of a person without a long pause are one run. Runs are undone from the last one on: no run is hidden by a later one. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { hashBytes } from '../../src/files/disk.ts';
import { openBaselines } from '../../src/state/baseline.ts';
import { undoSteps } from '../../src/state/undo.ts';
import { UndoLog } from '../../src/state/undo-log.ts';
import { jobRecord } from '../contracts/ledger.ts';
import { manualClock } from '../manual-clock.ts';
import { temporaryFolder } from '../temporary-folder.ts';

async function open() {
  const root = await temporaryFolder();
  const clock = manualClock();
  const baselines = openBaselines(join(root, 'base'));
  onTestFinished(() => baselines[Symbol.asyncDispose]());
  const undo = new UndoLog({ folder: join(root, 'undo'), clock, baselines });
  const texts = new Map<string, string>();
  const save = async (person: string, path: string, text: string) => {
    const old = texts.get(path) ?? 'machine';
    writeFileSync(join(root, path), old);
    const step = {
      path,
      hash: hashBytes(Buffer.from(text)),
      expectedOld: hashBytes(Buffer.from(old)),
    };
    const job = jobRecord(path);
    await undo.recordSave({ job, root, step, by: 'review' }, person);
    texts.set(path, text);
    await clock.pass(1000);
  };
  const runs = async () => {
    const names = await undo.runs();
    return await Promise.all(
      names.map(async (run) => (await undo.replacings(run)).map(({ path }) => path)),
    );
  };
  return { save, runs };
}

test('all saves of one person in one session are one run, also in several files', async () => {
  const { save, runs } = await open();
  await save('anna', 'a.json', 'one');
  await save('anna', 'b.json', 'two');
  await save('anna', 'a.json', 'three');
  expect(await runs()).toEqual([['a.json', 'b.json', 'a.json']]);
});

test('a file that somebody else saved in a later run begins a run of its own, though the sitting never changed it', async () => {
  const { save, runs } = await open();
  await save('anna', 'a.json', 'one');
  await save('bert', 'b.json', 'two');
  await save('anna', 'b.json', 'three');
  await save('anna', 'a.json', 'four');
  expect(await runs()).toEqual([['a.json'], ['b.json'], ['b.json', 'a.json']]);
});

test('a file that somebody else saved in an earlier run stays in the run of the sitting', async () => {
  const { save, runs } = await open();
  await save('bert', 'b.json', 'one');
  await save('anna', 'a.json', 'two');
  await save('anna', 'b.json', 'three');
  expect(await runs()).toEqual([['b.json'], ['a.json', 'b.json']]);
});

test('undo of a file that several daemons wrote restores its first content, whatever their clocks say', async () => {
  const root = await temporaryFolder();
  const baselines = openBaselines(join(root, 'base'));
  onTestFinished(() => baselines[Symbol.asyncDispose]());
  const hash = (text: string) => hashBytes(Buffer.from(text));
  const clocks = [5, 3, 4].map((second) => manualClock(second * 1000));
  const [leader, ...workers] = clocks.map(
    (clock, n) =>
      new UndoLog({
        ...{ folder: join(root, 'undo'), clock, baselines },
        shared: { isLed: () => n > 0 },
      }),
  ) as [UndoLog, UndoLog, UndoLog];
  await leader.nextRun();
  const write = async (log: UndoLog, [from, to]: readonly [string, string]) => {
    writeFileSync(join(root, 'all.json'), from);
    const step = { path: 'all.json', hash: hash(to), expectedOld: hash(from) };
    await log.record({ job: jobRecord('all.json'), root, step });
  };
  const [one, two] = workers;
  await write(leader, ['human', 'a']);
  await write(one, ['a', 'ab']);
  await write(two, ['ab', 'abc']);
  await write(leader, ['abc', 'a']);
  await write(two, ['a', 'az']);
  const [run = ''] = await leader.runs();
  const [step] = undoSteps(await leader.replacings(run));
  expect(step).toMatchObject({ old: { hash: hash('human') }, isMixed: false });
  expect((await leader.replacings(run)).map(({ wrote }) => wrote)).toEqual(
    ['a', 'ab', 'abc', 'a', 'az'].map(hash),
  );
});
