/** Composes keyed formats: removes entries, inserts new ones behind their neighbours, and replaces spans; all else of the target stays. */
import { JobFailure } from '../../failure.ts';
import {
  type Edit,
  type Insertion,
  type Part,
  type Replacement,
  type Segment,
  type SegmentState,
  type SourceOfText,
  sourceParts,
} from '../../format.ts';
import { arrangeLists } from './arrange-lists.ts';
import type { ComposedText, Composition, SegmentPlacement } from './composition.ts';
import { expectedSegments, lacksValue } from './expect.ts';
import { keepComments } from './kept-comments.ts';
import { type OpenFile, reread } from './open.ts';
import { hasLetters, sameParts } from './parts.ts';
import { withIgnoredEntries } from './renamed-groups.ts';
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
  const arranged = arrangeLists(renameKeys(target, expected, composition), expected, composition);
  const rest = { ...composition, removed: arranged.removed };
  return placeTexts(clear(arranged.file, expected, rest), expected, rest);
}

// In a file with both sides of a text, a target is read from other spans than a source.
function template({ source, format, options }: Composition): OpenFile {
  const isTwoSided = format.bilingual === true || format.multiLocale === true;
  return isTwoSided ? reread(source, source.text, { format, options }) : source;
}

// Ids to remove. Bilingual entries stay, since they hold the source. List elements stay, since the removal of one would rename the
// elements behind it.
function idsToRemove(
  composition: Composition,
  expected: readonly Segment[],
  base: OpenFile,
): ReadonlySet<string> {
  const { format, placements, removed, target } = composition;
  const gone = new Set(removed);
  if (format.bilingual && target === undefined) {
    const wanted = new Set(expected.map(({ id }) => id));
    return gone.union(needlessForms(base.doc.segments, wanted));
  }
  if (format.bilingual || format.multiLocale) return gone;
  for (const segment of expected) {
    if (placements.get(segment.id)?.kind === 'omit' && !segment.positional) gone.add(segment.id);
  }
  if (target === undefined) {
    const wanted = new Set(expected.map(({ id }) => id));
    for (const segment of base.doc.segments) {
      if (segment.positional || lacksValue(segment)) continue;
      if (!wanted.has(segment.id) || placementOf(segment, composition).kind === 'keep') {
        gone.add(segment.id);
      }
    }
  }
  return gone;
}

// The template has the plural forms of its own language; those that the target does not need are removed.
function needlessForms(segments: readonly Segment[], wanted: ReadonlySet<string>): Set<string> {
  const forms = segments.filter(({ plural, id }) => plural !== undefined && !wanted.has(id));
  return new Set(forms.map(({ id }) => id));
}

// Texts that are never sent (numbers, signs) are copied from the source without a placement by the caller.
function placementOf(segment: Segment, composition: Composition): SegmentPlacement {
  const { placements, format, removed } = composition;
  const isCopied =
    (!format.multiLocale || segment.positional === true) &&
    !removed?.has(segment.id) &&
    (segment.state === 'do-not-translate' || !hasLetters(sourceParts(segment)));
  return placements.get(segment.id) ?? { kind: isCopied ? 'source' : 'keep' };
}

interface Cleared {
  readonly file: OpenFile;
  /** `Insertion.notes`, by id. */
  readonly notes: Replacement['notes'];
}

// Deletions come first, in an edit of their own: removing the last entry and adding another one would both change the same comma.
function clear(base: OpenFile, expected: readonly Segment[], composition: Composition): Cleared {
  const gone = idsToRemove(composition, expected, base);
  const present = new Set(base.doc.segments.map(({ id }) => id).filter((id) => gone.has(id)));
  const { edits, notes } = removal(base, present, { expected, composition });
  const file = localize(edited(base, edits, { gone: present, composition }), composition);
  return { file, notes };
}

// A new file is a copy of its source: no person has written comments beside its texts.
function removal(
  { doc, text }: OpenFile,
  gone: ReadonlySet<string>,
  { expected, composition }: { expected: readonly Segment[]; composition: Composition },
): Replacement {
  if (gone.size === 0) return { edits: [], notes: new Map() };
  if (composition.target === undefined || doc.replace === undefined) {
    const edits = doc.remove?.(gone) ?? [];
    const { source, target } = composition;
    // The source may still have an entry that the target must not have. Then the comment above it is about this entry.
    const isGone = source.doc.segments.every(({ id }) => !gone.has(id));
    const keeps = target !== undefined && isGone;
    const texts = { source: source.text, target: text };
    return { edits: keeps ? keepComments(edits, texts) : edits, notes: new Map() };
  }
  const existing = new Map(doc.segments.map((segment) => [segment.id, segment]));
  const wanted = wantedTexts(expected, existing, composition);
  const human = gone.intersection(composition.removedHuman ?? new Set());
  return doc.replace({ gone, human }, insertionsFor(wanted, existing));
}

function localize(base: OpenFile, composition: Composition): OpenFile {
  const { options, target } = composition;
  if (target !== undefined || options.language === undefined) return base;
  const edits = base.doc.localeEdits?.(options.language) ?? [];
  return edited(base, edits, { gone: new Set(), composition });
}

function edited(
  base: OpenFile,
  edits: readonly Edit[],
  { gone, composition }: { gone: ReadonlySet<string>; composition: Composition },
): OpenFile {
  if (edits.length === 0) return base;
  const cleared = reread(base, splice(base.text, edits), composition);
  verify(cleared, survivors(base, cleared, gone), composition);
  return cleared;
}

// An element in the middle of a list may stay (`Doc.remove`); everything else must be gone.
function survivors(base: OpenFile, cleared: OpenFile, gone: ReadonlySet<string>): Segment[] {
  const left = new Set(cleared.doc.segments.map(({ id }) => id));
  return base.doc.segments.filter(
    ({ id, positional }) => !gone.has(id) || (positional === true && left.has(id)),
  );
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
  const states = statesOf(base, texts);
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
  { target }: Composition,
): ComposedText | undefined {
  const { doc } = base;
  if (target === undefined || doc.stateEdits || doc.dateEdits || doc.sourceEdits) return undefined;
  const isWritten = ({ id }: Segment) => texts.get(id) !== undefined;
  const edits = doc.segments
    .filter(isWritten)
    .map((segment) => spanEdit(base.text, segment, texts).edit);
  const now = doc.withTexts?.(edits);
  const isRead = ({ id, parts }: Segment) => sameParts(parts, texts.get(id)?.parts ?? []);
  if (now === undefined || !now.segments.filter(isWritten).every(isRead)) return undefined;
  const text = splice(base.text, edits);
  return { text, bytes: base.encode(text), file: { ...base, text, doc: now } };
}

function dateEdits({ doc }: OpenFile, written: number, { at }: Composition): readonly Edit[] {
  return written === 0 || at === undefined ? [] : (doc.dateEdits?.(at) ?? []);
}

interface WantedText {
  readonly parts: readonly Part[];
  readonly state?: SegmentState;
}

/** A text with its source. */
type TextWithSource = WantedText & SourceOfText;

function wantedTexts(
  expected: readonly Segment[],
  existing: ReadonlyMap<string, Segment>,
  composition: Composition,
) {
  const { text: sourceText } = composition.source;
  const renamed = new Set(composition.renamed?.values());
  return expected.map((segment) => {
    const there = existing.get(segment.id);
    const wanted = wantedText(segment, there, composition);
    // A text under a new key is the same text: what its file says of it stays, too.
    const isMoved = renamed.has(segment.id) && wanted?.state === undefined;
    const stays = isMoved && wanted && sameParts(there?.parts ?? [], wanted.parts);
    const text = stays ? undefined : wanted;
    return { segment, text: text && { ...text, segment, sourceText } };
  });
}

// Undefined: the text stays as it is, or is not written.
function wantedText(
  segment: Segment,
  existing: Segment | undefined,
  composition: Composition,
): WantedText | undefined {
  const { placements } = composition;
  const isNew = existing === undefined && !placements.has(segment.id);
  const placement = isNew
    ? placementOf(segment, composition)
    : (placements.get(segment.id) ?? { kind: 'keep' });
  switch (placement.kind) {
    case 'write':
      return placement;
    case 'source':
      return { parts: sourceParts(segment) };
    case 'keep':
      return undefined;
    case 'omit':
      return leftOut(segment, existing, composition);
  }
}

function leftOut(
  segment: Segment,
  existing: Segment | undefined,
  { format, target }: Composition,
): WantedText | undefined {
  if (format.bilingual) {
    // A new file is a copy of its source: the source's own texts must not pass for translations.
    const isForeign = target === undefined && existing?.state !== 'final';
    return isForeign && hasLetters(existing?.parts ?? []) ? { parts: [], state: 'new' } : undefined;
  }
  if (!segment.positional) return undefined;
  return existing === undefined ? { parts: sourceParts(segment) } : undefined;
}

// A bilingual entry also gets the source that its new text was made from.
function outdatedSources(
  wanted: readonly { readonly segment: Segment; readonly text: WantedText | undefined }[],
  existing: ReadonlyMap<string, Segment>,
): ReadonlyMap<string, Segment> {
  const outdated = wanted.filter(({ segment, text }) => {
    const known = existing.get(segment.id)?.source;
    return text !== undefined && known !== undefined && !sameParts(known, sourceParts(segment));
  });
  return new Map(outdated.map(({ segment }) => [segment.id, segment]));
}

/**
 * A mark that says "this is a guess" is one for all plural forms of a message (`fuzzy` in PO). It goes when one form is written. The other
 * forms are then emptied: without the mark, programs would use their guesses as translations.
 */
function endedGuesses(
  { doc }: OpenFile,
  wanted: ReadonlyMap<string, WantedText | undefined>,
): (segment: Segment) => boolean {
  const written = new Set(
    doc.segments.flatMap(({ id, plural }) => (wanted.get(id) && plural ? [plural.group] : [])),
  );
  return ({ id, gap, plural }) =>
    gap === 'waiting' && !wanted.get(id) && written.has(plural?.group ?? '');
}

function emptied(segment: Segment): ReturnType<typeof spanEdit> {
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

function statesOf(
  base: OpenFile,
  wanted: ReadonlyMap<string, WantedText | undefined>,
): Map<string, SegmentState> {
  const states = new Map<string, SegmentState>();
  for (const { id } of base.doc.segments) {
    const text = wanted.get(id);
    if (text !== undefined) states.set(id, text.state ?? 'needs-review');
  }
  return states;
}

function insertionsFor(
  wanted: readonly { readonly segment: Segment; readonly text: TextWithSource | undefined }[],
  existing: ReadonlyMap<string, Segment>,
): Insertion[] {
  const insertions: Insertion[] = [];
  let after: string | null = null;
  for (const { segment, text } of wanted) {
    if (existing.has(segment.id)) {
      after = segment.id;
    } else if (text !== undefined) {
      insertions.push({ ...text, after });
    }
  }
  return insertions;
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
): OpenFile {
  if ((composition.renamed?.size ?? 0) === 0) return target;
  const ids = new Set(target.doc.segments.map(({ id }) => id));
  // If a key occurs twice (`a`, `a#1`), renaming one would promote the other.
  const isOpen = (from: string, to: string) =>
    ids.has(from) && !ids.has(to) && !ids.has(`${from}#1`);
  const open = [...(composition.renamed ?? [])].filter(([from, to]) => isOpen(from, to));
  if (open.length === 0) return target;
  const sides = { target: ids, source: new Set(expected.map(({ id }) => id)) };
  const whole = withIgnoredEntries(new Map(open), sides);
  const edits = target.doc.rename?.(whole) ?? [];
  if (edits.length === 0) return target;
  const renamed = reread(target, splice(target.text, edits), composition);
  const now = new Set(renamed.doc.segments.map(({ id }) => id));
  const done = new Map([...whole].filter(([from, to]) => now.has(to) && !now.has(from)));
  const intended = target.doc.segments.map(({ id, parts }) => ({ id: done.get(id) ?? id, parts }));
  verify(renamed, intended, composition);
  return renamed;
}
