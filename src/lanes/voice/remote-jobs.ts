/** The voice jobs of the service in the ledger, found by the sound that they are about. */
import type { Clock } from '../../clock.ts';
import type { Charge, Fact, Ledger, RemoteRecord } from '../../ledger.ts';
import type { ContentKey } from '../../plan/voice-recipe.ts';
import type { OutputRequest } from './rules/outputs.ts';
import { isOpen, type RemoteJob, type RemoteOutput } from './rules/remote-job.ts';

/** One output of a voice job, and where it stands in it. */
export interface FoundOutput {
  readonly job: RemoteJob;
  readonly index: number;
  readonly output: RemoteOutput;
}

const PREFIX = 'voice ';

/** Who shares voice jobs with a team hears where they stand. */
export interface RemoteJobListener {
  /** Before what may be billed, or is given away only once. @throws TakenOver */
  allow(job: RemoteJob): Promise<void>;
  /** What is durable here. */
  tell(job: RemoteJob): Promise<void>;
}

export class RemoteJobs {
  readonly #ledger: Ledger;
  readonly #clock: Clock;
  /** Ids in the order in which the jobs were begun. */
  readonly #byContent = new Map<ContentKey, string[]>();
  readonly #open = new Set<string>();
  /** Slots of jobs that are being prepared: they are not on record yet. */
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
    return this.#ledger.get('remotes', PREFIX + id)?.value as RemoteJob | undefined;
  }

  *all(): Generator<RemoteJob> {
    for (const { kind, value } of this.#ledger.all('remotes')) {
      if (kind === 'voice') yield value as RemoteJob;
    }
  }

  /** Jobs about that sound, the oldest first. */
  about(content: ContentKey): RemoteJob[] {
    return (this.#byContent.get(content) ?? []).flatMap((id) => this.get(id) ?? []);
  }

  /** The newest job that has made, or shall make, an output; those that never came to the service do not count. */
  find(content: ContentKey, { language, type }: OutputRequest): FoundOutput | undefined {
    for (const job of this.about(content).reverse()) {
      if (job.stage.kind === 'void') continue;
      const index = job.outputs.findIndex(
        (output) => output.language === language && output.type === type,
      );
      const output = job.outputs[index];
      if (output !== undefined) return { job, index, output };
    }
    return undefined;
  }

  /** How often an output was paid for and lost. */
  losses(content: ContentKey, { language, type }: OutputRequest): number {
    return this.about(content)
      .flatMap(({ outputs }) => outputs)
      .filter((each) => each.language === language && each.type === type)
      .filter(({ state }) => state.kind === 'lost').length;
  }

  /** Jobs that the service works on, or shall soon. */
  open(): RemoteJob[] {
    return [...this.#open].flatMap((id) => this.get(id) ?? []);
  }

  /** Sets one of so many slots aside for a job that is about to be begun, until it is on record; undefined when none is free. */
  takeSlot(slots: number): Disposable | undefined {
    if (this.#open.size + this.#taken >= slots) return undefined;
    this.#taken += 1;
    return {
      [Symbol.dispose]: () => {
        this.#taken -= 1;
      },
    };
  }

  /** Writes down where a job stands; durable when it resolves, together with the charges. */
  async put(job: RemoteJob, charges: readonly Charge[] = []): Promise<RemoteJob> {
    if (this.#listener !== undefined) await this.#listener.allow(job);
    const put = { id: PREFIX + job.id, kind: 'voice', value: job } as const;
    await this.#ledger.commit([
      { table: 'remotes', put, from: this.#ledger.get('remotes', put.id) },
      ...charges.map((put): Fact => ({ table: 'charges', put })),
    ]);
    this.#index(job);
    if (this.#listener !== undefined) await this.#listener.tell(job);
    return job;
  }

  /** What another daemon of the tree wrote down. */
  learn({ kind, value }: RemoteRecord): void {
    if (kind === 'voice') this.#index(value as RemoteJob);
  }

  /** Forgets jobs that ended long ago. @param isNeeded whether somebody still waits for what a job brought */
  async forgetOlder(keepMs: number, isNeeded: (job: RemoteJob) => boolean): Promise<void> {
    const until = this.#clock.now() - keepMs;
    const old = [...this.all()].filter(
      (job) => !isOpen(job) && job.begun < until && !isNeeded(job),
    );
    if (old.length === 0) return;
    for (const { id, content } of old) {
      const rest = (this.#byContent.get(content) ?? []).filter((each) => each !== id);
      if (rest.length > 0) this.#byContent.set(content, rest);
      else this.#byContent.delete(content);
    }
    await this.#ledger.commit(
      old.flatMap(({ id }): Fact[] => {
        const remove = this.#ledger.get('remotes', PREFIX + id);
        return remove === undefined ? [] : [{ table: 'remotes', remove }];
      }),
    );
  }

  #index(job: RemoteJob): void {
    const { id, content } = job;
    if (isOpen(job)) this.#open.add(id);
    else this.#open.delete(id);
    const known = this.#byContent.get(content) ?? [];
    if (!known.includes(id)) this.#byContent.set(content, [...known, id]);
  }
}
