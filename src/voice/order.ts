/** What one job asks for: each of its files with what stands at its place and what was paid for it. */
import type { House } from './house.ts';
import type { FoundOutput } from './remote-jobs.ts';
import { type PaidState, paidState } from './rules/paid-state.ts';
import { type VoiceCase, type WantedFile, wantedFiles } from './voice-case.ts';

export interface OrderedFile {
  readonly file: WantedFile;
  /** The newest voice job with this output. */
  readonly result: FoundOutput | undefined;
  readonly paid: PaidState;
}

export type Order = readonly OrderedFile[];

export async function orderOf({ jobs, spool, options }: House, voice: VoiceCase): Promise<Order> {
  const files = await wantedFiles(voice, options.factsLost());
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
      return { file, result, paid: paidState(paid, { release: voice.release, recreateOnLoss }) };
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
