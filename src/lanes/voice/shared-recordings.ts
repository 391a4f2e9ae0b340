/** Recordings that a team buys together: whose turn each output is, where its voice job stands, and what another runner's job brought. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../clock.ts';
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
import type { RemoteJobListener, RemoteJobs } from './remote-jobs.ts';
import type { OutputRequest } from './rules/outputs.ts';
import { isOpen, isSettled, type RemoteJob, type RemoteOutput } from './rules/remote-job.ts';
import type { VoiceSpool } from './spool.ts';
import { outputsOf, type VoiceCase } from './voice-case.ts';

export interface SharedRecordingsOptions {
  readonly team: SharedPurchases;
  readonly spool: VoiceSpool;
  readonly clock: Clock;
  /** `one`: the daemons of a tree, where what another one writes down is here, too. */
  readonly ledgers: 'one' | 'many';
  /** Milliseconds for which a result is kept. */
  keepMs(): number;
}

/** Which outputs are this runner's to buy; the others were bought, or somebody else buys them. */
export interface Shares {
  readonly ours: readonly OutputRequest[];
  readonly isBusy: boolean;
  /** One of the job's own outputs was paid for, and cannot be had. */
  readonly hold?: Hold;
}

export class SharedRecordings implements RemoteJobListener {
  readonly #options: SharedRecordingsOptions;
  /** Jobs of which the team has heard from this process where they stand. */
  readonly #told = new Set<string>();
  /** Outputs whose result the team has, or cannot have. */
  readonly #kept = new Set<string>();
  /** Jobs that only say here what another runner's job brought. */
  readonly #copies = new Set<string>();

  constructor(options: SharedRecordingsOptions) {
    this.#options = options;
  }

  async allow(job: RemoteJob): Promise<void> {
    if (isAsked(job) && !(await this.#claimAll(job))) throw new TakenOver(job.id);
  }

  async tell(job: RemoteJob): Promise<void> {
    if (this.#copies.has(job.id)) return;
    switch (job.stage.kind) {
      // Asked before.
      case 'closing':
      case 'created':
        return;
      case 'void':
        for (const output of job.outputs) await this.#options.team.release(idOf(job, output));
        return;
      case 'creating':
      case 'uploaded':
      case 'ended':
      case 'in-doubt':
        await this.#keep(job);
        for (const output of job.outputs) await this.#note(job, output);
        this.#told.add(job.id);
    }
  }

  /**
   * Whose turn each output is; what others have bought of them is on record here afterwards. All runners claim in one order and
   * stop at what another one buys: two that claim at once would each get a part of the outputs, and send the recording twice.
   */
  async share(
    jobs: RemoteJobs,
    voice: VoiceCase,
    outputs: readonly OutputRequest[],
  ): Promise<Shares> {
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
      else if (share !== 'known' && own.some((each) => isSame(each, output))) hold = share;
    }
    return { ours, isBusy, ...(hold === undefined ? {} : { hold }) };
  }

  /** Nothing was sent: they are free for others. */
  async release(voice: VoiceCase, outputs: readonly OutputRequest[]): Promise<void> {
    for (const output of outputs) await this.#options.team.release(idOf(placeOf(voice), output));
  }

  /** Whether this checkout goes on with a job that its own ledger knows. */
  async goesOn(job: RemoteJob): Promise<boolean> {
    return this.#told.has(job.id) || (await this.#claimAll(job));
  }

  /** Another runner goes on with it. */
  async yield(jobs: RemoteJobs, job: RemoteJob): Promise<void> {
    this.#told.delete(job.id);
    // It would be given up there.
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
    // Taken over with another output just now.
    if (found !== undefined && isOpen(found.job)) return 'known';
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
        if (jobs.get(taken.id) === undefined) await this.#takeOver(jobs, taken, voice);
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
    const place = placeOf(voice);
    const charge = { language: voice.job.language, lane: 'voice' };
    const { project } = place;
    return await this.#options.team.claim({ id: idOf(place, output), project, charge }, want);
  }

  async #takeOver(jobs: RemoteJobs, taken: RemoteJob, voice: VoiceCase): Promise<void> {
    this.#told.add(taken.id);
    await jobs.put({ ...taken, owner: voice.job.id });
  }

  /** What became of one output elsewhere, as a job of its own. */
  #copyOf(
    job: RemoteJob,
    { voice, output }: { voice: VoiceCase; output: OutputRequest },
  ): RemoteJob {
    const found = job.outputs.filter((each) => isSame(each, output));
    const stage = job.stage.kind === 'in-doubt' ? job.stage : ({ kind: 'ended' } as const);
    const begun = this.#options.clock.now();
    const id = randomUUID();
    this.#copies.add(id);
    return { ...job, id, owner: voice.job.id, begun, outputs: found, stage };
  }

  /** @returns whether the result is in the spool now */
  async #take(copy: RemoteJob): Promise<boolean> {
    const { team, spool } = this.#options;
    const [output] = copy.outputs;
    if (output?.state.kind !== 'fetched') return false;
    const content = await team.bytes(idOf(copy, output));
    if (content === undefined || hashBytes(content) !== output.state.hash) return false;
    await spool.putResult({ job: copy, index: 0 }, content);
    return true;
  }

  async #keep(job: RemoteJob): Promise<void> {
    const { team, spool, keepMs } = this.#options;
    for (const [index, output] of job.outputs.entries()) {
      const name = `${job.id} ${index}`;
      if (output.state.kind !== 'fetched' || this.#kept.has(name)) continue;
      const { result } = spool.resultFiles({ job, index });
      if (await spool.has({ job, index })) await team.keep(idOf(job, output), result, keepMs());
      this.#kept.add(name);
    }
  }

  /** @returns whether all of it that is not over is this runner's */
  async #claimAll(job: RemoteJob): Promise<boolean> {
    const noted: RemoteOutput[] = [];
    const open = job.outputs.filter((output) => !isSettled(output));
    for (const output of open) if (await this.#note(job, output)) noted.push(output);
    if (noted.length === open.length) {
      this.#told.add(job.id);
      return true;
    }
    // Who goes on with one output goes on with the job.
    for (const output of noted) await this.#options.team.leave(idOf(job, output));
    return false;
  }

  async #note(job: RemoteJob, output: RemoteOutput): Promise<boolean> {
    return await this.#options.team.note({
      id: idOf(job, output),
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
  const nameOf = ({ language, type }: OutputRequest) => `${language} ${type}`;
  return outputs.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

/** Before what may be billed, or is given away only once. */
function isAsked({ stage, outputs }: RemoteJob): boolean {
  return (
    stage.kind === 'closing' ||
    outputs.some(({ state }) => state.kind === 'downloading' && state.length === undefined)
  );
}

/** What another runner may know without the key of the team. */
function withoutTickets(job: RemoteJob): unknown {
  return JSON.parse(JSON.stringify(job, (key, value) => (key === 'ticket' ? undefined : value)));
}

function lost({ seconds }: { readonly seconds: number }, reason: string): Hold {
  return { kind: 'lost-result', characters: 0, seconds, reason };
}

interface Place {
  readonly project: string;
  readonly content: ContentKey;
}

function placeOf({ job: { project }, content }: VoiceCase): Place {
  return { project, content };
}

function idOf({ project, content }: Place, { language, type }: OutputRequest): string {
  return `voice ${project} ${content} ${language} ${type}`;
}

function isSame(a: OutputRequest, b: OutputRequest): boolean {
  return a.language === b.language && a.type === b.type;
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
