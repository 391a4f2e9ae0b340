/** Pairs the texts of a source and a target without keys that the lock states to belong together. Pure. */
import { type Assertion, NO_TARGET, type SourceHash, type TargetHash } from './statements.ts';
import { relatedSubsequence } from './subsequence.ts';

export interface Side<Hash> {
  readonly at: number;
  readonly hash: Hash;
}

export interface HashSides {
  readonly sources: readonly Side<SourceHash>[];
  readonly targets: readonly Side<TargetHash>[];
}

/** Position in the source -> position in the target. */
export type PositionPairs = ReadonlyMap<number, number>;

/**
 * Statements have no order, and a page may have the same texts often. So pairs in the order of both sides come first, then texts that
 * moved.
 */
export function exactPairs(
  { sources, targets }: HashSides,
  known: readonly Assertion[],
): PositionPairs {
  const stated = new Map<SourceHash, Set<TargetHash>>();
  for (const { source, target } of known) {
    stated.set(source, (stated.get(source) ?? new Set()).add(target));
  }
  const ours = new Set(known.map(({ target }) => target));
  const inOrder = relatedSubsequence(
    sources.map(({ hash }) => hash),
    targets.map(({ hash }) => hash),
    { related: stated, isUnknown: (at) => !ours.has(targets[at]?.hash ?? NO_TARGET) },
  );
  const pairs = new Map(
    inOrder.map(({ a, b }) => [sources[a]?.at ?? a, targets[b]?.at ?? b] as const),
  );
  const taken = new Set(pairs.values());
  const left = {
    sources: sources.filter(({ at }) => !pairs.has(at)),
    targets: targets.filter(({ at }) => !taken.has(at)),
  };
  const all = new Map([...pairs, ...movedPairs(left, stated)]);
  for (const [source, target] of neglectedPairs({ sources, targets }, all, stated)) {
    all.set(source, target);
  }
  return all;
}

/**
 * A text of the page has a statement and no source, while other sources have the same text as its source. Then the source belongs to that
 * text of the page: else its statement would be true nowhere.
 */
function neglectedPairs(
  { sources, targets }: HashSides,
  pairs: PositionPairs,
  stated: ReadonlyMap<SourceHash, ReadonlySet<TargetHash>>,
): PositionPairs {
  const taken = new Set(pairs.values());
  const free = targets.filter(({ at }) => !taken.has(at));
  if (free.length === 0) return new Map();
  const hashes = new Map(targets.map(({ at, hash }) => [at, hash]));
  const pairOf = ({ at, hash }: Side<SourceHash>) => `${hash} ${hashes.get(pairs.get(at) ?? -1)}`;
  const count = new Map<string, number>();
  for (const source of sources) {
    if (!pairs.has(source.at)) continue;
    count.set(pairOf(source), (count.get(pairOf(source)) ?? 0) + 1);
  }
  const changed = new Map<number, number>();
  const wanted = new Set(free.map(({ hash }) => hash));
  const candidates = Map.groupBy(
    sources.flatMap((source) =>
      [...(stated.get(source.hash) ?? [])].flatMap((target) =>
        wanted.has(target) ? [{ source, target }] : [],
      ),
    ),
    ({ target }) => target,
  );
  for (const { at: place, hash: target } of free) {
    const source = candidates
      .get(target)
      ?.find(
        ({ source: each }) =>
          pairs.has(each.at) &&
          !changed.has(each.at) &&
          !count.has(`${each.hash} ${target}`) &&
          (count.get(pairOf(each)) ?? 0) > 1 &&
          isBetweenNeighbours({ sources, pairs }, each.at, place),
      )?.source;
    if (source === undefined) continue;
    count.set(pairOf(source), (count.get(pairOf(source)) ?? 0) - 1);
    count.set(`${source.hash} ${target}`, 1);
    changed.set(source.at, place);
  }
  return changed;
}

function isBetweenNeighbours(
  { sources, pairs }: Pick<HashSides, 'sources'> & { readonly pairs: PositionPairs },
  source: number,
  place: number,
): boolean {
  const index = sources.findIndex(({ at }) => at === source);
  const before = sources.slice(0, index).findLast(({ at }) => pairs.has(at));
  const behind = sources.slice(index + 1).find(({ at }) => pairs.has(at));
  return (
    (pairs.get(before?.at ?? -1) ?? -1) < place &&
    place < (pairs.get(behind?.at ?? -1) ?? Number.POSITIVE_INFINITY)
  );
}

/** Several segments with the same source text are distinguished by their order alone. */
function movedPairs(
  { sources, targets }: HashSides,
  stated: ReadonlyMap<SourceHash, ReadonlySet<TargetHash>>,
): PositionPairs {
  const free = Map.groupBy(targets, ({ hash }) => hash);
  const wanting = Map.groupBy(
    sources.flatMap(({ hash }) => [...(stated.get(hash) ?? [])]),
    (target) => target,
  );
  /** A person's own text may be the same: then the one between the neighbours is the translation. */
  const isCrowded = (target: TargetHash) => crowded.has(target);
  const crowded = new Set(
    [...free].flatMap(([target, places]) =>
      places.length > (wanting.get(target)?.length ?? 0) ? [target] : [],
    ),
  );
  const pairs = new Map<number, number>();
  const take = (mayTake: (target: TargetHash) => boolean) => {
    let before = -1;
    for (const { at, hash } of sources) {
      for (const target of stated.get(hash) ?? []) {
        const places = pairs.has(at) || !mayTake(target) ? [] : (free.get(target) ?? []);
        const behind = isCrowded(target) ? places.findIndex((place) => place.at > before) : 0;
        const [place] = places.splice(Math.max(0, behind), 1);
        if (place !== undefined) pairs.set(at, place.at);
      }
      before = pairs.get(at) ?? before;
    }
  };
  take((target) => !isCrowded(target));
  take(isCrowded);
  for (const alike of Map.groupBy(sources, ({ hash }) => hash).values()) {
    const paired = alike.filter(({ at }) => pairs.has(at));
    const places = paired.map(({ at }) => pairs.get(at) ?? 0).sort((a, b) => a - b);
    for (const [nth, { at }] of paired.entries()) pairs.set(at, places[nth] ?? 0);
  }
  return pairs;
}
