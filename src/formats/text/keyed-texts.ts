/** Which texts a keyed target gets, with their states and their places, by the placements of its segments. Pure. */
import {
  entrySource,
  type Insertion,
  type Part,
  type Segment,
  type SegmentState,
  type SourceOfText,
  sourceParts,
} from '../../format.ts';
import type { Composition, SegmentPlacement } from './composition.ts';
import type { OpenFile } from './open.ts';
import { hasLetters, sameParts } from './parts.ts';

interface WantedText {
  readonly parts: readonly Part[];
  readonly state?: SegmentState;
}

/** A text with its source. */
export type TextWithSource = WantedText & SourceOfText;

export function wantedTexts(
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

// Texts that are never sent (numbers, signs) are copied from the source without a placement by the caller.
export function placementOf(segment: Segment, composition: Composition): SegmentPlacement {
  const { placements, format, removed } = composition;
  const isCopied =
    (!format.multiLocale || segment.positional === true) &&
    !removed?.has(segment.id) &&
    (segment.state === 'do-not-translate' || !hasLetters(sourceParts(segment)));
  return placements.get(segment.id) ?? { kind: isCopied ? 'source' : 'keep' };
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
export function outdatedSources(
  wanted: readonly { readonly segment: Segment; readonly text: WantedText | undefined }[],
  existing: ReadonlyMap<string, Segment>,
): ReadonlyMap<string, Segment> {
  const outdated = wanted.filter(({ segment, text }) => {
    const known = existing.get(segment.id)?.source;
    const now = entrySource(segment) ?? segment.parts;
    return text !== undefined && known !== undefined && !sameParts(known, now);
  });
  return new Map(outdated.map(({ segment }) => [segment.id, segment]));
}

/**
 * A mark that says "this is a guess" is one for all plural forms of a message (`fuzzy` in PO). It goes when one form is written. The other
 * forms are then emptied: without the mark, programs would use their guesses as translations.
 */
export function endedGuesses(
  { doc }: OpenFile,
  wanted: ReadonlyMap<string, WantedText | undefined>,
): (segment: Segment) => boolean {
  const written = new Set(
    doc.segments.flatMap(({ id, plural }) => (wanted.get(id) && plural ? [plural.group] : [])),
  );
  return ({ id, gap, plural }) =>
    gap === 'waiting' && !wanted.get(id) && written.has(plural?.group ?? '');
}

export function writtenStates(
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

export function insertionsFor(
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
