/** What goes to translators and comes back, whatever kind of file carries it. */
import type { LanguageTag } from '../../language.ts';
import type { ReviewState } from '../../segments/review.ts';

/** Texts of one language for a person. */
export interface ExchangeDocument {
  readonly sourceLanguage: string;
  readonly language: LanguageTag;
  readonly files: readonly ExchangeFile[];
}

export interface ExchangeFile {
  readonly project: string;
  /** Of the source, relative to the project's root. */
  readonly path: string;
  readonly units: readonly ExchangeUnit[];
}

export interface ExchangeUnit {
  /** `place.source.n`: it says where the text belongs and from which source it was made. */
  readonly id: string;
  /** Empty in formats without keys. */
  readonly key: string;
  readonly source: string;
  /** Empty: there is none yet. */
  readonly target: string;
  /** Hash of the target: what stands there when the file comes back may be another text. */
  readonly was: string;
  readonly state: ReviewState;
  readonly previousSource?: string;
  /** What a translator is to know. */
  readonly notes: readonly string[];
  /** Unicode code points. */
  readonly maxLength?: number;
  /** Placeholders and markup of the source, in order. */
  readonly codes: readonly string[];
}

/** One text as it came back. */
export interface ReturnedRow {
  readonly id: string;
  readonly project?: string;
  readonly path?: string;
  readonly source?: string;
  readonly target: string;
  readonly was?: string;
  /** `final`: a person says that it is right. `new`: nobody has worked on it. */
  readonly word: 'final' | 'open' | 'new';
  /** 1-based, in the file. */
  readonly line: number;
}

export interface Returned {
  /** Undefined: the file cannot tell. */
  readonly language?: string;
  readonly rows: readonly ReturnedRow[];
  /** Rows that cannot be read; the others go in. */
  readonly refused: readonly { readonly line: number; readonly message: string }[];
}

/** One kind of exchange file. Pure. */
export interface ExchangeFormat {
  readonly name: ExchangeFormatName;
  /** Of the files that it writes. */
  readonly extension: string;
  write(document: ExchangeDocument): Uint8Array;
  /** What it cannot hold of a text; absent: it can hold every text. @returns why */
  lacks?(unit: ExchangeUnit): string | undefined;
  /** @throws JobFailure `malformed` with the line */
  read(bytes: Uint8Array, file: string): Returned;
}

export const EXCHANGE_NAMES = ['xliff', 'xliff2', 'po', 'csv', 'xlsx'] as const;
export type ExchangeFormatName = (typeof EXCHANGE_NAMES)[number];

// What XML 1.0 cannot hold at all (2.2, Char).
const NOT_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

export function lacksXml({ source, target }: ExchangeUnit): string | undefined {
  return NOT_XML.test(source + target)
    ? 'it holds a control character, which XML cannot hold'
    : undefined;
}

/** Texts are cut at their placeholders: each code is found once, in order, and again where it stands more often. */
export function cutAtCodes(
  text: string,
  codes: readonly string[],
): readonly ({ readonly text: string } | { readonly code: string })[] {
  const known = [...new Set(codes)].filter((code) => code !== '');
  if (known.length === 0) return [{ text }];
  known.sort((a, b) => b.length - a.length);
  const pieces: ({ text: string } | { code: string })[] = [];
  let start = 0;
  for (let at = 0; at < text.length; ) {
    const code = known.find((each) => text.startsWith(each, at));
    if (code === undefined) {
      at += 1;
      continue;
    }
    if (at > start) pieces.push({ text: text.slice(start, at) });
    pieces.push({ code });
    at += code.length;
    start = at;
  }
  if (start < text.length) pieces.push({ text: text.slice(start) });
  return pieces;
}

/** Ids of the codes of a text: those of the source first, so that a code has the same id on both sides. */
export class CodeIds {
  readonly #free = new Map<string, number[]>();
  #next = 1;

  constructor(codes: readonly string[]) {
    for (const code of codes) {
      const ids = this.#free.get(code) ?? [];
      ids.push(this.#next++);
      this.#free.set(code, ids);
    }
  }

  take(code: string): number {
    return this.#free.get(code)?.shift() ?? this.#next++;
  }
}
