/** The order of one job: each of its files with the present target and the state of its purchase. */

import { extname, join } from 'node:path';
import { hashIfPresent } from '../../files/disk.ts';
import type { JobRecord, LedgerView, Release } from '../../ledger.ts';
import type { Planner } from '../../plan/planner.ts';
import { spokenLanguage } from '../../plan/voice-recipe.ts';
import type { OtherSide } from '../stated-history.ts';
import { isMadeFrom } from './decisions/outputs.ts';
import { isRemoteJobOpen, type RemoteJob, type RemoteOutput } from './decisions/remote-job.ts';
import type { FoundOutput, RemoteJobs } from './remote-jobs.ts';
import type { VoiceSpool } from './spool.ts';
import {
  outputOnOtherSide,
  type VoiceCase,
  type VoiceCaseSources,
  type WantedFile,
  wantedFiles,
} from './voice-case.ts';

export interface OrderedFile {
  readonly file: WantedFile;
  /** The newest voice job with this output. */
  readonly result: FoundOutput | undefined;
  readonly paid: PaidState | DeliveredElsewhere | Merged;
}

/** The output was delivered to another path or in another form, and that file is unchanged. */
export interface DeliveredElsewhere {
  readonly kind: 'elsewhere';
  /** Absolute. */
  readonly path: string;
}

/** Another side of a merge has the output of the same recording. */
export interface Merged {
  readonly kind: 'merged';
  readonly other: OtherSide;
}

export type VoiceOrder = readonly OrderedFile[];

export interface OrderSources {
  readonly jobs: RemoteJobs;
  readonly spool: VoiceSpool;
  sources(): VoiceCaseSources;
}

export async function orderOf(voiceJobs: OrderSources, voice: VoiceCase): Promise<VoiceOrder> {
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
      const free = isSought ? await withoutBuying(voiceJobs.sources(), voice, file) : undefined;
      return { file, result, paid: free ?? state };
    }),
  );
}

/** Looks for a file that makes a purchase needless. */
async function withoutBuying(
  sources: VoiceCaseSources,
  voice: VoiceCase,
  file: WantedFile,
): Promise<DeliveredElsewhere | Merged | undefined> {
  const path = await cachedOutputOf(sources, voice, file);
  if (path !== undefined) return { kind: 'elsewhere', path };
  const isOurs = file.verdict.kind === 'obtain' && file.verdict.old === 'replace';
  const other = isOurs ? await outputOnOtherSide(voice, file) : undefined;
  return other && { kind: 'merged', other };
}

/** Files that have to be bought now. */
export function toBuy(order: VoiceOrder): WantedFile[] {
  return order
    .filter(({ file, paid }) => file.verdict.kind === 'obtain' && paid.kind === 'missing')
    .map(({ file }) => file);
}

/** Whether an output must still be bought, or was bought and has not come. */
export function stillAwaited(order: VoiceOrder): boolean {
  return order.some(
    ({ file, paid }) =>
      file.verdict.kind === 'obtain' && (paid.kind === 'missing' || paid.kind === 'awaited'),
  );
}

interface CachedOutputSources {
  readonly ledger: LedgerView;
  readonly planner: Planner;
}

/**
 * Looks for a file that dragoman made from the same recording. Another job made it, or this job under an earlier config, which asked
 * for another path or form. It is used when the spool does not have the result any more.
 * @returns its absolute path; undefined when there is none, or when a person has changed it
 */
async function cachedOutputOf(
  { ledger, planner }: CachedOutputSources,
  voice: VoiceCase,
  file: WantedFile,
): Promise<string | undefined> {
  const to = extname(file.path);
  for (const job of ledger.all('jobs')) {
    const project = planner.project(job.project);
    if (!isSibling(job, voice) || project === undefined) continue;
    if (spokenLanguage(project) !== voice.spoken) continue;
    for (const left of job.wrote) {
      if (left.by !== undefined || left.from !== voice.sourceHash) continue;
      if (!isMadeFrom({ kind: file.kind, to, from: extname(left.path) })) continue;
      const path = join(project.root, left.path);
      if ((await hashIfPresent(path)) === left.hash) return path;
    }
  }
  return undefined;
}

function isSibling({ lane, language }: JobRecord, { job }: VoiceCase): boolean {
  return lane === 'voice' && language === job.language;
}

/** The state of one output of a recording as a purchase. */
type PaidState =
  /** It was never bought, or it may be bought again. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'awaited' }
  | { readonly kind: 'ready' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'lost'; readonly reason: string }
  | { readonly kind: 'in-doubt' };

interface PaidOutput {
  readonly job: RemoteJob;
  readonly output: RemoteOutput;
  /** Whether its result is in the spool; results that came long ago are not. */
  readonly isKept: boolean;
  /** How often this output was lost, the newest time included. */
  readonly losses: number;
}

interface Permission {
  /** A person's release of this content. */
  readonly release: Release | undefined;
  readonly recreateOnLoss: boolean;
}

/** Pure. @param paid the newest job with the output; undefined when there is none */
export function paidState(paid: PaidOutput | undefined, permission: Permission): PaidState {
  if (paid === undefined) return { kind: 'missing' };
  const { job, output, isKept, losses } = paid;
  const { state } = output;
  const isReleased = permission.release !== undefined && isAfter(permission.release, job);
  switch (state.kind) {
    case 'fetched':
      return { kind: isKept ? 'ready' : 'missing' };
    case 'failed':
      return isReleased ? { kind: 'missing' } : state;
    case 'lost': {
      // Only once without a person: a service that loses every result would be paid without end.
      const again = isReleased || (permission.recreateOnLoss && losses < 2);
      return again ? { kind: 'missing' } : state;
    }
    case 'awaited':
    case 'downloading':
      if (isRemoteJobOpen(job)) return { kind: 'awaited' };
      return { kind: isReleased ? 'missing' : 'in-doubt' };
  }
}

/** A release counts for one purchase: not for a job that began after it. */
function isAfter({ kind, at }: Release, { begun }: RemoteJob): boolean {
  return (kind === 'retry' || kind === 'machine') && Date.parse(at) >= begun;
}
