/**
 * The text format contract: bytes -> segments with exact spans -> edits -> bytes. Whatever is no segment stays byte for byte.
 * Keyed formats edit the target file in place; sequences (Markdown, HTML, text) use the source as template (formats.md 7).
 */
import type { Columns } from './config.ts';
import type { LanguageTag } from './language.ts';

/** A decoded run of text, or a piece of host syntax that is moved but never translated. */
export type Part = string | Raw;

export interface Raw {
  readonly raw: string;
  /** Set for paired inline markup (`<b>…</b>`, a Markdown link): both sides carry the same number. */
  readonly pair?: { readonly id: number; readonly side: 'open' | 'close' };
}

/** Which placeholders may stand in a text: chosen per format, never all at once (formats.md 4.1). */
export type PlaceholderSyntax =
  | 'none'
  | 'generic' // {name} {{name}} ${name} %s %1$s %{name} tags, entities, URLs
  | 'icu'
  | 'printf'
  | 'apple'
  | 'java'
  | 'qt'
  | 'ruby'
  | 'python'
  | 'laravel'
  | 'i18next'
  | 'markup';

/** One translatable string with its span. */
export interface Segment {
  /** Stable key path, `#n` appended for duplicates; unique in its file. */
  readonly id: string;
  /** UTF-16 span of the content in the decoded text, without quotes or tags. */
  readonly start: number;
  readonly end: number;
  /** What stands in the span, decoded. */
  readonly parts: readonly Part[];
  /** Bilingual formats (PO, XLIFF, Qt): the text to translate; the span is the target's. */
  readonly source?: readonly Part[];
  /** Developer comment, description: goes into `context`, which is not billed. */
  readonly context?: string;
  /** Plural form of a group: PO index, Android quantity, CLDR category. */
  readonly plural?: { readonly group: string; readonly category: string };
  readonly syntax: PlaceholderSyntax;
  /** Unicode code points, where the file itself limits it. */
  readonly maxLength?: number;
  readonly state?: 'new' | 'needs-review' | 'translated' | 'final' | 'do-not-translate';
  /** 1-based. */
  readonly line: number;
  /** `encode(parts)` of the segment's own parts is the bytes in its span. */
  encode(parts: readonly Part[]): string;
}

/** Replaces `[start, end)` of the decoded text; an insertion where both are equal. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface Warning {
  readonly line: number;
  readonly message: string;
}

export interface Doc {
  readonly segments: readonly Segment[];
  readonly warnings: readonly Warning[];
}

export interface FormatOptions {
  /** For messages. */
  readonly file: string;
  readonly sourceLanguage: LanguageTag | undefined;
  /** The language whose texts are wanted: the source's when a source is read, the target's when a target is. */
  readonly language: LanguageTag | undefined;
  readonly role: 'source' | 'target';
  readonly columns?: Columns;
  /** Encoding of files that are not Unicode, a WHATWG label. */
  readonly encoding?: string;
}

/** One format. Pure: text in, spans and edits out. Malformed input throws JobFailure `malformed` with line and column. */
export interface Format {
  readonly name: string;
  /** Lower-case, without the dot. */
  readonly extensions: readonly string[];
  readonly shape: 'keyed' | 'sequence';
  /** Holds source and target text side by side (PO, XLIFF, Qt). */
  readonly bilingual?: boolean;
  /** Holds all languages in one file (xcstrings, CSV with a column per language). */
  readonly multiLocale?: boolean;
  /** Bytes that are no Unicode are read as this; absent: they are refused. */
  readonly fallbackEncoding?: 'latin1';
  /** Whether this format is meant, beside the extension: `.xml` is Android's or nobody's, `.xliff` has versions. */
  recognises?(text: string): boolean;
  parse(text: string, options: FormatOptions): Doc;
  /** The segments that a target in that language needs, with their source texts: plural forms added or dropped. Identity when absent. */
  expect?(
    source: Doc,
    target: { readonly language: LanguageTag; readonly text?: string },
  ): readonly Segment[];
  /** Inserts a segment after the sibling `after` (null: first). */
  insert?(target: string, doc: Doc, insertion: Insertion): readonly Edit[];
  remove?(target: string, doc: Doc, id: string): readonly Edit[];
  /** The edits that make a copy of the source a file of another language: Rails root key, `@@locale`, `Language:`, `target-language`. */
  localeEdits?(text: string, language: LanguageTag): readonly Edit[];
  setState?(
    target: string,
    doc: Doc,
    id: string,
    state: NonNullable<Segment['state']>,
  ): readonly Edit[];
}

export interface Insertion {
  readonly after: string | null;
  /** The source's segment, and where it stands in the source, for copying comments and layout. */
  readonly segment: Segment;
  readonly sourceText: string;
  readonly parts: readonly Part[];
  readonly options: FormatOptions;
}

/** Parts as one string, raw syntax included: what is compared, hashed and shown. */
export function partsText(parts: readonly Part[]): string {
  return parts.map((part) => (typeof part === 'string' ? part : part.raw)).join('');
}

/** Text that goes to a translator: the source side of bilingual formats, the content of all others. */
export function sourceParts(segment: Segment): readonly Part[] {
  return segment.source ?? segment.parts;
}
