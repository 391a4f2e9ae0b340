/**
 * Where texts change places in the source, the target's texts change places before its lines are merged. Each takes its own signs and lines
 * along, as the person wrote them. The merge then sees texts in one order, and compares the lines of each text with its own. Pure.
 */

import { commonSubsequence } from '../subsequence.ts';
import { readBlock, readLine } from './block-syntax.ts';
import { areSameKeys, type FramePiece, isSegmentKey, pieceKey } from './frame.ts';
import { type FrameGap, gapIn, gapsOf, ownParagraphs, type SourceGaps, wordsIn } from './gaps.ts';
import { hasNumber, withSourceNumbers } from './numbers.ts';
import { type FrameUnit, frameUnitsOf, rememberedUnits } from './units.ts';

export interface RememberedPage {
  /** Keys of the source that was last seen. */
  readonly before: readonly string[];
  readonly source: readonly FramePiece[];
  readonly target: readonly FramePiece[];
}

/** The page in the order of its source, and with the source's numbers where only those changed. Undefined: it is so already. */
export function inSourceOrder(page: RememberedPage): MovedPage | undefined {
  const isMoved = changesOrder(page);
  if (!isMoved && !page.source.some(hasNumber)) return undefined;
  if (!isMoved && areSameKeys(page.source.map(pieceKey), page.before)) return undefined;
  if (areSameKeys(page.target.map(pieceKey), page.before)) return undefined;
  const source = frameUnitsOf(page.source);
  const target = frameUnitsOf(page.target);
  const sides = { before: rememberedUnits(page.before, { source, target }), target };
  const moved = isMoved ? movedSides(sides, source) : undefined;
  const { before, target: own } = withSourceNumbers(moved ?? sides, source);
  return {
    isMoved: moved !== undefined,
    before: before.map(({ key }) => key),
    target: own.flatMap(({ piece }) => piece ?? []),
  };
}

interface MovedPage extends Omit<RememberedPage, 'source'> {
  readonly isMoved: boolean;
}

/** Undefined: nothing to move, or a text that changes its place shares its line with another one. */
function movedSides(
  sides: Sides<FrameUnit>,
  source: readonly FrameUnit[],
): Sides<FrameUnit> | undefined {
  const now = keysOfTexts(source);
  const { before, target } = sides;
  const texts = commonTexts(keysOfTexts(before), keysOfTexts(target), new Set(now));
  const known = new Set(texts);
  const order = now.filter((key) => known.has(key));
  if (areSameKeys(texts, order)) return undefined;
  const starts = runStarts(texts, order);
  const blocks = { before: blocksOf(before, starts), target: blocksOf(target, starts) };
  const places = new Map(blocks.before.map(({ first }, at) => [first, at]));
  const to = [0, ...order.flatMap((key) => places.get(key) ?? [])];
  const isTorn = (block: MovedRun, at: number) => isTornLine(block, at, to);
  if (blocks.before.some(isTorn) || blocks.target.some(isTorn)) return undefined;
  const own = ownParagraphs(sides, texts);
  const moved = movedBlocks(blocks, to, gapsOf(source));
  return areInOrder(own, moved.target) ? moved : undefined;
}

/** Texts that the source moved, and that are not at their new places in the written page. */
export function unmovedTexts(
  page: RememberedPage,
  written: readonly FramePiece[],
): readonly string[] {
  if (!changesOrder(page)) return [];
  const now = keysOfTexts(frameUnitsOf(page.source));
  const before = page.before.filter(isSegmentKey);
  const mine = keysOfTexts(frameUnitsOf(page.target));
  const common = new Set(commonTexts(before, mine, new Set(now)));
  const here = keysOfTexts(frameUnitsOf(written)).filter((key) => common.has(key));
  const wanted = now.filter((key) => common.has(key));
  if (areSameKeys(here, wanted)) return [];
  const inOrder = new Set(commonSubsequence(wanted, here).map(({ a }) => wanted[a]));
  return wanted.filter((key) => !inOrder.has(key));
}

function areInOrder(own: readonly FrameUnit[], moved: readonly FrameUnit[]): boolean {
  const wanted = new Set(own);
  return moved.filter((unit) => wanted.has(unit)).every((unit, at) => unit === own[at]);
}

interface Sides<T> {
  readonly before: readonly T[];
  readonly target: readonly T[];
}

function movedBlocks(
  { before, target }: Sides<MovedRun>,
  to: readonly number[],
  source: SourceGaps,
): Sides<FrameUnit> {
  const cuts = before.map((block, at) => cutOf(block, before[at + 1], source));
  const own = before.map((block, at) => parted(block, cuts[at] ?? 0));
  const theirs = target.map((block, at) =>
    parted(block, sameCut(block, before[at], cuts[at] ?? 0)),
  );
  const gaps = gapsFor(own, to, (nth) => {
    const text = before[nth]?.texts.at(-1)?.key;
    const gap = text === undefined ? undefined : source.behind(text);
    return gap && parted({ first: undefined, texts: [], ...gap }, cuts[nth] ?? 0).gap.length;
  });
  return { before: joined(own, to, gaps), target: joined(theirs, to, gaps) };
}

function changesOrder({ before, source }: Pick<RememberedPage, 'before' | 'source'>): boolean {
  const now = source.flatMap((piece) => (piece.kind === 'segment' ? [pieceKey(piece)] : []));
  const [seen, current] = [new Set(before), new Set(now)];
  const kept = now.filter((key) => seen.has(key));
  const then = before.filter((key) => isSegmentKey(key) && current.has(key));
  return !areSameKeys(then, kept);
}

function keysOfTexts(units: readonly FrameUnit[]): string[] {
  return units.flatMap(({ kind, key }) => (kind === 'text' ? [key] : []));
}

/** Texts that the source still has, and that the target has in the order of the source that was last seen. */
function commonTexts(
  before: readonly string[],
  target: readonly string[],
  now: ReadonlySet<string>,
): string[] {
  const then = before.filter((key) => now.has(key));
  return commonSubsequence(then, target).map(({ a }) => then[a] ?? '');
}

/** The first texts of the longest runs that stay together. */
function runStarts(texts: readonly string[], order: readonly string[]): ReadonlySet<string> {
  const places = new Map(order.map((key, at) => [key, at]));
  return new Set(
    texts.filter((key, at) => {
      const above = places.get(texts[at - 1] ?? '');
      return above === undefined || places.get(key) !== above + 1;
    }),
  );
}

/** A run of texts, with the gap behind it. The first block of a page has what is above the first run. */
interface MovedRun extends FrameGap {
  readonly first: string | undefined;
  readonly texts: readonly FrameUnit[];
}

function blocksOf(units: readonly FrameUnit[], starts: ReadonlySet<string>): MovedRun[] {
  const at = units.flatMap(({ key }, index) => (starts.has(key) ? [index] : []));
  return [0, ...at].map((from, nth) => {
    const own = units.slice(from, at[nth]);
    const last = own.findLastIndex(({ kind }) => kind === 'text');
    const first = nth === 0 ? undefined : own[0]?.key;
    return { first, texts: own.slice(0, last + 1), ...gapIn(own.slice(last + 1), last >= 0) };
  });
}

/** Whether a block has no line end of its own and gets another neighbour. */
function isTornLine({ texts, rest }: MovedRun, at: number, to: readonly number[]): boolean {
  const isLast = at === to.length - 1 && to.at(-1) === at;
  return texts.length > 0 && rest.length === 0 && !isLast;
}

/** How many lines with words between two blocks belong to the upper one. */
function cutOf(block: MovedRun, next: MovedRun | undefined, source: SourceGaps): number {
  const keys = wordsIn(block).map(({ key }) => key);
  const behind = source.behind(block.texts.at(-1)?.key);
  const above = behind === undefined ? keys : wordsIn(behind).map(({ key }) => key);
  const below = wordsIn(source.before(next?.first)).map(({ key }) => key);
  const most = sharedStart(keys, above);
  const least = keys.length - sharedStart(keys.toReversed(), below.toReversed());
  if (most <= least) return least;
  const opening = keys.findIndex(
    (key, at) => at >= least && at < most && opensBlock(source.pieceOf(key)),
  );
  return opening < 0 ? most : opening;
}

function sharedStart(a: readonly string[], b: readonly string[]): number {
  const end = a.findIndex((key, at) => key !== b[at]);
  return end < 0 ? a.length : end;
}

/** A tag, a shortcode (`{% note %}`) or the line of a box: what follows belongs to it. */
function opensBlock(piece: FramePiece | undefined): boolean {
  if (piece?.kind !== 'line') return false;
  const { content } = readLine(piece.text);
  return readBlock(content).kind === 'opening' || OPENING.test(content);
}

const OPENING = /^(?:<[a-z]|\{\{?[%<][-\s]*(?!\/|end)\w)/i;

/** The same cut in the person's lines. Lines that only the person has stay with the block that they touch, else with the upper one. */
function sameCut(block: MovedRun, own: MovedRun | undefined, cut: number): number {
  const keys = wordsIn(own).map(({ key }) => key);
  const mine = wordsIn(block).map(({ key }) => key);
  if (mine.length === keys.length) return cut;
  const pairs = commonSubsequence(keys, mine);
  const from = (pairs.findLast(({ a }) => a < cut)?.b ?? -1) + 1;
  const to = pairs.find(({ a }) => a >= cut)?.b ?? mine.length;
  const blank = block.lines.findLastIndex(({ kind }) => kind === 'blank');
  const touching = blank < 0 ? 0 : block.lines.length - 1 - blank;
  return Math.max(from, Math.min(to, mine.length - touching));
}

/** A block with the lines that move with it. */
interface MovingBlock {
  readonly pieces: readonly FrameUnit[];
  /** The empty lines behind it: they belong to the place. */
  readonly gap: readonly FrameUnit[];
  /** What the next block begins with. */
  readonly head: readonly FrameUnit[];
}

function parted({ texts, rest, lines, sign }: MovedRun, cut: number): MovingBlock {
  const words = lines.flatMap(({ kind }, at) => (kind === 'blank' ? [] : [at]));
  const from = cut === 0 ? 0 : (words[cut - 1] ?? lines.length - 1) + 1;
  const to = words[cut] ?? lines.length;
  return {
    pieces: [...texts, ...rest, ...lines.slice(0, from)],
    gap: lines.slice(from, to),
    head: [...lines.slice(to), ...sign],
  };
}

/** The numbers of gaps with as many empty lines as the source has there now. If possible, it is the gap of the place or of the block. */
function gapsFor(
  own: readonly MovingBlock[],
  to: readonly number[],
  wantedBehind: (block: number) => number | undefined,
): number[] {
  const lengths = own.map(({ gap }) => gap.length);
  const first = new Map(lengths.map((length, at) => [length, at] as const).toReversed());
  return to.map((from, at) => {
    const wanted = wantedBehind(from) ?? lengths[at];
    const near = [at, from].find((nth) => lengths[nth] === wanted);
    return near ?? first.get(wanted ?? 0) ?? at;
  });
}

/** @param to the numbers of the blocks in their new order; @param gaps the numbers of the gaps behind them */
function joined(
  blocks: readonly MovingBlock[],
  to: readonly number[],
  gaps: readonly number[],
): FrameUnit[] {
  const moved = to.flatMap((from, at) => {
    const head = from === 0 ? [] : (blocks[from - 1]?.head ?? []);
    return [...head, ...(blocks[from]?.pieces ?? []), ...(blocks[gaps[at] ?? at]?.gap ?? [])];
  });
  return [...moved, ...(blocks.at(-1)?.head ?? [])];
}
