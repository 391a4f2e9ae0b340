/** Sends the changes of one process to the tables of a tree, in their order. Changes that come while others are being sent are sent together. */

import type { Clock } from '../../clock.ts';
import { JobFailure } from '../../failure.ts';
import type { JobId } from '../../job.ts';
import type { TableName } from '../../ledger.ts';
import type { Ended, TakenOffer } from '../tree-offers.ts';
import type { Database, Statements } from './database.ts';
import { type MirrorRow, recordKey } from './tree-mirror.ts';
import { fitJson, textFrom } from './tree-text.ts';

/** The answer of the database to a change. */
export interface TreeAnswer {
  /** Id of a record that was not as the change expected it: the change is refused. */
  readonly stale?: string;
  /** The table of that record; absent: jobs. */
  readonly tbl?: TableName;
  /** Refused because another writer holds the job at this moment. */
  readonly held?: boolean;
  /** Refused because the tree has another config than the claim named. */
  readonly config?: boolean;
  /** The fence of a successful claim. */
  readonly fence?: number;
  /** Records that this process did not know. */
  readonly rows?: readonly MirrorRow[];
}

export interface TreeChange {
  /** The operation, as the function `tree_write` reads it. */
  readonly op: object;
  /** Ids of the jobs that the change concerns. */
  readonly jobs: readonly string[];
  /** The records that it changes, as `recordKey` names them. */
  readonly keys: readonly string[];
  /** The offer that ends with the change, unless the change is refused. */
  readonly ends?: EndingOffer | undefined;
  /** The jobs that nobody has to run after the change: their offers are removed, unless the change is refused. */
  readonly closes?: readonly JobId[];
}

/** An offer that ends. `againAt`: when its job is offered again, in milliseconds since the epoch; absent: it is not. */
export interface EndingOffer {
  readonly taken: TakenOffer;
  readonly againAt?: number;
}

interface WaitingChange extends Omit<TreeChange, 'op'> {
  readonly op: string;
  resolve(answer: TreeAnswer): void;
  reject(error: unknown): void;
}

export interface TreeWriterOptions {
  readonly database: Database;
  readonly tree: string;
  /** A name that no other writer has. */
  readonly by: string;
  /** See `TreeLedgerOptions`. */
  readonly leader?: string;
  readonly isLooking?: boolean;
  readonly clock: Pick<Clock, 'now'>;
  /** Ends offers as a part of a transaction; absent: no change of this ledger ends an offer. */
  readonly endTurns?: ((db: Statements, ended: readonly Ended[]) => Promise<void>) | undefined;
  /** Removes offers that wait, as a part of a transaction; absent as `endTurns`. */
  readonly withdraw?: ((db: Statements, ids: readonly JobId[]) => Promise<void>) | undefined;
  /** Receives the records that come with an answer. */
  learn(row: MirrorRow): void;
}

/** The most changes that are sent together, and the most characters of them. */
const MOST_CHANGES = 200;
const MOST_CHARACTERS = 4_000_000;

export class TreeWriter {
  readonly #options: TreeWriterOptions;
  #waiting: WaitingChange[] = [];
  /** How many changes of each record have no answer yet, as `recordKey` names the records. */
  readonly #keys = new Map<string, number>();
  #chores: (() => Promise<void>)[] = [];
  #running: Promise<void> | undefined;
  #sent = 0;
  #leader: string | undefined;
  #broken: { readonly error: unknown } | undefined;

  constructor(options: TreeWriterOptions) {
    this.#options = options;
    this.#leader = options.leader;
  }

  /** From now on, the database refuses changes when this runner no longer leads. */
  lead(leader: string): void {
    this.#leader = leader;
  }

  /** The change is durable when it resolves. After a failed write, every later one rejects. */
  async write({ op, ...change }: TreeChange): Promise<TreeAnswer> {
    if (this.#broken !== undefined) throw this.#broken.error;
    if (this.#options.isLooking === true) return {};
    const { promise, resolve, reject } = Promise.withResolvers<TreeAnswer>();
    for (const key of change.keys) this.#keys.set(key, (this.#keys.get(key) ?? 0) + 1);
    this.#waiting.push({ op: fitJson(JSON.stringify(op)), ...change, resolve, reject });
    this.#start();
    return await promise;
  }

  /** Whether any change has no answer yet. */
  get isSending(): boolean {
    return this.#keys.size > 0;
  }

  /** Whether a change of this record has no answer yet. */
  isWaiting(key: string): boolean {
    return this.#keys.has(key);
  }

  /** Runs `chore` while no change is being sent. Resolves even if the chore fails. */
  async between(chore: () => Promise<void>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#chores.push(async () => {
      try {
        await chore();
      } finally {
        resolve();
      }
    });
    this.#start();
    await promise;
  }

  /** Resolves when every change has its answer. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  #start(): void {
    // Not at once: changes that are asked for in the same moment are sent together.
    this.#running ??= Promise.resolve()
      .then(() => this.#run())
      .finally(() => {
        this.#running = undefined;
        if (this.#chores.length + this.#waiting.length > 0) this.#start();
      });
  }

  async #run(): Promise<void> {
    while (this.#chores.length + this.#waiting.length > 0) {
      const chores = this.#chores.splice(0);
      for (const chore of chores) await chore().catch(() => {});
      const portion = this.#portion();
      if (portion.length > 0) await this.#send(portion);
    }
  }

  #portion(): WaitingChange[] {
    let characters = 0;
    const end = this.#waiting.findIndex(({ op }, index) => {
      characters += op.length;
      return index > 0 && (index >= MOST_CHANGES || characters > MOST_CHARACTERS);
    });
    return this.#waiting.splice(0, end < 0 ? this.#waiting.length : end);
  }

  async #send(portion: readonly WaitingChange[]): Promise<void> {
    try {
      const { database, tree, by } = this.#options;
      const leader = this.#leader;
      const ids = [...new Set(portion.flatMap(({ jobs }) => jobs))];
      const head = fitJson(JSON.stringify({ tree, by, leader, n: ++this.#sent, ids })).slice(0, -1);
      const ops = portion.map(({ op }) => op).join(',');
      const call = { name: 'tree_write', value: `${head},"ops":[${ops}]}` };
      const answers = portion.some(({ ends, closes = [] }) => ends ?? closes[0])
        ? await database.callAnd<readonly TreeAnswer[]>(call, async (db, all) => {
            const made = portion.filter((_, nth) => all[nth]?.stale === undefined);
            await this.#endTurns(db, made);
            const closed = made.flatMap(({ closes = [] }) => closes);
            if (closed.length > 0) await this.#options.withdraw?.(db, closed);
          })
        : await database.call<readonly TreeAnswer[]>(call.name, call.value);
      for (const [index, change] of portion.entries()) this.#take(change, answers[index] ?? {});
    } catch (error) {
      this.#breakOff(error, portion);
    }
  }

  async #endTurns(db: Statements, settled: readonly WaitingChange[]): Promise<void> {
    const { clock, endTurns } = this.#options;
    const now = clock.now();
    const ended = settled.flatMap(({ ends }): Ended[] => {
      if (ends === undefined) return [];
      const { taken, againAt } = ends;
      return [{ taken, ...(againAt === undefined ? {} : { againInMs: againAt - now }) }];
    });
    if (ended.length > 0) await endTurns?.(db, ended);
  }

  #take(change: WaitingChange, answer: TreeAnswer): void {
    this.#release(change);
    for (const row of answer.rows ?? []) {
      // A later change of this process gets the record with its own answer.
      if (!this.isWaiting(recordKey(row.tbl, textFrom(row.id)))) this.#options.learn(row);
    }
    change.resolve(answer);
  }

  #breakOff(error: unknown, portion: readonly WaitingChange[]): void {
    this.#broken ??= { error };
    for (const change of [...portion, ...this.#waiting.splice(0)]) {
      this.#release(change);
      change.reject(error);
    }
  }

  #release({ keys }: WaitingChange): void {
    for (const key of keys) {
      const left = (this.#keys.get(key) ?? 1) - 1;
      if (left === 0) this.#keys.delete(key);
      else this.#keys.set(key, left);
    }
  }

  /** Every later write rejects. */
  close(): void {
    this.#broken ??= { error: new JobFailure({ kind: 'stopped' }) };
  }
}
