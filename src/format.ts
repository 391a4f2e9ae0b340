/**
 * The contract of a text format: bytes -> segments with exact spans -> edits -> bytes. All bytes outside of segments stay.
 * Keyed formats edit the target file in place. Sequences (Markdown, HTML, text) use the source as the template of the target.
 */

import type { LanguageTag } from './language.ts';
import type { Columns } from './project.ts';

/** A piece of decoded text, or a piece of syntax of the file that may move in the sentence but is never translated. */
export type Part = string | Raw;

export interface Raw {
  readonly raw: string;
  /** Set for paired inline markup (`<b>…</b>`, a Markdown link): both sides carry the same number. */
  readonly pair?: { readonly id: number; readonly side: 'open' | 'close' };
  /** A number that is sent in its place (`#` of an ICU plural), so that the words around it get the right form. */
  readonly sample?: string;
}

/** Which placeholders a format allows in a text. A placeholder counts only where it occurs in the text. */
export type PlaceholderSyntax =
  | 'none'
  | 'generic' // {name} {{name}} ${name} %s %1$s %{name} %(name)s %name% @NAME@ $t(key) @:key tags, entities, URLs
  | 'numbered' // the same as generic, and %1 (hasNumberedPlaces)
  | 'icu' // the same in ICU messages
  | 'printf' // the same as generic, and %d is a placeholder everywhere
  | 'apple'
  | 'qt' // %1 %n
  | 'laravel' // :name, and choices that are separated by bars
  | 'shell' // $name
  | 'markup'
  | 'subtitle'; // none; the caller checks line breaks, and lost markup is not damage

/**
 * The state of a translation in its file (PO fuzzy, XLIFF and xcstrings states). `review-wanted`: `needs-review`, and config or lock
 * want a person to look at it; PO has a comment for that. `reviewed`: a person has looked at it; XLIFF 2 has a state for that.
 */
export type SegmentState =
  | 'new'
  | 'needs-review'
  | 'review-wanted'
  | 'translated'
  | 'reviewed'
  | 'final'
  | 'do-not-translate';

/** One string of a file with its span. A string without a letter is a segment too: it is copied, not sent. */
export interface Segment {
  /** Stable key path, with `#n` appended for a duplicate key; unique in its file. People read and write it as `keyName(id)`. */
  readonly id: string;
  /** Span of the content in the decoded text, in UTF-16 units; without quotes or tags where the quoting cannot change. */
  readonly start: number;
  readonly end: number;
  /** The content of the span, decoded. */
  readonly parts: readonly Part[];
  /** Bilingual formats (PO, XLIFF, Qt): the text to translate; the span is the target's. */
  readonly source?: readonly Part[];
  /**
   * XLIFF: the `<source>` of an entry whose text is in its `<target>`, as in Symfony's file of the source language. Earlier versions
   * translated it.
   */
  readonly keyText?: readonly Part[];
  /** Formats without keys: the key of a text that has one, in front matter (`hero.title`) or in a `meta` of HTML. */
  readonly name?: string;
  /** Comment of the developer, description: sent as `context`, which is not billed. */
  readonly context?: string;
  /** Which plural form of which group it is: PO index, Android quantity, CLDR category. */
  readonly plural?: { readonly group: string; readonly category: string };
  /** Set by `Format.expect` for a plural form: how its text may differ from its source. */
  readonly form?: PluralForm;
  readonly syntax: PlaceholderSyntax;
  /** Unicode code points, where the file itself sets a limit. */
  readonly maxLength?: number;
  readonly state?: SegmentState;
  /** Its id is its place in a list. Its removal would rename the later elements, so it gets its source text instead. */
  readonly positional?: true;
  /**
   * `value`: a key without a value (`<string/>`), or with one that the file calls untranslated (`state="new"`): a text can be put there.
   * `node`: the same, or a group (null, `b:`).
   * `waiting`: the file itself says that the present text is not a translation (`fuzzy` in PO).
   */
  readonly gap?: 'value' | 'node' | 'waiting';
  /** How an empty text is written in its place, where `encode` writes the guess that is there (`waiting`). */
  readonly empty?: string;
  /**
   * What programs do not translate: an alias or a tag of YAML, an expression, a locked entry. In a target it is in the place of its
   * key's text, and nothing is added beside it. In a source it is not a segment.
   */
  readonly isReference?: true;
  /** YAML: its map takes other texts over by `<<`, and this one is its own. */
  readonly isOverride?: true;
  /** A reference that is code of a program: a text in its place could break the program. */
  readonly isCode?: true;
  /** A reference that new files never get from their source (Android), so a person wrote it. */
  readonly isPersons?: true;
  /**
   * An earlier version did not know it as a text. If dragoman's target still has the text of the source there, the text waits for
   * approval.
   */
  readonly unseenBefore?: true;
  /** How earlier versions read several texts as one: only the first of these texts has it, or one beside them. The latest reading is the last. */
  readonly readBefore?: readonly ReadBefore[];
  /** Markdown: what the text is inside of. Absent: the text is at the margin of its page. */
  readonly within?: WithinBlocks;
  /** In Markdown: what the text is. */
  readonly leaf?: LeafBlock;
  /** 1-based. */
  readonly line: number;
  /**
   * `encode(parts)` of the segment's own parts is exactly the content of its span.
   * @param of what the new text translates: a text may need the quotes that its source has (INI)
   */
  encode(parts: readonly Part[], of?: SourceOfText): string;
}

/** The container blocks of a text (CommonMark 5): lists, list items, quotes, and elements of MDX. */
export interface WithinBlocks {
  /** Where the outermost container begins. */
  readonly start: number;
  /** The outermost first. Texts in the same container have the same object; so may texts of another container that is equal to it. */
  readonly containers: readonly ContainerBlock[];
}

export interface ContainerBlock {
  /** The mdast type, and the name of an element. */
  readonly kind: string;
}

/** A leaf block of a page (CommonMark 4), the title of a box, or a text of a block of HTML. */
export type LeafBlock = 'paragraph' | 'heading' | 'cell' | 'title' | 'html';

/** How earlier versions read several texts together. */
export interface ReadBefore extends Span {
  /**
   * `box`: the title of a box with its text. `content`: a list, a table or code directly below such a title, a block (`/// tip`) or an
   * include.
   */
  readonly as: 'box' | 'content';
  readonly parts: readonly Part[];
  /** The number of texts in it now. 0: it is a line of the frame. */
  readonly count: number;
}

/** A segment of a source, and the text that it was parsed from. */
export type SourceOfText = Pick<Insertion, 'segment' | 'sourceText'>;

export interface PluralForm {
  /** The wordings of all forms of the source. A form of the target may contain what any of them contains. */
  readonly wordings: readonly (readonly Part[])[];
  /**
   * Whether the form is used for one number alone, so that its text may have the number in words: English `one`, Arabic `zero` and
   * `two`. Russian `one` is not: it is used for 1, 21 and 31.
   */
  readonly isOfOne: boolean;
}

/** `[start, end)` of a text, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Replaces a span of the decoded text. It is an insertion when the span is empty. */
export interface Edit extends Span {
  readonly text: string;
}

export interface Warning {
  readonly line: number;
  readonly message: string;
  /** Part of the file cannot be read: its texts are missing in every target, and a run must report it. */
  readonly isDamage?: true;
}

/** A key that occurs more than once. Programs that read the format use one of its entries and ignore the others. */
export interface Duplicate {
  readonly id: string;
  /** Lines of all entries, 1-based, in order. */
  readonly lines: readonly number[];
  /** The line of the entry that is used; absent: each entry is read by itself. */
  readonly read?: number;
}

/** A translation that a file keeps although its text is no longer in the source. */
export interface Returning {
  /** The source texts that it may translate: two for a plural. */
  readonly sources: readonly string[];
  readonly parts: readonly Part[];
}

/** The elements of a list in their new order. */
export interface Arrangement {
  /** Id of the list; empty when the whole file is a list. */
  readonly list: string;
  /** How many elements the list has now. */
  readonly length: number;
  /** The index of an element that exists, or the texts of a new one. */
  readonly elements: readonly (number | readonly Insertion[])[];
}

/** A parsed text: its segments in the order of the file, and the edits of its structure that the format can make. */
export interface Doc {
  readonly segments: readonly Segment[];
  readonly warnings: readonly Warning[];
  /** HTML: how many tags of each name have no other half. New texts must not bring more of them into a target. */
  readonly unpaired?: ReadonlyMap<string, number>;
  /** Keys that occur more than once; `segments` has the entry that is used. */
  readonly duplicates?: readonly Duplicate[];
  /**
   * Keyed formats: the edits that add these entries, in the given order. An obsolete entry (PO) is replaced when its text
   * returns. All insertions in one call: 100,000 must take seconds.
   */
  insert?(insertions: readonly Insertion[]): readonly Edit[];
  /** Keyed formats: the deletions that remove these entries with their comments. */
  remove?(ids: ReadonlySet<string>): readonly Edit[];
  /**
   * Keyed formats with references: the edits that write the value in place of each of these references whose value is one of the changed
   * texts. Without them, a changed text would change the text of another key.
   * @param references also keys that are in a referenced group, and not in the file
   */
  detach?(references: ReadonlySet<string>, changed: ReadonlySet<string>): readonly Edit[];
  /**
   * For formats whose edited source is another entry (PO): removes entries like `remove`, and keeps the texts of people.
   * A person's translation stays as an entry that programs ignore. Comments beside an entry move to the insertion in its place, or
   * stay with it. Absent: `remove`.
   */
  replace?(leaving: Leaving, insertions: readonly Insertion[]): Replacement;
  /**
   * Keyed formats: replaces keys in their place (new id by old id), so that an entry keeps its place, its comments and its
   * spelling. An entry without an edit here (it moves into another group) is removed and inserted instead.
   * @param along entries that only the target has; their keys change with the key of their group
   */
  rename?(
    renames: ReadonlyMap<string, string>,
    along?: ReadonlyMap<string, string>,
  ): readonly Edit[];
  /**
   * Keyed formats: writes the elements of a list in another order, each with its spelling and its comments. An element that is not
   * in the new order is removed with its comments. Undefined: this list cannot be reordered.
   */
  arrange?(list: Arrangement): readonly Edit[] | undefined;
  /** The edits that make a copy of the source a file of that language: Rails root key, `@@locale`, `Language:`, `target-language`. */
  localeEdits?(language: LanguageTag): readonly Edit[];
  /** Sets the date of the last change, where the file has one (PO). Called only when texts are written too. @param at ISO 8601 */
  dateEdits?(at: string): readonly Edit[];
  /**
   * Marks texts that were just written; never edits inside a span. Machine translation is `needs-review` unless the caller says
   * otherwise. XLIFF and xcstrings have a state for it. PO has none: `fuzzy` is removed, because gettext does not use fuzzy entries,
   * and `review-wanted` becomes a comment.
   * @param kept the states of texts that stay, of the same plurals. A message with one mark for all its forms is finished when all of them
   * are. Absent: the states are not known
   */
  stateEdits?(
    states: ReadonlyMap<string, SegmentState>,
    kept?: ReadonlyMap<string, SegmentState>,
  ): readonly Edit[];
  /** Adds the declarations of the source that this file needs to read these new texts (XML: prefixes of names). */
  declarationEdits?(written: readonly string[], source: string): readonly Edit[];
  /** Translations of obsolete (PO) and vanished entries (Qt), by the ids that the entries get when their texts return. */
  returning?(): ReadonlyMap<string, Returning>;
  /** Bilingual formats whose ids stay when a source text changes: updates the source texts that the file itself contains. */
  sourceEdits?(sources: ReadonlyMap<string, Segment>, sourceText: string): readonly Edit[];
  /**
   * The result that `parse` would have after these edits, where the format knows it without reading the whole file again.
   * Undefined: an edit may change how the text around it is read.
   * @param file path of the edited file
   */
  withTexts?(edits: readonly Edit[], file: string): Doc | undefined;
}

export interface FormatOptions {
  /** For messages, and for formats whose dialect depends on the path. */
  readonly file: string;
  readonly sourceLanguage: LanguageTag | undefined;
  /** The language of the texts to read: the source language for a source, the target language for a target. */
  readonly language: LanguageTag | undefined;
  readonly role: 'source' | 'target';
  readonly columns?: Columns;
  /** Config: a bilingual file is both source and target of its language, and the texts to translate are its source side. */
  readonly embeddedSource?: true;
  /**
   * Config: the attributes of JSX elements, and the keys of front matter (`hero.tagline`), with text for readers; absent: the
   * usual ones.
   */
  readonly attributes?: readonly string[];
  readonly frontMatter?: readonly string[];
  /** Config: the encoding of files that are not Unicode, a WHATWG label. `parse` gets the encoding that was found. */
  readonly encoding?: string;
}

/** One format. Text in, spans and edits out. Malformed input throws JobFailure `malformed` with line and column. */
export interface Format {
  readonly name: string;
  readonly shape: 'keyed' | 'sequence';
  /** The file has source and target text side by side (PO, XLIFF, Qt). */
  readonly bilingual?: true;
  /** The file has all languages (xcstrings, CSV with a column per language). */
  readonly multiLocale?: true;
  /**
   * The format cannot write line breaks in a text or blanks around it (INI, Markdown, HTML, txt): `encode` folds them,
   * comparisons ignore them.
   */
  readonly foldsWhitespace?: true;
  /** A text has to begin and to end with a line break where its source does: `msgfmt` refuses a file without. */
  readonly keepsLineEdges?: true;
  /** A text can have line breaks as they are, and CRLF in it is read as CRLF (CSV). Other readers see `\n`, or write breaks as escapes. */
  readonly readsLineEnds?: true;
  /** The encoding of bytes that are not Unicode; absent: they are refused. */
  readonly fallbackEncoding?: 'latin1';
  /** Whether a file with the right extension has this format: `.xml` may be no Android file, `.ts` may be TypeScript and not Qt. */
  recognises?(text: string): boolean;
  /** @param near a reading of nearly the same text: a format may take from it what is the same */
  parse(text: string, options: FormatOptions, near?: Doc): Doc;
  /** The format for a file with these columns: with a column per language it is `multiLocale`. */
  withColumns?(columns: Columns): Format;
  /**
   * The segments that a target in that language needs, with their source texts: it may need more or fewer plural forms. Absent:
   * those of the source.
   */
  expect?(source: Doc, target: ExpectedTarget): readonly Segment[];
  /** Texts of the source that `expect` leaves out, because the target takes over another text in their places. */
  inherited?(source: Doc, target: ExpectedTarget): readonly InheritedText[];
  /**
   * Keyed formats: what the ids of one message have in common: its plural forms, variants, attributes or list elements. A form leaves a
   * target only with the form that replaces it. Absent: each id is a message.
   * @param isId whether an id is in use: `a` and `a.one` are one message in two shapes
   */
  messageOf?(id: string, isId: (id: string) => boolean): string;
  /**
   * The part of the result of `expect` that depends on who wrote the texts of the target (`ExpectedTarget.ours`). `variants`: the variants
   * of a message. `shapes`: only whether a text has the shape of its source.
   */
  readonly expectsByMaker?: 'variants' | 'shapes';
}

export interface ExpectedTarget {
  readonly language: LanguageTag;
  /** The present content of the target: its plural formula decides (PO). */
  readonly text?: string;
  /** Its present segments. */
  readonly segments?: readonly Segment[];
  /** Ids of texts that dragoman wrote and nobody changed, and of texts that are held; absent: none. */
  readonly ours?: ReadonlySet<string>;
  /** Whether a text was there at first contact, nobody changed it since, and it translates another source text than this one. */
  isOutdated?(id: string, source: string): boolean;
}

/** A text that a target has only by a reference to another group, such as `<<: *base` of YAML. */
export interface InheritedText {
  readonly id: string;
  /** The reference as the file has it, and its line. */
  readonly reference: string;
  readonly line: number;
}

/** Entries to remove, by the ids of their segments. */
export interface Leaving {
  readonly gone: ReadonlySet<string>;
  /** Those of `gone` whose translation a person wrote. */
  readonly human: ReadonlySet<string>;
}

export interface Replacement {
  readonly edits: readonly Edit[];
  /** `Insertion.notes`, by the id of the inserted segment. */
  readonly notes: ReadonlyMap<string, readonly string[]>;
}

export interface Insertion {
  /** Id of the nearest preceding sibling in the source that is also in this text; null: the entry is the first. */
  readonly after: string | null;
  /** The segment of the source (or of `expect`), and the text that it was parsed from, for comments and layout. */
  readonly segment: Segment;
  readonly sourceText: string;
  /** The text to put there. */
  readonly parts: readonly Part[];
  /** Absent: `needs-review`. */
  readonly state?: SegmentState;
  /** Comment lines that a person wrote above the entry that this one replaces. */
  readonly notes?: readonly string[];
}

/** Parts as one string, with their raw syntax: for comparisons, hashes and messages. */
export function partsText(parts: readonly Part[]): string {
  return parts.map((part) => (typeof part === 'string' ? part : part.raw)).join('');
}

/** A number, a boolean or a date, which the file does not quote as a text. A key without a value is one too. */
export function isValue({ state, parts }: Pick<Segment, 'state' | 'parts'>): boolean {
  return state === 'do-not-translate' && parts.every((part) => typeof part !== 'string');
}

/** The source side of an entry as its file has it. */
export function entrySource({ keyText, source }: Segment): readonly Part[] | undefined {
  return keyText ?? source;
}

/** The text to translate: the source side in bilingual formats, else the content. */
export function sourceParts(segment: Segment): readonly Part[] {
  return segment.source ?? segment.parts;
}

/** The start of a text for people, on one line. It has at most `most` UTF-16 units, `…` at the cut, and never half of a surrogate pair. */
export function excerptOf(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > most ? `${line.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}…` : line;
}

/**
 * The form of an id that people write in patterns and read in messages. `nav\.title` (one key with a dot) and `nav.title` (two keys) both
 * become `nav.title`.
 */
export function keyName(id: string): string {
  return id.replace(/\\(.)/gs, '$1');
}
