/** Which pairs of source and translation the lock has under any source: for a text whose source is unknown to the lock. */
import {
  type Assertion,
  lockRank,
  type SourceHash,
  type TargetHash,
} from '../segments/statements.ts';
import type { LockIndex } from './lock-file.ts';

type KnownPairs = ReadonlyMap<string, Assertion>;

/** Built at the first question: a lock may have millions of statements. */
const pairsOfLocks = new WeakMap<LockIndex, KnownPairs>();

/** @returns who made the translation, by the strongest statement; undefined: no statement has the pair */
export function originOfPair(index: LockIndex, source: SourceHash, target: TargetHash) {
  const pairs = pairsOfLocks.get(index) ?? pairsOf(index);
  pairsOfLocks.set(index, pairs);
  const mark = pairs.get(`${source} ${target}`)?.mark;
  return mark === 'held' ? undefined : mark;
}

function pairsOf(index: LockIndex): KnownPairs {
  const pairs = new Map<string, Assertion>();
  for (const statements of index.values()) {
    for (const statement of statements) {
      const key = `${statement.source} ${statement.target}`;
      const before = pairs.get(key);
      if (before === undefined || lockRank(statement) > lockRank(before)) pairs.set(key, statement);
    }
  }
  return pairs;
}
