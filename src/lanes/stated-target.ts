/** What the lock says of a file that is translated whole: as if this machine had left it there. Pure. */
import type { Hash } from '../job.ts';
import type { Written } from '../ledger.ts';
import type { History } from '../segments/decide.ts';
import { type LockVerdict, lockVerdict } from '../segments/lock-decision.ts';
import { hashesOfBytes, type Statement } from '../segments/statements.ts';

export interface StandingTarget {
  /** Of the place; undefined: there is no lock. */
  readonly statements: readonly Statement[] | undefined;
  readonly source: Hash;
  /** What stands there. */
  readonly found: Hash | undefined;
  /** Relative to the root. */
  readonly path: string;
  /** What this machine left there. */
  readonly left: Written | undefined;
  /** What the history says of a file that the lock does not explain. */
  readonly history?: History;
}

/** Whether the history is to be asked: no statement says what stands there, and this machine did not leave it. */
export function isUnexplained(target: StandingTarget): boolean {
  const { found, left } = target;
  if (found === undefined || isKnown(left, found)) return false;
  return ['edited', 'unknown'].includes(verdictOf(target, found).kind);
}

/** A file that was only found here is what the lock says of it. */
function isKnown(left: Written | undefined, found: Hash): boolean {
  return left?.hash === found && left.by !== 'adopted';
}

function verdictOf({ statements, source, history }: StandingTarget, found: Hash): LockVerdict {
  return lockVerdict({
    statements: statements && [...statements, ...(history?.statements ?? [])],
    source: hashesOfBytes(source).source,
    target: hashesOfBytes(found).target,
  });
}

/** @returns what was left there and from which source; undefined where the lock says nothing and this machine decides */
export function statedTarget(target: StandingTarget): Written | undefined {
  const { source, found, path, left, history } = target;
  if (found === undefined || isKnown(left, found)) return undefined;
  const verdict = verdictOf(target, found);
  const stat = left?.stat ?? NO_STAT;
  const written = { path, hash: found, stat };
  switch (verdict.kind) {
    case 'stands':
      return { ...written, ...authorOf(verdict.origin), from: source };
    case 'edited':
      return { ...written, by: 'person', from: history?.kind === 'older' ? OLDER : source };
    case 'stale':
      return { ...written, ...authorOf(verdict.origin), from: OLDER };
    case 'unknown':
      return { ...written, by: 'person', from: history?.kind === 'current' ? source : OLDER };
    case 'outdated':
      return { ...written, by: 'person', from: OLDER };
    case 'no-lock':
    case 'missing':
    case 'unstated':
    case 'held':
    case 'taken-out':
      return undefined;
  }
}

/** No source has this hash. */
const OLDER = '' as Hash;
const NO_STAT = '0:0:0:0' as Written['stat'];

export function authorOf(origin: 'machine' | 'human' | 'adopted'): Pick<Written, 'by'> {
  if (origin === 'machine') return {};
  return { by: origin === 'human' ? 'person' : 'adopted' };
}
