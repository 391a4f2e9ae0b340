/**
 * The notes of the ledger about glossaries and style lists: their ids at one data center, which version was sent, and when it
 * was compared last.
 */
import * as z from 'zod';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Ledger, RemoteRecord } from '../ledger.ts';

const Note = z.object({
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
});
export type Note = z.output<typeof Note>;

/** Names a note: by the file or pattern in the config, which stays when the name changes, or by the id in the config. */
export interface NoteKey {
  readonly kind: Extract<RemoteRecord['kind'], 'glossary' | 'style'>;
  readonly file: string;
}

/** Where a sync writes what must survive a crash. */
export interface SyncLog {
  /** The id of the note: it finds the object also after somebody renamed it on the service. */
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
 * Every comparison reads what translations depend on, and every 24th one reads everything. That needs one more call, and what it finds in
 * addition changes no translation.
 */
const COMPARISONS_PER_SURVEY = 24;

export interface NotesOptions {
  readonly ledger: Ledger;
  readonly clock: Clock;
  /** The config in force. */
  config(): Config;
}

export class Notes {
  readonly #options: NotesOptions;
  /** Notes whose id the service did not know. They are compared with the service before the next use. */
  readonly #doubted = new Set<string>();
  /** Versions that the lock names: some checkout has sent them to the service. They count where there is no note. */
  readonly #stated = new Map<string, ReadonlySet<string>>();
  /** Notes whose objects were compared as a whole since the last `takeNews`. */
  readonly #compared = new Set<string>();

  constructor(options: NotesOptions) {
    this.#options = options;
  }

  /** @returns undefined also for a note that cannot be read: the glossary is then found by its name */
  read(key: NoteKey): Note | undefined {
    const record = this.#options.ledger.get('remotes', this.#idOf(key));
    return record === undefined ? undefined : Note.safeParse(record.value).data;
  }

  /** The note about this version of the file; undefined when the file has changed since, or a sync was interrupted. */
  about(key: NoteKey, version: string): Note | undefined {
    const note = this.read(key);
    return note?.version === version && note.obsolete.length === 0 ? note : undefined;
  }

  /**
   * Whether the service has or had another version of the file. A file that was never sent is not behind: it is sent when a job needs
   * it.
   */
  isBehind(key: NoteKey, version: string): boolean {
    if (this.read(key) !== undefined) return this.about(key, version) === undefined;
    return this.#stated.get(noteName(key))?.has(version) === false;
  }

  /** Whether the service has or had any version of the file, according to this checkout or its lock. */
  wasSent(key: NoteKey): boolean {
    return this.read(key) !== undefined || this.#stated.has(noteName(key));
  }

  /** Sets the versions that the lock names. They count where there is no note, as in a fresh checkout. */
  learn(key: NoteKey, versions: ReadonlySet<string>): void {
    this.#stated.set(noteName(key), versions);
  }

  /** Whether something was compared that the lock may not have yet. */
  get hasNews(): boolean {
    return this.#compared.size > 0;
  }

  /** Which objects were compared as a whole since the last call. */
  takeNews(): (key: NoteKey) => boolean {
    const compared = new Set(this.#compared);
    this.#compared.clear();
    return (key) => compared.has(noteName(key));
  }

  /** The note about this version, if it was compared with the service within `verify_every` and is not doubted. */
  fresh(key: NoteKey, version: string): Note | undefined {
    const note = this.about(key, version);
    if (note === undefined || this.#doubted.has(this.#idOf(key))) return undefined;
    const age = this.#options.clock.now() - note.checked;
    return age >= 0 && age < this.#options.config().service.verifyEvery ? note : undefined;
  }

  /** Whether everything must be compared, not only the terms. */
  wantsSurvey({ surveyed }: Note): boolean {
    const age = this.#options.clock.now() - surveyed;
    return age < 0 || age >= COMPARISONS_PER_SURVEY * this.#options.config().service.verifyEvery;
  }

  /** Writes into the note that the service has this version now. */
  async confirm(key: NoteKey, note: Note): Promise<Note> {
    const confirmed = { ...note, checked: this.#options.clock.now() };
    await this.#write(key, confirmed);
    this.#doubted.delete(this.#idOf(key));
    return confirmed;
  }

  /** Writes into the note that everything was compared now, and that the service agrees with the file or the config. */
  async conclude(key: NoteKey, note: Pick<Note, 'id' | 'version' | 'pairs'>): Promise<Note> {
    const now = this.#options.clock.now();
    const { sent } = this.read(key) ?? {};
    this.#compared.add(noteName(key));
    return await this.confirm(key, {
      ...note,
      checked: now,
      surveyed: now,
      sent: sent?.version === note.version ? sent : { version: note.version, at: now },
      obsolete: [],
    });
  }

  log(key: NoteKey): SyncLog {
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

  doubt(key: NoteKey): void {
    this.#doubted.add(this.#idOf(key));
  }

  /** A person was shown a difference: the next job that needs the object compares everything. */
  async expire(key: NoteKey): Promise<void> {
    const note = this.read(key);
    if (note !== undefined) await this.#write(key, { ...note, checked: 0, surveyed: 0 });
  }

  /** @throws StaleRecord when another daemon has written the note meanwhile */
  async #write(key: NoteKey, value: Note): Promise<void> {
    const put = { id: this.#idOf(key), kind: key.kind, value };
    const from = this.#options.ledger.get('remotes', put.id);
    await this.#options.ledger.commit([{ table: 'remotes', put, from }]);
  }

  // Each data center, that is each address, has its own glossaries and style lists (docs/design/api.md, "Authentication").
  #idOf({ kind, file }: NoteKey): string {
    return `${kind} ${this.#options.config().service.url} ${file}`;
  }
}

export function noteName({ kind, file }: NoteKey): string {
  return `${kind} ${file}`;
}
