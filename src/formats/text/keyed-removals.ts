/** Removes entries from a keyed target, before others are inserted into it. Pure. */
import { type Edit, partsText, type Replacement, type Segment } from '../../format.ts';
import type { Composition } from './composition.ts';
import { entryLines } from './entry-lines.ts';
import { lacksValue } from './expect.ts';
import { keepComments } from './kept-comments.ts';
import { insertionsFor, placementOf, wantedTexts } from './keyed-texts.ts';
import { type OpenFile, reread } from './open.ts';
import { splice } from './splice.ts';
import { verify } from './verify.ts';

export interface Cleared {
  readonly file: OpenFile;
  /** `Insertion.notes`, by id. */
  readonly notes: Replacement['notes'];
}

// Deletions come first, in an edit of their own: removing the last entry and adding another one would both change the same comma.
export function clear(
  base: OpenFile,
  expected: readonly Segment[],
  composition: Composition,
): Cleared {
  const gone = idsToRemove(composition, expected, base);
  const present = new Set(base.doc.segments.map(({ id }) => id).filter((id) => gone.has(id)));
  const { edits, notes } = removal(base, present, { expected, composition });
  const file = localize(edited(base, edits, { gone: present, composition }), composition);
  return { file, notes };
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
    const moved = commentsOfMoved(composition);
    const texts = { source: source.text, target: text, moved };
    return { edits: keeps ? keepComments(edits, texts) : edits, notes: new Map() };
  }
  const existing = new Map(doc.segments.map((segment) => [segment.id, segment]));
  const wanted = wantedTexts(expected, existing, composition);
  const human = gone.intersection(composition.removedHuman ?? new Set());
  return doc.replace({ gone, human }, insertionsFor(wanted, existing));
}

/** They go to the new places with their entries (`withMovedEntries`). */
function commentsOfMoved({ source, renamed }: Composition): ReadonlySet<string> {
  const now = new Set(renamed?.values());
  const comments = source.doc.segments.flatMap((segment) =>
    now.has(segment.id) ? (entryLines(source.text, segment)?.comments ?? []) : [],
  );
  return new Set(comments.map((line) => line.trim()));
}

function localize(base: OpenFile, composition: Composition): OpenFile {
  const { options, target } = composition;
  if (target !== undefined || options.language === undefined) return base;
  const edits = base.doc.localeEdits?.(options.language) ?? [];
  // Android's references are left out of a new file.
  const references = base.doc.segments.flatMap(({ id, isReference }) => (isReference ? [id] : []));
  return edited(base, edits, { gone: new Set(references), composition });
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

/**
 * An element in the middle of a list may stay (`Doc.remove`); everything else must be gone. An alias of YAML may be the text that it stood
 * for, or its group.
 */
function survivors(base: OpenFile, cleared: OpenFile, gone: ReadonlySet<string>): Segment[] {
  const now = new Map(cleared.doc.segments.map((segment) => [segment.id, segment]));
  const stay = base.doc.segments.filter(
    ({ id, positional }) => !gone.has(id) || (positional === true && now.has(id)),
  );
  // An alias in a list is no segment.
  const known = new Set(base.doc.segments.map(({ id }) => id));
  const left = new Set(
    base.doc.segments.flatMap(({ id, parts }) => (gone.has(id) ? [partsText(parts)] : [])),
  );
  const isInList = ({ id, parts }: Segment) =>
    id.includes('[') && !known.has(id) && left.has(partsText(parts));
  const isMade = ({ id, isReference }: Segment) =>
    isReference === true && !now.get(id)?.isReference;
  const made = stay.filter(isMade).map(({ id }) => id);
  const own = cleared.doc.segments.filter(
    (each) =>
      isInList(each) ||
      made.some(
        (from) =>
          each.id === from || each.id.startsWith(`${from}.`) || each.id.startsWith(`${from}[`),
      ),
  );
  return [...stay.filter((segment) => !isMade(segment)), ...own];
}
