/**
 * What was paid for and is not in the database yet: flushed to this machine's disk first, told until it is taken. What was taken
 * is kept for a while: a database that is restored from a backup has forgotten it.
 */
import { link, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Clock, isoTime } from '../../clock.ts';
import { isAbsent } from '../../files/disk.ts';
import { makeFolder, PRIVATE } from '../../files/make-folder.ts';
import { replaceFile } from '../../files/replace.ts';
import { frame } from '../frame.ts';
import { Journal } from '../journal.ts';
import { readLines, replay } from '../replay.ts';

/** A call of the database that may be made twice. */
export interface Letter {
  readonly id: string;
  readonly call: 'buy_end' | 'book';
  readonly values: readonly string[];
  /** How many answers or charges it carries, for messages. */
  readonly count: number;
  /** Id of a charge that it brings. */
  readonly charge?: string;
}

type Line =
  | { readonly kind: 'put'; readonly letter: Letter }
  | { readonly kind: 'taken'; readonly id: string };

export interface OutboxOptions {
  readonly clock: Clock;
  /** Milliseconds for which letters that were taken are kept. */
  readonly keepMs: number;
  /** Bytes of the file of letters from which on a new one is begun; absent: 16 MiB. */
  readonly mostBytes?: number;
}

const MOST_BYTES = 16 * 1024 * 1024;
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
  /** Of letters since the file was begun, roughly. */
  #bytes = 0;
  /** Resolved when no new file is being begun. */
  #turning: Promise<void> = Promise.resolve();

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
   * What an earlier process left is in `pending`.
   * @param options absent: letters that were taken are not kept
   */
  static async open(path: string, options?: OutboxOptions): Promise<Outbox> {
    await makeFolder(dirname(path), PRIVATE);
    const { open, taken } = await read(path);
    if (options !== undefined) {
      if (taken > 0) await keepSent(path, options.clock);
      await forgetSent(dirname(path), options);
    }
    return new Outbox(path, { journal: await begin(path, open), open, options });
  }

  get pending(): readonly Letter[] {
    return [...this.#open.values()];
  }

  /** Durable when it resolves. */
  async put(letter: Letter): Promise<void> {
    await this.#turned();
    const line = JSON.stringify({ kind: 'put', letter } satisfies Line);
    this.#bytes += line.length;
    await this.#journal.append(line);
    this.#open.set(letter.id, letter);
  }

  /** The database has it. It does no harm if that is forgotten: it is told again. */
  taken({ id }: Letter): void {
    this.#open.delete(id);
    const line = JSON.stringify({ kind: 'taken', id } satisfies Line);
    this.#journal.append(line).catch(() => {});
    if (this.#bytes < (this.#options?.mostBytes ?? MOST_BYTES)) return;
    this.#bytes = 0;
    this.#turning = this.#turn();
    // Whoever puts the next letter tries it again.
    this.#turning.catch(() => {});
  }

  /** No new file is being begun. One that could not be begun is begun once more: the disk may have room by now. */
  async #turned(): Promise<void> {
    let isRetried = false;
    for (let turning = this.#turning; ; turning = this.#turning) {
      try {
        await turning;
        if (turning === this.#turning) return;
      } catch (error) {
        if (turning !== this.#turning) continue;
        if (isRetried) throw error;
        isRetried = true;
        this.#turning = this.#turn();
        this.#turning.catch(() => {});
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#turning.catch(() => {});
    await this.#journal[Symbol.asyncDispose]();
  }

  /** Begins a new file with what is not taken yet: a daemon's would grow for ever. */
  async #turn(): Promise<void> {
    const old = this.#journal;
    // Where it failed the file is of no more use: all that is not taken yet is in the new one.
    await old.flushed().catch(() => {});
    if (this.#options !== undefined) {
      await keepSent(this.#path, this.#options.clock);
      await forgetSent(dirname(this.#path), this.#options);
    }
    this.#journal = await begin(this.#path, this.#open);
    await old[Symbol.asyncDispose]();
  }
}

/** A file with these letters and no other, in one step. */
async function begin(path: string, open: ReadonlyMap<string, Letter>): Promise<Journal> {
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

/** The file gets a second name: it is replaced by a new one of its own name next. */
async function keepSent(path: string, clock: Clock): Promise<void> {
  const kept = join(dirname(path), sentName(isoTime(clock)));
  // Some file systems have no links: without it a restored backup costs more, and nothing else is lost.
  await link(path, kept).catch(() => {});
}

async function forgetSent(folder: string, { clock, keepMs }: OutboxOptions): Promise<void> {
  const first = sentName(new Date(clock.now() - keepMs).toISOString());
  for (const name of await sentIn(folder)) if (name < first) await rm(join(folder, name));
}

/** In the order of time. */
function sentName(at: string): string {
  return `${SENT}${at.replaceAll(':', '-')}.log`;
}

async function sentIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => name.startsWith(SENT)).toSorted();
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

/** Every letter of a folder, also those that were taken and are kept, the oldest first; one may come twice. */
export async function* allLetters(path: string): AsyncGenerator<Letter> {
  const files = (await sentIn(dirname(path))).map((name) => join(dirname(path), name));
  for (const file of [...files, path]) {
    try {
      for await (const lines of readLines(file)) {
        for (const { json } of lines) {
          const line = JSON.parse(json) as Line;
          if (line.kind === 'put') yield line.letter;
        }
      }
    } catch (error) {
      if (!isAbsent(error)) throw error;
    }
  }
}

/** What is not in the database yet. */
export async function lettersIn(path: string): Promise<Map<string, Letter>> {
  return (await read(path)).open;
}

async function read(path: string): Promise<{ open: Map<string, Letter>; taken: number }> {
  const open = new Map<string, Letter>();
  let taken = 0;
  try {
    await replay(path, (json) => {
      const line = JSON.parse(json) as Line;
      if (line.kind === 'put') open.set(line.letter.id, line.letter);
      else if (open.delete(line.id)) taken += 1;
    });
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
  return { open, taken };
}

function framed(lines: readonly string[]): Buffer {
  const bytes: Buffer[] = [];
  let offset = 0;
  for (const line of lines) {
    const next = Buffer.from(frame(line, offset));
    bytes.push(next);
    offset += next.length;
  }
  return Buffer.concat(bytes);
}
