/**
 * Escape memory: how a file writes its characters. A file that writes `\u00e9` or `&apos;` gets its new texts in the same
 * way, so that a translated file keeps the habits of its authors.
 */

/** How a host syntax escapes: what may stand for a character, and what must not stand as itself. */
export interface Notation {
  /** Sticky expressions, tried in order; `read` gives the characters, or undefined when it is no escape after all. */
  readonly escapes: readonly Escape[];
  /** The characters that an escape may begin with: a text without them is its own decoding. */
  readonly lead: RegExp;
}

export interface Escape {
  readonly pattern: RegExp;
  read(match: RegExpExecArray): string | undefined;
}

/** The escape that a character needs at this place, or undefined when it may stand as itself. */
export type Required = (character: string, index: number, text: string) => string | undefined;

/** What one file, or one text of it, escapes and what it writes plainly. */
export class EscapeMemory {
  readonly #escaped = new Map<string, string>();
  readonly #plain: PlainCharacters;
  readonly #parent: EscapeMemory | undefined;

  /** With a parent: the memory of one text; without: of its file. */
  constructor(parent?: EscapeMemory) {
    this.#parent = parent;
    this.#plain = parent === undefined ? plainTable() : plainRun();
  }

  /** Whether nothing was ever escaped. */
  get isPlain(): boolean {
    return this.#escaped.size === 0 && (this.#parent?.isPlain ?? true);
  }

  notePlain(text: string): void {
    this.#plain.note(text);
  }

  noteEscape(character: string, raw: string): void {
    if (!this.#escaped.has(character)) this.#escaped.set(character, raw);
  }

  /** The form of a character that may stand as itself: escaped only where it was never seen plain. */
  habit(character: string): string | undefined {
    if (this.#plain.has(character)) return undefined;
    return this.#escaped.get(character) ?? this.#parent?.habit(character);
  }

  /** The form of a character that must be escaped, if one was seen. */
  escapeOf(character: string): string | undefined {
    return this.#escaped.get(character) ?? this.#parent?.escapeOf(character);
  }
}

interface PlainCharacters {
  note(text: string): void;
  has(character: string): boolean;
}

/** UTF-16 units from which on a table is worth its 64 KB: most files are shorter, and there are 100,000 of them. */
const SHORT = 4096;

// One byte per UTF-16 unit: 10 MB of texts are noted in some 10 ms, a Set takes seconds.
function plainTable(): PlainCharacters {
  const short = plainRun();
  let noted = 0;
  let table: Uint8Array | undefined;
  const enter = (text: string, into: Uint8Array) => {
    for (let index = 0; index < text.length; index += 1) into[text.charCodeAt(index)] = 1;
  };
  return {
    note(text) {
      noted += text.length;
      if (table === undefined && noted <= SHORT) {
        short.note(text);
        return;
      }
      if (table === undefined) {
        table = new Uint8Array(0x10000);
        enter(short.seen, table);
      }
      enter(text, table);
    },
    has: (character) =>
      table === undefined ? short.has(character) : table[character.charCodeAt(0)] === 1,
  };
}

function plainRun(): PlainCharacters & { readonly seen: string } {
  let seen = '';
  return {
    get seen() {
      return seen;
    },
    note: (text) => {
      seen += text;
    },
    has: (character) => seen.includes(character),
  };
}

/** What hears of habits while a run is decoded. */
export type HabitListener = Pick<EscapeMemory, 'notePlain' | 'noteEscape'>;

const NOBODY: HabitListener = { notePlain() {}, noteEscape() {} };

/** Decodes what is never written: keys, comments. */
export function decodeEscaped(raw: string, notation: Notation): string {
  return readEscaped(raw, notation, NOBODY);
}

/** Decodes a raw run and notes its habits. */
export function readEscaped(raw: string, notation: Notation, memory: HabitListener): string {
  if (!notation.lead.test(raw)) {
    memory.notePlain(raw);
    return raw;
  }
  const pieces: string[] = [];
  let from = 0;
  const plain = (to: number) => {
    if (to === from) return;
    const run = raw.slice(from, to);
    memory.notePlain(run);
    pieces.push(run);
  };
  for (let index = 0; index < raw.length; ) {
    const found = escapeAt(raw, index, notation);
    if (found === undefined) {
      index += 1;
      continue;
    }
    plain(index);
    memory.noteEscape(found.characters, found.raw);
    pieces.push(found.characters);
    index += found.raw.length;
    from = index;
  }
  plain(raw.length);
  return pieces.join('');
}

function escapeAt(
  raw: string,
  index: number,
  notation: Notation,
): { readonly characters: string; readonly raw: string } | undefined {
  if (!notation.lead.test(raw.charAt(index))) return undefined;
  for (const { pattern, read } of notation.escapes) {
    pattern.lastIndex = index;
    const match = pattern.exec(raw);
    const characters = match === null ? undefined : read(match);
    if (match !== null && characters !== undefined) return { characters, raw: match[0] };
  }
  return undefined;
}

/**
 * Writes a text with what it needs and the habits of the memory. In whole runs: a text that grows letter by letter takes 32 bytes
 * for each, for as long as nobody reads it.
 */
export function writeEscaped(text: string, required: Required, memory: EscapeMemory): string {
  const pieces: string[] = [];
  let from = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    const needed = required(character, index, text);
    const written =
      needed === undefined ? memory.habit(character) : (memory.escapeOf(character) ?? needed);
    if (written === undefined || written === character) continue;
    pieces.push(text.slice(from, index), written);
    from = index + 1;
  }
  return from === 0 ? text : pieces.join('') + text.slice(from);
}

/** The habits of one run over those of its file, read again when it is encoded: 100,000 texts need no memory each. */
export function habitsOf(raw: string, notation: Notation, file: EscapeMemory): EscapeMemory {
  const memory = new EscapeMemory(file);
  readEscaped(raw, notation, memory);
  return memory;
}

/** `\u00e9`: the JSON, Java and JavaScript spelling of a UTF-16 unit. */
export function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
