/** Brings what was paid to the database: from this machine's disk first, until it is taken, by the next process too. */
import type { Charge } from '../../ledger.ts';
import type { Database } from './database.ts';
import type { Letter, Outbox } from './outbox.ts';
import { isRefusedBySql, messageOf } from './trouble.ts';

export interface DeliveryOptions {
  readonly database: Database;
  readonly outbox: Outbox;
  /** Hears of what the database has taken. */
  onTaken?(letter: Letter): void;
  /** Hears of what the database does not take, with its reason: it stays on the disk. */
  onRefused(letter: Letter, reason: string): void;
}

export class OutboxDelivery {
  readonly #options: DeliveryOptions;
  readonly #underway = new Map<string, Promise<void>>();
  readonly #refused = new Set<string>();
  #bookings = 0;

  constructor(options: DeliveryOptions) {
    this.#options = options;
  }

  /** What is not in the database yet. */
  get waiting(): number {
    return this.#options.outbox.pending.reduce((sum, { count }) => sum + count, 0);
  }

  /** Resolves when the database has it; on the disk long before. */
  async deliver(letter: Letter): Promise<void> {
    await this.#options.outbox.put(letter);
    await this.#tell(letter);
  }

  /** Charges of what goes on, or is bought whole: on the disk when it resolves, in the database soon. */
  async book(request: string, charges: readonly Charge[]): Promise<void> {
    if (charges.length === 0) return;
    this.#bookings += 1;
    const letter: Letter = {
      id: `${request} charges ${this.#bookings} ${charges[0]?.at}`,
      call: 'book',
      values: [request, JSON.stringify(charges)],
      count: 1,
      ...lastOf(charges),
    };
    await this.#options.outbox.put(letter);
    this.#tell(letter).catch(() => {});
  }

  /** Resolves when everything that this machine has paid for is in the database, but for what it refuses. */
  async delivered(): Promise<void> {
    const open = this.#options.outbox.pending.filter(({ id }) => !this.#refused.has(id));
    await Promise.all(open.map((letter) => this.#tell(letter)));
  }

  /** Before anything else of a new process. */
  async recover(): Promise<void> {
    const told = this.#options.outbox.pending.map((letter) => this.#tell(letter));
    // What is refused has been told; it stays.
    const failed = (await Promise.allSettled(told)).find(({ status }) => status === 'rejected');
    if (failed !== undefined && this.#refused.size === 0) {
      throw (failed as PromiseRejectedResult).reason;
    }
  }

  #tell(letter: Letter): Promise<void> {
    const known = this.#underway.get(letter.id);
    if (known !== undefined) return known;
    const told = this.#send(letter).finally(() => this.#underway.delete(letter.id));
    this.#underway.set(letter.id, told);
    return told;
  }

  async #send(letter: Letter): Promise<void> {
    const { database, outbox, onRefused, onTaken } = this.#options;
    try {
      await database.call(letter.call, ...letter.values);
    } catch (error) {
      if (isRefusedBySql(error)) {
        this.#refused.add(letter.id);
        onRefused(letter, messageOf(error));
      }
      throw error;
    }
    outbox.taken(letter);
    onTaken?.(letter);
  }
}

/** For the letter that brings them. */
export function lastOf(charges: readonly Charge[]): Pick<Letter, 'charge'> {
  const last = charges.at(-1);
  return last === undefined ? {} : { charge: last.id };
}
