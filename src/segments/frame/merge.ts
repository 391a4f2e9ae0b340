/**
 * Three-way merge, line by line, of everything that is not a segment: the source that was last seen, the source now, the target now. A line
 * that a person changed in the target stays. A line that no person changed follows the source. A line that both changed is a conflict.
 * Pure.
 */

import { commonSubsequence } from '../subsequence.ts';
import { underlineLevel } from './block-syntax.ts';
import { chunksOf } from './chunks.ts';
import { firstFrame } from './first.ts';
import {
  areSameKeys,
  endsLine,
  type FramePiece,
  isBlankPiece,
  isSegmentKey,
  lineKey,
  type PageFrames,
  type ParagraphSides,
  pieceKey,
} from './frame.ts';
import { withOwnIndents, withSourceIndents } from './item-indents.ts';
import { withoutLeaving } from './leaving.ts';
import {
  isFromSource,
  LINE_END,
  type MergedPiece,
  piecesFrom,
  withGaps,
  withoutDuplicates,
  withoutLines,
} from './lines.ts';
import { withListMarks } from './list-marks.ts';
import { inSourceOrder } from './moves.ts';
import { outsideElements } from './outside.ts';
import { withOwnLines } from './own-lines.ts';
import { rangesOfPage } from './replaced.ts';
import { containerSigns } from './unit-lines.ts';

/** Without `before`, at first contact, each difference in the target counts as a person's. */
export interface FrameInput extends PageFrames {
  /** Segments of the target that belong to no segment of the source are lines here. */
  readonly target: readonly FramePiece[];
  /** Ids of source segments that are not written to the target. */
  readonly absent?: ReadonlySet<string>;
  /** The paragraphs keep the order of the target; only lines follow the source. */
  readonly keepsOrder?: true;
  /** Which of the two versions is written. `open`: nobody has decided, so the person's lines stay until then. */
  decide(conflict: FrameConflict): FrameChoice | 'open';
}

export type FrameChoice = 'human' | 'machine' | { readonly text: string };

/** Lines that a person and the source both changed. */
export interface FrameConflict {
  readonly source: string;
  readonly target: string;
}

/** The id of a conflict, by which a person decides about it. */
export function frameId({ source, target }: FrameConflict): string {
  return `frame-${lineKey(`${source}\0${target}`)}`;
}

export interface FrameMerge {
  readonly pieces: readonly MergedPiece[];
  /** The conflicts that are open. */
  readonly conflicts: readonly FrameConflict[];
  /** The source lines to remember; for an open conflict, the old ones. */
  readonly seen: readonly string[];
}

export function mergeFrames(input: FrameInput): FrameMerge {
  const { before, keepsOrder, source } = input;
  const known = keepsOrder || before === undefined ? undefined : { ...input, before };
  const { target, own } = known ? withSourceIndents(known) : { ...input, own: new Map() };
  const { isMoved = false, ...sides } = (known && inSourceOrder({ ...known, target })) ?? {};
  const merge = mergeLines({ ...input, target, ...sides });
  const isAsBefore = merge.pieces.length === target.length && !merge.pieces.some(isFromSource);
  if (isAsBefore && !isMoved && own.size === 0) return merge;
  const pieces = withOwnIndents(merge.pieces, { source, target: input.target, own });
  return { ...merge, pieces: withListMarks(pieces, { isMoved, target: input.target }) };
}

function mergeLines(input: FrameInput): FrameMerge {
  const { before, source, target, absent, decide, keepsOrder } = input;
  if (keepsOrder && before !== undefined) {
    const { pieces } = mergeLines({ ...input, before: undefined });
    return { conflicts: [], ...withSourceLines({ before, source }, pieces, decide) };
  }
  const sourceKeys = source.map(pieceKey);
  const left = new Set([...(absent ?? [])].map((id) => `#${id}`));
  const wanted = new Set(sourceKeys.filter((key) => isSegmentKey(key) && !left.has(key)));
  const leaves = ({ piece }: MergedPiece) => !wanted.has(pieceKey(piece));
  if (before !== undefined && areSameKeys(sourceKeys, before)) {
    // Nothing to merge: 300,000 pieces took a second.
    const pieces = withoutLines(piecesFrom('target', target), leaves);
    return { pieces, conflicts: [], seen: sourceKeys };
  }
  const keys = { source: sourceKeys, target: target.map(pieceKey) };
  const first = before === undefined ? firstFrame(source, keys.target, left) : undefined;
  const base = before ?? first?.map((at) => sourceKeys[at] ?? '') ?? [];
  const decideNow = before === undefined ? () => 'human' as const : decide;
  const now = new Set(sourceKeys);
  const inSource = first?.map((at, index) => ({ a: index, b: at }));
  const isGone = (key: string) => !now.has(key);
  const chunks = rangesOfPage({ before, source, target }, base.length).flatMap(
    ([b, s, t, stretch]): MergedChunk[] => {
      if (stretch !== undefined) return [{ pieces: stretch.pieces, seen: sourceKeys.slice(...s) }];
      const sides = { source: keys.source.slice(...s), target: keys.target.slice(...t) };
      const [then, theirs, mine] = [base.slice(...b), source.slice(...s), target.slice(...t)];
      return chunksOf(then, sides, inSource).map(([inBase, inTheirs, inMine]) =>
        mergeChunk(
          {
            before: then.slice(...inBase),
            source: theirs.slice(...inTheirs),
            target: mine.slice(...inMine),
            previous: target[t[0] + inMine[0] - 1] ?? LINE_END,
          },
          { decide: decideNow, isGone, isKnown: before !== undefined },
        ),
      );
    },
  );
  const pieces = chunks.flatMap((chunk) => chunk.pieces);
  const mayGo = before === undefined ? isFromSource : undefined;
  const placed = withoutDuplicates(withoutLines(pieces, leaves), mayGo);
  return {
    pieces: withGaps(withOwnLines(placed, { before, source, target }), source),
    conflicts: chunks.flatMap(({ conflicts = [] }) => conflicts),
    seen: before === undefined ? keys.source : chunks.flatMap(({ seen }) => seen),
  };
}

interface MergedChunk {
  readonly pieces: readonly MergedPiece[];
  readonly seen: readonly string[];
  readonly conflicts?: readonly FrameConflict[];
}

interface ChunkRules extends Pick<FrameInput, 'decide'> {
  /** Whether the source has a paragraph no longer, by its key. */
  isGone(key: string): boolean;
  /** Whether the last source is known, and no guess. */
  readonly isKnown: boolean;
}

function mergeChunk(sides: ParagraphSides, { decide, isGone, isKnown }: ChunkRules): MergedChunk {
  const { before } = sides;
  const [source, target] = [sides.source.map(pieceKey), sides.target.map(pieceKey)];
  const ours = { pieces: piecesFrom('target', sides.target), seen: source };
  if (areSameKeys(source, before) || areSameKeys(source, target)) return ours;
  const left = areSameKeys(target, before)
    ? piecesFrom('source', sides.source)
    : ((isKnown ? besideOwn(sides, target) : undefined) ?? withoutLeaving(sides, isGone));
  if (left !== undefined) return { pieces: left, seen: source };
  const current = new Set(target);
  if (source.some((key) => isSegmentKey(key) && !current.has(key))) {
    const pieces = withNewParagraphs(sides, current);
    return source.some((key) => current.has(key) && isSegmentKey(key))
      ? withSourceLines(sides, pieces, decide)
      : { pieces, seen: source };
  }
  if ([...before, ...source, ...target].some(isSegmentKey)) {
    return withSourceLines(sides, ours.pieces, decide);
  }
  return decided(sides, decide);
}

/** What the source has now, where the person has all lines that were seen, and only added lines above or below them. */
function besideOwn(
  { before, source, target, previous }: ParagraphSides,
  keys: readonly string[],
): readonly MergedPiece[] | undefined {
  const isLong = before.length * keys.length > MOST_STEPS;
  if (isLong || before.every((key) => key === EMPTY_KEY)) return undefined;
  const isHere = (at: number) => before.every((key, nth) => keys[at + nth] === key);
  const [from, ...others] = [...keys.keys()].filter(isHere);
  if (from === undefined || others.length > 0) return undefined;
  const end = from + before.length;
  // The tag before a text ends no line on any side.
  const isSign =
    end === target.length && [target, source].every((side) => !endsLine(side.at(-1) ?? LINE_END));
  const isWhole =
    endsLine(target[from - 1] ?? previous) && (isSign || endsLine(target[end - 1] ?? previous));
  if (!isWhole) return undefined;
  const [above, below] = [target.slice(0, from), target.slice(end)];
  // One end of a container may have the other end elsewhere.
  if (containersOn(target.slice(from, end)) !== containersOn(source)) return undefined;
  // Lines that got words: a person's line beside them may be about a text that is elsewhere now.
  const isMixed = [...above, ...below].some((piece) => !isBlankPiece(piece));
  if ((isMixed ? [...source, ...target] : target).some(({ kind }) => kind === 'segment')) {
    return undefined;
  }
  return [
    ...piecesFrom('target', above),
    ...piecesFrom('source', source),
    ...piecesFrom('target', below),
  ];
}

function containersOn(pieces: readonly FramePiece[]): string {
  const signs = pieces.flatMap((piece) => containerSigns(piece.kind === 'line' ? piece.text : ''));
  return signs.map(({ name, isEnd }) => `${isEnd ? '/' : ''}${name}`).join(' ');
}

const EMPTY_KEY = lineKey('\n');
/** Longer ranges would take too long for what is found. */
const MOST_STEPS = 1_000_000;

/**
 * For paragraphs whose order or number differs from the source: they stay as they are. The lines between them still follow the source where
 * it replaced lines. A line that the source moved stays, because its paragraphs did not move with it.
 * @param merged the pieces of the target, with the new paragraphs
 */
function withSourceLines(
  { before, source }: Pick<ParagraphSides, 'before' | 'source'>,
  merged: readonly MergedPiece[],
  decide: FrameInput['decide'],
): MergedChunk {
  const lines = source.filter(({ kind }) => kind === 'line');
  const old = before.filter((key) => !isSegmentKey(key));
  const pieces = merged.map(({ piece }) => piece);
  const keys = { source: lines.map(pieceKey), target: pieces.map(pieceKey) };
  const [known, now] = [new Set(old), new Set(keys.source)];
  const chunks = chunksOf(old, keys).map(([b, s, t]): LineChunk => {
    const [then, theirs, mine] = [old.slice(...b), lines.slice(...s), pieces.slice(...t)];
    const seen = theirs.map(pieceKey);
    const ours = { pieces: merged.slice(...t), seen, lines: seen.length };
    const current = mine.map(pieceKey);
    const isNew = theirs.every((line) => !isBlankPiece(line) && !known.has(pieceKey(line)));
    const isGone = then.every((key) => !now.has(key));
    const isBetween = isCode(pieces[t[0] - 1]) && isCode(pieces[t[1]]);
    const isAlike = then.length === theirs.length || isBetween;
    if (!isNew || !isGone || !isAlike || areSameKeys(current, ours.seen)) return ours;
    if (areSameKeys(current, then)) return { ...ours, pieces: piecesFrom('source', theirs) };
    if (theirs.length === 0 || mine.length === 0 || !mine.every(isCode)) return ours;
    const sides = { before: then, source: theirs, target: mine, previous: LINE_END };
    return { ...ours, ...decided(sides, decide) };
  });
  return {
    pieces: chunks.flatMap((chunk) => chunk.pieces),
    seen: withSegments(chunks.flatMap(byLine), source),
    conflicts: chunks.flatMap(({ conflicts = [] }) => conflicts),
  };
}

interface LineChunk extends MergedChunk {
  /** Number of source lines in this chunk. */
  readonly lines: number;
}

function byLine({ seen, conflicts, lines }: LineChunk): (readonly string[])[] {
  if (conflicts === undefined) return seen.map((key) => [key]);
  return [seen, ...Array.from({ length: lines - 1 }, () => [])];
}

/** The keys to remember for each line, with the segments at their positions between them. */
function withSegments(
  seen: readonly (readonly string[])[],
  source: readonly FramePiece[],
): string[] {
  const rest = seen.values();
  return source.flatMap((piece) =>
    piece.kind === 'segment' ? [pieceKey(piece)] : (rest.next().value ?? []),
  );
}

function isCode(piece: FramePiece | undefined): boolean {
  return piece?.kind === 'line' && !isBlankPiece(piece);
}

function decided(
  { before, source, target }: ParagraphSides,
  decide: FrameInput['decide'],
): MergedChunk {
  const conflict = { source: textOfLines(source), target: textOfLines(target) };
  const seen = source.map(pieceKey);
  const beside = blankBesideOwn({ before, source, target, previous: LINE_END });
  if (beside !== undefined) return { pieces: beside, seen };
  // The length of a line below a heading says nothing.
  if (isSameUnderline(conflict)) return { pieces: piecesFrom('target', target), seen };
  const choice = decide(conflict);
  switch (choice) {
    case 'open':
      return { pieces: piecesFrom('target', target), seen: before, conflicts: [conflict] };
    case 'human':
      return { pieces: piecesFrom('target', target), seen };
    case 'machine':
      return { pieces: piecesFrom('source', source), seen };
    default:
      return { pieces: piecesFrom('target', [{ kind: 'line', text: choice.text }]), seen };
  }
}

/** Only the number of blank lines changed in the source. One that was added divides the person's lines from what is below them. */
function blankBesideOwn({ before, source, target }: ParagraphSides): MergedPiece[] | undefined {
  if (!source.every(isBlankPiece) || before.some((key) => key !== EMPTY_KEY)) return undefined;
  const last = target.at(-1);
  const isOpen = last !== undefined && endsLine(last) && !isBlankPiece(last);
  const added = isOpen ? source.slice(before.length) : [];
  return [...piecesFrom('target', target), ...piecesFrom('source', added)];
}

function isSameUnderline({ source, target }: FrameConflict): boolean {
  const level = underlineLevel(target);
  return level > 0 && level === underlineLevel(source);
}

/** The source has new paragraphs where a person also wrote something: both are kept, the person's pieces first. */
function withNewParagraphs(sides: ParagraphSides, current: ReadonlySet<string>): MergedPiece[] {
  const { source, target, previous } = sides;
  if (source.some((piece) => piece.kind === 'segment' && current.has(pieceKey(piece)))) {
    return [...mergeLines({ ...sides, before: undefined, decide: () => 'human' }).pieces];
  }
  const ending = target.findLastIndex(endsLine) + 1;
  const beginsLine = endsLine(previous);
  if (ending === 0 && (!beginsLine || target.length === 0)) {
    const added = target.length === 0 ? withoutTakenOut(sides) : source;
    return [...piecesFrom('target', target), ...piecesFrom('source', added)];
  }
  const added = newParagraphsOf(sides);
  // The target's range begins inside a line: the source's addition to that line goes before it.
  if (!beginsLine && !source.slice(0, added.first).some(endsLine)) {
    const { end } = added;
    return [...piecesFrom('source', source.slice(0, end)), ...piecesFrom('target', target)];
  }
  const place = beginsLine ? piecesBeforeNew(target, added) : ending;
  const head = outsideElements(target, place, added.above === 0);
  const above = head === 0 ? previous : target[head - 1];
  const blanks = isBlankPiece(above) ? 0 : blanksBefore(source, added.from, previous);
  return [
    ...piecesFrom('target', target.slice(0, head)),
    ...piecesFrom('source', source.slice(added.from - blanks, added.to)),
    ...piecesFrom('target', target.slice(head)),
  ];
}

/** A person's range is empty: lines of the last source do not come back with the new paragraphs. */
function withoutTakenOut({ before, source, previous }: ParagraphSides): FramePiece[] {
  const known = new Set(commonSubsequence(before, source.map(pieceKey)).map(({ b }) => b));
  return source.filter((piece, at) => {
    const isWhole = endsLine(piece) && endsLine(source[at - 1] ?? previous);
    return !known.has(at) || !isWhole || isBlankPiece(piece);
  });
}

interface NewParagraphs {
  /** `first`: index of the first new paragraph; `end`: behind the last one. */
  readonly first: number;
  readonly end: number;
  /** The range of whole lines that are new in the source. */
  readonly from: number;
  readonly to: number;
  /** Number of known lines before and behind that range. */
  readonly above: number;
  readonly below: number;
}

/** The new paragraphs with their lines. If it is known which lines are old, all lines between those are new too. */
function newParagraphsOf({ before, source }: ParagraphSides): NewParagraphs {
  const isNew = (piece: FramePiece) => piece.kind === 'segment';
  const [first, last] = [source.findIndex(isNew), source.findLastIndex(isNew)];
  const lineStart = source.slice(0, first).findLastIndex(endsLine) + 1;
  const lineEnd = source.findIndex((piece, at) => at >= last && endsLine(piece));
  // The marks on the line of a new paragraph belong to it, also when an old line begins with the same mark.
  const isApart = (at: number) => at < lineStart || (lineEnd >= 0 && at > lineEnd);
  const lines = source.flatMap((piece, at) =>
    piece.kind === 'line' && !isBlankPiece(piece) && isApart(at) ? [at] : [],
  );
  const keys = source.map((piece, at) => (isApart(at) ? pieceKey(piece) : `#${at}`));
  const known = new Set(commonSubsequence(before, keys).map(({ b }) => b));
  const seen = lines.filter((at) => known.has(at));
  const old = seen.length > 0 ? seen : lines;
  const [above, below] = [old.filter((at) => at < first), old.filter((at) => at > last)];
  const from = source.findIndex((piece, at) => at > (above.at(-1) ?? -1) && !isBlankPiece(piece));
  const counts = { first, end: last + 1, above: above.length, below: below.length };
  return seen.length > 0
    ? { from, to: below[0] ?? source.length, ...counts }
    : { from: lineStart, to: blanksBehind(source, last), ...counts };
}

/**
 * Number of the person's pieces before the insertion. If the source has no known line above, all but the `below` last lines. If the target
 * has exactly as many lines as the source, the first `above` lines.
 */
function piecesBeforeNew(target: readonly FramePiece[], { above, below }: NewParagraphs): number {
  const ending = target.findLastIndex(endsLine) + 1;
  const lines = target.flatMap((piece, at) => (isBlankPiece(piece) ? [] : [at]));
  const isCertain = above === 0 ? below > 0 : lines.length === above + below;
  if (!isCertain) return ending;
  const next = lines[Math.max(0, lines.length - below)];
  return next !== undefined && endsLine(target[next - 1] ?? LINE_END)
    ? next
    : above === 0
      ? 0
      : ending;
}

/** The number of empty lines. The end of the line of a text is none. */
function blanksBefore(pieces: readonly FramePiece[], index: number, previous: FramePiece): number {
  const last = pieces.slice(0, index).findLastIndex((piece) => !isBlankPiece(piece));
  const blanks = index - 1 - last;
  return (pieces[last] ?? previous).kind === 'segment' ? Math.max(0, blanks - 1) : blanks;
}

/** The end of the line of a piece, and of the empty lines behind it. The blanks before the next text on its line are no empty line. */
function blanksBehind(pieces: readonly FramePiece[], index: number): number {
  const lineEnd = pieces.findIndex((piece, at) => at > index && endsLine(piece));
  if (lineEnd < 0) return pieces.length;
  const isEmptyLine = (piece: FramePiece) => isBlankPiece(piece) && endsLine(piece);
  const next = pieces.findIndex((piece, at) => at > lineEnd && !isEmptyLine(piece));
  return next < 0 ? pieces.length : next;
}

function textOfLines(pieces: readonly FramePiece[]): string {
  return pieces.map((piece) => (piece.kind === 'line' ? piece.text : '')).join('');
}
