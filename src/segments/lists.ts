/**
 * The id of a list element is its index (`list.2`, `faq.0.answer`, `days[1]`). If the source inserts or removes an element, all elements
 * behind it get other ids. This file pairs old and new elements, so that each keeps its translation. Pure.
 */
import type { SegmentRecord } from '../baseline.ts';
import { type Part, partsText } from '../format.ts';
import { idsNow } from './align.ts';
import type { WantedSegment } from './decision.ts';
import { pairByText } from './elements-by-text.ts';
import { originStated } from './lock-vanished.ts';
import type { Removed } from './merge.ts';
import { originNow, sameText } from './record.ts';
import { type Statement, sourceHash, targetHash } from './statements.ts';

/** The known texts of the segments of a keyed file, by id. */
export interface KnownTexts {
  readonly base: ReadonlyMap<string, SegmentRecord>;
  /** The texts of the target. */
  readonly found: ReadonlyMap<string, readonly Part[]>;
  /** Undefined: there is no lock. */
  readonly statements: ((id: string) => readonly Statement[]) | undefined;
}

interface ListTexts extends KnownTexts {
  /** Texts of the source that need no translation. The lock says nothing of them, so in a target they count as copies. */
  readonly copies: ReadonlySet<string>;
}

export interface FollowedTexts extends KnownTexts {
  /** Ids of segments that are not written: new ones of a list that waits for a person. */
  readonly left: ReadonlySet<string>;
  /** Lists whose elements moved, the outer lists first. */
  readonly orders: readonly ListOrder[];
  /** The same lists, also those that cannot be written in the new order. */
  readonly shortened: readonly ShortenedList[];
}

/** The texts that leave a list. Other elements of it may have their ids now. */
export interface ShortenedList {
  /** As in `ListOrder`. */
  readonly open: string;
  /** With their ids before they left. */
  readonly texts: readonly Omit<Removed, 'movedTo'>[];
}

export interface ListOrder {
  /** The ids of its elements begin with this, up to the index: `faq.`, with the new indices of outer lists. */
  readonly open: string;
  /** For each element of the source now, its index in the target; undefined for a new one. */
  readonly from: readonly (number | undefined)[];
  /** Number of elements in the target. */
  readonly current: number;
  /** Ids of the elements that leave, as they are in the target. */
  readonly gone: readonly string[];
  /** Number of lists around it. */
  readonly depth: number;
}

/**
 * Moves what is known from the old ids to the new ids of the elements. When elements of the source move, a list that a person made
 * longer waits for a person. Otherwise the person's element would be overwritten, or taken for the translation of a new element.
 * @param deletedSource `keep`: lists that became shorter also stay as they are
 */
export function followLists(
  wanted: readonly WantedSegment[],
  known: KnownTexts,
  deletedSource: string,
): FollowedTexts {
  const left = new Set<string>();
  const orders: ListOrder[] = [];
  const shortened: ShortenedList[] = [];
  if (isInStep(wanted, known)) return { ...known, left, orders, shortened };
  const copies = new Set(
    wanted.flatMap(({ source, treatment }) => (treatment === 'copy' ? [partsText(source)] : [])),
  );
  let followed: ListTexts = { ...known, copies };
  for (let depth = 0; ; depth++) {
    const now = listsAt(
      wanted.map(({ id }) => id),
      depth,
    );
    if (now.size === 0) {
      const { base, found, statements } = followed;
      return { base, found, statements, left, orders, shortened };
    }
    const sources = new Map(wanted.map(({ id, source }) => [id, partsText(source)]));
    const before = listsAt(idsBefore(followed), depth);
    const current = listsAt([...followed.found.keys()], depth);
    for (const [open, elements] of now) {
      const old = before.get(open) ?? new Map();
      const moves = movesOf({ old, elements }, { sources, known: followed });
      const isLonger = (current.get(open)?.size ?? 0) > old.size;
      const isKept = deletedSource === 'keep' && moves.size < old.size;
      const isStill = moves.entries().every(([from, to]) => from === to);
      const isAsLong = moves.size === old.size && elements.size === old.size;
      const isWaiting = [...old.values()].flat().some(({ id }) => waitsForPerson(id, followed));
      if (isWaiting || (isLonger && old.size > 0 && !(isStill && isAsLong))) {
        const waiting = withoutOrder(followed, { depth, open, elements, sources });
        followed = waiting.known;
        for (const id of waiting.left) left.add(id);
      }
      if (isLonger || isWaiting || isKept || isStill) continue;
      shortened.push({ open, texts: leavingTexts({ old, moves }, followed) });
      followed = withMovedElements(followed, { depth, open, moves, ids: sources });
      if (current.get(open)?.size === old.size) {
        orders.push(orderOf({ depth, open, moves }, { old, elements }));
      }
    }
  }
}

function isInStep(wanted: readonly WantedSegment[], { base, statements }: KnownTexts): boolean {
  if (base.size === 0) return statements === undefined;
  if (base.size > wanted.length) return false;
  return wanted.every(({ id, source }) => base.get(id)?.source === partsText(source));
}

function idsBefore(known: ListTexts): string[] {
  const { base, found, statements } = known;
  const stated = [...found.keys()].filter(
    (id) => statements?.(id).some(namesSource) === true || isUnstatedCopy(id, known),
  );
  return [...new Set([...base.keys(), ...stated])];
}

function isUnstatedCopy(id: string, { found, statements, copies }: ListTexts): boolean {
  return statements?.(id).length === 0 && copies.has(partsText(found.get(id) ?? []));
}

/** The lock may state a text without knowing its source. */
function namesSource({ source }: Statement): boolean {
  return source !== NO_SOURCE;
}

/** Stands for a source that is not known. */
const UNKNOWN_SOURCE = '';
const NO_SOURCE = sourceHash(UNKNOWN_SOURCE);

/** Waiting ends when a person changes the text of the target. */
function waitsForPerson(id: string, { base, found }: KnownTexts): boolean {
  const record = base.get(id);
  return (
    record?.state === 'conflict' &&
    record.isOutOfOrder === true &&
    sameText(found.get(id), record.target)
  );
}

interface LongerList {
  readonly depth: number;
  readonly open: string;
  readonly elements: ListElements;
  readonly sources: ReadonlyMap<string, string>;
}

/** The texts of this list stay, and nothing is bought for it until a person has put it in order. */
function withoutOrder(
  known: ListTexts,
  { depth, open, elements, sources }: LongerList,
): { readonly known: ListTexts; readonly left: readonly string[] } {
  const ids = [...elements.values()].flat().map(({ id }) => id);
  const isGone = (id: string) => !sources.has(id) && listPlaceOf(id, depth)?.open === open;
  const base = new Map([...known.base].filter(([id]) => !isGone(id)));
  const left: string[] = [];
  for (const id of ids) {
    const source = sources.get(id) ?? '';
    const target = known.found.get(id);
    if (isKnownPair(id, source, known)) continue;
    if (target === undefined) left.push(id);
    else base.set(id, openRecord({ id, source, target }, known));
  }
  return { known: { ...known, base }, left };
}

/** It is not known which element the text belongs to, so a person must decide. */
function openRecord(
  text: Pick<SegmentRecord, 'id' | 'source' | 'target'>,
  { base }: KnownTexts,
): SegmentRecord {
  const record = base.get(text.id);
  const before = record?.state === 'conflict' ? record.previousSource : record?.source;
  const previousSource = before ?? UNKNOWN_SOURCE;
  const open = { origin: 'human', state: 'conflict', problem: NO_ORDER } as const;
  return { ...text, previousSource, ...open, isOutOfOrder: true };
}

const NO_ORDER =
  'a person made this list longer than that of the source, whose elements have other places now';

function isKnownPair(id: string, source: string, known: ListTexts): boolean {
  const { base, found, statements } = known;
  const record = base.get(id);
  if (record !== undefined) return record.source === source;
  const target = found.get(id);
  if (target === undefined) return false;
  if (isUnstatedCopy(id, known)) return partsText(target) === source;
  const pair = { source: sourceHash(source), target: targetHash(partsText(target)) };
  return (
    statements?.(id).some((each) => each.source === pair.source && each.target === pair.target) ??
    false
  );
}

interface ListPlace {
  /** `open`: the id up to the index; `rest`: the id behind it. */
  readonly open: string;
  readonly index: number;
  readonly rest: string;
}

/** @param depth number of lists around it */
function listPlaceOf(id: string, depth: number): ListPlace | undefined {
  const step = [...id.matchAll(/(?<!\\)(^|\.|\[)(\d{1,6})(?=\]?(?:\.|\[|$))/g)][depth];
  if (step === undefined) return undefined;
  const [, mark = '', digits = ''] = step;
  const open = id.slice(0, step.index) + mark;
  return { open, index: Number(digits), rest: id.slice(open.length + digits.length) };
}

/** The segments of each element, by its index. */
type ListElements = ReadonlyMap<number, readonly ListText[]>;

interface ListText {
  readonly id: string;
  /** The part of the id behind the index. */
  readonly rest: string;
}

function listsAt(ids: readonly string[], depth: number): Map<string, ListElements> {
  const lists = new Map<string, Map<number, ListText[]>>();
  for (const id of ids) {
    const place = listPlaceOf(id, depth);
    if (place === undefined) continue;
    const list = lists.get(place.open) ?? new Map<number, ListText[]>();
    const element = list.get(place.index) ?? [];
    element.push({ id, rest: place.rest });
    lists.set(place.open, list.set(place.index, element));
  }
  return lists;
}

interface ListSources {
  /** The texts of the source now, by id. */
  readonly sources: ReadonlyMap<string, string>;
  readonly known: ListTexts;
}

/** The new index of each element, by its old index. */
function movesOf(
  { old, elements }: { readonly old: ListElements; readonly elements: ListElements },
  { sources, known }: ListSources,
): ReadonlyMap<number, number> {
  const isRemembered = [...old.values()].flat().every(({ id }) => known.base.has(id));
  const textBefore = ({ id }: ListText) =>
    isRemembered ? (known.base.get(id)?.source ?? '') : hashBefore(id, known);
  const textNow = ({ id }: ListText) => {
    const text = sources.get(id) ?? '';
    return isRemembered ? text : sourceHash(text);
  };
  const before = [...old].map(([index, texts]) => ({ index, source: join(texts, textBefore) }));
  const now = [...elements].map(([index, texts]) => ({
    id: String(index),
    source: [join(texts, textNow)],
  }));
  const ids = idsNow(before, now);
  const moves = new Map(
    before.flatMap(({ index }, at) => {
      const to = Number(ids[at]);
      return Number.isNaN(to) ? [] : [[index, to] as const];
    }),
  );
  const isSent = ({ id }: ListText) => !known.copies.has(sources.get(id) ?? '');
  const placed = (lists: ListElements, textOf: (text: ListText) => string) =>
    [...lists].flatMap(([index, texts]) =>
      texts.map((text) => ({ index, place: text.rest, text: textOf(text) })),
    );
  const sent = new Map([...elements].map(([index, texts]) => [index, texts.filter(isSent)]));
  const parted = pairByText(placed(old, textBefore), placed(sent, textNow), moves);
  return new Map([...moves, ...parted]);
}

function join(texts: readonly ListText[], textOf: (text: ListText) => string): string {
  return texts.map((text) => `${text.rest}\0${textOf(text)}`).join('\n');
}

/** The hash of the source that the lock has for the text of the target; empty when it is not known. */
function hashBefore(id: string, known: ListTexts): string {
  const { found, statements } = known;
  const parts = found.get(id);
  if (isUnstatedCopy(id, known)) return sourceHash(partsText(parts ?? []));
  const target = parts && targetHash(partsText(parts));
  return statements?.(id).find((each) => each.target === target && namesSource(each))?.source ?? '';
}

function leavingTexts(
  { old, moves }: { readonly old: ListElements; readonly moves: ReadonlyMap<number, number> },
  { base, found, statements }: ListTexts,
): ShortenedList['texts'] {
  const leaving = [...old].filter(([index]) => !moves.has(index)).flatMap(([, texts]) => texts);
  return leaving.flatMap(({ id }) => {
    const target = found.get(id);
    if (target === undefined) return [];
    const record = base.get(id);
    const stated = record === undefined ? originStated(statements?.(id) ?? [], target) : undefined;
    return [{ id, target, origin: record ? originNow(record, target) : (stated ?? 'machine') }];
  });
}

interface ElementMove {
  readonly depth: number;
  readonly open: string;
  readonly moves: ReadonlyMap<number, number>;
  /** The ids of the source now. */
  readonly ids: ReadonlyMap<string, unknown>;
}

function withMovedElements(
  { base, found, statements, copies }: ListTexts,
  move: ElementMove,
): ListTexts {
  const back: ElementMove = {
    ...move,
    moves: new Map([...move.moves].map(([from, to]) => [to, from])),
  };
  const records = underNewIds(base, move);
  return {
    copies,
    base: new Map([...records].map(([id, record]) => [id, { ...record, id }])),
    found: underNewIds(found, move),
    statements:
      statements &&
      ((id) => {
        const from = newId(id, back);
        return from === undefined ? [] : statements(from);
      }),
  };
}

function orderOf(
  { depth, open, moves }: Omit<ElementMove, 'ids'>,
  { old, elements }: { readonly old: ListElements; readonly elements: ListElements },
): ListOrder {
  const sources = new Map([...moves].map(([from, to]) => [to, from]));
  const from = [...elements.keys()].toSorted((a, b) => a - b).map((index) => sources.get(index));
  const leaving = [...old].filter(([index]) => !moves.has(index));
  const gone = leaving.flatMap(([, texts]) => texts.map(({ id }) => id));
  return { open, depth, from, current: old.size, gone };
}

/**
 * Moves texts to their new ids. A text without a new id keeps its old one if no other text has it. That is its id in the target, from which
 * it is removed.
 */
function underNewIds<T>(texts: ReadonlyMap<string, T>, move: ElementMove): Map<string, T> {
  const there = new Map<string, T>();
  for (const [id, text] of texts) {
    const to = newId(id, move);
    if (to !== undefined) there.set(to, text);
  }
  for (const [id, text] of texts) {
    if (!there.has(id) && !move.ids.has(id)) there.set(id, text);
  }
  return there;
}

function newId(id: string, { depth, open, moves }: ElementMove): string | undefined {
  const place = listPlaceOf(id, depth);
  if (place?.open !== open) return id;
  const to = moves.get(place.index);
  return to === undefined ? undefined : `${open}${to}${place.rest}`;
}
