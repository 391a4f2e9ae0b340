/**
 * The decision table of the lock, by the statements about a unit, its source text S and its target text T. The team's
 * statements decide whether a text was translated or edited, not the records of one machine. Pure.
 *
 *   1  (S, T) stated                            up to date; held, when that pair is held
 *   2  S stated, no target, (S, none) held      held; if a person stated (S, none): taken out by a person
 *   3  no target                                missing
 *   4  S stated with another target, T unknown  edited by a person
 *   5  T stated with other sources, ours        stale
 *   6  T stated with other sources, a person's  outdated: a person's text of an older source
 *   7  S and T unknown, the unit is known       unknown
 *   8  the unit is unknown                      unstated: new to the team
 *   9  there is no lock                         no-lock
 */
import type { Origin } from '../baseline.ts';
import {
  type Assertion,
  type Mark,
  NO_TARGET,
  type SourceHash,
  type TargetHash,
} from './statements.ts';

export interface LockQuestion {
  /** Statements about the unit, including those from this machine's baseline; undefined: there is no lock. */
  readonly statements: readonly Assertion[] | undefined;
  readonly source: SourceHash;
  /** Undefined: the target has no text. */
  readonly target: TargetHash | undefined;
}

export type LockVerdict =
  | { readonly kind: 'up-to-date'; readonly origin: Exclude<Origin, 'copied'> }
  | { readonly kind: 'held' | 'taken-out' | 'missing' | 'edited' | 'unknown' | 'unstated' }
  | { readonly kind: 'stale'; readonly origin: 'machine' | 'adopted' }
  | { readonly kind: 'outdated' }
  | { readonly kind: 'no-lock' };

export function lockVerdict({ statements, source, target }: LockQuestion): LockVerdict {
  if (statements === undefined) return { kind: 'no-lock' };
  const ofSource = statements.filter((statement) => statement.source === source);
  if (target === undefined) return withoutTarget(ofSource);
  const ofTarget = statements.filter((statement) => statement.target === target);
  const pair = strongest(ofTarget.filter((statement) => statement.source === source));
  if (pair !== undefined) {
    return pair.mark === 'held' ? { kind: 'held' } : { kind: 'up-to-date', origin: pair.mark };
  }
  if (ofTarget.length > 0) return outdated(ofTarget);
  if (ofSource.length > 0) return { kind: 'edited' };
  return { kind: statements.length > 0 ? 'unknown' : 'unstated' };
}

function withoutTarget(ofSource: readonly Assertion[]): LockVerdict {
  const taken = strongest(ofSource.filter(({ target }) => target === NO_TARGET));
  if (taken === undefined) return { kind: 'missing' };
  return { kind: taken.mark === 'held' ? 'held' : 'taken-out' };
}

/** A text may have been held after it was translated. Then the mark `held` is ignored, and its other mark counts. */
function outdated(ofTarget: readonly Assertion[]): LockVerdict {
  const known = strongest(ofTarget);
  const isReviewed = ofTarget.some(({ review }) => review === 'reviewed');
  if (isReviewed || known?.mark === 'human') return { kind: 'outdated' };
  return { kind: 'stale', origin: known?.mark === 'adopted' ? 'adopted' : 'machine' };
}

const STRENGTH: readonly Mark[] = ['held', 'machine', 'adopted', 'human'];

function strongest(statements: readonly Assertion[]): Assertion | undefined {
  return statements.toSorted((a, b) => STRENGTH.indexOf(b.mark) - STRENGTH.indexOf(a.mark))[0];
}
