/**
 * Delivers paid answers and charges to the database. Each is first written to this machine's disk and stays there until the database
 * takes it; if necessary, the next process sends it.
 */
import type { Charge } from '../../ledger.ts';
import type { Database } from './database.ts';
import type { Letter, Outbox } from './outbox.ts';
import { driverMessage, isRefusedBySql } from './trouble.ts';

export interface DeliveryOptions {
  readonly database: Database;
  readonly outbox: Outbox;
  /** Called when the database has taken a letter. */
  onTaken?(letter: Letter): void;
  /** Called when the database refuses a letter; it stays on the disk. */
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

  /** How many answers and charges are not in the database yet. */
  get waiting(): number {
    return this.#options.outbox.pending.reduce((sum, { count }) => sum + count, 0);
  }

  /** Resolves when the database has the letter. It is on the disk before it is sent. */
  async deliver(letter: Letter): Promise<void> {
    await this.#keep(letter);
    await this.#tell(letter);
  }

  /** Books charges of open requests, documents and recordings: on the disk when it resolves, in the database soon after. */
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
    await this.#keep(letter);
    this.#tell(letter).catch(() => {});
  }

  /**
   * Writes the letter to the disk. Where that fails, the process will end. The letter goes to the database first, if that answers: what it
   * carries is paid.
   */
  async #keep(letter: Letter): Promise<void> {
    const { database, outbox, onTaken } = this.#options;
    try {
      await outbox.put(letter);
    } catch (error) {
      const told = database.callOnce(letter.call, ...letter.values);
      await told.then(
        () => onTaken?.(letter),
        () => {},
      );
      throw error;
    }
  }

  /** Resolves when all letters of this machine are in the database, except the refused ones. */
  async delivered(): Promise<void> {
    const open = this.#options.outbox.pending.filter(({ id }) => !this.#refused.has(id));
    await Promise.all(open.map((letter) => this.#tell(letter)));
  }

  /** Sends what an earlier process left. Call it before all other methods. */
  async recover(): Promise<void> {
    const told = this.#options.outbox.pending.map((letter) => this.#tell(letter));
    // Refused letters were reported by `onRefused` and stay on the disk.
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
        onRefused(letter, driverMessage(error));
      }
      throw error;
    }
    outbox.taken(letter);
    onTaken?.(letter);
  }
}

/** The field `charge` of a letter with these charges. */
export function lastOf(charges: readonly Charge[]): Pick<Letter, 'charge'> {
  const last = charges.at(-1);
  return last === undefined ? {} : { charge: last.id };
}
