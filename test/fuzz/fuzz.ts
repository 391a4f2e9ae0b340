/**
 * Damaged files into every parser: `npm run fuzz -- --seed N --inputs N`. docs/torture.md says how it is used.
 * A finding is an input that freezes a reader, takes too long or too much memory, or fails in another way than with a refusal. It is
 * reported, and the input is kept.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { CORPUS } from '../corpus.ts';
import { wholeNumber } from '../whole-number.ts';
import type { Order, Told } from './fuzz-process.ts';
import { inputOf } from './inputs.ts';
import { seedFiles } from './seeds.ts';

/** Processor time for one input of 120 kB. */
const SLOW_MS = 5000;
/**
 * Processor time of the whole process after which an input does not end, so that other work of the machine does not count. It is more than
 * the product gives 120 kB.
 */
const FROZEN_MS = 15_000;
const HEAP_MB = 512;
const LOOK_MS = 100;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    inputs: { type: 'string', default: '20000' },
    only: { type: 'string' },
    seconds: { type: 'string', default: '3600' },
    corpus: { type: 'string', default: CORPUS },
    kind: { type: 'string', default: '' },
    strict: { type: 'boolean', default: false },
    out: { type: 'string', default: join(tmpdir(), 'dragoman-fuzz') },
  },
});
const seed = wholeNumber('seed', values.seed);
const first = wholeNumber('only', values.only ?? '0');
const end = values.only === undefined ? wholeNumber('inputs', values.inputs) : first + 1;
const deadline = performance.now() + wholeNumber('seconds', values.seconds) * 1000;
const corpus = resolve(values.corpus);
const run = { seed, seeds: seedFiles(corpus, values.kind) };
if (run.seeds.size === 0) throw new RangeError(`no files for --kind ${values.kind}`);

const files = [...run.seeds.values()].reduce((sum, each) => sum + each.length, 0);
console.log(`seed ${seed}, ${end - first} inputs from ${files} files of ${run.seeds.size} kinds`);
const findings: Told[] = [];
let [read, unwritable, tooLong] = [0, 0, 0];
let done = first;
while (done < end && performance.now() < deadline) done = await work(done);
const tried = `${done - first} inputs, ${read} read, ${unwritable} not written back, ${tooLong} ended by the time limit`;
console.log(`${tried}, ${findings.length} findings, the others refused`);
if (done < end) console.log(`Stopped by --seconds: ${end - done} inputs were not tried.`);
process.exitCode = findings.length > 0 ? 1 : 0;

/** One thread until it is through, or one input ends it. @returns the input to go on with */
async function work(from: number): Promise<number> {
  const progress = new SharedArrayBuffer(16);
  const shared = new Int32Array(progress);
  Atomics.store(shared, 0, from);
  const { strict, kind } = values;
  const order: Order = { seed, from, to: end, corpus, kind, strict, limit: SLOW_MS, progress };
  const thread = new Worker(new URL('fuzz-process.ts', import.meta.url), {
    workerData: order,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  let failure: Error | undefined;
  let isOver = false;
  thread.on('message', (told: Told) => find(told));
  thread.once('error', (error: Error) => {
    failure = error;
  });
  thread.once('exit', () => {
    isOver = true;
  });
  let [at, since] = [from, processorTime()];
  while (!isOver && performance.now() < deadline) {
    await wait(LOOK_MS);
    const now = Atomics.load(shared, 0);
    if (now !== at) [at, since] = [now, processorTime()];
    else if (processorTime() - since > FROZEN_MS) failure = new Error(`frozen: ${FROZEN_MS} ms`);
    if (failure !== undefined) break;
  }
  await thread.terminate();
  at = Atomics.load(shared, 0);
  read += Atomics.load(shared, 1);
  unwritable += Atomics.load(shared, 2);
  tooLong += Atomics.load(shared, 3);
  if (failure === undefined) return at;
  find({ number: at, what: failure.message });
  return at + 1;
}

function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function find(told: Told): void {
  findings.push(told);
  const { kind, file, from } = inputOf(run, told.number);
  const kept = join(values.out, `${seed}-${told.number}-${basename(file.name)}`);
  mkdirSync(values.out, { recursive: true });
  writeFileSync(kept, file.bytes);
  console.log(`\n${kind}, made from ${from}, kept as ${kept}`);
  console.log(
    `  again: npm run fuzz -- --seed ${seed} --only ${told.number}${values.kind === '' ? '' : ` --kind '${values.kind}'`}`,
  );
  console.log(`  ${told.what.split('\n').slice(0, 8).join('\n  ')}`);
}
