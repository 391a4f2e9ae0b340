/**
 * Carries out the moves of the recovery table for a voice job: create, upload, ask, fetch. Each is recorded on disk before the
 * next.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../clock.ts';
import { describeFailure, failureOf } from '../../failure.ts';
import type { Charge } from '../../ledger.ts';
import type { Service } from '../../service/client.ts';
import { forgotten, learn, learnNothing } from './decisions/learn.ts';
import { nextMove, type VoiceMove } from './decisions/next-move.ts';
import { mayBeSent, type RemoteJob } from './decisions/remote-job.ts';
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
  /** Called with charges that are in the ledger. */
  booked(charges: readonly Charge[]): void;
}

/** `rests`: nothing is left to do for the job on the service. */
export type Drive = { readonly kind: 'rests' } | { readonly kind: 'waits'; readonly until: number };

/** Uploads at the same time: they share the line, and each has only five minutes. */
const UPLOADS = 2;
const SLOT_MS = 1000;

export class VoiceJobRunner {
  readonly rate = new UploadRate();
  readonly #options: VoiceJobRunnerOptions;
  readonly #asked = new Map<string, number>();
  readonly #tried = new Map<string, Set<number>>();
  readonly #setbacks = new Map<string, number>();
  #uploading = 0;

  constructor(options: VoiceJobRunnerOptions) {
    this.#options = options;
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
      setbacks: this.#setbacks.get(job.id) ?? 0,
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
    this.#uploading += 1;
    try {
      if (move.kind === 'create') await this.#create(job, signal);
      else {
        const place = { ...this.#options, rate: this.rate, put: this.#put };
        await uploadRecording(place, { job, ticket: move.ticket, signal });
      }
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
    this.#asked.set(job.id, clock.now());
    this.#tried.delete(job.id);
    try {
      const shown = await service.voice.get(job_id, { signal });
      const learnt = await this.#put(job, learn(job, shown, clock.now()));
      if (!learnt.outputs.some(isDownloading)) this.#setbacks.delete(job.id);
    } catch (error) {
      const failure = failureOf(error);
      const now = clock.now();
      switch (failure.kind) {
        case 'not-found':
          await this.#put(job, forgotten(job, now));
          return;
        // Asking is free, and the outputs are paid: without an answer they are as before.
        case 'bad-answer':
        case 'server-error':
        case 'unanswered':
          this.#setBack(job);
          await this.#put(job, learnNothing(job, { reason: describeFailure(failure), now }));
          return;
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
    // Counts as a setback until the result has come.
    this.#setBack(job);
    await fetchVoiceResult({ ...this.#options, put: this.#put }, { job, index, ticket, signal });
    const output = this.#options.jobs.get(job.id)?.outputs[index];
    if (output === undefined || !isDownloading(output)) this.#setbacks.delete(job.id);
  }

  #setBack({ id }: RemoteJob): void {
    this.#setbacks.set(id, (this.#setbacks.get(id) ?? 0) + 1);
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
