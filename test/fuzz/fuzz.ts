/**
 * Damaged files into every parser: `npm run fuzz -- --seed N --inputs N`. docs/torture.md says how it is used.
 * A finding is an input that freezes a reader, takes too long or too much memory, or fails in another way than with a refusal. It is
 * reported, and the input is kept.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CORPUS } from '../corpus.ts';
import { wholeNumber } from '../whole-number.ts';
import type { Batch, Setting } from './fuzz-process.ts';
import { inputOf, kindOf } from './inputs.ts';
import { seedFiles } from './seeds.ts';
import { VERDICTS } from './subjects.ts';
import { type Outcome, WarmThread } from './warm-thread.ts';

/** Processor time for one input of 120 kB. */
const SLOW_MS = 5000;
/** After so much of an input in a batch, it is tried again alone. The other threads take their share of it. */
const SUSPECT_MS = SLOW_MS;
/** More than the product gives 120 kB. */
const FROZEN_MS = 15_000;
/** Inputs: about a second of work. */
const BATCH = 500;
/** Requests that are tried together: fewer, since none of them is watched alone. */
const TOGETHER = 50;
const PROGRESS_MS = 10_000;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    inputs: { type: 'string', default: '20000' },
    only: { type: 'string' },
    seconds: { type: 'string', default: '3600' },
    minutes: { type: 'string' },
    threads: { type: 'string', default: String(Math.min(8, availableParallelism())) },
    corpus: { type: 'string', default: CORPUS },
    kind: { type: 'string', default: '' },
    strict: { type: 'boolean', default: false },
    out: { type: 'string', default: join(tmpdir(), 'dragoman-fuzz') },
  },
});
const seed = wholeNumber('seed', values.seed);
const first = wholeNumber('only', values.only ?? '0');
const end = values.only === undefined ? wholeNumber('inputs', values.inputs) : first + 1;
const seconds =
  values.minutes === undefined
    ? wholeNumber('seconds', values.seconds)
    : wholeNumber('minutes', values.minutes) * 60;
const begun = performance.now();
const deadline = begun + seconds * 1000;
const corpus = resolve(values.corpus);
const run = { seed, seeds: seedFiles(corpus, values.kind) };
if (run.seeds.size === 0) throw new RangeError(`no files for --kind ${values.kind}`);

interface Suspect {
  readonly number: number;
  readonly what: string;
  /** Whether something failed, and not only took long: then it is a finding also if it does not fail alone. */
  readonly failed: boolean;
}

const tally = new SharedArrayBuffer(4 * VERDICTS.length);
const { strict, kind } = values;
const setting: Setting = { seed, corpus, kind, strict, limit: SLOW_MS, tally };
const found = new Set<number>();
/** Batches that wait, and inputs that are tried again alone. */
const waiting: Batch[] = [];
const suspects: Suspect[] = [];
let next = first;
let done = 0;

const files = [...run.seeds.values()].reduce((sum, each) => sum + each.length, 0);
console.log(`seed ${seed}, ${end - first} inputs from ${files} files of ${run.seeds.size} kinds`);
const progress = setInterval(() => console.log(sayHowFar()), PROGRESS_MS);
await tryAll();
clearInterval(progress);
const [read, , unwritable, tooLong] = new Int32Array(tally);
console.log(sayHowFar());
const tried = `${done} inputs, ${read} read, ${unwritable} not written back, ${tooLong} ended by the time limit`;
console.log(`${tried}, ${found.size} findings, the others refused`);
if (done < end - first) {
  console.log(`Stopped by the time limit: ${end - first - done} inputs were not tried.`);
}
process.exitCode = found.size > 0 ? 1 : 0;

function sayHowFar(): string {
  const passed = (performance.now() - begun) / 1000;
  const rate = Math.round(done / passed);
  return `${done} inputs in ${Math.round(passed)} s, ${rate} a second, ${found.size} findings`;
}

async function tryAll(): Promise<void> {
  if (values.only !== undefined) {
    suspects.push({ number: next++, what: '', failed: false });
    done += 1;
  }
  const threads = Array.from({ length: wholeNumber('threads', values.threads) }, () => ({
    warm: undefined as WarmThread | undefined,
  }));
  while (isMore() || suspects.length > 0) {
    if (suspects.length === 0) await Promise.all(threads.map(workUntilSuspicion));
    else await tryAlone(suspects.splice(0));
    if (performance.now() > deadline) break;
  }
  await Promise.all(threads.map(({ warm }) => warm?.end()));
}

function isMore(): boolean {
  return waiting.length > 0 || next < end;
}

interface Place {
  warm: WarmThread | undefined;
}

/** Alone means that no other thread takes processor time: all stop at the end of their batch when an input is suspected. */
async function workUntilSuspicion(place: Place): Promise<void> {
  while (suspects.length === 0 && performance.now() < deadline) {
    const batch = nextBatch();
    if (batch === undefined) return;
    place.warm ??= new WarmThread(setting, { frozenMs: SUSPECT_MS, found: find });
    const outcome = await place.warm.work(batch, deadline);
    settle(batch, outcome);
    if (outcome.kind === 'done') continue;
    await place.warm[Symbol.asyncDispose]();
    place.warm = undefined;
  }
}

function nextBatch(): Batch | undefined {
  const batch = waiting.shift();
  if (batch !== undefined || next >= end) return batch;
  const to = Math.min(end, next + BATCH);
  const numbers = Array.from({ length: to - next }, (_, nth) => next + nth);
  next = to;
  const isRequest = (number: number) => kindOf(run, number).startsWith('server');
  const requests = numbers.filter(isRequest);
  const others = numbers.filter((number) => !isRequest(number));
  for (let nth = 0; nth < requests.length; nth += TOGETHER) {
    waiting.push({ numbers: requests.slice(nth, nth + TOGETHER), way: 'together' });
  }
  if (others.length > 0) waiting.push({ numbers: others, way: 'one by one' });
  return waiting.shift();
}

function settle({ numbers, way }: Batch, outcome: Outcome): void {
  if (outcome.kind === 'lost' && outcome.what === 'out of time') return;
  const suspected = outcome.kind === 'lost' && way === 'one by one' ? outcome.nth : undefined;
  const over = suspected === undefined ? numbers : numbers.slice(0, suspected + 1);
  done += over.length;
  if (outcome.kind === 'done') return;
  const { what } = outcome;
  const failed = !/^(?:Error: slow|frozen)/.test(what);
  const again = suspected === undefined ? over : over.slice(-1);
  console.log(`one by one again: ${again.join(' ')}: ${what.split('\n', 1)[0]}`);
  suspects.push(...again.map((number) => ({ number, what, failed })));
  const rest = numbers.slice(over.length);
  if (rest.length > 0) waiting.push({ numbers: rest, way });
}

/** One by one in a new thread. What none of them repeats was done by all of them together. */
async function tryAlone(inputs: readonly Suspect[]): Promise<void> {
  const before = found.size;
  let numbers = inputs.map(({ number }) => number);
  while (numbers.length > 0) {
    await using thread = new WarmThread(setting, { frozenMs: FROZEN_MS, found: find });
    const outcome = await thread.work({ numbers, way: 'alone' }, deadline);
    if (outcome.kind === 'done') {
      await thread.end();
      break;
    }
    if (outcome.what === 'out of time') return;
    const nth = outcome.kind === 'lost' ? outcome.nth : numbers.length - 1;
    find(numbers[nth] ?? 0, outcome.what);
    numbers = numbers.slice(nth + 1);
  }
  if (found.size > before) return;
  const [failed] = inputs.filter((each) => each.failed);
  if (failed === undefined) return;
  const what = `not alone, but with others (${inputs.length} inputs in one thread): ${failed.what}`;
  find(failed.number, what);
}

function find(number: number, what: string): void {
  found.add(number);
  const input = inputOf(run, number);
  const kept = join(values.out, `${seed}-${number}-${basename(input.file.name)}`);
  mkdirSync(values.out, { recursive: true });
  writeFileSync(kept, input.file.bytes);
  console.log(`\n${input.kind}, made from ${input.from}, kept as ${kept}`);
  console.log(
    `  again: npm run fuzz -- --seed ${seed} --only ${number}${kind === '' ? '' : ` --kind '${kind}'`}`,
  );
  console.log(`  ${what.split('\n').slice(0, 8).join('\n  ')}`);
}
