/** What was paid for and is not in the database yet: flushed to this machine's disk first, told until it is taken. */
import { dirname } from 'node:path';
import { isAbsent } from '../../files/disk.ts';
import { makeFolder, PRIVATE } from '../../files/make-folder.ts';
import { replaceFile } from '../../files/replace.ts';
import { frame } from '../frame.ts';
import { Journal } from '../journal.ts';
import { replay } from '../replay.ts';

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

export class Outbox implements AsyncDisposable {
  readonly #journal: Journal;
  readonly #open: Map<string, Letter>;

  private constructor(journal: Journal, open: Map<string, Letter>) {
    this.#journal = journal;
    this.#open = open;
  }

  /** What an earlier process left is in `pending`. */
  static async open(path: string): Promise<Outbox> {
    await makeFolder(dirname(path), PRIVATE);
    const open = await lettersIn(path);
    const lines = [...open.values()].map((letter) => JSON.stringify({ kind: 'put', letter }));
    const content = framed(lines);
    const { size } = await replaceFile({
      path,
      root: dirname(path),
      tempIn: dirname(path),
      content,
      mode: 0o600,
    });
    return new Outbox(await Journal.open(path, size), open);
  }

  get pending(): readonly Letter[] {
    return [...this.#open.values()];
  }

  /** Durable when it resolves. */
  async put(letter: Letter): Promise<void> {
    await this.#journal.append(JSON.stringify({ kind: 'put', letter } satisfies Line));
    this.#open.set(letter.id, letter);
  }

  /** The database has it. It does no harm if that is forgotten: it is told again. */
  taken({ id }: Letter): void {
    this.#open.delete(id);
    const line = JSON.stringify({ kind: 'taken', id } satisfies Line);
    this.#journal.append(line).catch(() => {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#journal[Symbol.asyncDispose]();
  }
}

export async function lettersIn(path: string): Promise<Map<string, Letter>> {
  const open = new Map<string, Letter>();
  try {
    await replay(path, (json) => {
      const line = JSON.parse(json) as Line;
      if (line.kind === 'put') open.set(line.letter.id, line.letter);
      else open.delete(line.id);
    });
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
  return open;
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
