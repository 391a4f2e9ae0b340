/** Output of commands: results on stdout, notes on stderr, questions only on a terminal. */

import { styleText } from 'node:util';
import { safeLines } from '../config/one-line.ts';

export interface Terminal {
  /** Whether a person can answer: stdin and stdout are terminals, and `--no-input` was not given. */
  readonly interactive: boolean;
  /** Width of stdout in columns; infinite when it is not a terminal, since a program reads all of it. */
  readonly columns: number;
  /** Prints a result: one line on stdout. */
  out(line: string): void;
  /** Prints a result as data, when the command has ended: one JSON object on stdout, with names in snake_case. */
  json<Value>(value: Value & SnakeNames<Value>): void;
  /** Prints a note for people: one line on stderr. */
  note(line: string): void;
  /** Clears the screen. */
  clear(): void;
  /** Asks yes or no; false when nobody can answer. */
  confirm(question: string): Promise<boolean>;
  /** All of standard input as text. */
  readInput(): Promise<string>;
  style(format: Parameters<typeof styleText>[0], text: string): string;
}

/**
 * A value whose names are all in snake_case, as machine-read names never change. Names that are data (a language, a rule of the config)
 * are strings that no type knows.
 */
type SnakeNames<Value> = Value extends string | number | boolean | null | undefined
  ? Value
  : Value extends readonly (infer Item)[]
    ? readonly SnakeNames<Item>[]
    : Value extends object
      ? {
          readonly [Name in keyof Value]: Name extends string
            ? string extends Name
              ? SnakeNames<Value[Name]>
              : Name extends Lowercase<Name>
                ? SnakeNames<Value[Name]>
                : `not snake_case: ${Name}`
            : Value[Name];
        }
      : Value;

interface Streams {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

const CLEAR_SCREEN = '\u001b[2J\u001b[H';

/** Text as it was written, for a program; on a terminal nothing in it moves the cursor or reverses a line. */
export function shownOn({ isTTY }: Pick<NodeJS.WriteStream, 'isTTY'>, text: string): string {
  return isTTY ? safeLines(text) : text;
}

/** The terminal of this process. `NO_COLOR` and pipes switch colour off (https://no-color.org). */
export function openTerminal(streams: Streams, input: 'ask' | 'never'): Terminal {
  const { stdin, stdout, stderr } = streams;
  const interactive = input === 'ask' && stdin.isTTY && stdout.isTTY;
  return {
    interactive,
    columns: stdout.columns ?? Number.POSITIVE_INFINITY,
    out: (line) => void stdout.write(`${shownOn(stdout, line)}\n`),
    json: (value) => void stdout.write(`${shownOn(stdout, JSON.stringify(value, null, 2))}\n`),
    note: (line) => void stderr.write(`${shownOn(stderr, line)}\n`),
    clear: () => void stdout.write(CLEAR_SCREEN),
    async confirm(question) {
      if (!interactive) return false;
      const { confirm, isCancel } = await import('@clack/prompts');
      const answer = await confirm({ message: question, initialValue: false });
      return !isCancel(answer) && answer;
    },
    async readInput() {
      const chunks: Buffer[] = [];
      for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
      return Buffer.concat(chunks).toString('utf8');
    },
    style: (format, text) => styleText(format, text, { stream: stdout }),
  };
}

/** The output has no reader any more: `| head`, or a terminal that was closed. */
const UNREAD: readonly unknown[] = ['EPIPE', 'EIO', 'ECONNRESET'];

/** What stdout could not take although somebody reads it, a full disk for example; undefined while there is nothing. */
type OutputFault = () => NodeJS.ErrnoException | undefined;

export interface CommandOutput {
  readonly fault: OutputFault;
  /** Aborted when stdout has no reader any more. */
  readonly unread: AbortSignal;
}

/** No error of stdout or stderr ends the work: it may be paid, and what is under way is not bought again. */
export function workOnWithoutOutput({
  stdout,
  stderr,
}: Pick<Streams, 'stdout' | 'stderr'>): CommandOutput {
  let fault: NodeJS.ErrnoException | undefined;
  const unread = new AbortController();
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (UNREAD.includes(error.code)) unread.abort(error);
    else fault = error;
  });
  stderr.on('error', () => {});
  return { fault: () => fault, unread: unread.signal };
}
