/** Scans gettext PO and POT files into entries with the offsets of their texts, comments and flags. */

import {
  decodeEscaped,
  EscapeMemory,
  habitsOf,
  type Notation,
  readEscaped,
  writeEscaped,
} from '../text/escapes.ts';
import { malformed, positionsOf } from '../text/position.ts';
import { type FlatEntry, flatId } from './flat-entries.ts';

export interface PoText {
  /** From the first quote to the last. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface PoForm extends PoText {
  /** Offset of its line: `msgstr`. */
  readonly lineStart: number;
}

export interface PoComment {
  readonly start: number;
  /** Offset behind the line end. */
  readonly next: number;
  readonly text: string;
}

export interface PoEntry extends FlatEntry {
  readonly id: string;
  /** The msgctxt, which distinguishes entries with the same msgid. */
  readonly context: string | undefined;
  readonly msgid: PoText;
  readonly plural: PoText | undefined;
  /** `msgstr`, or `msgstr[0]` and so on, by index. */
  readonly forms: ReadonlyMap<number, PoForm>;
  readonly comments: readonly PoComment[];
}

export interface PoFile {
  readonly text: string;
  readonly header: PoEntry | undefined;
  readonly entries: ReadonlyMap<string, PoEntry>;
  readonly literals: PoLiterals;
}

/** Throws JobFailure `malformed` with line and column. */
export function scanPo(text: string, file: string): PoFile {
  const scan = new PoScan(text, file);
  scan.run();
  return scan;
}

const LINE = /[^\r\n]*/y;
const LINE_END = /\r\n|\n|\r|$/y;
const KEYWORD = /[ \t]*(msgctxt|msgid_plural|msgid|msgstr(?:\[(\d+)\])?)[ \t]*(?=")/y;
const STRING = /"(?:[^"\\\r\n]|\\.)*"[ \t]*(?:(?:\r\n|\n|\r)[ \t]*"(?:[^"\\\r\n]|\\.)*"[ \t]*)*/y;

interface PoEntryDraft {
  readonly gap: number;
  readonly start: number;
  readonly comments: readonly PoComment[];
  context?: string;
  msgid?: PoText;
  plural?: PoText;
  readonly forms: Map<number, PoForm>;
}

class PoScan implements PoFile {
  readonly text: string;
  readonly entries = new Map<string, PoEntry>();
  readonly literals = new PoLiterals();
  header: PoEntry | undefined;
  readonly #file: string;
  #position = 0;
  #lastEnd: number | undefined;
  #comments: PoComment[] = [];
  #draft: PoEntryDraft | undefined;

  constructor(text: string, file: string) {
    this.text = text;
    this.#file = file;
  }

  run(): void {
    while (this.#position < this.text.length) {
      if (!this.#keyword()) this.#otherLine();
    }
    this.#finish();
  }

  #keyword(): boolean {
    KEYWORD.lastIndex = this.#position;
    const found = KEYWORD.exec(this.text);
    if (found === null) return false;
    const [, word = '', index] = found;
    const lineStart = this.#position;
    const isFirst = word === 'msgctxt' || (word === 'msgid' && this.#draft?.msgid !== undefined);
    if (isFirst && this.#draft !== undefined) this.#finish();
    const draft = this.#draft ?? this.#begin(lineStart);
    this.#draft = draft;
    const text = this.#string(KEYWORD.lastIndex);
    if (word === 'msgctxt') draft.context = text.text;
    else if (word === 'msgid') draft.msgid = text;
    else if (word === 'msgid_plural') this.#setPlural(draft, text);
    else this.#addForm(draft, index, { ...text, lineStart });
    return true;
  }

  #setPlural(draft: PoEntryDraft, text: PoText): void {
    if (draft.plural !== undefined) throw this.#malformed(text.start, 'a second msgid_plural');
    draft.plural = text;
  }

  // msgfmt also refuses these ("missing 'msgid_plural' section").
  #addForm(draft: PoEntryDraft, index: string | undefined, form: PoForm): void {
    const { msgid, plural, forms } = draft;
    if (msgid === undefined) throw this.#malformed(form.lineStart, 'a msgstr without msgid');
    if (index !== undefined && plural === undefined) {
      throw this.#malformed(form.lineStart, `msgstr[${index}] without msgid_plural`);
    }
    if (index === undefined && plural !== undefined) {
      throw this.#malformed(
        form.lineStart,
        'an entry with msgid_plural needs msgstr[0] and so on, not msgstr',
      );
    }
    const number = Number(index ?? 0);
    if (forms.has(number)) throw this.#malformed(form.lineStart, 'a second msgstr of this msgid');
    forms.set(number, form);
  }

  #begin(lineStart: number): PoEntryDraft {
    const start = this.#comments[0]?.start ?? lineStart;
    const gap = this.#lastEnd ?? start;
    const draft = { gap, start, comments: this.#comments, forms: new Map<number, PoForm>() };
    this.#comments = [];
    return draft;
  }

  #string(start: number): PoText {
    STRING.lastIndex = start;
    const found = STRING.exec(this.text);
    if (found === null) throw this.#malformed(start, 'the string has no end');
    const end = start + found[0].trimEnd().length;
    this.#position = STRING.lastIndex;
    if (!/^(?:[\r\n]|$)/.test(this.text.charAt(this.#position))) {
      throw this.#malformed(this.#position, 'nothing may follow a string on its line');
    }
    this.#position = this.#afterLineEnd(this.#position);
    return { start, end, text: this.literals.read(this.text.slice(start, end)) };
  }

  #otherLine(): void {
    const start = this.#position;
    LINE.lastIndex = start;
    const line = LINE.exec(this.text)?.[0] ?? '';
    const next = this.#afterLineEnd(start + line.length);
    if (line.trim() === '') {
      this.#finish();
      this.#detach();
    } else if (/^[ \t]*#~/.test(line)) {
      this.#finish();
      this.#detach();
      this.#lastEnd = start + line.length;
    } else if (/^[ \t]*#/.test(line)) {
      this.#finish();
      this.#comments.push({ start, next, text: line.trim() });
    } else {
      throw this.#malformed(start, 'neither a comment nor msgid, msgstr or a string');
    }
    this.#position = next;
  }

  // Comments with a blank line below belong to no entry.
  #detach(): void {
    const last = this.#comments.at(-1);
    if (last !== undefined) this.#lastEnd = last.start + last.text.length;
    this.#comments = [];
  }

  #finish(): void {
    const draft = this.#draft;
    if (draft === undefined) return;
    this.#draft = undefined;
    const { msgid, forms, context } = draft;
    const last = [...forms.values()].at(-1);
    if (msgid === undefined || last === undefined) {
      throw this.#malformed(draft.start, 'an entry needs a msgid and a msgstr');
    }
    const id = poId(context, msgid.text);
    const { start, gap, comments, plural } = draft;
    const { end } = last;
    const entry: PoEntry = { id, context, gap, start, end, msgid, plural, forms, comments };
    if (context === undefined && msgid.text === '') this.#setHeader(entry);
    else this.#add(entry);
    this.#lastEnd = last.end;
  }

  // msgfmt: "duplicate message definition".
  #add(entry: PoEntry): void {
    const known = this.entries.get(entry.id);
    if (known !== undefined) {
      const { line } = positionsOf(this.text)(known.msgid.start);
      throw this.#malformed(entry.msgid.start, `this msgid is in line ${line} already`);
    }
    this.entries.set(entry.id, entry);
  }

  #setHeader(entry: PoEntry): void {
    this.header ??= entry;
  }

  #afterLineEnd(from: number): number {
    LINE_END.lastIndex = from;
    LINE_END.test(this.text);
    return LINE_END.lastIndex;
  }

  #malformed(offset: number, message: string) {
    return malformed(this.#file, { text: this.text, offset }, message);
  }
}

/** `context|msgid`, both with special characters of ids escaped. */
export function poId(context: string | undefined, msgid: string): string {
  const escaped = (text: string) => flatId(text).replace(/[|[]/g, '\\$&');
  return context === undefined ? escaped(msgid) : `${escaped(context)}|${escaped(msgid)}`;
}

/** String literals of gettext files, on one line or several: decoded, and written like msgmerge, but without its wrapping. */
const SHORT: ReadonlyMap<string, string> = new Map(
  Object.entries({ n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v' }),
);

const NEEDED: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ...[...SHORT].map(([letter, character]): [string, string] => [character, `\\${letter}`]),
]);

/** The bytes of one character, each as an escape. */
const CHARACTER = /\\(?:[0-7]{1,3}|x[0-9a-fA-F]{1,2})(?:\\(?:2[0-7]{2}|x[89abAB][0-9a-fA-F]))+/y;

/** The escapes of C, as gettext's po-lex.c reads them. */
const NOTATION: Notation = {
  lead: /\\/,
  escapes: [
    { pattern: CHARACTER, read: ([raw]) => fromUtf8(raw) },
    { pattern: /\\([0-7]{1,3})/y, read: ([, octal = '']) => fromCode(octal, 8) },
    { pattern: /\\x([0-9a-fA-F]{1,2})/y, read: ([, hex = '']) => fromCode(hex, 16) },
    { pattern: /\\([^x0-7])/y, read: ([, character = '']) => SHORT.get(character) ?? character },
  ],
};

/** @returns undefined for bytes that are no character of UTF-8: of another charset, or half of a character */
function fromUtf8(raw: string): string | undefined {
  const codes = [...raw.matchAll(/\\(?:x([0-9a-fA-F]+)|([0-7]+))/g)];
  const bytes = codes.map(([, hex, octal = '']) =>
    hex === undefined ? Number.parseInt(octal, 8) : Number.parseInt(hex, 16),
  );
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes));
  } catch {
    return undefined;
  }
}

/**
 * A single byte beyond ASCII is no character of UTF-8. It becomes half of a character, as with "surrogateescape" of Python. Its text is held,
 * and the byte is written as it was.
 */
function fromCode(digits: string, base: number): string {
  const code = Number.parseInt(digits, base) & 0xff;
  return String.fromCharCode(code < 0x80 ? code : 0xdc00 + code);
}

/** Replaces the escapes in a text by their characters. */
export function decodePo(text: string): string {
  return decodeEscaped(text, NOTATION);
}

const LITERAL = /"((?:[^"\\\r\n]|\\.)*)"/g;

class PoLiterals {
  readonly #memory = new EscapeMemory();

  /** @param raw from the first quote to the last */
  read(raw: string): string {
    return readEscaped(contentOf(raw), NOTATION, this.#memory);
  }

  /** Writes a text of several lines like gettext: on several lines behind an empty first one. */
  write(text: string, { like, lineEnd }: { like: string; lineEnd: string }): string {
    const habits = habitsOf(contentOf(like), NOTATION, this.#memory);
    const lines = text.split(/(?<=\n)(?!$)/).map((line) => `"${encode(line, habits)}"`);
    return lines.length === 1 ? (lines[0] ?? '""') : ['""', ...lines].join(lineEnd);
  }
}

function contentOf(raw: string): string {
  return [...raw.matchAll(LITERAL)].map(([, content]) => content).join('');
}

function encode(line: string, habits: EscapeMemory): string {
  return writeEscaped(line, (character) => NEEDED.get(character), habits);
}
