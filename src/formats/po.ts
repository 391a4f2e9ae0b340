/**
 * gettext PO and POT. The text to translate is the msgid, or the msgstr where the source file has its own. A translation replaces the
 * msgstr. Plural forms follow the target's formula.
 */
import {
  type Doc,
  type Edit,
  type ExpectedTarget,
  type Format,
  type FormatOptions,
  type Insertion,
  type Leaving,
  type PlaceholderSyntax,
  partsText,
  type Replacement,
  type Returning,
  type Segment,
  type SegmentState,
} from '../format.ts';
import { gettextHeader } from '../segments/plural-forms.ts';
import { parsePluralForms } from '../segments/plural-formula.ts';
import {
  type EntryFile,
  gapOf,
  homeAtEnd,
  insertEntries,
  lineEndOf,
  type NewEntry,
  removeEntries,
  sourceEntries,
  withLineEnds,
} from './grammar/flat-entries.ts';
import { type MessageState, messageState } from './grammar/message-state.ts';
import { expandForms } from './grammar/plural-wordings.ts';
import { type PoEntry, type PoFile, type PoForm, scanPo } from './grammar/po-entries.ts';
import {
  dateEdits,
  headerEdits,
  headerField,
  pluralFormsOf,
  withoutFuzzy,
} from './grammar/po-header.ts';
import {
  isReviewLine,
  obsolete,
  obsoleteEntries,
  REVIEW_LINE,
  translatorLines,
} from './grammar/po-obsolete.ts';
import { type Message, type NewMessage, successors } from './grammar/successors.ts';
import { malformed, positionsOf } from './text/position.ts';
import { makeSegment } from './text/segment.ts';
import { splice } from './text/splice.ts';

export const po: Format = {
  name: 'po',
  shape: 'keyed',
  bilingual: true,
  keepsLineEdges: true,
  fallbackEncoding: 'latin1',
  parse,
  expect: expectForms,
};

function parse(text: string, options: FormatOptions): Doc {
  const file = scanPo(text, options.file);
  refuseOtherCharset(file, options);
  const positionAt = positionsOf(text);
  const segments = [...file.entries.values()].flatMap((entry) =>
    [...entry.forms].map(([index, form]) =>
      messageSegment(file, entry, {
        index,
        form,
        line: positionAt(form.start).line,
        hasOwnTexts: options.role === 'source' && options.embeddedSource !== true,
      }),
    ),
  );
  const home = homeOf(text);
  return {
    segments,
    warnings: [],
    insert: (insertions) => insert({ ...file, home }, insertions),
    remove: (ids) => remove({ ...file, home }, ids),
    replace: (leaving, insertions) => replace({ ...file, home }, leaving, insertions),
    localeEdits: (language) => headerEdits(file, language, options.encoding),
    dateEdits: (at) => dateEdits(file, at),
    stateEdits: (states, kept) => stateEdits(file, states, kept),
    sourceEdits: (sources, sourceText) => pluralEdits(file, sources, sourceText),
    returning: () => returning(file),
  };
}

/** A msgid identifies its message; its msgid_plural may change, and follows with the texts that are made from it. */
function pluralEdits(
  file: PoFile,
  sources: ReadonlyMap<string, Segment>,
  sourceText: string,
): Edit[] {
  const groups = new Set([...sources.values()].flatMap(({ plural }) => plural?.group ?? []));
  if (groups.size === 0) return [];
  const { entries } = scanPo(sourceText, '');
  return [...groups].flatMap((id): Edit[] => {
    const [old, now] = [file.entries.get(id)?.plural, entries.get(id)?.plural];
    if (old === undefined || now === undefined || old.text === now.text) return [];
    const like = file.text.slice(old.start, old.end);
    const text = file.literals.write(now.text, { like, lineEnd: lineEndOf(file.text) });
    return [{ start: old.start, end: old.end, text }];
  });
}

function returning(file: PoFile): ReadonlyMap<string, Returning> {
  const entries = obsoleteEntries(file).flatMap(({ sources, texts }) =>
    [...texts].map(([id, text]): [string, Returning] => [id, { sources, parts: [text] }]),
  );
  return new Map(entries);
}

// A blank line separates the first entry from the header.
function homeOf(text: string): EntryFile['home'] {
  const home = homeAtEnd(text);
  return text === '' ? home : { ...home, before: home.before + lineEndOf(text) };
}

// Bytes that are not UTF-8 were read as Latin-1; then the header must name that charset.
function refuseOtherCharset(file: PoFile, options: FormatOptions): void {
  const charset = /charset=(\S+)/i.exec(headerField(file, 'Content-Type') ?? '')?.[1] ?? '';
  if (options.encoding !== 'latin1' || /^(?:iso-?8859-1|latin-?1|charset|)$/i.test(charset)) return;
  const offset = file.header?.forms.get(0)?.start ?? 0;
  const advice = `the header says ${charset}: set "encoding: ${charset.toLowerCase()}" on the route`;
  throw malformed(options.file, { text: file.text, offset }, advice);
}

interface SourceForm {
  readonly index: number;
  readonly form: PoForm;
  readonly line: number;
  /** A source: its texts may be in the msgstr. */
  readonly hasOwnTexts: boolean;
}

function messageSegment(file: PoFile, entry: PoEntry, place: SourceForm): Segment {
  const { index, form, line, hasOwnTexts } = place;
  const isPlural = entry.plural !== undefined;
  const isFuzzy = entry.comments.some(({ text }) => /^#,.*\bfuzzy\b/.test(text));
  const msgid = index === 0 ? entry.msgid : (entry.plural ?? entry.msgid);
  // A source's own PO may have keys as msgids and its texts in the msgstr.
  const source = hasOwnTexts && !isFuzzy && form.text !== '' ? form.text : msgid.text;
  const raw = file.text.slice(form.start, form.end);
  const lineEnd = lineEndOf(file.text);
  const context = contextOf(entry);
  return makeSegment(file.text, {
    id: isPlural ? `${entry.id}[${index}]` : entry.id,
    start: form.start,
    end: form.end,
    line,
    // gettext does not use fuzzy texts: they wait for a translation like empty ones.
    parts: form.text === '' || isFuzzy ? [] : [form.text],
    source: [source],
    ...(context === undefined ? {} : { context }),
    ...(isPlural ? { plural: { group: entry.id, category: `${index}` } } : {}),
    ...(isFuzzy ? { state: 'needs-review', gap: 'waiting', empty: '""' } : {}),
    syntax: syntaxOf(entry),
    encode: (parts) => file.literals.write(partsText(parts), { like: raw, lineEnd }),
  });
}

/** The msgctxt, and the comments of developers and translators. `#:` and `#,` are for programs. */
function contextOf({ context = '', comments }: PoEntry): string | undefined {
  const words = comments
    .filter(({ text }) => /^#(?:\.|[ \t]|$)/.test(text))
    .map(({ text }) => text.replace(/^#\.?/, '').trim());
  const said = [context.trim(), words.filter((text) => text !== '').join(' ')];
  return said.filter((text) => text !== '').join(': ') || undefined;
}

/** Flags of gettext whose texts may have more placeholders than `generic` knows, and the syntax of each (gettext manual, "PO Files"). */
const FLAGS: ReadonlyMap<string, PlaceholderSyntax> = new Map([
  ['no-c-format', 'markup'],
  ['python-format', 'printf'],
  ['c-format', 'printf'],
  ['objc-format', 'printf'],
  ['php-format', 'printf'],
  ['lua-format', 'printf'],
  ['gcc-internal-format', 'printf'],
  ['qt-format', 'qt'],
  ['qt-plural-format', 'qt'],
  ['kde-format', 'qt'],
  ['sh-format', 'shell'],
]);

function syntaxOf({ comments }: PoEntry): PlaceholderSyntax {
  const line = comments.find(({ text }) => text.startsWith('#,'))?.text ?? '';
  const flags = line.slice(2).split(',');
  return (
    flags.map((flag) => FLAGS.get(flag.trim())).find((syntax) => syntax !== undefined) ?? 'generic'
  );
}

function expectForms(source: Doc, { language, text }: ExpectedTarget): readonly Segment[] {
  const own = text === undefined ? undefined : pluralFormsOf(scanPo(text, ''));
  const forms = own ?? parsePluralForms(gettextHeader(language));
  return forms === undefined ? source.segments : expandForms(source.segments, forms);
}

type Editable = PoFile & EntryFile;

function insert(file: Editable, insertions: readonly Insertion[]): Edit[] {
  const isForm = ({ segment }: Insertion) => file.entries.has(entryId(segment));
  const forms = insertions.filter(isForm);
  const others = Map.groupBy(
    insertions.filter((insertion) => !isForm(insertion)),
    ({ segment }) => entryId(segment),
  );
  const returning = obsoleteEntries(file).filter(({ id }) => others.has(id));
  const notes = Map.groupBy(returning, ({ id }) => id);
  const groups = [...others].map(([id, group]) => {
    const own = (notes.get(id) ?? []).flatMap((entry) => entry.notes);
    return group.map((insertion) => ({
      ...insertion,
      notes: [...(insertion.notes ?? []), ...own],
    }));
  });
  return [
    ...forms.flatMap((form) => newForms(file, file.entries.get(entryId(form.segment)), form)),
    ...returning.map(({ edit }) => edit),
    ...insertEntries(file, newPoEntries(file, groups)),
  ];
}

function entryId({ id, plural }: Segment): string {
  return plural?.group ?? id;
}

/** Removes an entry when none of its forms stays. From other entries, removes only the lines of the forms that leave. */
function remove(file: Editable, ids: ReadonlySet<string>): Edit[] {
  const gone = new Set<string>();
  const edits: Edit[] = [];
  for (const entry of file.entries.values()) {
    const isGone = (index: number) =>
      ids.has(entry.plural === undefined ? entry.id : `${entry.id}[${index}]`);
    const leaving = [...entry.forms].filter(([index]) => isGone(index));
    if (leaving.length === entry.forms.size) {
      gone.add(entry.id);
      continue;
    }
    for (const [, { lineStart, end }] of leaving) {
      edits.push({ start: endOfLineBefore(file.text, lineStart), end, text: '' });
    }
  }
  return [...removeEntries(file, gone), ...edits];
}

function endOfLineBefore(text: string, lineStart: number): number {
  return lineStart - (text.slice(lineStart - 2, lineStart) === '\r\n' ? 2 : 1);
}

/**
 * Removes entries whose source was edited. The translators' comments move to the new entry. An entry becomes obsolete (`#~`) when a person
 * translated it, or when no new entry takes its comments.
 */
function replace(
  file: Editable,
  { gone: ids, human }: Leaving,
  insertions: readonly Insertion[],
): Replacement {
  const leaving = [...file.entries.values()].filter((entry) =>
    segmentIds(entry).every((id) => ids.has(id)),
  );
  const noted = leaving.filter((entry) => translatorLines(entry).length > 0);
  const translated = new Set(leaving.filter((entry) => isPersons(entry, human)));
  if (noted.length + translated.size === 0) return { edits: remove(file, ids), notes: new Map() };
  const gone = new Set(leaving.map(({ id }) => id));
  const comers = newMessagesOf(file, gone, insertions);
  const found =
    noted.length === 0
      ? new Map<string, Message>()
      : successors(messagesOf(file), gone, [...comers.values()]);
  const notes = new Map<string, readonly string[]>();
  for (const entry of noted) {
    const heir = found.get(entry.id);
    for (const { segment } of insertions) {
      if (heir !== undefined && entryId(segment) === heir.id) {
        notes.set(segment.id, translatorLines(entry));
      }
    }
  }
  const orphans = new Set(noted.filter(({ id }) => !found.has(id)));
  const staying = leaving.filter((entry) => translated.has(entry) || orphans.has(entry));
  const kept = new Set(staying.flatMap(segmentIds));
  const edits = [
    ...remove(file, ids.difference(kept)),
    ...staying.map((each) => obsolete(file, each, orphans.has(each) ? 'kept' : 'handed on')),
  ];
  return { edits, notes };
}

function segmentIds({ id, plural, forms }: PoEntry): string[] {
  return plural === undefined ? [id] : [...forms.keys()].map((at) => `${id}[${at}]`);
}

function isPersons(entry: PoEntry, human: ReadonlySet<string>): boolean {
  const isTranslated = [...entry.forms.values()].some(({ text }) => text !== '');
  return isTranslated && segmentIds(entry).some((id) => human.has(id));
}

/** New entries by their ids, without forms that are added to an existing entry. */
function newMessagesOf(
  file: Editable,
  gone: ReadonlySet<string>,
  insertions: readonly Insertion[],
): ReadonlyMap<string, NewMessage> {
  const comers = new Map<string, NewMessage>();
  const sourceOf = poSources(insertions);
  for (const insertion of insertions) {
    const id = entryId(insertion.segment);
    const entry = sourceOf(insertion).file.entries.get(id);
    if (entry === undefined || comers.has(id)) continue;
    if (file.entries.has(id) && !gone.has(id)) continue;
    comers.set(id, { entry: messageOf(entry), after: anchorOf(file, insertion.after) });
  }
  return comers;
}

function messagesOf({ entries }: PoFile): ReadonlyMap<string, Message> {
  return new Map([...entries].map(([id, entry]) => [id, messageOf(entry)]));
}

function messageOf({ id, msgid, context, comments }: PoEntry): Message {
  const references = comments.flatMap(({ text }) =>
    text.startsWith('#:') ? text.slice(2).trim().split(/\s+/) : [],
  );
  return { id, text: msgid.text, context, references };
}

function poSources(insertions: readonly Insertion[]) {
  return sourceEntries(insertions, (text) => ({ ...scanPo(text, ''), home: homeAtEnd(text) }));
}

/**
 * A text that is written now is no longer a fuzzy match: the flag `fuzzy` and the previous msgid (`#|`) are removed. The flag is one for
 * all plural forms: those that are not written now are emptied (`endedGuesses`). The comment that asks for a review is added with a text
 * that needs one, and removed when a person has decided.
 */
function stateEdits(
  file: PoFile,
  written: ReadonlyMap<string, SegmentState>,
  kept: ReadonlyMap<string, SegmentState> | undefined,
): Edit[] {
  return [...file.entries.values()].flatMap((entry) => {
    const state = messageState(segmentIds(entry), { written, kept });
    return state === undefined ? [] : [...guessEdits(entry), ...reviewEdits(file, entry, state)];
  });
}

function guessEdits({ comments }: PoEntry): Edit[] {
  if (!comments.some((comment) => withoutFuzzy(comment).length > 0)) return [];
  return comments.flatMap((comment) =>
    comment.text.startsWith('#|')
      ? [{ start: comment.start, end: comment.next, text: '' }]
      : withoutFuzzy(comment),
  );
}

function reviewEdits({ text }: PoFile, { start, comments }: PoEntry, state: MessageState): Edit[] {
  const lines = comments.filter((comment) => isReviewLine(comment.text));
  if (state === 'review-wanted') {
    return lines.length > 0 ? [] : [{ start, end: start, text: REVIEW_LINE + lineEndOf(text) }];
  }
  if (state === 'keep') return [];
  return lines.map((line) => ({ start: line.start, end: line.next, text: '' }));
}

// New entries and plural forms, in the layout of the source that they come from.

/** Inserts a form after the last form of its entry: forms are inserted in order. */
function newForms(file: PoFile, entry: PoEntry | undefined, insertion: Insertion): Edit[] {
  const last = entry === undefined ? undefined : [...entry.forms.values()].at(-1);
  if (last === undefined) return [];
  const lineEnd = lineEndOf(file.text);
  const text = lineEnd + formLine(file, insertion, { like: '', lineEnd });
  return [{ start: last.end, end: last.end, text }];
}

/** @param groups the insertions of one new entry each */
function newPoEntries(file: PoFile, groups: readonly (readonly Insertion[])[]): NewEntry[] {
  const lineEnd = lineEndOf(file.text);
  const sourceOf = poSources(groups.flat());
  return groups.flatMap((insertions) => {
    const [first] = insertions;
    if (first === undefined) return [];
    const source = sourceOf(first).file;
    const entry = source.entries.get(first.segment.plural?.group ?? first.segment.id);
    if (entry === undefined) return [];
    const lines = insertions.map((insertion) => formLine(file, insertion, { like: '', lineEnd }));
    const known = new Set(entry.comments.map(({ text }) => text));
    const notes = first.notes?.filter((line) => !known.has(line)) ?? [];
    const isWanted = insertions.some(({ state }) => state === 'review-wanted');
    const own = [...(isWanted ? [REVIEW_LINE] : []), ...notes]
      .map((line) => line + lineEnd)
      .join('');
    const head = own + withLineEnds(entryHead(source, entry), lineEnd);
    const anchor = anchorOf(file, first.after);
    const gap = gapOf({ ...source, home: homeAtEnd('') }, entry, lineEnd) ?? lineEnd + lineEnd;
    return [{ after: anchor, text: head + lines.join(lineEnd), gap }];
  });
}

// The header stays first: a new entry without a neighbour is inserted after it.
function anchorOf({ entries }: PoFile, after: string | null): string | null {
  if (after === null) return null;
  return entries.has(after) ? after : after.replace(/\[\d+\]$/, '');
}

function formLine(
  { literals }: PoFile,
  { segment, parts }: Insertion,
  layout: { like: string; lineEnd: string },
): string {
  const word = segment.plural === undefined ? 'msgstr' : `msgstr[${segment.plural.category}]`;
  return `${word} ${literals.write(partsText(parts), layout)}`;
}

/** Everything above the msgstr, without `fuzzy` and the previous msgid. */
function entryHead({ text }: PoFile, { start, forms, comments }: PoEntry): string {
  const [first] = forms.values();
  const head = text.slice(start, first?.lineStart ?? start);
  const edits = comments.flatMap((comment) =>
    comment.text.startsWith('#|')
      ? [{ start: comment.start, end: comment.next, text: '' }]
      : withoutFuzzy(comment),
  );
  return splice(
    head,
    edits.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start })),
  );
}
