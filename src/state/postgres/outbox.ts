/**
 * Keeps paid answers and charges on this machine's disk until the database has taken them. Taken ones are kept for a while: a
 * database that is restored from a backup lacks them.
 */
import { link, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Clock, isoTime } from '../../clock.ts';
import { isAbsent, namesIn, unlessAbsent } from '../../files/disk.ts';
import { makeFolder, PRIVATE } from '../../files/make-folder.ts';
import { replaceFile } from '../../files/replace.ts';
import { Journal } from '../journal.ts';
import { journalLine } from '../journal-line.ts';
import { readLines, replay } from '../replay.ts';

/** A call of the database that may be made twice. */
export interface Letter {
  readonly id: string;
  readonly call: 'buy_end' | 'book';
  readonly values: readonly string[];
  /** How many answers or charges it carries, for messages. */
  readonly count: number;
  /** Id of its last charge. */
  readonly charge?: string;
}

type OutboxLine =
  | { readonly kind: 'put'; readonly letter: Letter }
  | { readonly kind: 'taken'; readonly id: string };

export interface OutboxOptions {
  readonly clock: Clock;
  /** Milliseconds for which taken letters are kept. */
  readonly keepMs: number;
  /** Size of the file, in bytes, at which a new one is begun; absent: 16 MiB. */
  readonly mostBytes?: number;
}

const MOST_FILE_BYTES = 16 * 1024 * 1024;
const SENT = 'sent-';

/** @param folder the state folder */
export function outboxIn(folder: string): string {
  return join(folder, 'outbox', 'letters.log');
}

export class Outbox implements AsyncDisposable {
  readonly #path: string;
  readonly #options: OutboxOptions | undefined;
  readonly #open: Map<string, Letter>;
  #journal: Journal;
  /** Approximate size of the letters since the file was begun. */
  #bytes = 0;
  /** The change to a new file; resolved when none is under way. */
  #beginning: Promise<void> = Promise.resolve();

  private constructor(
    path: string,
    opened: { journal: Journal; open: Map<string, Letter>; options: OutboxOptions | undefined },
  ) {
    this.#path = path;
    this.#journal = opened.journal;
    this.#open = opened.open;
    this.#options = opened.options;
  }

  /**
   * The letters that an earlier process left are in `pending`.
   * @param options absent: taken letters are not kept
   */
  static async open(path: string, options?: OutboxOptions): Promise<Outbox> {
    await makeFolder(dirname(path), PRIVATE);
    const { open, taken } = await readLetters(path);
    if (options !== undefined) {
      if (taken > 0) await keepSent(path, options.clock);
      await forgetSent(dirname(path), options);
    }
    return new Outbox(path, { journal: await beginJournal(path, open), open, options });
  }

  get pending(): readonly Letter[] {
    return [...this.#open.values()];
  }

  /** Durable when it resolves. */
  async put(letter: Letter): Promise<void> {
    await this.#fileBegun();
    const line = JSON.stringify({ kind: 'put', letter } satisfies OutboxLine);
    this.#bytes += line.length;
    await this.#journal.append(line);
    this.#open.set(letter.id, letter);
  }

  /** Records that the database has a letter. If this is lost, the letter is sent again, which does no harm. */
  taken({ id }: Letter): void {
    this.#open.delete(id);
    const line = JSON.stringify({ kind: 'taken', id } satisfies OutboxLine);
    this.#journal.append(line).catch(() => {});
    if (this.#bytes < (this.#options?.mostBytes ?? MOST_FILE_BYTES)) return;
    this.#bytes = 0;
    this.#beginning = this.#beginFile();
    // The next `put` tries again.
    this.#beginning.catch(() => {});
  }

  /** Waits for the change to a new file. If it failed, it is tried once more: the disk may have space by now. */
  async #fileBegun(): Promise<void> {
    let isRetried = false;
    for (let beginning = this.#beginning; ; beginning = this.#beginning) {
      try {
        await beginning;
        if (beginning === this.#beginning) return;
      } catch (error) {
        if (beginning !== this.#beginning) continue;
        if (isRetried) throw error;
        isRetried = true;
        this.#beginning = this.#beginFile();
        this.#beginning.catch(() => {});
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#beginning.catch(() => {});
    await this.#journal[Symbol.asyncDispose]();
  }

  /** Begins a new file with the letters that are not taken: otherwise the file of a daemon would grow without end. */
  async #beginFile(): Promise<void> {
    const old = this.#journal;
    // If this fails, the old file is not needed: all letters that are not taken are in the new one.
    await old.flushed().catch(() => {});
    if (this.#options !== undefined) {
      await keepSent(this.#path, this.#options.clock);
      await forgetSent(dirname(this.#path), this.#options);
    }
    this.#journal = await beginJournal(this.#path, this.#open);
    await old[Symbol.asyncDispose]();
  }
}

/** Replaces the file by one with only these letters, in one step. */
async function beginJournal(path: string, open: ReadonlyMap<string, Letter>): Promise<Journal> {
  const lines = [...open.values()].map((letter) => JSON.stringify({ kind: 'put', letter }));
  const content = framed(lines);
  const { size } = await replaceFile({
    path,
    root: dirname(path),
    tempIn: dirname(path),
    content,
    mode: 0o600,
  });
  return await Journal.open(path, size);
}

/** Gives the file a second name: it keeps that name when a new file takes the first one. */
async function keepSent(path: string, clock: Clock): Promise<void> {
  const kept = join(dirname(path), sentName(isoTime(clock)));
  // Some file systems have no links. Without the second name, texts are bought again after a restored backup; nothing else is lost.
  await link(path, kept).catch(() => {});
}

async function forgetSent(folder: string, { clock, keepMs }: OutboxOptions): Promise<void> {
  const first = sentName(new Date(clock.now() - keepMs).toISOString());
  for (const name of await sentIn(folder)) if (name < first) await rm(join(folder, name));
}

/** Names sort by time. */
function sentName(at: string): string {
  return `${SENT}${at.replaceAll(':', '-')}.log`;
}

async function sentIn(folder: string): Promise<string[]> {
  const names = await namesIn(folder);
  return names.flatMap((name) => (name.startsWith(SENT) ? name : [])).sort();
}

/** Yields all letters of a folder, with the taken ones that are kept, the oldest first. A letter may come twice. */
export async function* allLetters(path: string): AsyncGenerator<Letter> {
  const files = (await sentIn(dirname(path))).map((name) => join(dirname(path), name));
  for (const file of [...files, path]) {
    try {
      for await (const lines of readLines(file)) {
        for (const { json } of lines) {
          const line = JSON.parse(json) as OutboxLine;
          if (line.kind === 'put') yield line.letter;
        }
      }
    } catch (error) {
      if (!isAbsent(error)) throw error;
    }
  }
}

/** The letters that are not in the database yet, by id. */
export async function lettersIn(path: string): Promise<Map<string, Letter>> {
  return (await readLetters(path)).open;
}

async function readLetters(path: string): Promise<{ open: Map<string, Letter>; taken: number }> {
  const open = new Map<string, Letter>();
  let taken = 0;
  const read = replay(path, (json) => {
    const line = JSON.parse(json) as OutboxLine;
    if (line.kind === 'put') open.set(line.letter.id, line.letter);
    else if (open.delete(line.id)) taken += 1;
  });
  await unlessAbsent(read);
  return { open, taken };
}

function framed(lines: readonly string[]): Buffer {
  const bytes: Buffer[] = [];
  let offset = 0;
  for (const line of lines) {
    const next = Buffer.from(journalLine(line, offset));
    bytes.push(next);
    offset += next.length;
  }
  return Buffer.concat(bytes);
}
