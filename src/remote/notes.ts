/** What the ledger notes of glossaries and style lists: their ids at one data center, what was sent there, and when it was seen last. */
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Ledger, RemoteRecord } from '../ledger.ts';

const Note = z.object({
  id: z.string(),
  /** Of the file's content that was sent; empty while a sync is not complete. */
  version: z.string(),
  /** Milliseconds since the epoch: when the service was last seen to hold it. */
  checked: z.number(),
  /** Pairs that have a dictionary: `en-de`. */
  pairs: z.array(z.string()),
  /** A list that was replaced and is to be deleted. */
  obsolete: z.string().optional(),
});
export type Note = z.output<typeof Note>;

/** Which note: by the file or pattern in the config, which outlives a new name, or by the id that config gives. */
export interface NoteKey {
  readonly kind: Extract<RemoteRecord['kind'], 'glossary' | 'style'>;
  readonly file: string;
}

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
    return note?.version === version && note.obsolete === undefined ? note : undefined;
  }

  /** The same, when the service was seen to hold it within `verify_every`. */
  fresh(key: NoteKey, version: string): Note | undefined {
    const note = this.about(key, version);
    if (note === undefined || this.#doubted.has(this.#idOf(key))) return undefined;
    const age = this.#options.clock.now() - note.checked;
    return age >= 0 && age < this.#options.config().service.verifyEvery ? note : undefined;
  }

  /** Notes that the service was seen to hold it just now. */
  async confirm(key: NoteKey, note: Omit<Note, 'checked'>): Promise<Note> {
    const confirmed = { ...note, checked: this.#options.clock.now() };
    await this.#write(key, confirmed);
    this.#doubted.delete(this.#idOf(key));
    return confirmed;
  }

  /** Notes an id whose sync goes on. */
  async begin(key: NoteKey, { id, obsolete }: Pick<Note, 'id' | 'obsolete'>): Promise<void> {
    const old = obsolete === undefined ? {} : { obsolete };
    await this.#write(key, { id, version: '', checked: 0, pairs: [], ...old });
  }

  doubt(key: NoteKey): void {
    this.#doubted.add(this.#idOf(key));
  }

  async #write(key: NoteKey, value: Note): Promise<void> {
    const put = { id: this.#idOf(key), kind: key.kind, value };
    await this.#options.ledger.commit([{ table: 'remotes', put }]);
  }

  // Glossaries and style lists exist per data center, that is per address (API document, first paragraph).
  #idOf({ kind, file }: NoteKey): string {
    return `${kind} ${this.#options.config().service.url} ${file}`;
  }
}
