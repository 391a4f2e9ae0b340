/**
 * Lines with a name that a person has at another place than the source, or in words of their own. A line follows its source where it is,
 * and the lines beside it are merged as if the person had not changed it. Pure.
 */

import { append } from '../../parsing/append.ts';
import { commonSubsequence } from '../subsequence.ts';
import { areSameKeys, type FramePiece, isSegmentKey, type PageFrames, pieceKey } from './frame.ts';
import { type MergedPiece, piecesFrom } from './lines.ts';
import type { FrameConflict, FrameInput, FrameMerge } from './merge.ts';
import { type NamedLines, namedLines } from './named-lines.ts';

/** A page in its versions, with what was last read of its source. */
export interface NamedPage extends PageFrames {
  /** Keys of the source when it was last read; `before` may be undefined all the same. */
  readonly seen: readonly string[] | undefined;
}

export interface MergeOfNames {
  /** The page to merge. */
  readonly page: NamedPage;
  /** Writes the lines with names into the merged page. */
  withNames(merged: FrameMerge): FrameMerge;
}

/** @param decide what is written where a person and the source both changed such a line */
export function nameMerge(page: NamedPage, decide: FrameInput['decide']): MergeOfNames {
  const names = sharedNames(page);
  const apart = names.filter(({ isInPlace }) => !isInPlace);
  const own = names.filter(({ isInPlace, is }) => isInPlace && is === 'persons');
  if (apart.length + own.length === 0) return { page, withNames: (merged) => merged };
  const below = newBelow(page, apart);
  const added = [...below.values()].flat();
  const taken = new Set([...apart.flatMap(({ source }) => source), ...added]);
  const stands = new Map(own.flatMap(({ source, target }) => pairsOf(target, source)));
  const texts = new Map([...stands].flatMap(([mine, theirs]) => [[theirs, mine] as const]));
  const without = (keys: readonly string[] | undefined) => keys && apart.reduce(withoutRun, keys);
  return {
    page: {
      before: without(page.before),
      seen: without(page.seen),
      source: page.source.filter((piece) => !taken.has(piece)),
      target: page.target.map((piece) => stands.get(piece) ?? piece),
    },
    withNames: (merged) => {
      const pieces = merged.pieces.map((each): MergedPiece => {
        const piece = texts.get(each.piece);
        return piece === undefined ? each : { piece, from: 'target' };
      });
      return withApart({ ...merged, pieces }, { apart, below, taken, source: page.source, decide });
    },
  };
}

interface SharedName {
  /** Its lines. */
  readonly source: readonly FramePiece[];
  readonly target: readonly FramePiece[];
  /**
   * `persons`: the source has not changed the line. `ours`: only the source has. `both`: a person has, too. `first`: nobody knows, at first
   * contact.
   */
  readonly is: 'persons' | 'ours' | 'both' | 'first';
  /** Whether a person has it where the source had it. */
  readonly isInPlace: boolean;
}

/** The names that both sides have once, in lines that can stand anywhere. */
function sharedNames({ before, source, target }: NamedPage): SharedName[] {
  const [ours, theirs] = [once(namedLines(source)), once(namedLines(target))];
  const known = before && new Set(before);
  const names = [...ours].flatMap(([name, line]) => {
    const other = theirs.get(name);
    if (other === undefined || !line.isFrame || !other.isFrame) return [];
    const own = {
      source: source.slice(line.from, line.to),
      target: target.slice(other.from, other.to),
    };
    const isSeen = (lines: readonly FramePiece[]) =>
      known !== undefined && lines.every((piece) => known.has(pieceKey(piece)));
    const is = isSeen(own.source) ? 'persons' : isSeen(own.target) ? 'ours' : 'both';
    return [{ name, ...own, is: known === undefined ? 'first' : is } as const];
  });
  if (names.length === 0) return [];
  const inPlace = namesInPlace({ before, source, target }, names);
  return names.map(({ name, ...own }) => ({ ...own, isInPlace: inPlace.has(name) }));
}

function once(lines: readonly NamedLines[]): ReadonlyMap<string, NamedLines> {
  const groups = Map.groupBy(lines, ({ name }) => name);
  return new Map(
    [...groups].flatMap(([name, [line, ...more]]) =>
      line === undefined || more.length > 0 ? [] : [[name, line]],
    ),
  );
}

/** The names that the target has in the order of the last source. For new ones, the order of the source now counts. */
function namesInPlace(
  { before, source, target }: PageFrames,
  names: readonly (Omit<SharedName, 'isInPlace'> & { readonly name: string })[],
): ReadonlySet<string> {
  const named = (pieces: readonly FramePiece[], side: 'source' | 'target') => {
    const firsts = new Map(names.map((each) => [each[side][0], each.name]));
    return pieces.flatMap((piece) => {
      const name = firsts.get(piece);
      return name === undefined ? (piece.kind === 'segment' ? [pieceKey(piece)] : []) : [name];
    });
  };
  const mine = named(target, 'target');
  const then = new Map(
    names.flatMap(({ name, is, ...lines }) => {
      const [first] = is === 'ours' ? lines.target : lines.source;
      return is === 'both' || is === 'first' || first === undefined
        ? []
        : [[pieceKey(first), name]];
    }),
  );
  const old = before?.flatMap((key) => then.get(key) ?? (isSegmentKey(key) ? [key] : []));
  const [seen, now] = [namesInOrder(old ?? [], mine), namesInOrder(named(source, 'source'), mine)];
  const wasThere = new Set(then.values());
  return new Set(
    names.flatMap(({ name }) => ((wasThere.has(name) ? seen : now).has(name) ? [name] : [])),
  );
}

/** The names that are between the same texts on both sides, and in the same order. */
function namesInOrder(theirs: readonly string[], mine: readonly string[]): ReadonlySet<string> {
  const common = new Set(theirs).intersection(new Set(mine));
  const besides = (keys: readonly string[]) => {
    const own = keys.filter((key) => common.has(key));
    const up = textsAbove(own);
    const down = textsAbove(own.toReversed()).toReversed();
    return { own, at: (nth: number) => `${up[nth] ?? ''} ${down[nth] ?? ''}` };
  };
  const [a, b] = [besides(theirs), besides(mine)];
  const pairs = commonSubsequence(a.own, b.own);
  return new Set(
    pairs.flatMap((pair) => (a.at(pair.a) === b.at(pair.b) ? (a.own[pair.a] ?? []) : [])),
  );
}

/** For each key, the last text before it. */
function textsAbove(keys: readonly string[]): string[] {
  let above = '';
  return keys.map((key) => {
    const last = above;
    if (isSegmentKey(key)) above = key;
    return last;
  });
}

/** One line for one line. */
function pairsOf(
  target: readonly FramePiece[],
  source: readonly FramePiece[],
): (readonly [FramePiece, FramePiece])[] {
  const [[mine, ...more], [theirs, ...others]] = [target, source];
  const isOne = mine !== undefined && theirs !== undefined && more.length + others.length === 0;
  return isOne && pieceKey(mine) !== pieceKey(theirs) ? [[mine, theirs]] : [];
}

/** Without the lines of a name, as the last source had them. */
function withoutRun(
  keys: readonly string[],
  { is, source, target }: SharedName,
): readonly string[] {
  const run = (is === 'ours' ? target : source).map(pieceKey);
  const at = keys.findIndex((_, from) => run.every((key, nth) => keys[from + nth] === key));
  return at < 0 ? keys : keys.toSpliced(at, run.length);
}

/** New names of the source directly below a line that a person has elsewhere, by the end of the person's line: they go below it. */
function newBelow(
  { before, source, target }: PageFrames,
  apart: readonly SharedName[],
): ReadonlyMap<FramePiece, readonly FramePiece[]> {
  const found = new Map<FramePiece, FramePiece[]>();
  if (before === undefined) return found;
  const known = new Set(before);
  const mine = new Set(namedLines(target).map(({ name }) => name));
  const ends = new Map(apart.map((name) => [name.source.at(-1), name.target.at(-1)]));
  for (const { name, from, to, isFrame } of namedLines(source)) {
    const [own, end] = [source.slice(from, to), ends.get(source[from - 1])];
    const isNew = isFrame && !mine.has(name) && !own.some((piece) => known.has(pieceKey(piece)));
    if (!isNew || end === undefined) continue;
    found.set(end, [...(found.get(end) ?? []), ...own]);
    ends.set(own.at(-1), end);
  }
  return found;
}

interface NamesApart {
  readonly apart: readonly SharedName[];
  /** New lines of the source, by the person's piece that they go below. */
  readonly below: ReadonlyMap<FramePiece, readonly FramePiece[]>;
  /** Lines of the source that are not merged at their places. */
  readonly taken: ReadonlySet<FramePiece>;
  readonly source: readonly FramePiece[];
  decide: FrameInput['decide'];
}

/** Each line that a person has elsewhere follows its source there. */
function withApart(
  merged: FrameMerge,
  { apart, below, taken, source, decide }: NamesApart,
): FrameMerge {
  const written = new Map<FramePiece, readonly MergedPiece[]>();
  const conflicts: FrameConflict[] = [];
  const open = new Set<FramePiece>();
  const write = (of: SharedName, lines: readonly MergedPiece[]) => {
    for (const [nth, piece] of of.target.entries()) written.set(piece, nth === 0 ? lines : []);
  };
  for (const name of apart) {
    if (name.is === 'ours') write(name, piecesFrom('source', name.source));
    if (name.is !== 'both') continue;
    const conflict = { source: joinedLines(name.source), target: joinedLines(name.target) };
    const isSame = areSameKeys(name.source.map(pieceKey), name.target.map(pieceKey));
    const choice = isSame ? 'human' : decide(conflict);
    if (choice === 'machine') write(name, piecesFrom('source', name.source));
    else if (choice === 'open') {
      conflicts.push(conflict);
      for (const piece of name.source) open.add(piece);
    } else if (choice !== 'human') {
      write(name, piecesFrom('target', [{ kind: 'line', text: choice.text }]));
    }
  }
  return {
    pieces: merged.pieces.flatMap((each) => [
      ...(written.get(each.piece) ?? [each]),
      ...piecesFrom('source', below.get(each.piece) ?? []),
    ]),
    conflicts: [...merged.conflicts, ...conflicts],
    seen: withKeys(merged.seen, { source, taken, open }),
  };
}

function joinedLines(pieces: readonly FramePiece[]): string {
  return pieces.map((piece) => (piece.kind === 'line' ? piece.text : '')).join('');
}

interface AddedKeys {
  readonly source: readonly FramePiece[];
  readonly taken: ReadonlySet<FramePiece>;
  /** Not to be remembered: a person has to decide first. */
  readonly open: ReadonlySet<FramePiece>;
}

/** The keys to remember, with those of the lines that were not merged, at their places. */
function withKeys(seen: readonly string[], { source, taken, open }: AddedKeys): string[] {
  const keys: string[] = [];
  let place = 0;
  for (const piece of source) {
    const key = pieceKey(piece);
    if (taken.has(piece)) {
      if (!open.has(piece)) keys.push(key);
      continue;
    }
    let end = place;
    while (end < seen.length && seen[end] !== key && !isSegmentKey(seen[end] ?? '')) end += 1;
    if (seen[end] !== key) continue;
    append(keys, seen.slice(place, end + 1));
    place = end + 1;
  }
  return [...keys, ...seen.slice(place)];
}
