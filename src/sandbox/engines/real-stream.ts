/** One open direction of apertium: texts in and out in its stream format, one after another, each ended by NUL. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { EngineRecipe } from '../engine.ts';
import { cutPieces } from './protected.ts';
import { applyTerms, markTerm } from './terms.ts';

// Node's pipes are sockets, and the script opens /dev/stdin again, which is not possible with a socket: hence `cat |`. `-z` with `-f txt`
// would drop the NULs that end a text, so the stream format is written here.
const SCRIPT = 'cat | exec bash <(apertium-wblank-mode -z "$1") -n ""';
const NUL = 0;

export class Stream {
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #waiting: PromiseWithResolvers<string>[] = [];
  #received: Buffer[] = [];

  /** @param mode path of a mode file */
  constructor(mode: string) {
    this.#process = spawn('bash', ['-c', SCRIPT, 'bash', mode], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.#process.stdout.on('data', (chunk: Buffer) => this.#receive(chunk));
    this.#process.on('close', () => this.#fail(new Error('apertium ended before it answered')));
    this.#process.on('error', (error) => this.#fail(error));
    this.#process.stdin.on('error', (error) => this.#fail(error));
  }

  /** Answers are in the order of the texts. @param wrapped in stream format */
  translate(wrapped: string): Promise<string> {
    const answer = Promise.withResolvers<string>();
    this.#waiting.push(answer);
    this.#process.stdin.write(`${wrapped}\0`);
    return answer.promise;
  }

  async close(): Promise<void> {
    this.#process.stdin.end();
    if (this.#process.exitCode === null) await once(this.#process, 'close');
  }

  #receive(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NUL); end >= 0; end = chunk.indexOf(NUL, start)) {
      const text = Buffer.concat([...this.#received, chunk.subarray(start, end)]).toString('utf8');
      this.#received = [];
      this.#waiting.shift()?.resolve(text);
      start = end + 1;
    }
    this.#received.push(chunk.subarray(start));
  }

  #fail(error: Error): void {
    for (const answer of this.#waiting.splice(0)) answer.reject(error);
  }
}

const SPECIAL = /[[\]{}^$@/\\<>]/g;

/** Text to stream format: kept pieces (tags, placeholders, line ends, glossary terms) become blanks in brackets. */
export function toStream(
  text: string,
  recipe: Pick<EngineRecipe, 'terms' | 'ignoreTags' | 'tagHandling'>,
): string {
  const term = (phrase: string) => blank(markTerm(phrase));
  const written = cutPieces(text, recipe)
    .map((piece) =>
      piece.kept ? blank(piece.text) : applyTerms(piece, recipe, { term, other: words }),
    )
    .join('');
  // Without a blank at its end, a text stays inside the pipeline and is never answered.
  return `${written}[]`;
}

/** Stream format to text. */
export function unwrap(stream: string): string {
  return stream.replace(/\\([\s\S])|[[\]]/g, (_, escaped?: string) => escaped ?? '');
}

function words(text: string): string {
  return text
    .split(/([\r\n\0]+)/)
    .map((part, index) => (index % 2 === 1 ? blank(part.replaceAll('\0', '')) : escapeMarks(part)))
    .join('');
}

function blank(text: string): string {
  return `[${escapeMarks(text)}]`;
}

function escapeMarks(text: string): string {
  return text.replace(SPECIAL, '\\$&');
}
