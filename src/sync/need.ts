/** The glossary or style list that a request needs on the service: it may have to be synced first. */

import { type Clock, OnwardTime } from '../clock.ts';
import { faultMessage } from '../config/fault.ts';
import { JobFailure } from '../failure.ts';
import { StaleRecord } from '../ledger.ts';
import type { CallOptions } from '../service/call.ts';
import type { Team } from '../state/team.ts';
import type { Tree } from '../state/tree.ts';
import type { LoadedGlossary } from '../terminology/load-glossaries.ts';
import { type SyncKey, type SyncRecord, type SyncRecords, syncKeyName } from './records.ts';

export interface Need {
  readonly key: SyncKey;
  /** The record when it is recent enough that the service need not be asked. */
  readonly fresh: SyncRecord | undefined;
  /** True when the service has another version of the file, according to the record. */
  readonly isBehind: boolean;
  /**
   * Set where the service is only read: asks whether it has the object, and changes and records nothing.
   * @throws JobFailure with which `makeEqual` would end
   */
  look?(options: CallOptions): Promise<void>;
  /** Asks the service, and makes it equal to the file. */
  makeEqual(): Promise<SyncRecord>;
  /** The id for the request; undefined: the request must not name it. */
  pick(record: SyncRecord): string | undefined;
}

/** A sync that failed within so many milliseconds is tried again by the next job. */
const LONG_MS = 10_000;

export interface NeedsOptions {
  readonly clock: Pick<Clock, 'now'>;
  readonly records: Pick<SyncRecords, 'expire'>;
  /** Its leases: without them, two runners that create a glossary at the same time would make two with one name. Absent: there is no team. */
  readonly team?: Pick<Team, 'leases'>;
  /** Absent: no other daemon uses the tree. */
  readonly tree?: Pick<Tree, 'isInAgreement'>;
}

interface FailedSync {
  readonly until: number;
  readonly error: unknown;
}

/**
 * Jobs that need the same object wait for one sync. When a sync took long and failed, no new sync begins for as long as it took. Otherwise,
 * a thousand jobs would each wait a minute for a service that refuses the sync.
 */
export class Needs {
  readonly #options: NeedsOptions;
  readonly #time: OnwardTime;
  readonly #underway = new Map<string, Promise<SyncRecord>>();
  readonly #failed = new Map<string, FailedSync>();

  constructor(options: NeedsOptions) {
    this.#options = options;
    this.#time = new OnwardTime(options.clock);
  }

  /** @throws JobFailure `changed-meanwhile` when the leader of the tree has other files: this daemon must read them first */
  async sync(need: Need): Promise<SyncRecord> {
    const { key, fresh } = need;
    if (fresh !== undefined) return fresh;
    const name = syncKeyName(key);
    const underway = this.#underway.get(name);
    if (underway !== undefined) return await underway;
    const failed = this.#failed.get(name);
    if (failed !== undefined && failed.until > this.#time.now()) throw failed.error;
    const sync = this.#makeEqual(name, need).finally(() => this.#underway.delete(name));
    this.#underway.set(name, sync);
    return await sync;
  }

  async #makeEqual(name: string, need: Need): Promise<SyncRecord> {
    const { team, records } = this.#options;
    const began = this.#time.now();
    try {
      const work = () => this.#inAgreement(need);
      const once = () => team?.leases.exclusively(name, work) ?? work();
      return await once().catch(async (error: unknown) => {
        if (!(error instanceof StaleRecord)) throw error;
        // Another daemon synced the object while this one was suspended, and a request of this one may have come after that.
        if (!(await this.#isInAgreement())) await records.expire(need.key);
        return await once();
      });
    } catch (error) {
      const now = this.#time.now();
      if (now - began >= LONG_MS) this.#failed.set(name, { until: now + (now - began), error });
      throw error;
    }
  }

  /** The leader publishes the version of its files before it waits for the lease: so an earlier one never comes after it. */
  async #inAgreement({ key, makeEqual }: Need): Promise<SyncRecord> {
    if (!(await this.#isInAgreement())) {
      throw new JobFailure({ kind: 'changed-meanwhile', file: key.file });
    }
    return await makeEqual();
  }

  async #isInAgreement(): Promise<boolean> {
    return (await this.#options.tree?.isInAgreement()) ?? true;
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
