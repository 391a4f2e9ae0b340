/**
 * Texts that a person cut into pieces, or joined, in the source and in its translation alike. Each piece has its translation then, so nothing
 * is bought. Pure.
 */
import type { SegmentRecord } from '../baseline.ts';
import { type Part, partsText } from '../format.ts';
import type { SequenceInput } from './align-sequence.ts';

/** The records by the present pieces. */
export interface RecutRecords {
  readonly records: readonly SegmentRecord[];
  /** For each of `records`, the position of the record before that it comes from. */
  readonly from: readonly number[];
}

/** Texts without their white space: between two pieces of a text, the blank went with the cut. */
interface BareTexts {
  /** Of the records. Undefined: its source is still there, or it cannot be cut. */
  readonly before: readonly (BarePair | undefined)[];
  /** Of the source and the target now, where no record has the text. */
  readonly sources: readonly (string | undefined)[];
  readonly targets: readonly (string | undefined)[];
}

interface BarePair {
  readonly source: string;
  readonly target: string;
}

/** Comparing more pairs than this takes too long for what it finds. */
const MOST_PAIRS = 1_000_000;

/** @returns undefined: no text was cut or joined */
export function recutRecords(input: SequenceInput): RecutRecords | undefined {
  const { records } = input;
  const bare = bareTexts(input);
  if (bare === undefined) return undefined;
  const next: SegmentRecord[] = [];
  const from: number[] = [];
  for (let at = 0; at < records.length; ) {
    const recut = cutAt(input, bare, at) ?? joinedAt(input, bare, at);
    const own = recut?.records ?? records.slice(at, at + 1);
    next.push(...own);
    from.push(...own.map(() => at));
    at += recut?.length ?? 1;
  }
  return next.length === records.length ? undefined : { records: next, from };
}

function bareTexts({ records, wanted, found, rows }: SequenceInput): BareTexts | undefined {
  const texts = wanted.map(({ source }) => partsText(source));
  const known = new Set(records.map(({ source }) => source));
  const sources = texts.map((text) => (known.has(text) ? undefined : bareOf(text)));
  if (sources.every((text) => text === undefined)) return undefined;
  const present = new Set(texts);
  const before = records.map(({ source, target, state }, at): BarePair | undefined => {
    if (state !== 'ok' || target === null || present.has(source)) return undefined;
    if (rows?.records[at] !== undefined) return undefined;
    return { source: bareOf(source), target: bareOf(partsText(target)) };
  });
  const loose = before.filter((pair) => pair !== undefined).length;
  if (loose === 0 || loose * (sources.length + found.length) > MOST_PAIRS) return undefined;
  const written = new Set(records.map(({ target }) => partsText(target ?? [])));
  const targets = found
    .map((parts) => partsText(parts))
    .map((text) => (written.has(text) ? undefined : bareOf(text)));
  return { before, sources, targets };
}

interface Recut {
  readonly records: readonly SegmentRecord[];
  /** How many records they replace. */
  readonly length: number;
}

function cutAt(input: SequenceInput, bare: BareTexts, at: number): Recut | undefined {
  const { records, wanted, found } = input;
  const [record, whole] = [records[at], bare.before[at]];
  if (record === undefined || whole === undefined) return undefined;
  const sources = runOf(bare.sources, whole.source);
  if (sources === undefined || sources.length < 2) return undefined;
  const run = runOf(bare.targets, whole.target);
  const targets = run?.length === sources.length ? run : ownPieces(input, record, sources);
  if (targets === undefined) return undefined;
  const pieces = sources.map((source, nth) => {
    const target = found[targets[nth] ?? -1] ?? [];
    return pieceOf(record, partsText(wanted[source]?.source ?? []), target);
  });
  return { records: pieces, length: 1 };
}

/**
 * A person cut the translation in an earlier run: it is the first piece, and the others are texts of that person behind it. The source has as
 * many pieces now.
 */
function ownPieces(
  { found, isOwn }: SequenceInput,
  { target, pieces }: SegmentRecord,
  sources: readonly number[],
): readonly number[] | undefined {
  if (pieces !== sources.length) return undefined;
  const text = partsText(target ?? []);
  const first = found.findIndex((parts) => partsText(parts) === text);
  const run = sources.map((_, nth) => first + nth);
  const isOthers = (at: number) => isOwn(found[at] ?? []);
  return first !== -1 && run.slice(1).every(isOthers) ? run : undefined;
}

/** The records, with the number of pieces where a person cut a translation and its source is whole. */
export function withPieces({ records, wanted, found }: SequenceInput): readonly SegmentRecord[] {
  const texts = found.map((parts) => partsText(parts));
  const there = new Set(texts);
  const isLeft = ({ target }: SegmentRecord) => target !== null && !there.has(partsText(target));
  const left = records.filter(isLeft);
  if (left.length === 0 || left.length * found.length > MOST_PAIRS) return records;
  const present = new Set(wanted.map(({ source }) => partsText(source)));
  const written = new Set(records.map(({ target }) => partsText(target ?? [])));
  const bare = texts.map((text) => (written.has(text) ? undefined : bareOf(text)));
  return records.map((record) => {
    const { source, state, target } = record;
    if (!isLeft(record) || state !== 'ok' || !present.has(source)) return record;
    const { length = 0 } = runOf(bare, bareOf(partsText(target ?? []))) ?? [];
    return length < 2 ? record : { ...record, pieces: length };
  });
}

function joinedAt(
  { records, wanted, found }: SequenceInput,
  bare: BareTexts,
  at: number,
): Recut | undefined {
  const own = bare.before[at];
  if (own === undefined) return undefined;
  const [sources, targets] = [(pair?: BarePair) => pair?.source, (pair?: BarePair) => pair?.target];
  for (const [place, whole] of bare.sources.entries()) {
    if (whole === undefined || !whole.startsWith(own.source)) continue;
    const { length = 0 } = runAt(bare.before.map(sources), whole, at) ?? [];
    if (length < 2) continue;
    const joined = bare.before
      .slice(at, at + length)
      .map(targets)
      .join('');
    const there = bare.targets.indexOf(joined);
    const pieces = records.slice(at, at + length);
    const ours = ORIGINS.map((origin) => pieces.find((each) => each.origin === origin));
    const first = ours.find((each) => each !== undefined);
    const source = partsText(wanted[place]?.source ?? []);
    if (there === -1 || first === undefined) continue;
    return { records: [pieceOf(first, source, found[there] ?? [])], length };
  }
  return undefined;
}

/** Of joined texts, the origin that protects most. */
const ORIGINS = ['human', 'adopted', 'machine'] as const;

function pieceOf(
  { id, origin, made }: SegmentRecord,
  source: string,
  target: readonly Part[],
): SegmentRecord {
  return { id, source, target, origin, state: 'ok', ...(made && { made }) };
}

/** The positions of the neighbouring texts that make the whole one; undefined: there are none. */
function runOf(texts: readonly (string | undefined)[], whole: string) {
  for (const first of texts.keys()) {
    const run = runAt(texts, whole, first);
    if (run !== undefined) return run;
  }
  return undefined;
}

function runAt(texts: readonly (string | undefined)[], whole: string, first: number) {
  const run: number[] = [];
  let end = 0;
  for (let at = first; end < whole.length; at++) {
    const piece = texts[at];
    if (!piece || !whole.startsWith(piece, end)) return undefined;
    end += piece.length;
    run.push(at);
  }
  return run;
}

function bareOf(text: string): string {
  return text.replace(/\s+/gu, '');
}
