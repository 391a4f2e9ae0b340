/** Which translations the lock states anywhere: at a place that nobody knows, a pair of texts is known by itself. */
import {
  type Assertion,
  lockRank,
  type SourceHash,
  type TargetHash,
} from '../segments/statements.ts';
import type { LockIndex } from './lock-file.ts';

type Pairs = ReadonlyMap<string, Assertion>;

/** Made where a text asks for it: a lock may hold millions. */
const known = new WeakMap<LockIndex, Pairs>();

/** @returns who made the translation, the strongest of what is said of it; undefined: nobody says so */
export function originOfPair(index: LockIndex, source: SourceHash, target: TargetHash) {
  const pairs = known.get(index) ?? pairsOf(index);
  known.set(index, pairs);
  const mark = pairs.get(`${source} ${target}`)?.mark;
  return mark === 'held' ? undefined : mark;
}

function pairsOf(index: LockIndex): Pairs {
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
