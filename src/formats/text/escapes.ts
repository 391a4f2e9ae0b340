/**
 * Escape memory: how a file writes its characters. A file that writes `\u00e9` or `&apos;` gets its new texts in the same spelling. So a
 * translated file keeps the habits of its authors.
 */

/** The escapes of a host syntax. */
export interface Notation {
  /** Sticky expressions, tried in order. `read` returns the decoded characters, or undefined when it is not an escape. */
  readonly escapes: readonly Escape[];
  /** The characters that an escape may begin with. A text without them needs no decoding. */
  readonly lead: RegExp;
}

export interface Escape {
  readonly pattern: RegExp;
  read(match: RegExpExecArray): string | undefined;
}

/** Whether one of the escapes is read as text here, from the start of `raw`. */
export function isReadBy(escapes: readonly Escape[], raw: string): boolean {
  return escapes.some(({ pattern, read }) => {
    pattern.lastIndex = 0;
    const match = pattern.exec(raw);
    return match !== null && read(match) !== undefined;
  });
}

/** The escape that a character needs at this place, or undefined when it needs none. */
export type Required = (character: string, index: number, text: string) => string | undefined;

/** The habits of a file, or of one of its texts: which characters are escaped, and which are written plainly. */
export class EscapeMemory {
  readonly #escaped = new Map<string, string>();
  readonly #plain = plainTable();
  readonly #parent: EscapeMemory | undefined;

  /** @param parent the memory of the file, for the memory of one text; absent: this is the memory of a file */
  constructor(parent?: EscapeMemory) {
    this.#parent = parent;
  }

  /** Whether nothing was ever escaped. */
  get isPlain(): boolean {
    return this.#escaped.size === 0 && (this.#parent?.isPlain ?? true);
  }

  learnPlain(text: string): void {
    this.#plain.learn(text);
  }

  learnEscape(character: string, raw: string): void {
    if (!this.#escaped.has(character)) this.#escaped.set(character, raw);
  }

  /** The escape for a character that needs none: only if it was seen escaped and never plain. */
  habit(character: string): string | undefined {
    if (this.#plain.has(character)) return undefined;
    return this.#escaped.get(character) ?? this.#parent?.habit(character);
  }

  /** The seen escape for a character that needs one; undefined: none was seen. */
  escapeOf(character: string): string | undefined {
    return this.#escaped.get(character) ?? this.#parent?.escapeOf(character);
  }
}

interface PlainCharacters {
  learn(text: string): void;
  has(character: string): boolean;
}

/** From so many UTF-16 units on, a table is worth its 64 KB: most files and texts are shorter, and there are 100,000 of them. */
const SHORT = 4096;

// One byte per UTF-16 unit: noting 10 MB of texts takes some 10 ms; a Set takes seconds.
function plainTable(): PlainCharacters {
  const short = plainRun();
  let learned = 0;
  let table: Uint8Array | undefined;
  const enter = (text: string, into: Uint8Array) => {
    for (let index = 0; index < text.length; index += 1) into[text.charCodeAt(index)] = 1;
  };
  return {
    learn(text) {
      learned += text.length;
      if (table === undefined && learned <= SHORT) {
        short.learn(text);
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
    learn: (text) => {
      seen += text;
    },
    has: (character) => seen.includes(character),
  };
}

/** Gets the habits while a text is decoded. */
export type HabitListener = Pick<EscapeMemory, 'learnPlain' | 'learnEscape'>;

/** Notes the habits of a part of a text that occurs in several files, for the memory of each. It is small: a page has 100,000 parts. */
export class LearnedHabits implements HabitListener {
  #plain = '';
  #escaped: readonly (readonly [character: string, raw: string])[] = [];

  learnPlain(text: string): void {
    this.#plain += text;
  }

  learnEscape(character: string, raw: string): void {
    // A memory takes the first escape of a character.
    if (this.#escaped.some(([learned]) => learned === character)) return;
    this.#escaped = this.#escaped.concat([[character, raw]]);
  }

  teach(memory: HabitListener): void {
    memory.learnPlain(this.#plain);
    for (const [character, raw] of this.#escaped) memory.learnEscape(character, raw);
  }
}

const NO_LISTENER: HabitListener = { learnPlain() {}, learnEscape() {} };

/** Decodes raw text that is never written again: keys, comments. */
export function decodeEscaped(raw: string, notation: Notation): string {
  return readEscaped(raw, notation, NO_LISTENER);
}

/** Decodes raw text and learns its habits. */
export function readEscaped(raw: string, notation: Notation, memory: HabitListener): string {
  if (!notation.lead.test(raw)) {
    memory.learnPlain(raw);
    return raw;
  }
  const pieces: string[] = [];
  let from = 0;
  const plain = (to: number) => {
    if (to === from) return;
    const run = raw.slice(from, to);
    memory.learnPlain(run);
    pieces.push(run);
  };
  for (let index = nextLead(raw, 0, notation); index >= 0; ) {
    const found = escapeAt(raw, index, notation);
    if (found === undefined) {
      index = nextLead(raw, index + 1, notation);
      continue;
    }
    plain(index);
    memory.learnEscape(found.characters, found.raw);
    pieces.push(found.characters);
    from = index + found.raw.length;
    index = nextLead(raw, from, notation);
  }
  plain(raw.length);
  return pieces.join('');
}

const searches = new WeakMap<Notation, RegExp>();

function nextLead(raw: string, from: number, notation: Notation): number {
  const search = searches.get(notation) ?? new RegExp(notation.lead, 'g');
  searches.set(notation, search);
  search.lastIndex = from;
  return search.exec(raw)?.index ?? -1;
}

function escapeAt(
  raw: string,
  index: number,
  notation: Notation,
): { readonly characters: string; readonly raw: string } | undefined {
  for (const { pattern, read } of notation.escapes) {
    pattern.lastIndex = index;
    const match = pattern.exec(raw);
    const characters = match === null ? undefined : read(match);
    if (match !== null && characters !== undefined) return { characters, raw: match[0] };
  }
  return undefined;
}

/**
 * Writes a text with the escapes that it needs and the habits of the memory. It copies whole runs: a string that grows letter by letter
 * takes 32 bytes per letter until it is first read.
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

/**
 * The habits of one text; where the text shows none, those of its file. They are read again at each call: 100,000 texts keep no memory
 * each.
 */
export function habitsOf(raw: string, notation: Notation, file: EscapeMemory): EscapeMemory {
  const memory = new EscapeMemory(file);
  readEscaped(raw, notation, memory);
  return memory;
}

/** `\u00e9`: the JSON, Java and JavaScript spelling of a UTF-16 unit. */
export function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** The character of a hexadecimal code point. */
export function fromHex(hex: string): string {
  return String.fromCodePoint(Number.parseInt(hex, 16));
}
