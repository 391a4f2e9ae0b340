/** The part of the voice lane that its jobs share in one process: records, spool, job runner, and which recordings are worked on. */
import { type Clock, isoTime, isReached } from '../../clock.ts';
import type { Events } from '../../event.ts';
import { JobFailure } from '../../failure.ts';
import { type Hash, type Hold, type Job, sourceHashOf } from '../../job.ts';
import type { LaneResult, LaneRun } from '../../lane.ts';
import type { Charge, JobRecord, Ledger } from '../../ledger.ts';
import type { InForce } from '../../plan/in-force.ts';
import type { Allowance } from '../../plan/spending.ts';
import type { ContentKey } from '../../plan/voice-recipe.ts';
import type { Service } from '../../service/client.ts';
import type { LockFiles } from '../../state/lock-file.ts';
import { TakenOver } from '../../state/shared-purchases.ts';
import type { Team } from '../../state/team.ts';
import type { Trash } from '../../state/trash.ts';
import type { Tree } from '../../state/tree.ts';
import { BUSY_MS, InProgress } from '../remote-purchase.ts';
import { fetchBy, POLL_MS } from './decisions/next-move.ts';
import { isSameOutput, type OutputRequest } from './decisions/outputs.ts';
import { isRemoteJobOpen, mayBeSent, needsUpload, type RemoteJob } from './decisions/remote-job.ts';
import { givenUp } from './decisions/upload-failure.ts';
import { type OrderSources, orderOf, toBuy } from './order.ts';
import { type Begun, beginVoiceJob } from './purchase.ts';
import { RemoteJobs } from './remote-jobs.ts';
import { SharedRecordings } from './shared-recordings.ts';
import { type Needed, VoiceSpool } from './spool.ts';
import { outputsOf, type VoiceCase, type VoiceCaseSources, voiceCase } from './voice-case.ts';
import { type Drive, VoiceJobRunner } from './voice-job-runner.ts';

export interface VoiceJobsOptions {
  readonly service: Pick<Service, 'voice'>;
  readonly ledger: Ledger;
  readonly trash: Pick<Trash, 'take'>;
  readonly clock: Clock;
  readonly events: Events;
  /** `<state>/voice` */
  readonly spool: string;
  readonly inForce: InForce;
  /** Absent: purchases are not shared. */
  readonly team?: Pick<Team, 'purchases'>;
  /** Absent: the ledger is not shared. */
  readonly tree?: Pick<Tree, 'onRemotes'>;
  /** Absent: the config names no lock files. */
  readonly lock?: LockFiles;
  /** Reserves seconds of audio for a job, or says what it must wait for. */
  allow(job: JobRecord, seconds: number): Promise<Allowance>;
  /** See `VoiceJobRunnerOptions`. */
  givesUp(): boolean;
  /** Called with charges that are in the ledger. */
  booked(charges: readonly Charge[]): void;
}

/** `again`: the state of an output may have changed; `waited`: none changes before `until`. */
export type Advance =
  | { readonly kind: 'again' }
  | { readonly kind: 'waited'; readonly until: number }
  | Extract<LaneResult, { kind: 'held' | 'superseded' }>;

const SWEEP_MS = 60 * 60_000;
/** No job of a recording waits longer for its next run: a status request is due every minute at least. */
const LONGEST_EXPECTED_MS = 2 * 60_000;

export class VoiceJobs {
  readonly options: VoiceJobsOptions;
  readonly jobs: RemoteJobs;
  readonly spool: VoiceSpool;
  readonly #runner: VoiceJobRunner;
  /** Absent: purchases are not shared. */
  readonly #shared: SharedRecordings | undefined;
  /** At most one caller works on a recording at a time: the others wait for its results. */
  readonly #inProgress = new InProgress<ContentKey>();
  /**
   * When the next run of a job of the recording is due. `tend` leaves the recording alone until then, so that the job gets the
   * failures.
   */
  readonly #expected = new Map<ContentKey, number>();
  /** When `sweep` ran last. There is no sweep at the start: a job of this run may need results that were kept too long. */
  #swept: number;

  constructor(options: VoiceJobsOptions) {
    const { ledger, clock } = options;
    this.options = options;
    this.#swept = clock.now();
    this.spool = new VoiceSpool(options.spool);
    const { team, inForce } = options;
    const { spool } = this;
    const ledgers = options.tree === undefined ? 'many' : 'one';
    const shared = { spool, clock, ledgers, inForce } as const;
    this.#shared = team && new SharedRecordings({ team: team.purchases, ...shared });
    this.jobs = new RemoteJobs(ledger, clock, this.#shared);
    options.tree?.onRemotes((record) => this.jobs.learn(record));
    this.#runner = new VoiceJobRunner({ ...options, jobs: this.jobs, spool: this.spool });
  }

  sources(): VoiceCaseSources {
    const { ledger, inForce, lock } = this.options;
    return { ledger, planner: inForce.planner, ...(lock === undefined ? {} : { lock }) };
  }

  get rate() {
    return this.#runner.rate;
  }

  /** See `VoiceJobRunner`. */
  get delayed(): VoiceJobRunner['delayed'] {
    return this.#runner.delayed;
  }

  /** Buys the missing outputs and goes on with the open voice jobs of the recording, until they have to wait. */
  async advance(run: LaneRun, voice: VoiceCase): Promise<Advance> {
    const { content } = voice;
    if (this.#inProgress.has(content)) return this.#wait(BUSY_MS);
    using _ = this.#inProgress.begin(content);
    this.#expected.delete(content);
    const advance = await this.#advance(run, voice);
    if (advance.kind === 'waited') this.#expected.set(content, advance.until + POLL_MS);
    return advance;
  }

  async #advance(run: LaneRun, voice: VoiceCase): Promise<Advance> {
    const begun = await this.#buyMissing(run, voice);
    switch (begun?.kind) {
      case 'held':
        return this.#held(begun.hold);
      case 'wait':
        return this.#wait(begun.ms);
      case 'superseded':
        return begun;
      case 'begun':
      case undefined:
        return await this.#continueJob(run, voice);
    }
  }

  /**
   * Goes on with the voice jobs that were sent, also when no job waits for the results, because they are paid. Those whose results expire first
   * come first. Gives up voice jobs that were not sent and for which no job waits. Sweeps once an hour.
   */
  async tend(signal: AbortSignal): Promise<void> {
    const now = this.options.clock.now();
    if (isReached(this.#swept + SWEEP_MS, { now, longestMs: SWEEP_MS })) await this.sweep();
    await ifPossible(async () => await this.#shared?.catchUp(this.jobs));
    const open = this.jobs
      .open()
      .filter(({ content }) =>
        isReached(this.#expected.get(content) ?? 0, { now, longestMs: LONGEST_EXPECTED_MS }),
      );
    const byDeadline = open.sort((a, b) => (fetchBy(a) ?? 0) - (fetchBy(b) ?? 0));
    await Promise.all(byDeadline.map((job) => this.#tendOne(job, signal)));
  }

  /** Forgets records and results that were kept long enough, but never those that are paid and not delivered. */
  async sweep(): Promise<void> {
    const { clock, inForce } = this.options;
    this.#swept = clock.now();
    const keepMs = inForce.config.keep.spool;
    const undelivered = this.#undelivered();
    await ifPossible(async () => {
      await this.jobs.forgetOlder(keepMs, ({ sourceHash }) => undelivered.has(sourceHash));
      await this.spool.sweep(this.#needed, clock.now() - keepMs);
      await this.#shared?.sweep();
    });
  }

  #undelivered(): ReadonlySet<Hash> {
    const jobs = [...this.options.ledger.all('jobs')];
    const open = jobs.filter(({ lane, state }) => lane === 'voice' && state.kind !== 'done');
    return new Set(open.map(({ fingerprint }) => sourceHashOf(fingerprint)));
  }

  async #tendOne(job: RemoteJob, signal: AbortSignal): Promise<void> {
    if (this.#inProgress.has(job.content)) return;
    using _ = this.#inProgress.begin(job.content);
    this.#expected.delete(job.content);
    await ifPossible(async () => {
      if (!needsUpload(job)) await this.#drive(job, 'fetch', signal);
      else if (!this.#isAwaited(job)) await this.#giveUp(job);
    });
  }

  readonly #needed: Needed = {
    source: (content) => this.#inProgress.has(content) || this.jobs.about(content).some(mayBeSent),
    results: (id) => this.jobs.get(id) !== undefined,
  };

  /** Looks up the missing outputs while no other job works on the recording, so that none is bought twice. */
  async #buyMissing(run: LaneRun, voice: VoiceCase): Promise<Begun | undefined> {
    const outputs = await missingOf(this, voice);
    if (outputs.length === 0) return undefined;
    const shared = this.#shared;
    if (shared === undefined) return await this.#beginVoiceJob(run, voice, outputs);
    const { ours, isBusy, hold } = await shared.share(this.jobs, voice, outputs);
    let begun: Begun | undefined;
    try {
      if (hold !== undefined) return { kind: 'held', hold };
      if (ours.length > 0) begun = await this.#beginVoiceJob(run, voice, ours);
      else if (isBusy) return { kind: 'wait', ms: BUSY_MS };
      return begun;
    } finally {
      if (begun?.kind !== 'begun') await shared.release(voice, ours);
    }
  }

  async #beginVoiceJob(
    run: LaneRun,
    voice: VoiceCase,
    outputs: readonly OutputRequest[],
  ): Promise<Begun> {
    const { allow, inForce } = this.options;
    const options = {
      jobs: this.jobs,
      spool: this.spool,
      clock: this.options.clock,
      rate: this.#runner.rate,
      inForce,
      allow: (seconds: number) => allow(run.job, seconds),
    };
    return await beginVoiceJob(options, voice, { outputs, signal: run.signal });
  }

  async #continueJob(run: LaneRun, voice: VoiceCase): Promise<Advance> {
    let until = Number.POSITIVE_INFINITY;
    for (const begun of this.jobs.about(voice.content).filter(isRemoteJobOpen)) {
      const remote = await this.#asAsked(begun, voice);
      const allowance = needsUpload(remote)
        ? await this.options.allow(run.job, remote.seconds)
        : undefined;
      if (allowance?.kind === 'held') {
        await this.#giveUp(remote);
        return this.#held(allowance.hold);
      }
      const drive = await this.#send(run, remote, allowance);
      if (drive.kind === 'waits') until = Math.min(until, drive.until);
    }
    return Number.isFinite(until) ? { kind: 'waited', until } : { kind: 'again' };
  }

  /** @param reserved disposed when the voice job has to wait or rests */
  async #send(run: LaneRun, remote: RemoteJob, reserved: Disposable | undefined): Promise<Drive> {
    using _reserved = reserved;
    await run.step({ kind: 'voice', voiceJob: remote.id });
    return await this.#drive(remote, 'send', run.signal);
  }

  /** Removes the outputs of a voice job for which config does not ask any more, if the job is not created on the service yet. */
  async #asAsked(job: RemoteJob, voice: VoiceCase): Promise<RemoteJob> {
    if (job.stage.kind !== 'creating') return job;
    const outputs = askedOf(this, voice, job.outputs);
    return outputs.length === job.outputs.length || outputs.length === 0
      ? job
      : await this.jobs.put({ ...job, outputs });
  }

  async #giveUp(job: RemoteJob): Promise<void> {
    const left = await this.jobs.put(givenUp(job));
    if (!mayBeSent(left)) await this.spool.dropSource(job.content);
  }

  /** Drives a voice job, unless another runner of the team took it over. */
  async #drive(job: RemoteJob, extent: 'send' | 'fetch', signal: AbortSignal): Promise<Drive> {
    const isOurs = (await this.#shared?.goesOn(job)) ?? true;
    try {
      if (isOurs) return await this.#runner.drive(job.id, extent, signal);
    } catch (error) {
      if (!(error instanceof TakenOver)) throw error;
    }
    await this.#shared?.yield(this.jobs, this.jobs.get(job.id) ?? job);
    return { kind: 'waits', until: this.options.clock.now() + BUSY_MS };
  }

  #isAwaited({ owner, sourceHash }: RemoteJob): boolean {
    const { ledger } = this.options;
    const isAbout = (job: Job | undefined) =>
      job?.fingerprint.startsWith(`${sourceHash}.`) === true;
    return isAbout(ledger.get('jobs', owner)) || [...ledger.all('jobs')].some(isAbout);
  }

  #wait(ms: number): Advance {
    return { kind: 'waited', until: this.options.clock.now() + ms };
  }

  #held(found: Hold): Advance {
    const { clock, inForce } = this.options;
    // The limits of a recording and the result of its upload depend on the service.
    const hold = found.kind === 'unsuitable' ? { ...found, service: inForce.serviceDigest } : found;
    return { kind: 'held', state: { kind: 'held', at: isoTime(clock), hold } };
  }
}

/** Ignores failures of the service and the disk: the next round tries again, and the run of the job itself reports them. */
async function ifPossible(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof JobFailure)) throw error;
  }
}

/**
 * The missing outputs of a recording, for all jobs about it that wait or run: one upload brings them all.
 * @returns none when the job itself misses none
 */
async function missingOf(voiceJobs: OrderSources, voice: VoiceCase): Promise<OutputRequest[]> {
  const own = toBuy(await orderOf(voiceJobs, voice)).map(({ output }) => output);
  if (own.length === 0) return [];
  const outputs = [...own];
  for (const other of otherCases(voiceJobs, voice, isWaiting)) {
    const missing = toBuy(await orderOf(voiceJobs, other)).map(({ output }) => output);
    for (const output of missing)
      if (!outputs.some((each) => isSameOutput(each, output))) outputs.push(output);
  }
  return outputs;
}

/** @returns the outputs that a job of the recording (waiting or not) still asks for by its route and languages */
function askedOf<T extends OutputRequest>(
  voiceJobs: OrderSources,
  voice: VoiceCase,
  outputs: readonly T[],
): T[] {
  const asked = [voice, ...otherCases(voiceJobs, voice, isAbout)].flatMap(outputsOf);
  return outputs.filter((output) => asked.some((each) => isSameOutput(each, output)));
}

/** Other jobs about the same content. */
function otherCases(
  voiceJobs: OrderSources,
  voice: VoiceCase,
  isMeant: (job: JobRecord, voice: VoiceCase) => boolean,
): VoiceCase[] {
  const sources = voiceJobs.sources();
  const cases: VoiceCase[] = [];
  for (const job of sources.ledger.all('jobs')) {
    if (job.id === voice.job.id || !isMeant(job, voice)) continue;
    // Config does not ask for it any more.
    if (!sources.planner.wants(job)) continue;
    const other = voiceCase(job, sources);
    if (other.content === voice.content) cases.push(other);
  }
  return cases;
}

function isAbout({ lane, fingerprint }: JobRecord, { sourceHash }: VoiceCase): boolean {
  return lane === 'voice' && fingerprint.startsWith(`${sourceHash}.`);
}

function isWaiting(job: JobRecord, voice: VoiceCase): boolean {
  const { kind } = job.state;
  return (kind === 'queued' || kind === 'running') && isAbout(job, voice);
}
