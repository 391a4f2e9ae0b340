/** What one job asks for: each of its files with what stands at its place and what was paid for it. */

import { cachedOutputOf } from './cached-output.ts';
import type { FoundOutput, RemoteJobs } from './remote-jobs.ts';
import { type PaidState, paidState } from './rules/paid-state.ts';
import type { VoiceSpool } from './spool.ts';
import { type CaseSources, type VoiceCase, type WantedFile, wantedFiles } from './voice-case.ts';

export interface OrderedFile {
  readonly file: WantedFile;
  /** The newest voice job with this output. */
  readonly result: FoundOutput | undefined;
  readonly paid: PaidState | Elsewhere;
}

/** It was delivered to another place or in another form, and still stands there as we left it. */
export interface Elsewhere {
  readonly kind: 'elsewhere';
  /** Absolute. */
  readonly path: string;
}

export type Order = readonly OrderedFile[];

/** What is known of all recordings. */
export interface OrderSources {
  readonly jobs: RemoteJobs;
  readonly spool: VoiceSpool;
  sources(): CaseSources;
}

export async function orderOf(voiceJobs: OrderSources, voice: VoiceCase): Promise<Order> {
  const { jobs, spool } = voiceJobs;
  const { ledger } = voiceJobs.sources();
  const files = await wantedFiles(voice, ledger.condition === 'facts-lost');
  return await Promise.all(
    files.map(async (file): Promise<OrderedFile> => {
      const result = jobs.find(voice.content, file.output);
      const paid = result && {
        job: result.job,
        output: result.output,
        isKept: result.output.state.kind === 'fetched' && (await spool.has(result)),
        losses: jobs.losses(voice.content, file.output),
      };
      const { recreateOnLoss } = voice.route.voice;
      const state = paidState(paid, { release: voice.release, recreateOnLoss });
      const isSought = state.kind === 'missing' && file.verdict.kind === 'obtain';
      const path = isSought ? await cachedOutputOf(voiceJobs.sources(), voice, file) : undefined;
      return { file, result, paid: path === undefined ? state : { kind: 'elsewhere', path } };
    }),
  );
}

/** Files that have to be bought now. */
export function toBuy(order: Order): WantedFile[] {
  return order
    .filter(({ file, paid }) => file.verdict.kind === 'obtain' && paid.kind === 'missing')
    .map(({ file }) => file);
}

/** Whether something of it must still be bought, or comes yet. */
export function stillAwaited(order: Order): boolean {
  return order.some(
    ({ file, paid }) =>
      file.verdict.kind === 'obtain' && (paid.kind === 'missing' || paid.kind === 'awaited'),
  );
}
