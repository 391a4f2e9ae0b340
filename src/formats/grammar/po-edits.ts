/** Edits of a PO file: its messages and plural forms, what translators wrote beside them, and the state of each text. */
import {
  type Edit,
  type Insertion,
  type Leaving,
  partsText,
  type Replacement,
  type Segment,
  type SegmentState,
} from '../../format.ts';
import { splice } from '../text/splice.ts';
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
} from './flat-entries.ts';
import { type MessageState, messageState } from './message-state.ts';
import { type PoEntry, type PoFile, scanPo } from './po-entries.ts';
import { withoutFuzzy } from './po-header.ts';
import {
  isReviewLine,
  obsolete,
  obsoleteEntries,
  REVIEW_LINE,
  translatorLines,
} from './po-obsolete.ts';
import { type Message, type NewMessage, successors } from './successors.ts';

type EditablePo = PoFile & EntryFile;

/** Adds messages, and plural forms to messages that are there, in the layout of the source that they come from. */
export function insertIntoPo(file: EditablePo, insertions: readonly Insertion[]): Edit[] {
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
export function removeFromPo(file: EditablePo, ids: ReadonlySet<string>): Edit[] {
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
export function replaceInPo(
  file: EditablePo,
  { gone: ids, human }: Leaving,
  insertions: readonly Insertion[],
): Replacement {
  const leaving = [...file.entries.values()].filter((entry) =>
    segmentIds(entry).every((id) => ids.has(id)),
  );
  const noted = leaving.filter((entry) => translatorLines(entry).length > 0);
  const translated = new Set(leaving.filter((entry) => isPersons(entry, human)));
  if (noted.length + translated.size === 0)
    return { edits: removeFromPo(file, ids), notes: new Map() };
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
    ...removeFromPo(file, ids.difference(kept)),
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
  file: EditablePo,
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
export function poStateEdits(
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
