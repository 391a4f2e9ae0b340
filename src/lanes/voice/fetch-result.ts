/**
 * Fetches one result into the spool. The service returns a result only once. So the attempt is recorded before the request, and the bytes
 * are flushed to disk. The result counts as fetched when its file has its final name.
 */
import type { Clock } from '../../clock.ts';
import { describeFailure, failureOf } from '../../failure.ts';
import { openRegular } from '../../files/regular-file.ts';
import type { ResultFiles, SpooledFile } from '../../files/spool-folder.ts';
import type { Service } from '../../service/client.ts';
import { FOREIGN_BYTES, isForeignFile } from '../../service/foreign-answer.ts';
import { leftWhole, type Received, receive } from '../remote-purchase.ts';
import { downloadFailed } from './decisions/learn.ts';
import { fetchBy } from './decisions/next-move.ts';
import { expectedBytes } from './decisions/outputs.ts';
import {
  ifEnded,
  type RecordedResultTicket,
  type RemoteJob,
  withOutput,
} from './decisions/remote-job.ts';
import type { VoiceSpool } from './spool.ts';

/** How many times as long as expected a result may be. */
const MOST_TIMES = 10;
const FOREIGN = 'a web page or JSON came in place of the result';

export interface FetchContext {
  readonly service: Pick<Service, 'voice'>;
  readonly spool: VoiceSpool;
  readonly clock: Clock;
  /** Records the new state of the job. */
  put(before: RemoteJob, after: RemoteJob): Promise<RemoteJob>;
}

export interface Fetch {
  readonly job: RemoteJob;
  readonly index: number;
  readonly ticket: RecordedResultTicket;
  readonly signal: AbortSignal;
}

/**
 * @returns why the result did not come, for a person to read; undefined when it is here
 * @throws JobFailure when the service cannot be reached or the disk takes no more
 */
export async function fetchVoiceResult(
  context: FetchContext,
  fetch: Fetch,
): Promise<string | undefined> {
  const { job, index, ticket } = fetch;
  const { spool, clock, put } = context;
  if (await recovered(context, fetch)) return undefined;
  const bytes = expectedBytes(job.outputs[index]?.type ?? '', job.seconds);
  await spool.requireSpace(bytes);
  const tries = resultState(job, index).tries + 1;
  let begun = await put(job, withOutput(job, index, { kind: 'downloading', ticket, tries }));
  const files = spool.resultFiles(fetch);
  const received = await receive(files, {
    operation: 'GET {download_url}',
    mostBytes: MOST_TIMES * bytes,
    download: (sink) => context.service.voice.download(ticket, sink, { signal: fetch.signal }),
    recordLength: async (length) => {
      const state = { kind: 'downloading', ticket, tries, length } as const;
      begun = await put(begun, withOutput(begun, index, state));
    },
  });
  const isForeign = received.kind === 'whole' && (await isForeignPart(files, received.type));
  const came: Came = isForeign ? { kind: 'nothing', reason: FOREIGN } : meaningOf(received);
  switch (came.kind) {
    case 'whole':
      await accept(context, { ...fetch, job: begun });
      return undefined;
    case 'nothing':
      if (came.error !== undefined || clock.now() <= (fetchBy(job) ?? 0)) {
        // The service returned no bytes: the attempt does not count.
        await put(begun, job);
        if (came.error !== undefined) throw came.error;
        return came.reason;
      }
      await put(begun, downloadFailed(begun, { index, reason: came.reason, now: clock.now() }));
      return came.reason;
    case 'broken':
      await put(begun, downloadFailed(begun, { index, reason: came.reason, now: clock.now() }));
      return came.reason;
  }
}

/** Finds a result that is complete on disk but not recorded, because the process ended before. @returns whether there was one */
async function recovered(context: FetchContext, fetch: Fetch): Promise<boolean> {
  const { tries, length } = resultState(fetch.job, fetch.index);
  if (tries === 0) return false;
  const { spool, clock, put } = context;
  const files = spool.resultFiles(fetch);
  const left = await leftWhole(files, length);
  if (left === undefined) return false;
  if (left === 'part' && (await isForeignPart(files))) return false;
  if (left === 'part') await accept(context, fetch);
  else await put(fetch.job, fetched(fetch, left, clock.now()));
  return true;
}

async function accept({ spool, clock, put }: FetchContext, fetch: Fetch): Promise<void> {
  const kept = await spool.resultFiles(fetch).accept();
  await put(fetch.job, fetched(fetch, kept, clock.now()));
}

/** All results are text, subtitles or PCM: nothing in the last one shows that it is whole. */
async function isForeignPart({ part }: ResultFiles, type?: string): Promise<boolean> {
  await using handle = await openRegular(part);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(FOREIGN_BYTES), 0, FOREIGN_BYTES, 0);
  return isForeignFile(type, buffer.subarray(0, bytesRead));
}

type Came =
  | { readonly kind: 'whole' }
  /** `error`: the request did not reach the service, and is thrown again. */
  | { readonly kind: 'nothing'; readonly reason: string; readonly error?: unknown }
  | { readonly kind: 'broken'; readonly reason: string };

function meaningOf(received: Received): Came {
  if (received.kind === 'whole') return received;
  if (received.kind === 'not-ready')
    return { kind: 'nothing', reason: 'the service never returned it' };
  const { error } = received;
  const failure = failureOf(error);
  switch (failure.kind) {
    case 'unreachable':
    case 'throttled':
      return { kind: 'nothing', reason: describeFailure(failure), error };
    case 'server-error':
    // Something in front of the service answered: the service has still handed out nothing.
    case 'too-large':
    case 'bad-answer':
      return { kind: 'nothing', reason: describeFailure(failure) };
    case 'unanswered':
    case 'forbidden':
    case 'not-found':
    case 'rejected':
      return { kind: 'broken', reason: describeFailure(failure) };
    default:
      // The local disk failed, or the run was stopped: the record says already that a transfer began.
      throw error;
  }
}

function resultState(
  { outputs }: RemoteJob,
  index: number,
): { readonly tries: number; readonly length?: number } {
  const state = outputs[index]?.state;
  return state?.kind === 'downloading' ? state : { tries: 0 };
}

function fetched({ job, index }: Fetch, { hash, size }: SpooledFile, at: number): RemoteJob {
  return ifEnded(withOutput(job, index, { kind: 'fetched', hash, bytes: size, at }));
}
