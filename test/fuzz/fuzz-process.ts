/**
 * A thread that tries batches of inputs, and names each input before it begins. The watchdog outside ends the thread when an input does
 * not end. What a batch cannot say for sure is suspected, and tried again alone.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { within } from '../../src/parsing/within.ts';
import { inputOf } from './inputs.ts';
import { seedFiles } from './seeds.ts';
import { endServers, refuseManyBytes, tryTogether } from './servers.ts';
import { type Limit, tryInput, VERDICTS, type Verdict } from './subjects.ts';

/** Of one run. */
export interface Setting {
  readonly seed: number;
  /** A folder of more files, absolute. */
  readonly corpus: string;
  /** With which the names of the kinds begin that are tried. */
  readonly kind: string;
  /** Whether what could not be written back is told too. */
  readonly strict: boolean;
  /** Milliseconds of processor time that one input may take: those of a busy machine do not count. */
  readonly limit: number;
  /** One number for each verdict of `VERDICTS`. */
  readonly tally: SharedArrayBuffer;
}

/**
 * `alone`: under the time limits of the product, and every failure is told.
 * `together`: requests, several at a time.
 */
export type Way = 'one by one' | 'together' | 'alone';

export interface Batch {
  readonly numbers: readonly number[];
  readonly way: Way;
}

export type Message =
  | { readonly kind: 'found'; readonly number: number; readonly what: string }
  /** All of the batch were tried. */
  | { readonly kind: 'done' }
  /** Something was wrong, and it is not known with which of them. */
  | { readonly kind: 'suspected'; readonly what: string };

export interface ThreadData extends Setting {
  /** A number that both sides see: the place of the input at work in its batch. */
  readonly place: SharedArrayBuffer;
}

const { tally, place, ...setting } = workerData as ThreadData;
const counts = new Int32Array(tally);
const at = new Int32Array(place);
const run = { seed: setting.seed, seeds: seedFiles(setting.corpus, setting.kind) };
/** Each limit of the product starts a thread of its own; in a batch, the watchdog stands for it. */
const unlimited: Limit = (_, work) => work();

parentPort?.on('message', async (batch: Batch | 'end') => {
  if (batch !== 'end') return tell(await tryBatch(batch));
  await endServers();
  parentPort?.close();
});

async function tryBatch({ numbers, way }: Batch): Promise<Message> {
  try {
    if (way === 'together') await tryRequests(numbers);
    else await tryOneByOne(numbers, way === 'alone' ? within : unlimited);
    refuseManyBytes();
    return { kind: 'done' };
  } catch (error) {
    return { kind: 'suspected', what: textOf(error) };
  }
}

async function tryOneByOne(numbers: readonly number[], limit: Limit): Promise<void> {
  for (const [nth, number] of numbers.entries()) {
    Atomics.store(at, 0, nth);
    const { kind, file } = inputOf(run, number);
    const before = process.threadCpuUsage();
    let verdict: Verdict | undefined;
    try {
      verdict = await tryInput(kind, file, limit);
      count(number, verdict);
    } catch (error) {
      tell({ kind: 'found', number, what: textOf(error) });
    }
    const milliseconds = millisecondsSince(before);
    if (verdict === 'too-long' || milliseconds <= setting.limit) continue;
    tell({ kind: 'found', number, what: `slow: ${milliseconds} ms` });
  }
}

async function tryRequests(numbers: readonly number[]): Promise<void> {
  Atomics.store(at, 0, 0);
  const requests = numbers.map((number) => inputOf(run, number));
  const before = process.threadCpuUsage();
  const verdicts = await tryTogether(
    requests.map(({ kind, file }) => ({ kind, bytes: file.bytes })),
  );
  const milliseconds = millisecondsSince(before);
  if (milliseconds > setting.limit) throw new Error(`slow: ${milliseconds} ms`);
  for (const [nth, verdict] of verdicts.entries()) count(numbers[nth] ?? 0, verdict);
}

function count(number: number, verdict: Verdict): void {
  Atomics.add(counts, VERDICTS.indexOf(verdict), 1);
  if (verdict !== 'unwritable' || !setting.strict) return;
  tell({ kind: 'found', number, what: 'a translation would not be read back' });
}

function millisecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return Math.round((user + system) / 1000);
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function tell(message: Message): void {
  parentPort?.postMessage(message);
}
