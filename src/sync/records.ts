/**
 * The records of the ledger about glossaries and style lists. They have the ids at one data center, the version that was sent, and the time
 * of the last comparison.
 */
import * as z from 'zod';
import type { Clock } from '../clock.ts';
import { commitDecision, type Ledger, type RemoteRecord } from '../ledger.ts';
import type { InForce } from '../plan/in-force.ts';

const SyncRecord = z.object({
  id: z.string(),
  /** Version of the file that was sent; empty while a sync is not complete. */
  version: z.string(),
  /** When a comparison last found this version on the service, in milliseconds since the epoch. */
  checked: z.number(),
  /** When everything was last compared: also the name, and what only the service has. */
  surveyed: z.number().default(0),
  /** Which version was sent last, and when it was sent first (milliseconds since the epoch). */
  sent: z.object({ version: z.string(), at: z.number() }).optional(),
  /** Pairs that have a dictionary: `en-de`. */
  pairs: z.array(z.string()),
  /** Ids of objects that this one replaced and that must still be deleted: an old style list, legacy glossaries. */
  obsolete: z.array(z.string()).default([]),
  /** The object was compared as a whole, and the lock may lack this version: whoever writes the lock next adds it, also after a kill. */
  lockLacks: z.literal(true).optional(),
});
export type SyncRecord = z.output<typeof SyncRecord>;

/** Names a record: by the file or pattern in the config, which stays when the name changes, or by the id in the config. */
export interface SyncKey {
  readonly kind: Extract<RemoteRecord['kind'], 'glossary' | 'style'>;
  readonly file: string;
}

/** The store of a sync for records that must survive a crash. */
export interface SyncLog {
  /** The id of the record: it finds the object also after somebody renamed it on the service. */
  readonly id: string | undefined;
  /** Ids that an earlier sync replaced and did not delete. */
  readonly obsolete: readonly string[];
  /**
   * Called as soon as the id is known, before any other change. When it resolves, the id is durable, and jobs use it.
   * @param obsolete ids to delete, also by the next sync after a crash. The new object already has what must be kept of them
   */
  begin(id: string, obsolete?: readonly string[]): Promise<void>;
}

/**
 * Every comparison reads what translations depend on, and every 24th one reads everything. That needs one more call, and the additional
 * differences change no translation.
 */
const COMPARISONS_PER_SURVEY = 24;

export interface SyncRecordsOptions {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly inForce: Pick<InForce, 'config'>;
}

export class SyncRecords {
  readonly #options: SyncRecordsOptions;
  /** Notes whose id the service did not know. They are compared with the service before the next use. */
  readonly #doubted = new Set<string>();
  /** Versions that the lock names: some checkout has sent them to the service. They count where there is no record. */
  readonly #stated = new Map<string, ReadonlySet<string>>();

  constructor(options: SyncRecordsOptions) {
    this.#options = options;
  }

  /** @returns undefined also for a record that cannot be read: the glossary is then found by its name */
  read(key: SyncKey): SyncRecord | undefined {
    const record = this.#options.ledger.get('remotes', this.#idOf(key));
    return record === undefined ? undefined : SyncRecord.safeParse(record.value).data;
  }

  /** The record about this version of the file; undefined when the file has changed since, or a sync was interrupted. */
  about(key: SyncKey, version: string): SyncRecord | undefined {
    const record = this.read(key);
    return record?.version === version && record.obsolete.length === 0 ? record : undefined;
  }

  /**
   * Whether the service has or had another version of the file. A file that was never sent is not behind: it is sent when a job needs
   * it.
   */
  isBehind(key: SyncKey, version: string): boolean {
    if (this.read(key) !== undefined) return this.about(key, version) === undefined;
    return this.#stated.get(syncKeyName(key))?.has(version) === false;
  }

  /** Whether the service has or had any version of the file, according to this checkout or its lock. */
  wasSent(key: SyncKey): boolean {
    return this.read(key) !== undefined || this.#stated.has(syncKeyName(key));
  }

  /** Sets the versions that the lock names. They count where there is no record, as in a fresh checkout. */
  learn(key: SyncKey, versions: ReadonlySet<string>): void {
    this.#stated.set(syncKeyName(key), versions);
  }

  /** Called when the lock has this version. */
  async isInLock(key: SyncKey, version: string): Promise<void> {
    await commitDecision(this.#options.ledger, () => {
      const id = this.#idOf(key);
      const from = this.#options.ledger.get('remotes', id);
      const { lockLacks, ...value } = this.about(key, version) ?? {};
      if (from === undefined || !lockLacks) return [];
      return [{ table: 'remotes', put: { id, kind: key.kind, value }, from }];
    });
  }

  /** The record about this version, if it was compared with the service within `verify_every` and is not doubted. */
  fresh(key: SyncKey, version: string): SyncRecord | undefined {
    const record = this.about(key, version);
    if (record === undefined || this.#doubted.has(this.#idOf(key))) return undefined;
    const age = this.#options.clock.now() - record.checked;
    return age >= 0 && age < this.#options.inForce.config.service.verifyEvery ? record : undefined;
  }

  /** Whether everything must be compared, not only the terms. */
  wantsSurvey({ surveyed }: SyncRecord): boolean {
    const age = this.#options.clock.now() - surveyed;
    return (
      age < 0 || age >= COMPARISONS_PER_SURVEY * this.#options.inForce.config.service.verifyEvery
    );
  }

  /** Writes into the record that the service has this version now. */
  async confirm(key: SyncKey, record: SyncRecord): Promise<SyncRecord> {
    const confirmed = { ...record, checked: this.#options.clock.now() };
    await this.#write(key, confirmed);
    this.#doubted.delete(this.#idOf(key));
    return confirmed;
  }

  /** Writes into the record that everything was compared now, and that the service agrees with the file or the config. */
  async conclude(
    key: SyncKey,
    record: Pick<SyncRecord, 'id' | 'version' | 'pairs'>,
  ): Promise<SyncRecord> {
    const now = this.#options.clock.now();
    const { sent } = this.read(key) ?? {};
    return await this.confirm(key, {
      ...record,
      checked: now,
      surveyed: now,
      sent: sent?.version === record.version ? sent : { version: record.version, at: now },
      obsolete: [],
      lockLacks: true,
    });
  }

  log(key: SyncKey): SyncLog {
    const { id, obsolete = [], sent } = this.read(key) ?? {};
    return {
      id,
      obsolete,
      begin: async (found, old = []) => {
        const open = { version: '', checked: 0, surveyed: 0, sent, pairs: [] };
        await this.#write(key, { ...open, id: found, obsolete: [...old] });
      },
    };
  }

  doubt(key: SyncKey): void {
    this.#doubted.add(this.#idOf(key));
  }

  /** A person was shown a difference: the next job that needs the object compares everything. */
  async expire(key: SyncKey): Promise<void> {
    const record = this.read(key);
    if (record !== undefined) await this.#write(key, { ...record, checked: 0, surveyed: 0 });
  }

  /** @throws StaleRecord when another daemon has written the record meanwhile */
  async #write(key: SyncKey, value: SyncRecord): Promise<void> {
    const put = { id: this.#idOf(key), kind: key.kind, value };
    const from = this.#options.ledger.get('remotes', put.id);
    await this.#options.ledger.commit([{ table: 'remotes', put, from }]);
  }

  // Each data center, that is each address, has its own glossaries and style lists (docs/design/api.md, "Authentication").
  #idOf({ kind, file }: SyncKey): string {
    return `${kind} ${this.#options.inForce.config.service.url} ${file}`;
  }
}

export function syncKeyName({ kind, file }: SyncKey): string {
  return `${kind} ${file}`;
}
