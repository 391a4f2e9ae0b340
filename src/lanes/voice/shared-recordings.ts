/**
 * Shares the purchases of recordings with a team: claims outputs, publishes the stages of voice jobs, and uses the results of other runners.
 */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import type { Config } from '../../config.ts';
import { hashBytes } from '../../files/disk.ts';
import type { Hold } from '../../job.ts';
import type { ContentKey } from '../../plan/voice-recipe.ts';
import {
  type PurchaseClaim,
  type SharedPurchases,
  type SharedStage,
  TakenOver,
  type Want,
} from '../../state/shared-purchases.ts';
import { isSameOutput, type OutputRequest } from './decisions/outputs.ts';
import {
  isRemoteJobOpen,
  isSettled,
  type RemoteJob,
  type RemoteOutput,
} from './decisions/remote-job.ts';
import type { RemoteJobListener, RemoteJobs } from './remote-jobs.ts';
import type { VoiceSpool } from './spool.ts';
import { outputsOf, type VoiceCase } from './voice-case.ts';

export interface SharedRecordingsOptions {
  readonly team: SharedPurchases;
  readonly spool: VoiceSpool;
  readonly clock: Clock;
  /** `one`: the daemons of a tree share the ledger, so records of the others are here too. */
  readonly ledgers: 'one' | 'many';
  /** A result is kept for `keep.spool`. */
  readonly inForce: { readonly config: Pick<Config, 'keep'> };
}

export interface Shares {
  /** Outputs that this runner buys. The others were bought, or another runner buys them. */
  readonly ours: readonly OutputRequest[];
  /** Another runner buys an output. */
  readonly isBusy: boolean;
  /** An output of the job itself was paid for, and its result cannot be fetched. */
  readonly hold?: Hold;
}

export class SharedRecordings implements RemoteJobListener {
  readonly #options: SharedRecordingsOptions;
  /** Jobs whose stage this process has published. */
  readonly #told = new Set<string>();
  /** Outputs whose result the team's state has, or cannot have. */
  readonly #kept = new Set<string>();
  /** Jobs that only record the result of another runner's job. */
  readonly #copies = new Set<string>();
  /**
   * Whether the team's database may lack the end of a job that the ledger has. True at the start, because the last process may have been
   * killed between the two records, and after the database could not be reached.
   */
  #isBehind = true;

  constructor(options: SharedRecordingsOptions) {
    this.#options = options;
  }

  async allow(job: RemoteJob): Promise<void> {
    if (needsClaim(job) && !(await this.#claimAll(job))) throw new TakenOver(job.id);
  }

  async publish(job: RemoteJob): Promise<void> {
    try {
      await this.#publish(job);
    } catch (error) {
      this.#isBehind = true;
      throw error;
    }
  }

  /** Publishes the ends of jobs that only the ledger has. Otherwise they would count as under way for as long as this runner lives. */
  async catchUp(jobs: RemoteJobs): Promise<void> {
    if (!this.#isBehind) return;
    this.#isBehind = false;
    const ended = new Map([...jobs.all()].filter(hasEnded).map((job) => [job.id, job]));
    const ids = [...ended.values()].flatMap((job) =>
      job.outputs.map((output) => recordingId(job, output)),
    );
    try {
      const rows = ids.length === 0 ? [] : await this.#options.team.unended(ids);
      const behind = new Set(rows.map(({ record }) => (record as Partial<RemoteJob>).id));
      for (const id of behind) {
        const job = id === undefined ? undefined : ended.get(id);
        if (job !== undefined) await this.#publish(job);
      }
    } catch (error) {
      this.#isBehind = true;
      throw error;
    }
  }

  async #publish(job: RemoteJob): Promise<void> {
    if (this.#copies.has(job.id)) return;
    switch (job.stage.kind) {
      // Claimed in `allow`.
      case 'closing':
      case 'created':
        return;
      case 'void':
        for (const output of job.outputs)
          await this.#options.team.release(recordingId(job, output));
        return;
      case 'creating':
      case 'uploaded':
      case 'ended':
      case 'in-doubt':
        await this.#keep(job);
        for (const output of job.outputs) await this.#record(job, output);
        this.#told.add(job.id);
    }
  }

  /**
   * Claims outputs, and records those that others have bought. All runners claim in the same order and stop at an output that another
   * runner buys. Otherwise two runners that claim at once would each get a part of the outputs, and send the recording twice.
   */
  async share(
    jobs: RemoteJobs,
    voice: VoiceCase,
    outputs: readonly OutputRequest[],
  ): Promise<Shares> {
    await this.catchUp(jobs);
    const ours: OutputRequest[] = [];
    const own = outputsOf(voice);
    let isBusy = false;
    let hold: Hold | undefined;
    for (const output of inOneOrder(outputs)) {
      const share = await this.#shareOne(jobs, voice, output);
      if (share === 'busy') {
        isBusy = true;
        break;
      }
      if (share === 'ours') ours.push(output);
      else if (share !== 'known' && own.some((each) => isSameOutput(each, output))) hold = share;
    }
    return { ours, isBusy, ...(hold === undefined ? {} : { hold }) };
  }

  /** Frees outputs for others: nothing was sent. */
  async release(voice: VoiceCase, outputs: readonly OutputRequest[]): Promise<void> {
    for (const output of outputs)
      await this.#options.team.release(recordingId(contentOfProject(voice), output));
  }

  /** Whether this runner goes on with a job of its ledger. */
  async goesOn(job: RemoteJob): Promise<boolean> {
    return this.#told.has(job.id) || (await this.#claimAll(job));
  }

  /** Leaves a job to another runner. */
  async yield(jobs: RemoteJobs, job: RemoteJob): Promise<void> {
    this.#told.delete(job.id);
    // With one ledger, the other runner would see the job as given up.
    if (this.#options.ledgers === 'one') return;
    await jobs.put({ ...job, stage: { kind: 'void', because: 'given-up' } });
  }

  async sweep(): Promise<void> {
    await this.#options.team.sweep();
  }

  async #shareOne(
    jobs: RemoteJobs,
    voice: VoiceCase,
    output: OutputRequest,
  ): Promise<'ours' | 'busy' | 'known' | Hold> {
    const found = jobs.find(voice.content, output);
    // It was taken over with another output just now.
    if (found !== undefined && isRemoteJobOpen(found.job)) return 'known';
    const kind = voice.release?.kind;
    const isAgain = kind === 'retry' || kind === 'machine' || found !== undefined;
    const claim = await this.#claim(voice, output, isAgain ? 'again' : 'buy');
    const asked = { voice, output };
    switch (claim.kind) {
      case 'ours':
      case 'busy':
        return claim.kind;
      case 'free':
        return 'busy';
      case 'taken-over': {
        const taken = claim.secret as RemoteJob;
        const known = jobs.get(taken.id);
        if (known !== undefined && hasEnded(known)) {
          // The other runner was killed before it could publish the end.
          await this.publish(known);
          return await this.#shareOne(jobs, voice, output);
        }
        if (known === undefined || known.stage.kind === 'void')
          await this.#takeOver(jobs, taken, voice);
        return 'known';
      }
      case 'out-of-reach':
        return lost(claim, `${claim.runner} sent it and is silent; it alone can fetch it`);
      case 'over':
        await jobs.put(this.#copyOf(claim.record as RemoteJob, asked));
        return 'known';
      case 'kept': {
        const copy = this.#copyOf(claim.record as RemoteJob, asked);
        if (await this.#take(copy)) {
          await jobs.put(copy);
          return 'known';
        }
        if (isAgain && (await this.#claim(voice, output, 'anew')).kind === 'ours') return 'ours';
        return lost(claim, `${claim.runner} has it, and the team's state keeps no copy of it`);
      }
    }
  }

  async #claim(voice: VoiceCase, output: OutputRequest, want: Want): Promise<PurchaseClaim> {
    const place = contentOfProject(voice);
    const charge = { language: voice.job.language, lane: 'voice' };
    const { project } = place;
    return await this.#options.team.claim(
      { id: recordingId(place, output), project, charge },
      want,
    );
  }

  async #takeOver(jobs: RemoteJobs, taken: RemoteJob, voice: VoiceCase): Promise<void> {
    this.#told.add(taken.id);
    await jobs.put({ ...taken, owner: voice.job.id });
  }

  /** The output of another runner's job as a job of this ledger. */
  #copyOf(
    job: RemoteJob,
    { voice, output }: { voice: VoiceCase; output: OutputRequest },
  ): RemoteJob {
    const found = job.outputs.filter((each) => isSameOutput(each, output));
    const stage = job.stage.kind === 'in-doubt' ? job.stage : ({ kind: 'ended' } as const);
    const begun = this.#options.clock.now();
    const id = randomUUID();
    this.#copies.add(id);
    return { ...job, id, owner: voice.job.id, begun, outputs: found, stage };
  }

  /** Copies a result from the team's state. @returns whether it is in the spool now */
  async #take(copy: RemoteJob): Promise<boolean> {
    const { team, spool } = this.#options;
    const [output] = copy.outputs;
    if (output?.state.kind !== 'fetched') return false;
    const content = await team.bytes(recordingId(copy, output));
    if (content === undefined || hashBytes(content) !== output.state.hash) return false;
    await spool.putResult({ job: copy, index: 0 }, content);
    return true;
  }

  /** Copies the fetched results of a job to the team's state. */
  async #keep(job: RemoteJob): Promise<void> {
    const { team, spool, inForce } = this.#options;
    const keepMs = inForce.config.keep.spool;
    for (const [index, output] of job.outputs.entries()) {
      const name = `${job.id} ${index}`;
      if (output.state.kind !== 'fetched' || this.#kept.has(name)) continue;
      const { result } = spool.resultFiles({ job, index });
      if (await spool.has({ job, index }))
        await team.keep(recordingId(job, output), result, keepMs);
      this.#kept.add(name);
    }
  }

  /** @returns whether this runner has all outputs of the job that are not settled */
  async #claimAll(job: RemoteJob): Promise<boolean> {
    const recorded: RemoteOutput[] = [];
    const open = job.outputs.filter((output) => !isSettled(output));
    for (const output of open) if (await this.#record(job, output)) recorded.push(output);
    if (recorded.length === open.length) {
      this.#told.add(job.id);
      return true;
    }
    // The runner that continues one output takes over the whole job.
    for (const output of recorded) await this.#options.team.leave(recordingId(job, output));
    return false;
  }

  async #record(job: RemoteJob, output: RemoteOutput): Promise<boolean> {
    return await this.#options.team.record({
      id: recordingId(job, output),
      project: job.project,
      stage: sharedStage(job, output),
      characters: 0,
      seconds: job.seconds / job.outputs.length,
      charge: { language: job.language, lane: 'voice' },
      record: withoutTickets(job),
      ...(job.stage.kind === 'uploaded' ? { secret: job } : {}),
    });
  }
}

function inOneOrder(outputs: readonly OutputRequest[]): OutputRequest[] {
  const sortKey = ({ language, type }: OutputRequest) => `${language} ${type}`;
  return outputs.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
}

/** Whether the next request may be billed, or fetches a result that the service returns only once. */
function needsClaim({ stage, outputs }: RemoteJob): boolean {
  return (
    stage.kind === 'closing' ||
    outputs.some(({ state }) => state.kind === 'downloading' && state.length === undefined)
  );
}

/** Whether it was sent, and nothing is left to do for it. */
function hasEnded({ stage: { kind } }: RemoteJob): boolean {
  return kind === 'ended' || kind === 'in-doubt';
}

/** The record that runners without the team's key may read. */
function withoutTickets(job: RemoteJob): unknown {
  return JSON.parse(JSON.stringify(job, (key, value) => (key === 'ticket' ? undefined : value)));
}

function lost({ seconds }: { readonly seconds: number }, reason: string): Hold {
  return { kind: 'lost-result', characters: 0, seconds, reason };
}

interface ContentOfProject {
  readonly project: string;
  readonly content: ContentKey;
}

function contentOfProject({ job: { project }, content }: VoiceCase): ContentOfProject {
  return { project, content };
}

function recordingId(
  { project, content }: ContentOfProject,
  { language, type }: OutputRequest,
): string {
  return `voice ${project} ${content} ${language} ${type}`;
}

function sharedStage({ stage }: RemoteJob, { state }: RemoteOutput): SharedStage {
  switch (stage.kind) {
    case 'creating':
    case 'created':
    case 'void':
      return 'begun';
    case 'closing':
      return 'closing';
    case 'in-doubt':
      return 'over';
    case 'uploaded':
    case 'ended':
      break;
  }
  switch (state.kind) {
    case 'awaited':
    case 'downloading':
      return 'booked';
    case 'fetched':
      return 'kept';
    case 'failed':
    case 'lost':
      return 'over';
  }
}
