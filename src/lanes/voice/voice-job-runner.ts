/**
 * Carries out the moves of the recovery table for a voice job: create, upload, ask, fetch. Each is recorded on disk before the
 * next.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Clock, OnwardTime } from '../../clock.ts';
import { describeFailure, failureOf, JobFailure } from '../../failure.ts';
import type { Charge } from '../../ledger.ts';
import type { Service } from '../../service/client.ts';
import { forgotten, learn, learnNothing } from './decisions/learn.ts';
import { fetchBy, nextMove, type VoiceMove } from './decisions/next-move.ts';
import { isRemoteJobOpen, mayBeSent, type RemoteJob } from './decisions/remote-job.ts';
import { outOfTime } from './decisions/upload-failure.ts';
import { fetchVoiceResult } from './fetch-result.ts';
import type { RemoteJobs } from './remote-jobs.ts';
import type { VoiceSpool } from './spool.ts';
import { UploadRate } from './upload-rate.ts';
import { uploadRecording } from './upload-recording.ts';

export interface VoiceJobRunnerOptions {
  readonly service: Pick<Service, 'voice'>;
  readonly jobs: RemoteJobs;
  readonly spool: VoiceSpool;
  readonly clock: Clock;
  /** Whether a service that does not hand out paid results is given up after a while. False: it is asked until they are lost. */
  givesUp(): boolean;
  /** Called with charges that are in the ledger. */
  booked(charges: readonly Charge[]): void;
}

/** Status requests and downloads in a row that brought nothing. */
interface Setback {
  readonly count: number;
  /** When the first of them began, in milliseconds since the epoch. */
  readonly since: number;
  /** Of the last one, for a person to read. */
  readonly reason: string;
}

/** A recording whose paid results the service does not hand out. */
export interface DelayedRecording extends Pick<Setback, 'since' | 'reason'> {
  /** Relative to the root of its project. */
  readonly source: string;
  readonly ago: number;
}

/** `rests`: nothing is left to do for the job on the service. */
export type Drive = { readonly kind: 'rests' } | { readonly kind: 'waits'; readonly until: number };

/** Uploads at the same time: they share the line, and each has only five minutes. */
const UPLOADS = 2;
const SLOT_MS = 1000;
const ASK = 'GET /v1/jobs/voice/translate/{job_id}';
/** Milliseconds of status requests and downloads without a result, for a run that gives up. */
const LONGEST_WITHOUT_RESULT_MS = 120_000;
const NOT_THERE = 'the service does not hand it out yet';

export class VoiceJobRunner {
  readonly rate = new UploadRate();
  readonly #options: VoiceJobRunnerOptions;
  readonly #asked = new Map<string, number>();
  readonly #tried = new Map<string, Set<number>>();
  readonly #setbacks = new Map<string, Setback>();
  /** For the time without a result. */
  readonly #time: OnwardTime;
  /** Why the last recording could not be sent. */
  #putOff: unknown;
  #uploading = 0;

  constructor(options: VoiceJobRunnerOptions) {
    this.#options = options;
    this.#time = new OnwardTime(options.clock);
  }

  /** The recordings whose last status request or download brought nothing. */
  get delayed(): DelayedRecording[] {
    const { jobs } = this.#options;
    const now = this.#time.now();
    return [...this.#setbacks].flatMap(([id, { since, reason }]) => {
      const job = jobs.get(id);
      if (job === undefined) return [];
      const source = job.owner.slice(`${job.project}/${job.language}/`.length);
      return [{ source, since, ago: now - since, reason }];
    });
  }

  /**
   * Makes moves until the job has to wait, or rests.
   * @param extent `fetch`: neither creates nor uploads, so it costs nothing
   * @throws JobFailure that does not concern this job alone
   */
  async drive(id: string, extent: 'send' | 'fetch', signal: AbortSignal): Promise<Drive> {
    for (;;) {
      const job = this.#options.jobs.get(id);
      if (job === undefined) return { kind: 'rests' };
      if (extent === 'send') this.#requirePatience(id);
      const move = this.#next(job);
      switch (move.kind) {
        case 'create':
        case 'upload': {
          const { clock } = this.#options;
          if (extent === 'fetch') return { kind: 'rests' };
          if (this.#uploading >= UPLOADS) return { kind: 'waits', until: clock.now() + SLOT_MS };
          await this.#send(job, move, signal);
          break;
        }
        case 'void':
          await this.#put(job, outOfTime(job));
          break;
        case 'ask':
          await this.#ask(job, move.job_id, signal);
          break;
        case 'fetch':
          await this.#fetch(job, move, signal);
          break;
        case 'wait':
          return { kind: 'waits', until: move.until };
        case 'rest':
          this.#asked.delete(id);
          this.#tried.delete(id);
          this.#setbacks.delete(id);
          return { kind: 'rests' };
      }
    }
  }

  #next(job: RemoteJob): VoiceMove {
    const now = this.#options.clock.now();
    const last = this.#asked.get(job.id) ?? ('at' in job.stage ? job.stage.at : now);
    // The clock was set back: the wait begins now, and does not last until the old time comes again.
    if (last > now) this.#asked.set(job.id, now);
    return nextMove(job, {
      now,
      asked: this.#asked.get(job.id),
      setbacks: this.#setbacks.get(job.id)?.count ?? 0,
      uploadMs: this.rate.timeFor(job.recording.size),
      tried: this.#tried.get(job.id) ?? new Set(),
    });
  }

  /** Creates a job only when a place for the upload is free: the upload window is short. */
  async #send(
    job: RemoteJob,
    move: Extract<VoiceMove, { kind: 'create' | 'upload' }>,
    signal: AbortSignal,
  ): Promise<void> {
    // The service puts off all recordings: a run that gives up waits for that once, not for each language.
    if (this.#putOff !== undefined && this.#options.givesUp()) throw this.#putOff;
    this.#uploading += 1;
    try {
      if (move.kind === 'create') await this.#create(job, signal);
      else {
        const place = { ...this.#options, rate: this.rate, put: this.#put };
        await uploadRecording(place, { job, ticket: move.ticket, signal });
      }
    } catch (error) {
      if (failureOf(error).kind === 'unreachable') this.#putOff = error;
      throw error;
    } finally {
      this.#uploading -= 1;
    }
  }

  async #create(job: RemoteJob, signal: AbortSignal): Promise<void> {
    const { service, clock } = this.#options;
    const { recording, spoken, outputs } = job;
    const at = clock.now();
    const { job_id, upload_url, signature } = await service.voice.create(
      {
        source_file: {
          name: recording.name,
          content_type: recording.contentType,
          content_length: recording.size,
        },
        parameters: spoken === undefined ? {} : { source_language: spoken },
        targets: outputs.map(({ language, type }) => ({ language, type })),
      },
      { signal },
    );
    const ticket = { job_id, upload_url, signature };
    await this.#put(job, { ...job, stage: { kind: 'created', ticket, at, refused: 0 } });
  }

  async #ask(job: RemoteJob, job_id: string, signal: AbortSignal): Promise<void> {
    const { service, clock } = this.#options;
    const began = this.#time.now();
    const before = this.#asked.get(job.id);
    const deadline = fetchBy(job) ?? Number.POSITIVE_INFINITY;
    // A clock that was set forward looks like the end of the hour. A result is lost when it lacks in two answers after it.
    const isSure = before !== undefined && before > deadline;
    const timeNow = () => (isSure ? clock.now() : Math.min(clock.now(), deadline));
    this.#asked.set(job.id, clock.now());
    this.#tried.delete(job.id);
    try {
      const shown = await service.voice.get(job_id, { signal });
      const learnt = await this.#put(job, learn(job, shown, timeNow()));
      if (!learnt.outputs.some(isDownloading)) this.#setbacks.delete(job.id);
    } catch (error) {
      const failure = failureOf(error);
      const now = timeNow();
      switch (failure.kind) {
        case 'not-found':
          await this.#put(job, forgotten(job, now));
          return;
        // Asking is free, and the outputs are paid: without an answer they are as before.
        case 'bad-answer':
        case 'server-error':
        case 'unanswered':
        case 'forbidden':
        case 'rejected':
        case 'too-large': {
          const reason = describeFailure(failure);
          const left = await this.#put(job, learnNothing(job, { reason, now }));
          this.#setBack(left, { since: began, reason });
          return;
        }
        default:
          throw error;
      }
    }
  }

  async #fetch(
    job: RemoteJob,
    { index, ticket }: Extract<VoiceMove, { kind: 'fetch' }>,
    signal: AbortSignal,
  ): Promise<void> {
    const tried = this.#tried.get(job.id) ?? new Set();
    this.#tried.set(job.id, tried.add(index));
    const since = this.#time.now();
    const context = { ...this.#options, put: this.#put };
    const reason = await fetchVoiceResult(context, { job, index, ticket, signal });
    const left = this.#options.jobs.get(job.id);
    const output = left?.outputs[index];
    if (left === undefined || output === undefined || !isDownloading(output)) {
      this.#setbacks.delete(job.id);
    } else this.#setBack(left, { since, reason: reason ?? NOT_THERE });
  }

  #setBack(job: RemoteJob, { since: began, reason }: Omit<Setback, 'count'>): void {
    if (!isRemoteJobOpen(job)) return;
    const { count, since } = this.#setbacks.get(job.id) ?? { count: 0, since: began };
    this.#setbacks.set(job.id, { count: count + 1, since, reason });
    this.#requirePatience(job.id);
  }

  /**
   * Also for each further job of the recording, which would wait as long again.
   * @throws JobFailure `unanswered` when the patience is over: the job stays as it is, and the next run asks again
   */
  #requirePatience(id: string): void {
    const { since, reason } = this.#setbacks.get(id) ?? {};
    if (since === undefined || !this.#options.givesUp()) return;
    if (this.#time.now() - since < LONGEST_WITHOUT_RESULT_MS) return;
    throw new JobFailure({
      kind: 'unanswered',
      operation: ASK,
      message: `the results of the recording do not come (${reason}); asking again costs nothing`,
    });
  }

  readonly #put = async (before: RemoteJob, after: RemoteJob): Promise<RemoteJob> => {
    if (isDeepStrictEqual(before, after)) return after;
    const { jobs, spool, clock, booked } = this.#options;
    const charges = voiceChargesFor(before, after, clock.now());
    await jobs.put(after, charges);
    booked(charges);
    const isNews = before.stage.kind !== after.stage.kind;
    if (isNews && !jobs.about(after.content).some(mayBeSent)) await spool.dropSource(after.content);
    return after;
  };
}

function isDownloading({ state }: RemoteJob['outputs'][number]): boolean {
  return state.kind === 'downloading';
}

/**
 * The charges of a new stage of a voice job: the seconds that were uploaded, the bytes that the service keeps.
 * @param now milliseconds since the epoch
 */
export function voiceChargesFor(before: RemoteJob, after: RemoteJob, now: number): Charge[] {
  const charges: Charge[] = [];
  const { id, owner, project, language, seconds } = after;
  const charge = {
    job: owner,
    project,
    language,
    lane: 'voice',
    at: new Date(now).toISOString(),
    characters: null,
    estimated: 0,
  } as const;
  if (!isUploaded(before) && isUploaded(after)) {
    charges.push({ ...charge, id: `voice ${id}`, kind: 'counted', seconds });
  }
  if (before.stage.kind !== 'in-doubt' && after.stage.kind === 'in-doubt') {
    charges.push({ ...charge, id: `voice ${id}`, kind: 'possibly-twice', seconds });
  }
  if (after.stage.kind === 'ended' && before.stage.kind !== 'ended') {
    const storageBytes = after.storageUsed ?? 0;
    charges.push({ ...charge, id: `voice ${id} storage`, kind: 'counted', storageBytes });
  }
  return charges;
}

function isUploaded({ stage: { kind } }: RemoteJob): boolean {
  return kind === 'uploaded' || kind === 'ended';
}
