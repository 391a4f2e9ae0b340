/**
 * The text format contract: bytes -> segments with exact spans -> edits -> bytes. Whatever is no segment stays byte for byte.
 * Keyed formats edit the target file in place; sequences (Markdown, HTML, text) use the source as template.
 */

import type { LanguageTag } from './language.ts';
import type { Columns } from './project.ts';

/** A decoded run of text, or a piece of host syntax that is moved but never translated. */
export type Part = string | Raw;

export interface Raw {
  readonly raw: string;
  /** Set for paired inline markup (`<b>…</b>`, a Markdown link): both sides carry the same number. */
  readonly pair?: { readonly id: number; readonly side: 'open' | 'close' };
  /** A number that may stand for it in a sentence (`#` of an ICU plural), so that the words around it are inflected. */
  readonly sample?: string;
}

/** Which placeholders may stand in a text: those that its format allows. Of these, each text shows which it has. */
export type PlaceholderSyntax =
  | 'none'
  | 'generic' // {name} {{name}} ${name} %s %1$s %{name} %(name)s %name% $t(key) @:key tags, entities, URLs
  | 'icu' // the same in ICU messages
  | 'printf' // the same, and %d is one wherever it stands
  | 'apple'
  | 'qt' // %1 %n
  | 'laravel' // :name, and choices that bars part
  | 'shell' // $name
  | 'markup'
  | 'subtitle'; // none; line breaks are anchors that whoever asks checks, and lost markup is no damage

/**
 * How far the file says a text has come (PO fuzzy, XLIFF and xcstrings states). `review-wanted`: as `needs-review`, and config or
 * lock want a person to look at it, which PO says in a comment. `reviewed`: a person has, for which XLIFF 2 has a word.
 */
export type SegmentState =
  | 'new'
  | 'needs-review'
  | 'review-wanted'
  | 'translated'
  | 'reviewed'
  | 'final'
  | 'do-not-translate';

/** One string of a file with its span. Strings without a letter are segments too: they are copied, not sent. */
export interface Segment {
  /** Stable key path, `#n` appended for duplicates; unique in its file. People write it as `keyName(id)`. */
  readonly id: string;
  /** UTF-16 span of the content in the decoded text, without quotes or tags where the quoting cannot change. */
  readonly start: number;
  readonly end: number;
  /** What stands in the span, decoded. */
  readonly parts: readonly Part[];
  /** Bilingual formats (PO, XLIFF, Qt): the text to translate; the span is the target's. */
  readonly source?: readonly Part[];
  /** Formats without keys: the key that it has all the same, in front matter (`hero.title`) or a `meta` of HTML. */
  readonly name?: string;
  /** Developer comment, description: goes into `context`, which is not billed. */
  readonly context?: string;
  /** Plural form of a group: PO index, Android quantity, CLDR category. */
  readonly plural?: { readonly group: string; readonly category: string };
  readonly syntax: PlaceholderSyntax;
  /** Unicode code points, where the file itself limits it. */
  readonly maxLength?: number;
  readonly state?: SegmentState;
  /** Its id is its place in a list: taking it out would rename those behind it, so it gets its source text instead. */
  readonly positional?: true;
  /**
   * `value`: a key without one (`<string/>`), whose place a text can take. `node`: the same, and a group can take it as well
   * (null, `b:`). `waiting`: the file itself says that what stands there is no translation (PO's `fuzzy`).
   */
  readonly gap?: 'value' | 'node' | 'waiting';
  /** YAML: an alias or a value with a tag. In a target it may stand for a text; a source that has one asks for nothing. */
  readonly isReference?: true;
  /** An earlier version took it for no text: where a target of ours still has it as the source does, it waits for approval. */
  readonly unseenBefore?: true;
  /** 1-based. */
  readonly line: number;
  /** `encode(parts)` of the segment's own parts is what stands in its span, to the byte. */
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
  /** Part of the file cannot be read: its texts are missing in every target, which a run must say. */
  readonly isDamage?: true;
}

/** A key that stands more than once; readers of the format take one of its entries and leave the others. */
export interface Duplicate {
  readonly id: string;
  /** 1-based, of all entries, in order. */
  readonly lines: readonly number[];
  /** The one of them that is read. */
  readonly read: number;
}

/** A translation that a file keeps for a text that left its source. */
export interface Returning {
  /** What it may be a translation of: of a plural, both wordings. */
  readonly sources: readonly string[];
  readonly parts: readonly Part[];
}

/** The elements of a list in the order that they shall have. */
export interface Arrangement {
  /** Its id; empty for a file that is a list. */
  readonly list: string;
  /** How many elements it has. */
  readonly length: number;
  /** The index of one that is there, or the texts of a new one. */
  readonly elements: readonly (number | readonly Insertion[])[];
}

/** A parsed text: its segments in file order, and the structural edits that its format knows. */
export interface Doc {
  readonly segments: readonly Segment[];
  readonly warnings: readonly Warning[];
  /** Keys that stand more than once: `segments` has what counts. */
  readonly duplicates?: readonly Duplicate[];
  /** Keyed formats: insertions that add these entries, in the order given; an obsolete entry (PO) gives way to its return. One call for all: 100,000 must take seconds. */
  insert?(insertions: readonly Insertion[]): readonly Edit[];
  /** Keyed formats: pure deletions that take these entries out with the comments attached to them. */
  remove?(ids: ReadonlySet<string>): readonly Edit[];
  /**
   * Where an edited source makes another entry (PO): takes entries out as `remove` does, without losing what a person wrote. A
   * person's translation stays as an entry that programs do not read; comments beside an entry go to the insertion in its place,
   * or stay with it. Absent: `remove`.
   */
  replace?(leaving: Leaving, insertions: readonly Insertion[]): Replacement;
  /**
   * Keyed formats: writes other keys (new id by old id) where the old ones stand, so that an entry keeps its place, its
   * comments and its spelling. What has no edit here (it moves into another group) is taken out and put in.
   */
  rename?(renames: ReadonlyMap<string, string>): readonly Edit[];
  /**
   * Keyed formats: writes the elements of a list in another order, each as it is spelled and with its comments; those that leave
   * go with theirs. Undefined: this list cannot be written so.
   */
  arrange?(list: Arrangement): readonly Edit[] | undefined;
  /** The edits that make a copy of the source a file of that language: Rails root key, `@@locale`, `Language:`, `target-language`. */
  localeEdits?(language: LanguageTag): readonly Edit[];
  /** What the file says of its last change (PO), where it says that: with the texts, never by itself. @param at ISO 8601 */
  dateEdits?(at: string): readonly Edit[];
  /**
   * Marks texts that were just written, never inside a span. Machine translation is `needs-review` unless the caller says
   * otherwise: XLIFF and xcstrings have a word for it; PO drops `fuzzy` all the same, since gettext leaves fuzzy entries out, and
   * has a comment for `review-wanted`.
   */
  stateEdits?(states: ReadonlyMap<string, SegmentState>): readonly Edit[];
  /** What this file must declare, and its source does, so that these newly written texts can be read (XML: prefixes of names). */
  declarationEdits?(written: readonly string[], source: string): readonly Edit[];
  /** What obsolete entries (PO) and vanished ones (Qt) say, by the ids that they have again when they return. */
  returning?(): ReadonlyMap<string, Returning>;
  /** Bilingual formats whose ids outlive a change of the source: the file's own copies of these sources are made theirs. */
  sourceEdits?(sources: ReadonlyMap<string, Segment>): readonly Edit[];
  /**
   * What `parse` would tell of the file after these edits, where the format can tell without reading all of it again. Undefined:
   * it cannot, since an edit may change how what stands around it is read.
   */
  withTexts?(edits: readonly Edit[]): Doc | undefined;
}

export interface FormatOptions {
  /** For messages, and for formats that tell dialects by path. */
  readonly file: string;
  readonly sourceLanguage: LanguageTag | undefined;
  /** The language whose texts are wanted: the source's when a source is read, the target's when a target is. */
  readonly language: LanguageTag | undefined;
  readonly role: 'source' | 'target';
  readonly columns?: Columns;
  /** Config: a bilingual file is the source of its own language: its texts to translate are those of the source side. */
  readonly embeddedSource?: true;
  /** Config: the attributes of JSX elements, and the keys of front matter (`hero.tagline`), that readers see; absent: the usual ones. */
  readonly attributes?: readonly string[];
  readonly frontMatter?: readonly string[];
  /** Config: the encoding of files that are not Unicode, a WHATWG label. `parse` sees the encoding that was found. */
  readonly encoding?: string;
}

/** One format. Pure: text in, spans and edits out. Malformed input throws JobFailure `malformed` with line and column. */
export interface Format {
  readonly name: string;
  readonly shape: 'keyed' | 'sequence';
  /** Holds source and target text side by side (PO, XLIFF, Qt). */
  readonly bilingual?: true;
  /** Holds all languages in one file (xcstrings, CSV with a column per language). */
  readonly multiLocale?: true;
  /** Line breaks and outer blanks of a text have no form here (INI, Markdown, HTML, txt): `encode` folds them, comparisons ignore them. */
  readonly foldsWhitespace?: true;
  /** Bytes that are no Unicode are read as this; absent: they are refused. */
  readonly fallbackEncoding?: 'latin1';
  /** Whether this format is meant, beside the extension: `.xml` is Android's or nobody's, `.ts` is Qt's or TypeScript. */
  recognises?(text: string): boolean;
  parse(text: string, options: FormatOptions): Doc;
  /** The format of a file that is laid out like that: with a column per language it is `multiLocale`. */
  withColumns?(columns: Columns): Format;
  /** The segments that a target in that language needs, with their source texts: plural forms added or dropped. Absent: the source's. */
  expect?(source: Doc, target: ExpectedTarget): readonly Segment[];
  /**
   * What `expect` says depends on whose the texts of the target are (`ExpectedTarget.ours`): which variants a message has, or
   * only whether a text has the shape of its source.
   */
  readonly expectsByMaker?: 'variants' | 'shapes';
}

export interface ExpectedTarget {
  readonly language: LanguageTag;
  /** The target as it stands: its own plural formula decides (PO). */
  readonly text?: string;
  /** The texts in it. */
  readonly segments?: readonly Segment[];
  /** Ids of its texts that we wrote and nobody touched, and of those that are held; absent: none. */
  readonly ours?: ReadonlySet<string>;
  /** Ids of its texts that stood there at first contact and that nobody touched, with the source text that they stood for. */
  readonly adopted?: ReadonlyMap<string, string>;
}

/** Entries that go, by the ids of their segments. */
export interface Leaving {
  readonly gone: ReadonlySet<string>;
  /** Of these, the ones whose translation a person wrote. */
  readonly human: ReadonlySet<string>;
}

export interface Replacement {
  readonly edits: readonly Edit[];
  /** By id of the segment that is inserted: `Insertion.notes`. */
  readonly notes: ReadonlyMap<string, readonly string[]>;
}

export interface Insertion {
  /** The nearest preceding sibling of the source that stands in this text; null: first. */
  readonly after: string | null;
  /** What the source has (or `expect` made of it), and the text it was parsed from, for comments and layout. */
  readonly segment: Segment;
  readonly sourceText: string;
  /** The text to put there. */
  readonly parts: readonly Part[];
  /** Absent: `needs-review`. */
  readonly state?: SegmentState;
  /** Comment lines that a person wrote above the entry that it takes the place of. */
  readonly notes?: readonly string[];
}

/** Parts as one string, raw syntax included: what is compared, hashed and shown. */
export function partsText(parts: readonly Part[]): string {
  return parts.map((part) => (typeof part === 'string' ? part : part.raw)).join('');
}

/** Text that goes to a translator: the source side of bilingual formats, the content of all others. */
export function sourceParts(segment: Segment): readonly Part[] {
  return segment.source ?? segment.parts;
}

/** An id as people write it in patterns and read it in messages: `nav\.title` (one key with a dot) and `nav.title` (two) both read `nav.title`. */
export function keyName(id: string): string {
  return id.replace(/\\(.)/gs, '$1');
}
