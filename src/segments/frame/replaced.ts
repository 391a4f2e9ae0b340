/**
 * Stretches of a page whose texts were all removed from the source. Their lines in the target are removed together, also where a person
 * changed the list markers. New texts come as the source has them, and lines that only the person has stay. Pure.
 */

import { append } from '../../parsing/append.ts';
import { commonSubsequence } from '../subsequence.ts';
import { boxesIn } from './boxes.ts';
import type { Chunk, FrameRange } from './chunks.ts';
import { areSameKeys, isSegmentKey, type PageFrames, pieceKey } from './frame.ts';
import { frontMatterOf } from './front-matter-lines.ts';
import { areWhole, leavingLines, outdented } from './leaving-lines.ts';
import { type MergedPiece, piecesFrom } from './lines.ts';
import type { RememberedPage } from './moves.ts';
import { linesOfUnits, type UnitLine } from './unit-lines.ts';
import { frameUnitsOf, rememberedUnits } from './units.ts';

/** Whole lines of the three versions, and what stands there now. */
interface ReplacedStretch {
  readonly before: FrameRange;
  readonly source: FrameRange;
  readonly target: FrameRange;
  readonly pieces: readonly MergedPiece[];
}

type PageRange = readonly [...Chunk, ReplacedStretch?];

/** The stretches of a page, and what is around them. @param length of the source that counts as last seen */
export function rangesOfPage({ before, source, target }: PageFrames, length: number): PageRange[] {
  const stretches = before === undefined ? [] : replacedStretches({ before, source, target });
  const ends = [length, source.length, target.length] as const;
  const ranges: PageRange[] = [];
  let done: readonly [number, number, number] = [0, 0, 0];
  const upTo = ([b, s, t]: typeof done): PageRange => [
    [done[0], b],
    [done[1], s],
    [done[2], t],
  ];
  for (const each of stretches) {
    const [b, s, t] = [each.before, each.source, each.target];
    ranges.push(upTo([b[0], s[0], t[0]]), [b, s, t, each]);
    done = [b[1], s[1], t[1]];
  }
  return [...ranges, upTo(ends)];
}

function replacedStretches(page: RememberedPage): ReplacedStretch[] {
  const now = new Set(page.source.map(pieceKey));
  if (page.before.every((key) => !isSegmentKey(key) || now.has(key))) return [];
  const [source, target] = [frameUnitsOf(page.source), frameUnitsOf(page.target)];
  const pieces = new Map([...source, ...target].map(({ key, piece }) => [key, piece]));
  const before = rememberedUnits(page.before, { source, target });
  const all = {
    before: linesOfUnits(before.map((unit) => ({ ...unit, piece: pieces.get(unit.key) }))),
    source: linesOfUnits(source),
    target: linesOfUnits(target),
  };
  const matterEnd = Math.max(
    ...[page.source, page.target].map((side) => frontMatterOf(side, () => false)?.end ?? -1),
  );
  const known = { now, mine: new Set(page.target.map(pieceKey)), titles: keptTitles(page, now) };
  return stretchesBetween(all)
    .filter((stretch) => hasLeft(stretch, known))
    .filter(
      ({ source: own }) => matterEnd < 0 || rangeLines(own).every(({ from }) => from > matterEnd),
    )
    .flatMap(betweenKeptLines)
    .flatMap((stretch) => replaced(stretch) ?? []);
}

/** Titles of boxes that stay: only the title leaves its line. */
function keptTitles({ target }: RememberedPage, now: ReadonlySet<string>): ReadonlySet<string> {
  const boxes = boxesIn(target).boxes.filter(({ texts }) => texts.some((id) => now.has(`#${id}`)));
  return new Set(boxes.flatMap(({ title }) => (title === undefined ? [] : [`#${title}`])));
}

/** Some lines of a version: `from` belongs to it, `to` does not. */
interface LineRange {
  readonly all: readonly UnitLine[];
  readonly from: number;
  readonly to: number;
}

type PageStretch = Readonly<Record<'before' | 'source' | 'target', LineRange>>;

function rangeLines({ all, from, to }: LineRange): readonly UnitLine[] {
  return all.slice(from, to);
}

function piecesIn({ all, from, to }: LineRange): FrameRange {
  return [all[from - 1]?.to ?? 0, all[to - 1]?.to ?? 0];
}

/** What is between the lines of texts that all three have. */
function stretchesBetween(
  all: Readonly<Record<keyof PageStretch, readonly UnitLine[]>>,
): readonly PageStretch[] {
  const [before, source, target] = [all.before, all.source, all.target].map(textPlaces);
  if (before === undefined || source === undefined || target === undefined) return [];
  const keys = (places: typeof before) => places.map(({ key }) => key);
  const inTarget = new Map(
    commonSubsequence(keys(before), keys(target)).map(({ a, b }) => [a, b] as const),
  );
  const cuts = commonSubsequence(keys(before), keys(source)).flatMap(({ a, b }) => {
    const own = inTarget.get(a);
    return own === undefined
      ? []
      : [{ before: before[a]?.at ?? 0, source: source[b]?.at ?? 0, target: target[own]?.at ?? 0 }];
  });
  const whole = {
    before: { all: all.before, from: 0, to: all.before.length },
    source: { all: all.source, from: 0, to: all.source.length },
    target: { all: all.target, from: 0, to: all.target.length },
  };
  return cutAt(whole, cuts);
}

function textPlaces(lines: readonly UnitLine[]) {
  return lines.flatMap(({ texts }, at) => texts.map((key) => ({ key, at })));
}

/** @param cuts indices of lines that belong to no stretch */
function cutAt(
  whole: PageStretch,
  cuts: readonly Readonly<Record<keyof PageStretch, number>>[],
): readonly PageStretch[] {
  const parts: PageStretch[] = [];
  let rest = whole;
  for (const { before, source, target } of cuts) {
    parts.push({
      before: { ...rest.before, to: before },
      source: { ...rest.source, to: source },
      target: { ...rest.target, to: target },
    });
    rest = {
      before: { ...rest.before, from: before + 1 },
      source: { ...rest.source, from: source + 1 },
      target: { ...rest.target, from: target + 1 },
    };
  }
  return [...parts, rest].filter((part) =>
    [part.before, part.source, part.target].every(({ from, to }) => from <= to),
  );
}

/** Whether all texts left, and no other one is there that both pages have. */
function hasLeft(
  stretch: PageStretch,
  { now, mine, titles }: Record<'now' | 'mine' | 'titles', ReadonlySet<string>>,
): boolean {
  const gone = new Set(textKeysIn(stretch.before));
  const own = textKeysIn(stretch.target);
  return (
    own.length > 0 &&
    own.every((key) => gone.has(key) && !titles.has(key)) &&
    !gone.values().some((key) => now.has(key)) &&
    !textKeysIn(stretch.source).some((key) => mine.has(key))
  );
}

function textKeysIn(range: LineRange): string[] {
  return rangeLines(range).flatMap(({ texts }) => texts);
}

/** Lines of code and comments that the source keeps cut a stretch. Where a person changed one of them, nothing is sure. */
function betweenKeptLines(stretch: PageStretch): readonly PageStretch[] {
  const worded = (range: LineRange) =>
    rangeLines(range).flatMap((line, nth) =>
      line.hasWords ? [{ ...line, at: range.from + nth }] : [],
    );
  const [before, source, target] = [stretch.before, stretch.source, stretch.target].map(worded);
  if (before === undefined || source === undefined || target === undefined) return [];
  const kept = commonSubsequence(keysOf(before), keysOf(source));
  const own = commonSubsequence(
    kept.map(({ a }) => before[a]?.key ?? ''),
    keysOf(target),
  );
  if (own.length < kept.length) return [];
  const cuts = kept.map(({ a, b }, nth) => ({
    before: before[a]?.at ?? 0,
    source: source[b]?.at ?? 0,
    target: target[own[nth]?.b ?? 0]?.at ?? 0,
  }));
  return cutAt(stretch, cuts).filter((part) => textKeysIn(part.target).length > 0);
}

function keysOf(lines: readonly UnitLine[]): string[] {
  return lines.map(({ key }) => key);
}

/** Undefined: it is not sure what leaves. */
function replaced({ before, source, target }: PageStretch): ReplacedStretch | undefined {
  const [then, theirs, mine] = [rangeLines(before), rangeLines(source), rangeLines(target)];
  const ranges = { before: piecesIn(before), source: piecesIn(source), target: piecesIn(target) };
  const keys = (lines: readonly UnitLine[]) =>
    lines.flatMap(({ units }) => units.map(({ key }) => key));
  if (areSameKeys(keys(then), keys(mine))) return { ...ranges, pieces: piecesOf('source', theirs) };
  const known = commonSubsequence(keysOf(then), keysOf(mine));
  const goes = leavingLines(mine, new Set(known.map(({ b }) => b)));
  if (goes === undefined) return undefined;
  if (!areWhole(theirs)) return undefined;
  return { ...ranges, pieces: withOwn({ then, theirs, mine: outdented(mine, goes) }, goes) };
}

interface StretchLines {
  readonly then: readonly UnitLine[];
  readonly theirs: readonly UnitLine[];
  readonly mine: readonly UnitLine[];
}

/** The new lines of the source in the place of the leaving ones, between the lines of the person. */
function withOwn({ then, theirs, mine }: StretchLines, goes: ReadonlySet<number>): MergedPiece[] {
  const body = theirs.slice(leadOf(theirs), theirs.length - trailOf(theirs));
  if (body.length === 0 && mine.every(({ isEmpty }, at) => isEmpty || goes.has(at)))
    return gapOf({ then, theirs, mine });
  const written: MergedPiece[] = [];
  const runs = runsOf(mine, goes);
  const shares = sharesOf(body, runs).values();
  // Empty lines that wait for what is below them.
  let gap: MergedPiece[] = [];
  let above: 'start' | 'own' | 'leaving' = 'start';
  for (const { kind, lines } of runs) {
    if (kind === 'empty') {
      const isLeft = above === 'leaving' && body.length === 0 && gap.length > 0;
      if (!isLeft) gap = piecesOf('target', lines);
    } else if (kind === 'own') {
      append(written, [...gap, ...piecesOf('target', lines)]);
      [gap, above] = [[], 'own'];
    } else {
      const share = shares.next().value ?? [];
      const isOther = above === 'start' && leadOf(theirs) !== leadOf(then);
      const lead = isOther ? piecesOf('source', theirs.slice(0, leadOf(theirs))) : gap;
      if (share.length > 0) append(written, [...lead, ...piecesOf('source', share)]);
      if (body.length > 0) gap = [];
      above = 'leaving';
    }
  }
  const isOther = above === 'leaving' && body.length > 0 && trailOf(theirs) !== trailOf(then);
  const trail = isOther ? piecesOf('source', theirs.slice(theirs.length - trailOf(theirs))) : gap;
  return [...written, ...trail];
}

/**
 * The new lines for each run of leaving ones. All are in the place of the first run. But where as many blocks come as leave, around lines of
 * the person, each is in the place of one.
 */
function sharesOf(body: readonly UnitLine[], runs: readonly LineRun[]): (readonly UnitLine[])[] {
  const leaving = runs.filter(({ kind }) => kind === 'leaving');
  const first = runs.findIndex(({ kind }) => kind === 'leaving');
  const last = runs.findLastIndex(({ kind }) => kind === 'leaving');
  const isAround = runs.slice(first, last).some(({ kind }) => kind === 'own');
  const counts = isAround ? leaving.map(({ lines }) => wholeBlocks(lines).length) : [];
  const blocks = isAround ? wholeBlocks(body) : [];
  const sum = counts.reduce((all, count) => all + count, 0);
  if (!isAround || sum !== blocks.length) return [body];
  const rest = blocks.values();
  return counts.map((count) => {
    const lines = rest.take(count).toArray().flat();
    return lines.slice(leadOf(lines));
  });
}

/** Blocks with empty lines between them, and elements of HTML; each but the first begins with its empty lines. */
function wholeBlocks(lines: readonly UnitLine[]): (readonly UnitLine[])[] {
  const blocks: UnitLine[][] = [];
  let block: UnitLine[] = [];
  for (const [at, line] of lines.entries()) {
    block.push(line);
    const next = lines[at + 1];
    const isEnd = next === undefined || next.isEmpty || /^\s*</.test(line.text);
    if (line.isEmpty || !isEnd || !areWhole(block)) continue;
    blocks.push(block);
    block = [];
  }
  return block.length === 0 ? blocks : [...blocks, block];
}

/** One of the two gaps around what left, with as many empty lines as the source has there. */
function gapOf({ then, theirs, mine }: StretchLines): MergedPiece[] {
  if (leadOf(then) === theirs.length) return piecesOf('target', mine.slice(0, leadOf(mine)));
  if (trailOf(then) === theirs.length)
    return piecesOf('target', mine.slice(mine.length - trailOf(mine)));
  return piecesOf('source', theirs);
}

/** Number of empty lines at the beginning. */
function leadOf(lines: readonly UnitLine[]): number {
  const first = lines.findIndex(({ isEmpty }) => !isEmpty);
  return first < 0 ? lines.length : first;
}

/** Number of empty lines at the end, where there are others. */
function trailOf(lines: readonly UnitLine[]): number {
  const last = lines.findLastIndex(({ isEmpty }) => !isEmpty);
  return last < 0 ? 0 : lines.length - 1 - last;
}

interface LineRun {
  readonly kind: 'empty' | 'own' | 'leaving';
  readonly lines: UnitLine[];
}

function runsOf(lines: readonly UnitLine[], goes: ReadonlySet<number>): LineRun[] {
  const runs: LineRun[] = [];
  for (const [at, line] of lines.entries()) {
    const kind = line.isEmpty ? 'empty' : goes.has(at) ? 'leaving' : 'own';
    const last = runs.at(-1);
    if (last?.kind === kind) last.lines.push(line);
    else runs.push({ kind, lines: [line] });
  }
  return runs;
}

function piecesOf(side: MergedPiece['from'], lines: readonly UnitLine[]): MergedPiece[] {
  return piecesFrom(
    side,
    lines.flatMap(({ units }) => units.flatMap(({ piece }) => piece ?? [])),
  );
}
