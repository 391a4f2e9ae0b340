/** Reads the values of PDF files (ISO 32000-1, 7.3) from a position in the file. Strings are Latin-1: one character is one byte. */

export type PdfValue =
  | number
  | boolean
  | null
  | PdfName
  | PdfString
  | PdfReference
  | PdfArray
  | PdfDictionary;

export interface PdfName {
  readonly kind: 'name';
  readonly name: string;
}
export interface PdfString {
  readonly kind: 'string';
  /** One character per byte. */
  readonly bytes: string;
}
export interface PdfReference {
  readonly kind: 'reference';
  readonly object: number;
}
export interface PdfArray {
  readonly kind: 'array';
  readonly items: readonly PdfValue[];
}
export interface PdfDictionary {
  readonly kind: 'dictionary';
  readonly entries: ReadonlyMap<string, PdfValue>;
}
/** A word that is not a value: an operator of a content stream, `obj`, `stream`. */
export interface PdfWord {
  readonly kind: 'word';
  readonly word: string;
}

// Real files are never nested so deeply; hostile ones would use up the stack.
const MAX_DEPTH = 100;
const SPACE_OR_COMMENT = /(?:[\0\t\n\f\r ]+|%[^\r\n]*)*/y;
const REGULAR = /[^\0\t\n\f\r ()<>[\]{}/%]+/y;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)$/;
const REFERENCE = /(\d+)[\0\t\n\f\r ]+\d+[\0\t\n\f\r ]+R(?![^\0\t\n\f\r ()<>[\]{}/%])/y;

export class PdfReader {
  readonly text: string;
  at: number;
  #depth = 0;

  constructor(text: string, at = 0) {
    this.text = text;
    this.at = at;
  }

  /** The next value or word; undefined at the end, and where the file is damaged. */
  next(): PdfValue | PdfWord | undefined {
    this.skipSpace();
    const mark = this.text[this.at];
    if (mark === undefined) return undefined;
    if (mark === '/') return this.#name();
    if (mark === '(') return this.#literal();
    if (mark === '[') return this.#array();
    if (mark === '<') return this.text[this.at + 1] === '<' ? this.#dictionary() : this.#hex();
    return this.#reference() ?? this.#word();
  }

  skipSpace(): void {
    SPACE_OR_COMMENT.lastIndex = this.at;
    this.at += SPACE_OR_COMMENT.exec(this.text)?.[0].length ?? 0;
  }

  #regular(): string {
    REGULAR.lastIndex = this.at;
    const word = REGULAR.exec(this.text)?.[0] ?? '';
    this.at += word.length;
    return word;
  }

  #name(): PdfName {
    this.at++;
    const name = this.#regular().replace(/#([\dA-Fa-f]{2})/g, (_, hex) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    return { kind: 'name', name };
  }

  #reference(): PdfReference | undefined {
    REFERENCE.lastIndex = this.at;
    const found = REFERENCE.exec(this.text);
    if (found === null) return undefined;
    this.at += found[0].length;
    return { kind: 'reference', object: Number(found[1]) };
  }

  #word(): PdfValue | PdfWord {
    const word = this.#regular();
    if (word === '') return { kind: 'word', word: this.text[this.at++] ?? '' };
    if (NUMBER.test(word)) return Number(word);
    if (word === 'true' || word === 'false') return word === 'true';
    return word === 'null' ? null : { kind: 'word', word };
  }

  #literal(): PdfString {
    let bytes = '';
    let depth = 0;
    for (this.at++; this.at < this.text.length; this.at++) {
      const mark = this.text[this.at] ?? '';
      if (mark === '\\') {
        bytes += this.#escape();
        continue;
      }
      if (mark === '(') depth++;
      if (mark === ')' && depth-- === 0) break;
      bytes += mark;
    }
    this.at++;
    return { kind: 'string', bytes };
  }

  #escape(): string {
    const octal = /^[0-7]{1,3}/.exec(this.text.slice(this.at + 1, this.at + 4))?.[0];
    if (octal !== undefined) {
      this.at += octal.length;
      return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
    }
    const mark = this.text[++this.at] ?? '';
    if (mark === '\r' && this.text[this.at + 1] === '\n') this.at++;
    return ESCAPES.get(mark) ?? mark;
  }

  #hex(): PdfString {
    const end = this.text.indexOf('>', this.at);
    const digits = this.text
      .slice(this.at + 1, end < 0 ? undefined : end)
      .replace(/[^\dA-Fa-f]/g, '');
    this.at = end < 0 ? this.text.length : end + 1;
    return {
      kind: 'string',
      bytes: Buffer.from(digits.padEnd(digits.length + (digits.length % 2), '0'), 'hex').toString(
        'latin1',
      ),
    };
  }

  #array(): PdfArray {
    this.at++;
    const items: PdfValue[] = [];
    for (const value of this.#until(']')) items.push(value);
    return { kind: 'array', items };
  }

  #dictionary(): PdfDictionary {
    this.at += 2;
    const entries = new Map<string, PdfValue>();
    let key: string | undefined;
    for (const value of this.#until('>>')) {
      if (key !== undefined) entries.set(key, value);
      key = key === undefined && isName(value) ? value.name : undefined;
    }
    return { kind: 'dictionary', entries };
  }

  *#until(end: string): Generator<PdfValue> {
    if (++this.#depth > MAX_DEPTH) this.at = this.text.length;
    for (;;) {
      this.skipSpace();
      if (this.at >= this.text.length || this.text.startsWith(end, this.at)) break;
      const value = this.next();
      if (value === undefined || isWord(value)) continue;
      yield value;
    }
    this.at += end.length;
    this.#depth--;
  }
}

const ESCAPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    n: '\n',
    r: '\r',
    t: '\t',
    b: '\b',
    f: '\f',
    '\n': '',
    '\r': '',
  }),
);

function hasKind<K extends string>(kind: K) {
  return <T extends PdfValue | PdfWord | undefined>(value: T): value is Extract<T, { kind: K }> =>
    typeof value === 'object' && value !== null && value.kind === kind;
}

export const isName = hasKind('name');
export const isString = hasKind('string');
export const isPdfReference = hasKind('reference');
export const isArray = hasKind('array');
export const isDictionary = hasKind('dictionary');
export const isWord = hasKind('word');
