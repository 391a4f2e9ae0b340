/** Follows the paragraphs of a file without keys: from the last source to the source now, and to the target. Pure. */
import type { SegmentRecord } from '../baseline.ts';
import { allSteps, type StepwiseWork } from '../clock.ts';
import { type Part, partsText } from '../format.ts';
import type { WantedSegment } from './decision.ts';
import {
  type Gap,
  pairEdited,
  pairFar,
  pairInStep,
  type SourceKeys,
  type UnitSides,
} from './edited-texts.ts';
import type { RowList } from './frame/table-rows.ts';
import { blockOfSign, type TextSigns } from './frame/text-signs.ts';
import { commonSubsequence, type IndexPair } from './subsequence.ts';
import { cellPairs, rowUnitsOf, type TextUnit } from './text-units.ts';

export interface AlignInput {
  readonly wanted: readonly WantedSegment[];
  /** The records of the last run, in the order of the file; empty at first contact. */
  readonly records: readonly SegmentRecord[];
  /** The segments of the target file, in order; empty when there is no target. */
  readonly found: readonly (readonly Part[])[];
  /** Whether a text of the target was a person's own text in the last run. */
  isOwn?(parts: readonly Part[]): boolean;
  /** The table rows of all three; absent: each text is compared alone. */
  readonly rows?: TextRows | undefined;
  /** Of the texts of `records` and `wanted`. Called only where a text may be an edit of another one. Absent: not known. */
  readonly signs?: (() => TextSigns) | undefined;
}

export interface TextRows {
  readonly wanted: RowList;
  readonly records: RowList;
  readonly found: RowList;
}

/** The input of `merge`. All ids are those of `wanted`; records of segments that left the source get ids of their own. */
export interface Alignment {
  readonly base: ReadonlyMap<string, SegmentRecord>;
  readonly found: ReadonlyMap<string, readonly Part[]>;
  /**
   * `exact`: every segment of the target has its record. `realigned`: some were found by their neighbours. `unknown`: first contact, and
   * the target is built differently from the source: it can be adopted only as a whole.
   */
  readonly fit: 'exact' | 'realigned' | 'unknown';
  /** Texts of the target that belong to no segment: a target written from the source would lose them. */
  readonly unplaced: readonly (readonly Part[])[];
}

/** Aligns a file without keys (Markdown, HTML, text): an edited paragraph is one changed segment, a moved one is the same segment. */
export function align(input: AlignInput): Alignment {
  return allSteps(alignSteps(input));
}

/** Does the same in steps: a few large ones, and one for each record. */
export function* alignSteps(input: AlignInput): StepwiseWork<Alignment> {
  const { wanted, records, found } = input;
  if (records.length === 0) return alignFirst(wanted, found);
  const current = pairTargets(input);
  yield;
  const placed = new Set(current.values());
  const ids = idsNow(records, wanted, { rows: input.rows, signs: input.signs, isPage: true });
  yield;
  const base = new Map<string, SegmentRecord>();
  const texts = new Map<string, readonly Part[]>();
  for (const [index, record] of records.entries()) {
    yield;
    const id = ids[index] ?? record.id;
    base.set(id, id === record.id ? record : { ...record, id });
    const text = found[current.get(index) ?? -1];
    if (text !== undefined) texts.set(id, text);
  }
  const own = new Set(wanted.filter((w) => w.treatment === 'omit').map((w) => partsText(w.source)));
  const unplaced = found.filter((parts, at) => !placed.has(at) && !own.has(partsText(parts)));
  const isExact = found.length === 0 || (current.size === records.length && unplaced.length === 0);
  return { base, found: texts, fit: isExact ? 'exact' : 'realigned', unplaced };
}

/** First contact: if both files have the same number of segments, each segment belongs to the one at the same position. */
function alignFirst(
  wanted: readonly WantedSegment[],
  found: readonly (readonly Part[])[],
): Alignment {
  const base = new Map<string, SegmentRecord>();
  if (found.length > 0 && found.length !== wanted.length) {
    return { base, found: new Map(), fit: 'unknown', unplaced: found };
  }
  const texts = found.map((parts, at): [string, readonly Part[]] => [wanted[at]?.id ?? '', parts]);
  return { base, found: new Map(texts), fit: 'exact', unplaced: [] };
}

/**
 * Record index -> position in the target. Equal texts match. Between two matches, if both sides have the same number of
 * texts, the others match by likeness and position.
 */
function pairTargets({ records, found, isOwn, rows }: AlignInput): Map<number, number> {
  const units = unitSides(
    { texts: records.map(({ target }) => partsText(target ?? [])), rows: rows?.records },
    { texts: found.map((parts) => partsText(parts)), rows: rows?.found },
  );
  const { common, gaps, moved } = equalUnits(units);
  const isDelivered = ({ members }: TextUnit) => members.some((at) => records[at]?.target);
  const isOthers = ({ members }: TextUnit) =>
    members.some((at) => isOwn?.(found[at] ?? []) !== true);
  const inStep = withoutPairs(gaps, moved).flatMap((gap) => {
    const delivered = gap.a.filter((at) => unitHas(units.before[at], isDelivered));
    const others = gap.b.filter((at) => unitHas(units.now[at], isOthers));
    // A gap with only own texts of a person is as the last run left it. So these texts are not translations of the missing ones, although
    // there may be as many.
    const whole = others.length > 0 ? gap : { a: [], b: [] };
    const same = [{ a: delivered, b: others }, whole].find(({ a, b }) => a.length === b.length);
    return pairInStep(units, same ?? { a: [], b: [] });
  });
  return textPairs(units, [...common, ...moved, ...inStep]);
}

function unitHas(unit: TextUnit | undefined, has: (unit: TextUnit) => boolean): boolean {
  return unit !== undefined && has(unit);
}

/** For each record, the id of its segment in `wanted`; a record whose segment left the source gets an id of its own. */
export function idsNow(
  records: readonly Pick<SegmentRecord, 'source'>[],
  wanted: readonly Pick<WantedSegment, 'id' | 'source'>[],
  { rows, signs, isPage = false }: PageTexts = {},
): string[] {
  const units = unitSides(
    { texts: records.map(({ source }) => source), rows: rows?.records },
    { texts: wanted.map(({ source }) => partsText(source)), rows: rows?.wanted },
    signs,
  );
  const { common, gaps, moved } = equalUnits(units);
  const edited = withoutPairs(gaps, moved).flatMap((gap) => pairEdited(units, gap));
  const far = isPage ? pairFar(units, withoutPairs(gaps, [...moved, ...edited])) : [];
  const pairs = textPairs(units, [...common, ...moved, ...edited, ...far]);
  return records.map((_, index) => {
    const at = pairs.get(index);
    return at === undefined ? `gone:${index}` : (wanted[at]?.id ?? '');
  });
}

/** What is known of the texts of a page. */
interface PageTexts extends Pick<AlignInput, 'signs'> {
  readonly rows?: Pick<TextRows, 'records' | 'wanted'> | undefined;
  /** In a page, a text may also move and be edited at once. */
  readonly isPage?: boolean;
}

interface SideTexts {
  readonly texts: readonly string[];
  readonly rows: RowList | undefined;
}

function unitSides(
  before: SideTexts,
  now: SideTexts,
  signs: () => TextSigns = () => NO_SIGNS,
): UnitSides {
  let known: TextSigns | undefined;
  const differ =
    (of: (sign: string) => string): UnitSides['isOtherKind'] =>
    ([then = -1], [current = -1]) => {
      known ??= signs();
      const [a, b] = [known.records[then], known.wanted[current]];
      return a !== undefined && b !== undefined && of(a) !== of(b);
    };
  return {
    isOtherKind: differ((sign) => sign),
    isOtherBlock: differ(blockOfSign),
    before: rowUnitsOf(before.texts, before.rows),
    now: rowUnitsOf(now.texts, now.rows),
    texts: { before: before.texts, now: now.texts },
  };
}

const NO_SIGNS: TextSigns = { records: [], wanted: [] };

/** Pairs equal units: those in order, and those that moved. */
function equalUnits({ before, now }: UnitSides) {
  const keys = { before: before.map(({ key }) => key), now: now.map(({ key }) => key) };
  const common = commonSubsequence(keys.before, keys.now);
  const gaps = gapsBetween(common, { a: before.length, b: now.length });
  return { common, gaps, moved: pairMoved(keys, gaps) };
}

/** The texts of paired units. Where only one side is a row, the texts that are equal. */
function textPairs({ before, now, texts }: UnitSides, pairs: readonly IndexPair[]) {
  const found = new Map<number, number>();
  const taken = new Set<number>();
  for (const { a, b } of pairs) {
    for (const pair of cellPairs(texts, before[a], now[b])) {
      found.set(pair.a, pair.b);
      taken.add(pair.b);
    }
  }
  const isLeft = ({ members }: TextUnit) => !members.some((at) => found.has(at));
  const left = before.filter((unit) => isLeft(unit));
  const free = Map.groupBy(
    now.filter(({ members }) => !members.some((at) => taken.has(at))),
    ({ row }) => row !== undefined,
  );
  for (const isRow of [true, false]) {
    const a = left.flatMap(({ row, members }) => ((row !== undefined) === isRow ? [] : members));
    const b = (free.get(isRow) ?? []).flatMap(({ members }) => members);
    for (const pair of pairMoved(texts, [{ a, b }])) found.set(pair.a, pair.b);
  }
  return found;
}

function gapsBetween(pairs: readonly IndexPair[], lengths: IndexPair): Gap[] {
  let [a, b] = [0, 0];
  const gaps: Gap[] = [];
  for (const pair of [...pairs, lengths]) {
    // Most gaps are empty: of 100,000 texts, nearly all are beside their old neighbours.
    const isEmpty = a === pair.a && b === pair.b;
    if (!isEmpty) gaps.push({ a: range(a, pair.a), b: range(b, pair.b) });
    a = pair.a + 1;
    b = pair.b + 1;
  }
  return gaps;
}

function withoutPairs(gaps: readonly Gap[], pairs: readonly IndexPair[]): Gap[] {
  const taken = { a: new Set(pairs.map(({ a }) => a)), b: new Set(pairs.map(({ b }) => b)) };
  return gaps.map(({ a, b }) => ({
    a: a.filter((index) => !taken.a.has(index)),
    b: b.filter((index) => !taken.b.has(index)),
  }));
}

/** Pairs equal texts that moved. */
function pairMoved({ before, now }: SourceKeys, gaps: readonly Gap[]): IndexPair[] {
  const left = Map.groupBy(
    gaps.flatMap((gap) => gap.a),
    (index) => before[index] ?? '',
  );
  return gaps
    .flatMap((gap) => gap.b)
    .flatMap((b) => {
      const a = left.get(now[b] ?? '')?.shift();
      return a === undefined ? [] : [{ a, b }];
    });
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, nth) => from + nth);
}
