/**
 * Composes sequences (Markdown, HTML, text), which have no keys. A new target gets the frame of the source. An existing target keeps
 * its frame. Where no person edited the frame, it gets the changes of the source's frame.
 */

import { JobFailure } from '../../failure.ts';
import type { Part, Segment } from '../../format.ts';
import { sourceParts } from '../../format.ts';
import {
  type FramePiece,
  framePieces,
  lineKey,
  packFrame,
  pieceKey,
} from '../../segments/frame/frame.ts';
import { LINE_END, type MergedPiece } from '../../segments/frame/lines.ts';
import { type FrameInput, frameId } from '../../segments/frame/merge.ts';
import type { ComposedText, Composition, SegmentPlacement } from './composition.ts';
import { mergePages, type PageMerge } from './merge-pages.ts';
import { type OpenFile, reread } from './open.ts';
import { withOpenConflicts } from './open-conflicts.ts';
import { normalizeParts } from './parts.ts';
import { splice } from './splice.ts';
import { linesWith } from './unmoved-texts.ts';
import {
  type Intended,
  type ReadOtherwise,
  refusedSegments,
  verifyInOrder,
  verifyPairs,
  verifyPlaced,
} from './verify.ts';
import { containersOf, verifyContainers } from './verify-containers.ts';
import { verifyPage } from './verify-page.ts';

export function composeSequence(composition: Composition): ComposedText {
  const { source, target, frame } = composition;
  if (target === undefined || frame === undefined) return fromSource(composition);
  const existing = { ...composition, source, target, frame };
  // The source's frame changes may not fit the frame that people edited. Then the paragraphs keep their places, or the whole frame stays.
  const ways: Existing['frame'][] = [frame, { ...frame, keepsOrder: true }];
  for (const way of frame.before === undefined ? [] : ways) {
    try {
      return inTarget({ ...existing, frame: way });
    } catch (error) {
      if (!isUnfit(error)) throw error;
    }
  }
  // A decision of a person cannot remove lines that the merge could not remove. So every decision except `human` counts as open.
  const decide: FrameInput['decide'] = (conflict) =>
    frame.decide(conflict) === 'human' ? 'human' : 'open';
  const withOpenFrame = { ...existing, frame: { ...frame, before: undefined, decide } };
  const stays = stayingFrame(withOpenFrame, frame.before);
  return frame.before === undefined ? stays : withUnwritten(stays, existing, frame.before);
}

/** Whether the composed page does not read back: a text is not as it was meant, or the page has a fault. */
function isUnfit(error: unknown): boolean {
  const isFault = error instanceof JobFailure && error.failure.kind === 'malformed';
  return isFault || refusedSegments(error).length > 0;
}

/**
 * Without the texts that left the source, the person's frame may have a fault: an element of MDX without its other half. Then these texts
 * stay, and their lines are a conflict until a person removes them.
 */
function stayingFrame(existing: Existing, before: readonly string[] | undefined): ComposedText {
  try {
    return inTarget(existing, before);
  } catch (error) {
    const { source, target, frame } = existing;
    const ids = new Set(source.doc.segments.map(({ id }) => id));
    const placed = new Map([...frame.placed].filter(([id]) => ids.has(id)));
    const isOld = refusedSegments(error).every(({ key }) => frame.placed.has(key));
    const isFault = isOld && isUnfit(error);
    if (!isFault || before === undefined || placed.size === frame.placed.size) throw error;
    const gone = frame.placed.entries().flatMap(([id, at]) => (ids.has(id) ? [] : [at]));
    const left = linesWith(target, [...gone]).map(lineKey);
    return inTarget({ ...existing, frame: { ...frame, placed } }, [...left, ...before]);
  }
}

/** New source lines that fit nowhere in the person's frame are a conflict, until a person decides for the target. */
function withUnwritten(
  composed: ComposedText,
  { frame, ...existing }: Existing,
  before: readonly string[],
): ComposedText {
  const known = new Set(before);
  const pieces = sourcePieces(existing, frame.ignored);
  const lines = pieces.flatMap((piece) =>
    piece.kind === 'line' && !known.has(pieceKey(piece)) ? [piece.text] : [],
  );
  const conflict = { source: lines.join(''), target: '' };
  if (conflict.source.trim() === '' || frame.decide(conflict) === 'human') return composed;
  const isText = (key: string) => key.startsWith('#');
  const keys = pieces.map(pieceKey);
  // It is tried again in the next run if source and target still have the same paragraphs.
  const isKept = before.filter(isText).join() === keys.filter(isText).join();
  const record = { ...composed.frame?.record, lines: packFrame(isKept ? before : keys) };
  const others = composed.frame?.conflicts.filter((each) => frameId(each) !== frameId(conflict));
  const conflicts = [...(others ?? []), conflict];
  return { ...composed, frame: { record, conflicts } };
}

/** A new target: the frame of the source, with each segment's text. */
function fromSource(composition: Composition): ComposedText {
  const { source, frame } = composition;
  const ignored = frame?.ignored ?? new Set();
  const pieces = sourcePieces(composition, new Set());
  const written = writePieces(
    pieces.map((piece) => ({ piece, from: 'source' })),
    (id) => sourceContent(composition, id),
  );
  const file = reread(source, written.text, composition);
  const otherwise = verifyInOrder(file, written.intended, composition);
  const lines = packFrame(sourcePieces(composition, ignored).map(pieceKey));
  const text = written.text;
  const ownFrame = { record: { lines }, conflicts: [] };
  return { text, bytes: source.encode(text), frame: ownFrame, file, otherwise };
}

type Existing = Composition & PageMerge & { readonly target: OpenFile };

/** @param seen keys of the source when it was last read; used only to report the lines that it removed since */
function inTarget(existing: Existing, seen = existing.frame.before): ComposedText {
  const { source, target, frame } = existing;
  const { placed, ignored } = frame;
  const isPlaced = new Set(placed.values());
  const own = target.doc.segments.filter((_, index) => !isPlaced.has(index));
  const pages = { source: sourcePieces(existing, ignored), target: targetPieces(target, placed) };
  const merged = mergePages(existing, pages, seen);
  const toLineEnds = lineEndsOf(target.text);
  const written = writePieces(
    merged.pieces.map((each) => withLineEnds(each, toLineEnds)),
    (id) => contentIn(existing, id, toLineEnds),
  );
  verifyPlaced(existing.placements, written.intended, existing);
  const now = merged.pieces.map(({ piece }) => piece);
  const isSame = written.text === target.text;
  const file = isSame ? target : reread(target, written.text, existing);
  let otherwise: ReadOtherwise = new Map();
  if (!isSame) {
    const loose = [...own, ...source.doc.segments.filter(({ id }) => ignored.has(id))];
    otherwise = verifyInOrder(file, written.intended, { ...existing, loose });
    const ids = written.intended.map(({ id }) => id);
    const suspects = [...ids.filter((id) => !placed.has(id)), ...ids];
    verifyPairs(file, { suspects, known: [source, target] }, existing);
    verifyPage(now, pages, { ...existing, seen });
    const containers = {
      source: new Map(source.doc.segments.map((each) => [each.id, each])),
      target: new Map([...placed].map(([id, at]) => [id, target.doc.segments[at]])),
    };
    verifyContainers(containersOf(file, written.intended), containers, existing);
  }
  const keys = own.map(({ parts }) => ownKey(parts));
  const record = { lines: packFrame(merged.seen), ...(keys.length === 0 ? {} : { own: keys }) };
  const { text } = written;
  const conflicts = withOpenConflicts(merged.conflicts, existing, { ...written, pages, now, seen });
  return { text, bytes: target.encode(text), frame: { record, conflicts }, file, otherwise };
}

/** Identifies a text that only the target has. */
export function ownKey(parts: readonly Part[]): string {
  return lineKey(
    normalizeParts(parts)
      .map((part) => (typeof part === 'string' ? part : part.raw))
      .join(''),
  );
}

/** The source's pieces, with the language of the target in them. */
export function sourcePieces(
  { source, options }: Pick<Composition, 'source' | 'options'>,
  ignored: ReadonlySet<string>,
): FramePiece[] {
  const edits = options.language ? (source.doc.localeEdits?.(options.language) ?? []) : [];
  const moved = (offset: number) =>
    edits.reduce(
      (at, { start, end, text }) => (end <= offset ? at + text.length - (end - start) : at),
      offset,
    );
  const places = source.doc.segments
    .filter(({ id }) => !ignored.has(id))
    .map(({ id, start, end }) => ({ id, start: moved(start), end: moved(end) }));
  return framePieces(splice(source.text, edits), places);
}

/** The frames of two files as strings, for comparison; which texts belong together does not matter for it. */
export function framesOf({
  source,
  target,
  options,
}: Pick<Composition, 'source' | 'options'> & { readonly target: OpenFile }) {
  const own = framePieces(target.text, target.doc.segments);
  return {
    source: packFrame(sourcePieces({ source, options }, new Set()).map(pieceKey)),
    target: packFrame(own.map(pieceKey)),
  };
}

/** Texts of the target that belong to no segment are lines of its frame. */
export function targetPieces(
  { text, doc }: OpenFile,
  placed: ReadonlyMap<string, number>,
): FramePiece[] {
  const idAt = new Map([...placed].map(([id, index]) => [index, id]));
  const places = doc.segments.flatMap(({ start, end }, index) => {
    const id = idAt.get(index);
    return id === undefined ? [] : [{ id, start, end }];
  });
  return framePieces(text, places);
}

/** Keys of the target's pieces, without texts that belong to no segment: a person wrote those, and they stay. */
export function ourKeys(target: OpenFile, placed: ReadonlyMap<string, number>): string[] {
  const { segments } = target.doc;
  const belonging = new Set(placed.values());
  const theirs = segments.filter((_, at) => !belonging.has(at));
  let position = 0;
  let next = 0;
  return targetPieces(target, placed).flatMap((piece) => {
    const start = position;
    if (piece.kind === 'segment') {
      position = segments[placed.get(piece.id) ?? -1]?.end ?? start;
      return [pieceKey(piece)];
    }
    position = start + piece.text.length;
    while ((theirs[next]?.end ?? position) <= start) next += 1;
    const text = theirs[next];
    return text !== undefined && text.start < position ? [] : [pieceKey(piece)];
  });
}

interface SegmentContent {
  readonly parts: readonly Part[];
  readonly text: string;
}

function sourceContent(
  { source, placements }: Composition,
  id: string,
): SegmentContent | undefined {
  const segment = segmentWithId(source, id);
  return segment && encoded(segment, placements.get(id));
}

/** A kept text stays byte for byte; a written text follows the spelling of the target. */
function contentIn(
  { source, target, placements, frame }: Existing,
  id: string,
  toLineEnds: (text: string) => string,
): SegmentContent | undefined {
  const placement = placements.get(id) ?? { kind: 'keep' };
  const index = frame.placed.get(id);
  const existing = index === undefined ? undefined : target.doc.segments[index];
  const own = segmentWithId(source, id);
  // A paragraph that became a heading is written as one.
  const segment = own !== undefined && own.leaf !== existing?.leaf ? own : (existing ?? own);
  if (segment === undefined) return undefined;
  if (existing !== undefined && placement.kind !== 'write') {
    return { parts: existing.parts, text: target.text.slice(existing.start, existing.end) };
  }
  const { parts, text } = encoded(segment, placement);
  return { parts, text: toLineEnds(text) };
}

function encoded(segment: Segment, placement: SegmentPlacement | undefined): SegmentContent {
  const parts = placement?.kind === 'write' ? placement.parts : sourceParts(segment);
  return { parts, text: segment.encode(parts) };
}

const byId = new WeakMap<OpenFile, ReadonlyMap<string, Segment>>();

function segmentWithId(file: OpenFile, id: string): Segment | undefined {
  const known = byId.get(file) ?? new Map(file.doc.segments.map((each) => [each.id, each]));
  byId.set(file, known);
  return known.get(id);
}

/** Converts line ends of a text to those of a file; a file without line ends changes nothing. */
function lineEndsOf(text: string): (text: string) => string {
  const [end] = /\r\n|\n|\r/.exec(text) ?? [];
  return (other) => (end === undefined ? other : other.replace(/\r\n|\n|\r/g, end));
}

function withLineEnds(each: MergedPiece, convert: (text: string) => string): MergedPiece {
  const { piece, from } = each;
  const isPersons = from === 'target' && piece !== LINE_END;
  if (isPersons || piece.kind === 'segment') return each;
  return { from, piece: { kind: 'line', text: convert(piece.text) } };
}

interface SequenceText {
  readonly text: string;
  readonly intended: readonly Intended[];
}

function writePieces(
  pieces: readonly MergedPiece[],
  contentOf: (id: string) => SegmentContent | undefined,
): SequenceText {
  const texts: string[] = [];
  const intended: Intended[] = [];
  let length = 0;
  for (const { piece } of pieces) {
    const content = piece.kind === 'segment' ? contentOf(piece.id) : undefined;
    const text = piece.kind === 'line' ? piece.text : (content?.text ?? '');
    if (piece.kind === 'segment' && content !== undefined) {
      const region = { start: length, end: length + text.length };
      intended.push({ id: piece.id, parts: content.parts, region });
    }
    texts.push(text);
    length += text.length;
  }
  return { text: texts.join(''), intended };
}
