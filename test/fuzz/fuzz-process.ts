/**
 * A thread that tries one input after the other, and names each before it begins. The watchdog outside ends the thread when an input does
 * not end.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { inputOf } from './inputs.ts';
import { seedFiles } from './seeds.ts';
import { endServers } from './servers.ts';
import { tryInput } from './subjects.ts';

export interface Order {
  readonly seed: number;
  readonly from: number;
  readonly to: number;
  /** A folder of more files, absolute. */
  readonly corpus: string;
  /** With which the names of the kinds begin that are tried. */
  readonly kind: string;
  /** Whether what could not be written back is told too. */
  readonly strict: boolean;
  /** Milliseconds of processor time that one input may take: those of a busy machine do not count. */
  readonly limit: number;
  /** Four numbers that both sides see: the input at work, how many were read, could not be written back, took too long. */
  readonly progress: SharedArrayBuffer;
}

export interface Told {
  readonly number: number;
  readonly what: string;
}

const { seed, from, to, corpus, kind: only, strict, limit, progress } = workerData as Order;
const shared = new Int32Array(progress);
const run = { seed, seeds: seedFiles(corpus, only) };

for (let number = from; number < to; number++) {
  Atomics.store(shared, 0, number);
  await tryOne(number);
}
Atomics.store(shared, 0, to);
await endServers();

async function tryOne(number: number): Promise<void> {
  const { kind, file } = inputOf(run, number);
  const before = process.threadCpuUsage();
  try {
    const verdict = await tryInput(kind, file);
    if (verdict === 'read') Atomics.add(shared, 1, 1);
    if (verdict === 'unwritable') Atomics.add(shared, 2, 1);
    if (verdict === 'too-long') {
      Atomics.add(shared, 3, 1);
      return;
    }
    if (verdict === 'unwritable' && strict) tell(number, 'a translation would not be read back');
  } catch (error) {
    tell(number, error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  const { user, system } = process.threadCpuUsage(before);
  const milliseconds = Math.round((user + system) / 1000);
  if (milliseconds > limit) tell(number, `slow: ${milliseconds} ms`);
}

function tell(number: number, what: string): void {
  parentPort?.postMessage({ number, what } satisfies Told);
}
