/** The records of voice jobs on the service, found by the content of the recording. */
import type { Clock } from '../../clock.ts';
import type { Charge, Fact, Ledger, RemoteRecord } from '../../ledger.ts';
import type { ContentKey } from '../../plan/voice-recipe.ts';
import { isSameOutput, type OutputRequest } from './decisions/outputs.ts';
import { isRemoteJobOpen, type RemoteJob, type RemoteOutput } from './decisions/remote-job.ts';

/** One output of a voice job. `index`: its position in `job.outputs`. */
export interface FoundOutput {
  readonly job: RemoteJob;
  readonly index: number;
  readonly output: RemoteOutput;
}

const ID_PREFIX = 'voice ';

/** Shares the stages of voice jobs with a team. */
export interface RemoteJobListener {
  /** Called before a stage is recorded. @throws TakenOver when another runner goes on with a job that may be billed now */
  allow(job: RemoteJob): Promise<void>;
  /** Called when the stage is durable in the ledger. */
  publish(job: RemoteJob): Promise<void>;
}

export class RemoteJobs {
  readonly #ledger: Ledger;
  readonly #clock: Clock;
  /** Ids of jobs by their content, the oldest job first. */
  readonly #byContent = new Map<ContentKey, string[]>();
  readonly #open = new Set<string>();
  /** Slots of jobs that are being prepared and not recorded yet. */
  #taken = 0;

  readonly #listener: RemoteJobListener | undefined;

  constructor(ledger: Ledger, clock: Clock, listener?: RemoteJobListener) {
    this.#listener = listener;
    this.#ledger = ledger;
    this.#clock = clock;
    const all = [...this.all()].sort((a, b) => a.begun - b.begun);
    for (const job of all) this.#index(job);
  }

  get(id: string): RemoteJob | undefined {
    return this.#ledger.get('remotes', ID_PREFIX + id)?.value as RemoteJob | undefined;
  }

  *all(): Generator<RemoteJob> {
    for (const { kind, value } of this.#ledger.all('remotes')) {
      if (kind === 'voice') yield value as RemoteJob;
    }
  }

  /** Jobs about the content, the oldest first. */
  about(content: ContentKey): RemoteJob[] {
    return (this.#byContent.get(content) ?? []).flatMap((id) => this.get(id) ?? []);
  }

  /** The newest job with the output. Jobs whose recording never arrived do not count. */
  find(content: ContentKey, wanted: OutputRequest): FoundOutput | undefined {
    for (const job of this.about(content).reverse()) {
      if (job.stage.kind === 'void') continue;
      const index = job.outputs.findIndex((output) => isSameOutput(output, wanted));
      const output = job.outputs[index];
      if (output !== undefined) return { job, index, output };
    }
    return undefined;
  }

  /** How often an output was paid for and lost. */
  losses(content: ContentKey, wanted: OutputRequest): number {
    return this.about(content)
      .flatMap(({ outputs }) => outputs)
      .filter((each) => isSameOutput(each, wanted) && each.state.kind === 'lost').length;
  }

  /** Jobs that have something left to do on the service. */
  open(): RemoteJob[] {
    return [...this.#open].flatMap((id) => this.get(id) ?? []);
  }

  /**
   * Reserves one slot for a job that is being prepared; disposed when the job is recorded.
   * @param slots jobs that may be open at the same time
   * @returns undefined when no slot is free
   */
  takeSlot(slots: number): Disposable | undefined {
    if (this.#open.size + this.#taken >= slots) return undefined;
    this.#taken += 1;
    return {
      [Symbol.dispose]: () => {
        this.#taken -= 1;
      },
    };
  }

  /** Records a job together with its charges; durable when it resolves. */
  async put(job: RemoteJob, charges: readonly Charge[] = []): Promise<RemoteJob> {
    if (this.#listener !== undefined) await this.#listener.allow(job);
    const put = { id: ID_PREFIX + job.id, kind: 'voice', value: job } as const;
    await this.#ledger.commit([
      { table: 'remotes', put, from: this.#ledger.get('remotes', put.id) },
      ...charges.map((put): Fact => ({ table: 'charges', put })),
    ]);
    this.#index(job);
    if (this.#listener !== undefined) await this.#listener.publish(job);
    return job;
  }

  /** Takes a record that another daemon of the tree wrote. */
  learn({ kind, value }: RemoteRecord): void {
    if (kind === 'voice') this.#index(value as RemoteJob);
  }

  /** Forgets jobs that ended more than `keepMs` ago. @param isNeeded whether a job still waits for the results */
  async forgetOlder(keepMs: number, isNeeded: (job: RemoteJob) => boolean): Promise<void> {
    const until = this.#clock.now() - keepMs;
    const old = [...this.all()].filter(
      (job) => !isRemoteJobOpen(job) && job.begun < until && !isNeeded(job),
    );
    if (old.length === 0) return;
    for (const { id, content } of old) {
      const rest = (this.#byContent.get(content) ?? []).filter((each) => each !== id);
      if (rest.length > 0) this.#byContent.set(content, rest);
      else this.#byContent.delete(content);
    }
    await this.#ledger.commit(
      old.flatMap(({ id }): Fact[] => {
        const remove = this.#ledger.get('remotes', ID_PREFIX + id);
        return remove === undefined ? [] : [{ table: 'remotes', remove }];
      }),
    );
  }

  #index(job: RemoteJob): void {
    const { id, content } = job;
    if (isRemoteJobOpen(job)) this.#open.add(id);
    else this.#open.delete(id);
    const known = this.#byContent.get(content) ?? [];
    if (!known.includes(id)) this.#byContent.set(content, [...known, id]);
  }
}
