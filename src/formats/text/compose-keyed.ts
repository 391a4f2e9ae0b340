/** Composes keyed formats: removes entries, inserts new ones behind their neighbours, and replaces spans; all else of the target stays. */
import { JobFailure } from '../../failure.ts';
import type { Edit, Insertion, Part, Segment } from '../../format.ts';
import { type Arranged, arrangeLists } from './arrange-lists.ts';
import type { ComposedText, Composition } from './composition.ts';
import { expectedSegments } from './expect.ts';
import { type Cleared, clear } from './keyed-removals.ts';
import {
  endedGuesses,
  insertionsFor,
  outdatedSources,
  type TextWithSource,
  wantedTexts,
  writtenStates,
} from './keyed-texts.ts';
import { withMovedEntries } from './moved-entries.ts';
import { type OpenFile, reread } from './open.ts';
import { sameParts } from './parts.ts';
import { renamesOfGroups } from './renamed-groups.ts';
import { withReshapedComments } from './reshaped-comments.ts';
import { splice, trackedSplice } from './splice.ts';
import { type Intended, verify } from './verify.ts';

export function composeKeyed(composition: Composition): ComposedText {
  const { source, target, format, options } = composition;
  const expected =
    composition.expected ??
    expectedSegments(format, source, {
      language: options.language,
      ...(target === undefined ? {} : { file: target }),
    });
  if (target === undefined) {
    return placeTexts(clear(template(composition), expected, composition), expected, composition);
  }
  const renamed = renameKeys(target, expected, composition);
  const own = detached(renamed.file, expected, composition);
  const arranged = arrangeLists(own, expected, { ...composition, ...renamed });
  const rest = { ...composition, removed: arranged.removed };
  const made = placeTexts(clear(arranged.file, expected, rest), expected, rest);
  const placed = withMovedEntries(made, renamed.file, composition);
  const moved = withReshapedComments(placed, renamed.file, composition);
  return {
    ...moved,
    otherwise: new Map([...(moved.otherwise ?? []), ...formerReferences(target, moved.file)]),
  };
}

/** The file with values in place of references whose text is about to change, though their own source is another. */
function detached(
  file: OpenFile,
  expected: readonly Segment[],
  composition: Composition,
): OpenFile {
  const existing = new Map(file.doc.segments.map((segment) => [segment.id, segment]));
  const idsOf = (segments: readonly Segment[]) => new Set(segments.map(({ id }) => id));
  const isText = ({ isReference, id }: Segment) => !isReference && existing.get(id)?.isReference;
  // Texts that the file has only by a reference to their group are not expected in it.
  const known = new Set([...existing.keys(), ...idsOf(expected)]);
  const inherited = composition.source.doc.segments.filter(
    ({ id, isReference }) => !isReference && !known.has(id),
  );
  const references = [...expected.filter(isText), ...inherited];
  if (references.length === 0 || file.doc.detach === undefined) return file;
  const changed = wantedTexts(expected, existing, composition).filter(({ text }) => text);
  const edits = file.doc.detach(idsOf(references), idsOf(changed.map(({ segment }) => segment)));
  return edits.length === 0 ? file : reread(file, splice(file.text, edits), composition);
}

/** References that are texts now: an alias of YAML has the text of the entry that was removed. */
function formerReferences(
  target: OpenFile,
  { doc }: OpenFile,
): readonly (readonly [string, readonly Part[]])[] {
  const references = target.doc.segments.filter(({ isReference }) => isReference);
  if (references.length === 0) return [];
  const now = new Map(doc.segments.map((segment) => [segment.id, segment]));
  return references.flatMap(({ id }) => {
    const segment = now.get(id);
    return segment === undefined || segment.isReference ? [] : [[id, segment.parts] as const];
  });
}

// In a file with both sides of a text, a target is read from other spans than a source.
export function template({ source, format, options }: Composition): OpenFile {
  const isTwoSided = format.bilingual === true || format.multiLocale === true;
  return isTwoSided ? reread(source, source.text, { format, options }) : source;
}

function placeTexts(
  { file: base, notes }: Cleared,
  expected: readonly Segment[],
  composition: Composition,
): ComposedText {
  const existing = new Map(base.doc.segments.map((segment) => [segment.id, segment]));
  const wanted = wantedTexts(expected, existing, composition);
  const texts = new Map(wanted.map(({ segment, text }) => [segment.id, text]));
  const insertions = insertionsFor(wanted, existing).map((insertion) => {
    const own = notes.get(insertion.segment.id);
    return own === undefined ? insertion : { ...insertion, notes: own };
  });
  const short = insertions.length === 0 ? replaceTextsOnly(base, texts, composition) : undefined;
  if (short !== undefined) return short;
  const isOvergrown = replacedByGroup(insertions);
  const isGuess = endedGuesses(base, texts);
  const spans = base.doc.segments
    .filter((segment) => !isOvergrown(segment))
    .map((segment) => (isGuess(segment) ? emptied(segment) : spanEdit(base.text, segment, texts)));
  const states = writtenStates(base, texts);
  const written = [
    ...spans.map(({ edit }) => edit),
    ...(states.size === 0 ? [] : (base.doc.stateEdits?.(states, composition.kept) ?? [])),
    ...dateEdits(base, states.size + insertions.length, composition),
    ...(base.doc.sourceEdits?.(outdatedSources(wanted, existing), composition.source.text) ?? []),
    ...inserted(base, insertions, composition),
  ];
  const newTexts = written.map((edit) => edit.text);
  const declared = base.doc.declarationEdits?.(newTexts, composition.source.text) ?? [];
  const { text, starts } = trackedSplice(base.text, [...written, ...declared]);
  const intended: Intended[] = spans.map(({ edit, id, parts }, index) => ({
    id,
    parts,
    region: { start: starts[index] ?? 0, end: (starts[index] ?? 0) + edit.text.length },
  }));
  for (const { segment, parts } of insertions) intended.push({ id: segment.id, parts });
  const file = reread(base, text, composition);
  const otherwise = verify(file, intended, composition);
  return { text, bytes: base.encode(text), file, otherwise };
}

/**
 * The fast way when only texts are replaced: only they are read again, so saving one text of a hundred thousand is quick. Undefined when
 * more must be done, or when a text is not read as it was written.
 */
function replaceTextsOnly(
  base: OpenFile,
  texts: ReadonlyMap<string, TextWithSource | undefined>,
  { options }: Composition,
): ComposedText | undefined {
  const { doc } = base;
  if (doc.withTexts === undefined || doc.stateEdits || doc.dateEdits || doc.sourceEdits)
    return undefined;
  const isWritten = ({ id }: Segment) => texts.get(id) !== undefined;
  const edits = doc.segments
    .filter(isWritten)
    .map((segment) => spanEdit(base.text, segment, texts).edit)
    // A number that is copied is no text: as such the whole file would be read again.
    .filter(({ start, end, text }) => base.text.slice(start, end) !== text);
  const now = doc.withTexts(edits, options.file);
  const isRead = ({ id, parts }: Segment) => sameParts(parts, texts.get(id)?.parts ?? []);
  if (now === undefined || !now.segments.filter(isWritten).every(isRead)) return undefined;
  const text = splice(base.text, edits);
  return { text, bytes: base.encode(text), file: { ...base, text, doc: now } };
}

function dateEdits({ doc }: OpenFile, written: number, { at }: Composition): readonly Edit[] {
  return written === 0 || at === undefined ? [] : (doc.dateEdits?.(at) ?? []);
}

export function emptied(segment: Segment): ReturnType<typeof spanEdit> {
  const { id, start, end, empty = '' } = segment;
  return { id, parts: [], edit: { start, end, text: empty } };
}

function spanEdit(
  text: string,
  segment: Segment,
  wanted: ReadonlyMap<string, TextWithSource | undefined>,
): { readonly id: string; readonly parts: readonly Part[]; readonly edit: Edit } {
  const { id, start, end } = segment;
  const own = wanted.get(id);
  if (own === undefined) {
    return { id, parts: segment.parts, edit: { start, end, text: text.slice(start, end) } };
  }
  return { id, parts: own.parts, edit: { start, end, text: segment.encode(own.parts, own) } };
}

/** A key without a value is replaced by the group that the source has there. */
function replacedByGroup(insertions: readonly Insertion[]): (segment: Segment) => boolean {
  return ({ id, gap }) =>
    gap === 'node' &&
    insertions.some(
      ({ segment }) => segment.id.startsWith(`${id}.`) || segment.id.startsWith(`${id}[`),
    );
}

function inserted(
  base: OpenFile,
  insertions: readonly Insertion[],
  { format, options }: Composition,
): readonly Edit[] {
  if (insertions.length === 0) return [];
  if (base.doc.insert === undefined) {
    throw new JobFailure({
      kind: 'internal',
      message: `${options.file}: the format ${format.name} cannot add "${insertions[0]?.segment.id}"`,
    });
  }
  return base.doc.insert(insertions);
}

/** Renames keys in the target, before all other edits, so that entries keep their places. */
function renameKeys(
  target: OpenFile,
  expected: readonly Segment[],
  composition: Composition,
): Arranged {
  const removed = composition.removed ?? new Set();
  const unchanged = { file: target, removed };
  if ((composition.renamed?.size ?? 0) === 0) return unchanged;
  const ids = new Set(target.doc.segments.map(({ id }) => id));
  // If a key occurs twice (`a`, `a#1`), renaming one would promote the other.
  const isOpen = (from: string, to: string) =>
    ids.has(from) && !ids.has(to) && !ids.has(`${from}#1`);
  const open = [...(composition.renamed ?? [])].filter(([from, to]) => isOpen(from, to));
  if (open.length === 0) return unchanged;
  const sides = { target: ids, source: new Set(expected.map(({ id }) => id)) };
  const { renames, along } = renamesOfGroups(new Map(open), sides);
  const edits = target.doc.rename?.(renames, along) ?? [];
  if (edits.length === 0) return unchanged;
  const file = reread(target, splice(target.text, edits), composition);
  const now = new Set(file.doc.segments.map(({ id }) => id));
  const moves = [...renames, ...along].filter(([from, to]) => now.has(to) && !now.has(from));
  const done = new Map(moves);
  const intended = target.doc.segments.map(({ id, parts }) => ({ id: done.get(id) ?? id, parts }));
  verify(file, intended, composition);
  // The old ids of renamed keys are among them.
  const gone = [...removed].map((id) => (along.has(id) ? (done.get(id) ?? id) : id));
  return { file, removed: new Set(gone) };
}
