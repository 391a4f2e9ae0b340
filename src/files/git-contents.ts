/**
 * Reads the content of files in commits. One process of git for each repository answers all callers, and ends after a time
 * without questions.
 */
import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { environment, GIT_LIMIT_MS, GitFailure, type GitRepository } from './git.ts';
import { answerInTime, startProgram } from './program.ts';

/** A file in a commit. */
export interface PastFile {
  readonly commit: string;
  /** The path as git names it. */
  readonly path: string;
}

export interface PastContent extends PastFile {
  /** Undefined: the commit has no such file. */
  readonly bytes: Buffer | undefined;
}

/** The contents of files in commits, one after the other. @throws GitFailure `failed`; JobFailure `program-silent` */
export async function* contentsOf(
  { top }: GitRepository,
  files: readonly PastFile[],
): AsyncGenerator<PastContent> {
  for (const file of files) {
    // A question is one line, so such a name cannot be asked for.
    if (file.path.includes('\n')) continue;
    yield { ...file, bytes: await readerOf(top).content(`${file.commit}:${file.path}`) };
  }
}

const readers = new Map<string, ContentReader>();

function readerOf(top: string): ContentReader {
  const known = readers.get(top);
  if (known !== undefined) return known;
  const reader = new ContentReader(top, () => readers.delete(top));
  readers.set(top, reader);
  return reader;
}

/** Milliseconds without a question after which the process ends. On a busy machine, seconds pass between the questions of one run. */
const IDLE_MS = 10_000;

const CAT_FILE = ['cat-file', '--batch'];

class ContentReader {
  readonly #top: string;
  readonly #git: ChildProcess;
  readonly #answer: Answer;
  readonly #end: () => void;
  #last: Promise<unknown> = Promise.resolve();
  #open = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(top: string, closed: () => void) {
    this.#top = top;
    this.#git = startProgram('git', CAT_FILE, { folder: top, env: environment() });
    this.#git.on('error', () => {}); // then the answer ends before it is complete
    this.#git.stdin?.on('error', () => {});
    this.#answer = new Answer(this.#git.stdout);
    this.#end = () => {
      closed();
      this.#git.stdin?.end();
      this.#git.kill();
    };
    this.#hold('unref');
  }

  /** Asks one question after the other, because an answer does not say which question it belongs to. */
  async content(question: string): Promise<Buffer | undefined> {
    clearTimeout(this.#idle);
    if (this.#open++ === 0) this.#hold('ref');
    const asked = this.#last.then(() => {
      this.#git.stdin?.write(`${question}\n`);
      return answerInTime(this.#git, this.#answer.content(), {
        ...{ program: 'git', words: CAT_FILE, folder: this.#top, limitMs: GIT_LIMIT_MS },
      });
    });
    this.#last = asked;
    try {
      return await asked;
    } catch (error) {
      this.#end();
      throw error;
    } finally {
      if (--this.#open === 0) {
        this.#hold('unref');
        this.#idle = setTimeout(this.#end, IDLE_MS).unref();
      }
    }
  }

  /** Without open questions, the process of git must not keep this process alive. */
  #hold(how: 'ref' | 'unref'): void {
    this.#git[how]();
    for (const pipe of [this.#git.stdin, this.#git.stdout]) (pipe as Socket | null)?.[how]();
  }
}

/** What `git cat-file --batch` answers: a line `<object> <type> <size>`, the content, a line end; or a line ` missing`. */
class Answer {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(output: AsyncIterable<Buffer> | null) {
    this.#chunks = (output ?? nothing())[Symbol.asyncIterator]();
  }

  async content(): Promise<Buffer | undefined> {
    const head = (await this.#line()).toString('utf8');
    const [, kind, size] = / (\w+) (\d+)$/.exec(head) ?? [];
    if (kind === undefined) return undefined;
    const bytes = await this.#take(Number(size));
    await this.#take(1);
    return kind === 'blob' ? bytes : undefined;
  }

  async #line(): Promise<Buffer> {
    for (;;) {
      const end = this.#rest.indexOf(10);
      if (end < 0) {
        await this.#more();
        continue;
      }
      const line = await this.#take(end + 1);
      return line.subarray(0, -1);
    }
  }

  async #take(length: number): Promise<Buffer> {
    const taken: Buffer[] = [];
    let missing = length;
    while (this.#rest.length < missing) {
      taken.push(this.#rest);
      missing -= this.#rest.length;
      this.#rest = Buffer.alloc(0);
      await this.#more();
    }
    taken.push(this.#rest.subarray(0, missing));
    this.#rest = this.#rest.subarray(missing);
    return Buffer.concat(taken);
  }

  async #more(): Promise<void> {
    const { value, done } = await this.#chunks.next();
    if (done === true) {
      throw new GitFailure({ kind: 'failed', message: 'cat-file ended before its answer did' });
    }
    this.#rest = Buffer.concat([this.#rest, value]);
  }
}

async function* nothing(): AsyncGenerator<Buffer> {}
