/** Reservations of the targets of a tree, in its database: one row of `leases` for each target that is being replaced. */
import { hash, randomUUID } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import type { Reservation, Reservations, TargetName } from '../../files/reservations.ts';
import type { Database } from './database.ts';
import { HELD_LOOK_MS, isWithinMs, type Moment, momentOf, PLACES_MS } from './moment.ts';
import { HELD_S } from './tree-schema.ts';

export interface TreeReservationsOptions {
  readonly database: Pick<Database, 'call' | 'callOnce'>;
  readonly tree: string;
  readonly clock: Clock;
}

/**
 * By the clock of the database, a reservation lapses, also that of a daemon that died or was suspended. It has an id of its own and not
 * that of its runner: a runner that is given up loses its leases at once.
 */
export class TreeReservations implements Reservations, AsyncDisposable {
  readonly #options: TreeReservationsOptions;
  readonly #ending = new Set<Promise<void>>();

  constructor(options: TreeReservationsOptions) {
    this.#options = options;
  }

  async take({ project, path }: TargetName): Promise<Reservation> {
    const { tree } = this.#options;
    // A path may be longer than a key of the table.
    const name = `file ${hash('sha256', JSON.stringify([tree, project, path]))}`;
    const lease = new TargetLease(this.#options, name);
    await lease.renew();
    return {
      isValid: () => lease.isValid(),
      renew: () => lease.renew(),
      [Symbol.dispose]: () => this.#end(lease),
    };
  }

  /** Nobody waits for the answer. If there is none, the reservation lapses. */
  #end(lease: TargetLease): void {
    const ended = lease.end().finally(() => this.#ending.delete(ended));
    this.#ending.add(ended);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#ending);
  }
}

class TargetLease {
  readonly #options: TreeReservationsOptions;
  readonly #name: string;
  readonly #id = randomUUID();
  #sent: Moment | undefined;

  constructor(options: TreeReservationsOptions, name: string) {
    this.#options = options;
    this.#name = name;
  }

  isValid(): boolean {
    return (
      this.#sent !== undefined && isWithinMs(PLACES_MS, this.#sent, momentOf(this.#options.clock))
    );
  }

  async renew(): Promise<void> {
    const { database, clock } = this.#options;
    for (;;) {
      const sent = momentOf(clock);
      if (await database.call<boolean>('take_lease', this.#name, this.#id, HELD_S)) {
        this.#sent = sent;
        return;
      }
      await clock.sleep(HELD_LOOK_MS);
    }
  }

  async end(): Promise<void> {
    this.#sent = undefined;
    await this.#options.database.callOnce('drop_lease', this.#name, this.#id).catch(() => {});
  }
}
