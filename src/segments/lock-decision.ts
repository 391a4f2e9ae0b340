/**
 * What the statements of a place say of the texts that stand there: the decision table of the lock. Whether a text was translated
 * or edited is told by the team's statements, and not by what one machine remembers. Pure.
 *
 *   1  (S, T) stated                            it stands; it waits, when that pair is held
 *   2  S stated, no target, (S, none) held      it waits; (S, none) by a person: taken out by a person
 *   3  no target                                missing
 *   4  S stated with another target, T unknown  a person edited it
 *   5  T stated with other sources, ours        stale
 *   6  T stated with other sources, a person's  a person's text of an older source
 *   7  S and T unknown, the place is known      unknown
 *   8  the place is unknown                     new to the team
 *   9  there is no lock                         nothing is said
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
  /** Statements of the place, those of this machine's baseline among them; undefined: there is no lock. */
  readonly statements: readonly Assertion[] | undefined;
  readonly source: SourceHash;
  /** Undefined: nothing stands there. */
  readonly target: TargetHash | undefined;
}

export type LockVerdict =
  | { readonly kind: 'stands'; readonly origin: Exclude<Origin, 'copied'> }
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
    return pair.mark === 'held' ? { kind: 'held' } : { kind: 'stands', origin: pair.mark };
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

/** A held text is told by what it was before it was held. */
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
