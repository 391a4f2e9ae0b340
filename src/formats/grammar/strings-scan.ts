/** Scans Apple .strings files (old-style property lists of key-value pairs) into entries with the offsets of their values and comments. */
import { malformed } from '../text/position.ts';
import { type FlatEntry, flatId } from './flat-entries.ts';

export interface StringsEntry extends FlatEntry {
  readonly id: string;
  readonly key: Token;
  /** Span of the content, without quotes; of the whole word when it is unquoted. */
  readonly value: StringValue;
  /** The text of the attached comments. */
  readonly comment: string | undefined;
}

interface Token {
  readonly start: number;
  readonly end: number;
  readonly isQuoted: boolean;
}

interface StringValue extends Token {
  /** The key has no value: this is the place of `= "…"`. */
  readonly isAbsent?: true;
}

interface Comment {
  readonly start: number;
  readonly end: number;
}

const BLANKS = /\s+/y;
const COMMENT = /\/\*[\s\S]*?\*\/|\/\/[^\r\n]*/y;
const BEHIND = /[ \t]*(?:\/\*[^\r\n]*?\*\/|\/\/[^\r\n]*)/y;
const QUOTED_STRING = /"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'/y;
const BARE = /[\w.$:/-]+/y;

export interface StringsContext {
  readonly file: string;
  readKey(raw: string): string;
  readonly ids: (key: string) => string;
}

/** By id, in file order. Throws JobFailure `malformed` with line and column. */
export function scanStrings(text: string, context: StringsContext): Map<string, StringsEntry> {
  const scan = new StringsScan(text, context);
  return scan.run();
}

class StringsScan {
  readonly #text: string;
  readonly #context: StringsContext;
  readonly #found = new Map<string, StringsEntry>();
  #position = 0;
  #lastEnd: number | undefined;
  #comments: Comment[] = [];

  constructor(text: string, context: StringsContext) {
    this.#text = text;
    this.#context = context;
  }

  run(): Map<string, StringsEntry> {
    for (this.#skip(); this.#position < this.#text.length; this.#skip()) this.#entry();
    return this.#found;
  }

  #entry(): void {
    const key = this.#token('a key');
    const value = this.#value(this.#position);
    const raw = this.#text.slice(key.start, key.end);
    const id = this.#context.ids(flatId(key.isQuoted ? this.#context.readKey(raw) : raw));
    const line = key.isQuoted ? key.start - 1 : key.start;
    const [first, ...more] = this.#comments;
    const [start, own] = [first?.start ?? line, more.at(-1)?.start ?? line];
    const gap = this.#lastEnd ?? start;
    const comment = commentWords(this.#text, this.#comments);
    this.#found.set(id, { id, key, gap, own, start, end: this.#finish(), value, comment });
  }

  // A key without a value is its own value.
  #value(keyEnd: number): StringValue {
    this.#skipInside();
    if (this.#text.charAt(this.#position) === ';') {
      return { start: keyEnd, end: keyEnd, isQuoted: false, isAbsent: true };
    }
    if (this.#text.charAt(this.#position) !== '=') throw this.#malformed('"=" is missing here');
    this.#position += 1;
    this.#skipInside();
    const value = this.#token('a value');
    this.#skipInside();
    if (this.#text.charAt(this.#position) !== ';') throw this.#malformed('";" is missing here');
    return value;
  }

  // A comment behind an entry on its line belongs to it.
  #finish(): number {
    this.#position += 1;
    this.#match(BEHIND);
    this.#lastEnd = this.#position;
    this.#comments = [];
    return this.#position;
  }

  // Comments belong to the next entry unless a blank line is between them.
  #skip(): void {
    for (;;) {
      const blanks = this.#match(BLANKS);
      if (/\n[ \t]*\r?\n|\r[ \t]*\r/.test(blanks)) this.#detach();
      const start = this.#position;
      if (this.#match(COMMENT) !== '') this.#comments.push({ start, end: this.#position });
      else if (blanks === '') return;
    }
  }

  #detach(): void {
    this.#lastEnd = this.#comments.at(-1)?.end ?? this.#lastEnd;
    this.#comments = [];
  }

  #skipInside(): void {
    while (this.#match(BLANKS) !== '' || this.#match(COMMENT) !== '');
  }

  #token(what: string): Token {
    const start = this.#position;
    const quoted = this.#match(QUOTED_STRING);
    if (quoted !== '') return { start: start + 1, end: this.#position - 1, isQuoted: true };
    if (this.#text.charAt(start) === '"') throw this.#malformed('the string has no end');
    if (this.#match(BARE) === '') throw this.#malformed(`${what} is missing here`);
    return { start, end: this.#position, isQuoted: false };
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#position;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#position += found.length;
    return found;
  }

  #malformed(message: string) {
    const { file } = this.#context;
    return malformed(file, { text: this.#text, offset: this.#position }, message);
  }
}

function commentWords(text: string, comments: readonly Comment[]): string | undefined {
  const words = comments
    .map(({ start, end }) => text.slice(start, end).replace(/^\/[/*]+|\*+\/$/g, ''))
    .map((word) => word.replace(/\s+/g, ' ').trim())
    .filter((word) => word !== '');
  return words.length === 0 ? undefined : words.join(' ');
}
