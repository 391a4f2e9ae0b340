/** The contents of exchange files: texts that go to translators and come back, for every file format. */
import type { LanguageTag } from '../../language.ts';
import type { ReviewState } from '../../segments/review.ts';
import type { ImportRow } from '../../segments/review-import.ts';

/** Texts of one language for translators. */
export interface ExchangeDocument {
  readonly sourceLanguage: string;
  readonly language: LanguageTag;
  readonly files: readonly ExchangeFile[];
}

export interface ExchangeFile {
  readonly project: string;
  /** Path of the source, relative to the root of the project. */
  readonly path: string;
  readonly units: readonly ExchangeUnit[];
}

export interface ExchangeUnit {
  /**
   * The id of the text: its place, and the source that it was made from (`segments/exchange-id.ts`). No two texts of a file have the
   * same id.
   */
  readonly id: string;
  /** Empty in formats without keys. */
  readonly key: string;
  readonly source: string;
  /** Empty: there is no translation yet. */
  readonly target: string;
  /** Hash of the target at the time of the export: the target may have changed when the file comes back. */
  readonly was: string;
  readonly state: ReviewState;
  readonly previousSource?: string;
  /** Notes for the translator. */
  readonly notes: readonly string[];
  /** Unicode code points. */
  readonly maxLength?: number;
  /** Placeholders and markup of the source, in order. */
  readonly codes: readonly string[];
  /** The source is an ICU message with branches: its syntax is part of the text, but its words alone are counted. */
  readonly isMessage?: true;
}

/** One text as it came back. */
export interface ReturnedRow extends Omit<ImportRow, 'from'> {
  readonly project?: string;
  /** 1-based line in the file. */
  readonly line: number;
  /** The sheet of the line, where texts are in several sheets of a workbook. */
  readonly sheet?: string;
}

/** A sentence for a person about a place in the file. */
export interface ReturnedNote extends Pick<ReturnedRow, 'line' | 'sheet'> {
  readonly message: string;
}

export interface Returned {
  /**
   * The languages in the spelling of the file; empty: the file names no language. Several are refused, unless they are spellings of one
   * language.
   */
  readonly languages: readonly string[];
  readonly rows: readonly ReturnedRow[];
  /**
   * How a file without Unicode was read. `unclear`: in Windows-1252, although its bytes may be other letters in another encoding. Absent:
   * the file is in Unicode, or names its encoding.
   */
  readonly read?: 'windows-1252' | 'unclear';
  /** Rows that cannot be read; the others are imported. */
  readonly refused: readonly ReturnedNote[];
  /** Columns and sheets that hold texts, and are not read. */
  readonly notes?: readonly ReturnedNote[];
}

/** One kind of exchange file. Pure. */
export interface ExchangeFormat {
  readonly name: ExchangeFormatName;
  /** Extension of the files that it writes, without the dot. */
  readonly extension: string;
  write(document: ExchangeDocument): Uint8Array;
  /** Whether the format cannot hold this text; absent: it can hold every text. @returns the reason; undefined when it can */
  lacks?(unit: ExchangeUnit): string | undefined;
  /** @throws JobFailure `malformed` with the line */
  read(bytes: Uint8Array, file: string): Returned;
}

export const EXCHANGE_NAMES = ['xliff', 'xliff2', 'po', 'csv', 'xlsx'] as const;
export type ExchangeFormatName = (typeof EXCHANGE_NAMES)[number];

// Characters that XML 1.0 does not allow (2.2, Char).
const NOT_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;

export function lacksXml({ source, target }: ExchangeUnit): string | undefined {
  return NOT_XML.test(source) || NOT_XML.test(target)
    ? 'it holds a control character, which XML cannot hold'
    : undefined;
}

/** The source and the target of the last entry of a PO file, which only shows that the file is whole. Programs make a text of it. */
export const END_OF_FILE = 'end of this file';

/** For formats in UTF-8 in which U+0000 ends a text. */
export function lacksUtf8({ source, target }: ExchangeUnit): string | undefined {
  if (`${source}${target}`.includes('\0')) return 'it holds the character U+0000';
  return source.isWellFormed() && target.isWellFormed()
    ? undefined
    : 'it holds half of a character';
}

/** Removes characters that XML cannot hold from the key, notes and earlier source. These texts are only shown; nobody reads them back. */
export function cleanUnit(unit: ExchangeUnit): ExchangeUnit {
  const { key, notes, previousSource } = unit;
  const shown = [key, previousSource ?? '', ...notes];
  if (!shown.some((text) => NOT_XML.test(text))) return unit;
  return {
    ...unit,
    key: readable(key),
    notes: notes.map(readable),
    ...(previousSource === undefined ? {} : { previousSource: readable(previousSource) }),
  };
}

function readable(text: string): string {
  return text.replace(new RegExp(NOT_XML, 'gu'), '\uFFFD');
}

/** Splits a text at its placeholders. Each code is found once, in order; further occurrences are also found. */
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

/** Numbers the codes of a text, those of the source first, so that a code has the same id on both sides. */
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
