/** The glossary or style list that a request needs on the service: it may have to be synced first. */

import { type Clock, OnwardTime } from '../clock.ts';
import { faultMessage } from '../config/fault.ts';
import { JobFailure } from '../failure.ts';
import { StaleRecord } from '../ledger.ts';
import type { Leases } from '../state/leases.ts';
import type { LoadedGlossary } from '../terminology/load-glossaries.ts';
import type { SyncKey, SyncRecord } from './records.ts';

export interface Need {
  readonly key: SyncKey;
  /** The record when it is recent enough that the service need not be asked. */
  readonly fresh: SyncRecord | undefined;
  /** True when the service has another version of the file, according to the record. */
  readonly isBehind: boolean;
  /** Asks the service, and makes it equal to the file. */
  makeEqual(): Promise<SyncRecord>;
  /** The id for the request; undefined: the request must not name it. */
  pick(record: SyncRecord): string | undefined;
}

/** A sync that failed within so many milliseconds is tried again by the next job. */
const LONG_MS = 10_000;

interface FailedSync {
  readonly until: number;
  readonly error: unknown;
}

/**
 * Jobs that need the same object wait for one sync. When a sync took long and failed, no new sync begins for as long as it took. Otherwise,
 * a thousand jobs would each wait a minute for a service that refuses the sync.
 */
export class Needs {
  readonly #time: OnwardTime;
  readonly #leases: Leases | undefined;
  readonly #underway = new Map<string, Promise<SyncRecord>>();
  readonly #failed = new Map<string, FailedSync>();

  /** @param leases of a team: without them, two runners that create a glossary at the same time would make two with one name */
  constructor(clock: Pick<Clock, 'now'>, leases?: Leases) {
    this.#time = new OnwardTime(clock);
    this.#leases = leases;
  }

  async sync({ key, fresh, makeEqual }: Need): Promise<SyncRecord> {
    if (fresh !== undefined) return fresh;
    const name = `${key.kind} ${key.file}`;
    const underway = this.#underway.get(name);
    if (underway !== undefined) return await underway;
    const failed = this.#failed.get(name);
    if (failed !== undefined && failed.until > this.#time.now()) throw failed.error;
    const sync = this.#makeEqual(name, makeEqual).finally(() => this.#underway.delete(name));
    this.#underway.set(name, sync);
    return await sync;
  }

  async #makeEqual(name: string, makeEqual: Need['makeEqual']): Promise<SyncRecord> {
    const began = this.#time.now();
    try {
      const once = () => this.#leases?.exclusively(name, makeEqual) ?? makeEqual();
      return await once().catch((error: unknown) => {
        // Another daemon synced the object while this one was suspended: it must be compared with the service again.
        if (error instanceof StaleRecord) return once();
        throw error;
      });
    } catch (error) {
      const now = this.#time.now();
      if (now - began >= LONG_MS) this.#failed.set(name, { until: now + (now - began), error });
      throw error;
    }
  }
}

/**
 * A file with faults is not sent at all: half of a glossary would remove the other half from the service.
 * @throws JobFailure `malformed` with the first fault
 */
export function requireSound({ faults }: Pick<LoadedGlossary, 'faults'>): void {
  const [first] = faults;
  if (first === undefined) return;
  const { file, line, column } = first;
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : '';
  const message = `${faultMessage(first)}${more}`;
  throw new JobFailure({ kind: 'malformed', where: { file, line, column }, message });
}
