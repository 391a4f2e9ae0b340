/**
 * Texts that a person cut into pieces, or joined, in the source and in its translation alike. Each piece has its translation then, so nothing
 * is bought. Pure.
 */
import type { SegmentRecord } from '../baseline.ts';
import { type Part, partsText } from '../format.ts';
import { append } from '../parsing/append.ts';
import type { AlignInput } from './align.ts';

/** The records by the present pieces. */
export interface RecutRecords {
  readonly records: readonly SegmentRecord[];
  /** For each of `records`, the position of the record before that it comes from. */
  readonly from: readonly number[];
}

/** Texts without their white space: between two pieces of a text, the blank went with the cut. */
interface BareTexts {
  /** Of the records. Undefined: its source is still there, or it cannot be cut. */
  readonly before: { readonly [Side in 'source' | 'target']: readonly (string | undefined)[] };
  /** Of the source and the target now, where no record has the text. */
  readonly sources: readonly (string | undefined)[];
  readonly targets: readonly (string | undefined)[];
}

/** Comparing more pairs than this takes too long for what it finds. */
const MOST_PAIRS = 1_000_000;

/** @returns undefined: no text was cut or joined */
export function recutRecords(input: AlignInput): RecutRecords | undefined {
  const { records } = input;
  const bare = bareTexts(input);
  if (bare === undefined) return undefined;
  const next: SegmentRecord[] = [];
  const from: number[] = [];
  for (let at = 0; at < records.length; ) {
    const recut = cutAt(input, bare, at) ?? joinedAt(input, bare, at);
    const own = recut?.records ?? records.slice(at, at + 1);
    append(next, own);
    for (const _ of own) from.push(at);
    at += recut?.length ?? 1;
  }
  return next.length === records.length ? undefined : { records: next, from };
}

function bareTexts({ records, wanted, found, rows }: AlignInput): BareTexts | undefined {
  const texts = wanted.map(({ source }) => partsText(source));
  const known = new Set(records.map(({ source }) => source));
  const sources = texts.map((text) => (known.has(text) ? undefined : bareOf(text)));
  if (sources.every((text) => text === undefined)) return undefined;
  const present = new Set(texts);
  const isLoose = ({ source, target, state }: SegmentRecord, at: number) =>
    state === 'ok' && target !== null && !present.has(source) && rows?.records[at] === undefined;
  const bareWhere = (text: (record: SegmentRecord) => string) =>
    records.map((record, at) => (isLoose(record, at) ? bareOf(text(record)) : undefined));
  const before = {
    source: bareWhere(({ source }) => source),
    target: bareWhere(({ target }) => partsText(target ?? [])),
  };
  const loose = before.source.filter((text) => text !== undefined).length;
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

function cutAt(input: AlignInput, bare: BareTexts, at: number): Recut | undefined {
  const { records, wanted, found } = input;
  const [record, source] = [records[at], bare.before.source[at]];
  if (record === undefined || source === undefined) return undefined;
  const sources = runOf(bare.sources, source);
  if (sources === undefined || sources.length < 2) return undefined;
  const run = runOf(bare.targets, bare.before.target[at] ?? '');
  const targets = run?.length === sources.length ? run : ownPieces(input, record, sources);
  if (targets === undefined) return undefined;
  const pieces = sources.map((piece, nth) => {
    const target = found[targets[nth] ?? -1] ?? [];
    return pieceOf(record, partsText(wanted[piece]?.source ?? []), target);
  });
  return { records: pieces, length: 1 };
}

/**
 * A person cut the translation in an earlier run: it is the first piece, and the others are texts of that person behind it. The source has as
 * many pieces now.
 */
function ownPieces(
  { found, isOwn }: AlignInput,
  { target, pieces }: SegmentRecord,
  sources: readonly number[],
): readonly number[] | undefined {
  if (pieces !== sources.length) return undefined;
  const text = partsText(target ?? []);
  const first = found.findIndex((parts) => partsText(parts) === text);
  const run = sources.map((_, nth) => first + nth);
  const isOthers = (at: number) => isOwn?.(found[at] ?? []) === true;
  return first !== -1 && run.slice(1).every(isOthers) ? run : undefined;
}

/** The records, with the number of pieces where a person cut a translation and its source is whole. */
export function withPieces({ records, wanted, found }: AlignInput): readonly SegmentRecord[] {
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
  { records, wanted, found }: AlignInput,
  bare: BareTexts,
  at: number,
): Recut | undefined {
  const own = bare.before.source[at];
  if (own === undefined) return undefined;
  for (const [place, whole] of bare.sources.entries()) {
    if (whole === undefined || !whole.startsWith(own)) continue;
    const { length = 0 } = runAt(bare.before.source, whole, at) ?? [];
    if (length < 2) continue;
    const joined = bare.before.target.slice(at, at + length).join('');
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
