/** What the ledger notes of glossaries and style lists: their ids at one data center, what was sent there, and when it was seen last. */
import * as z from 'zod';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Ledger, RemoteRecord } from '../ledger.ts';

const Note = z.object({
  id: z.string(),
  /** Of the file's content that was sent; empty while a sync is not complete. */
  version: z.string(),
  /** Milliseconds since the epoch: when the service was last seen to hold it. */
  checked: z.number(),
  /** The same, for a look at all of it: its name, and what only the service has. */
  surveyed: z.number().default(0),
  /** Which version was sent last, and when it was sent first (milliseconds since the epoch). */
  sent: z.object({ version: z.string(), at: z.number() }).optional(),
  /** Pairs that have a dictionary: `en-de`. */
  pairs: z.array(z.string()),
  /** What it replaced and what is to be deleted: an old style list, legacy glossaries. */
  obsolete: z.array(z.string()).default([]),
});
export type Note = z.output<typeof Note>;

/** Which note: by the file or pattern in the config, which outlives a new name, or by the id that config gives. */
export interface NoteKey {
  readonly kind: Extract<RemoteRecord['kind'], 'glossary' | 'style'>;
  readonly file: string;
}

/** Where a sync notes what must outlive a crash. */
export interface SyncLog {
  /** Found by it even when it was renamed. */
  readonly id: string | undefined;
  /** What an earlier sync replaced and did not get to delete. */
  readonly obsolete: readonly string[];
  /**
   * Called when the id is known, before anything else is done: it is durable when this resolves, and jobs use it.
   * @param obsolete to be deleted, by whoever comes after a crash, too: what is to stay of it is in the new one by then
   */
  begin(id: string, obsolete?: readonly string[]): Promise<void>;
}

/** Reading all of a glossary costs a call more, and what it finds beyond its terms changes no translation. */
const LOOKS_PER_SURVEY = 24;

export interface NotesOptions {
  readonly ledger: Ledger;
  readonly clock: Clock;
  /** The config in force. */
  config(): Config;
}

export class Notes {
  readonly #options: NotesOptions;
  /** What the service did not know under the id that we have: not to be trusted without a look. */
  readonly #doubted = new Set<string>();
  /** What a lock says of those without a note: versions that the service was made equal to, of any checkout. */
  readonly #stated = new Map<string, ReadonlySet<string>>();
  /** Those that were compared as a whole since somebody took note of it. */
  readonly #compared = new Set<string>();

  constructor(options: NotesOptions) {
    this.#options = options;
  }

  /** Undefined also when it is unreadable: then the glossary is found by its name. */
  read(key: NoteKey): Note | undefined {
    const record = this.#options.ledger.get('remotes', this.#idOf(key));
    return record === undefined ? undefined : Note.safeParse(record.value).data;
  }

  /** The note about this version of the file; undefined when the file changed since, or a sync was cut off. */
  about(key: NoteKey, version: string): Note | undefined {
    const note = this.read(key);
    return note?.version === version && note.obsolete.length === 0 ? note : undefined;
  }

  /** Whether the service has or had another version of the file. One that it never had is made when a job needs it. */
  isBehind(key: NoteKey, version: string): boolean {
    if (this.read(key) !== undefined) return this.about(key, version) === undefined;
    return this.#stated.get(nameOf(key))?.has(version) === false;
  }

  /** Whether the service has or had any version of the file, as far as this checkout or its lock knows. */
  wasSent(key: NoteKey): boolean {
    return this.read(key) !== undefined || this.#stated.has(nameOf(key));
  }

  /** What the lock says counts where there is no note: in a fresh checkout. @param versions all that the lock knows of */
  learn(key: NoteKey, versions: ReadonlySet<string>): void {
    this.#stated.set(nameOf(key), versions);
  }

  /** Whether there is something that the lock may not say yet. */
  get hasNews(): boolean {
    return this.#compared.size > 0;
  }

  /** Those that were compared as a whole since the last call. */
  takeNews(): (key: NoteKey) => boolean {
    const compared = new Set(this.#compared);
    this.#compared.clear();
    return (key) => compared.has(nameOf(key));
  }

  /** The same, when the service was seen to hold it within `verify_every`. */
  fresh(key: NoteKey, version: string): Note | undefined {
    const note = this.about(key, version);
    if (note === undefined || this.#doubted.has(this.#idOf(key))) return undefined;
    const age = this.#options.clock.now() - note.checked;
    return age >= 0 && age < this.#options.config().service.verifyEvery ? note : undefined;
  }

  /** Whether all of it is to be looked at, and not only what texts are translated with. */
  wantsSurvey({ surveyed }: Note): boolean {
    const age = this.#options.clock.now() - surveyed;
    return age < 0 || age >= LOOKS_PER_SURVEY * this.#options.config().service.verifyEvery;
  }

  /** Notes that the service was seen to hold it just now. */
  async confirm(key: NoteKey, note: Note): Promise<Note> {
    const confirmed = { ...note, checked: this.#options.clock.now() };
    await this.#write(key, confirmed);
    this.#doubted.delete(this.#idOf(key));
    return confirmed;
  }

  /** Notes that it was compared as a whole just now, and is as the file says or as config leaves it. */
  async conclude(key: NoteKey, note: Pick<Note, 'id' | 'version' | 'pairs'>): Promise<Note> {
    const now = this.#options.clock.now();
    const { sent } = this.read(key) ?? {};
    this.#compared.add(nameOf(key));
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

  /** A person was shown that it differs: the next job that needs it compares all of it, whenever that is. */
  async expire(key: NoteKey): Promise<void> {
    const note = this.read(key);
    if (note !== undefined) await this.#write(key, { ...note, checked: 0, surveyed: 0 });
  }

  /** @throws StaleRecord where another daemon noted something meanwhile */
  async #write(key: NoteKey, value: Note): Promise<void> {
    const put = { id: this.#idOf(key), kind: key.kind, value };
    const from = this.#options.ledger.get('remotes', put.id);
    await this.#options.ledger.commit([{ table: 'remotes', put, from }]);
  }

  // Glossaries and style lists exist per data center, that is per address (API document, first paragraph).
  #idOf({ kind, file }: NoteKey): string {
    return `${kind} ${this.#options.config().service.url} ${file}`;
  }
}

function nameOf({ kind, file }: NoteKey): string {
  return `${kind} ${file}`;
}
