/** What the lock says of a file that is translated whole: as if this machine had left it there. Pure. */
import type { Hash } from '../job.ts';
import type { Written } from '../ledger.ts';
import { lockVerdict } from '../segments/lock-decision.ts';
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
}

/** @returns what was left there and from which source; undefined where the lock says nothing and this machine decides */
export function statedTarget(target: StandingTarget): Written | undefined {
  const { statements, source, found, path, left } = target;
  if (found === undefined || left?.hash === found) return undefined;
  const verdict = lockVerdict({
    statements,
    source: hashesOfBytes(source).source,
    target: hashesOfBytes(found).target,
  });
  const stat = left?.stat ?? NO_STAT;
  const written = { path, hash: found, stat };
  switch (verdict.kind) {
    case 'stands':
      return { ...written, ...authorOf(verdict.origin), from: source };
    case 'edited':
      return { ...written, by: 'person', from: source };
    case 'stale':
      return { ...written, ...authorOf(verdict.origin), from: OLDER };
    case 'outdated':
    case 'unknown':
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

function authorOf(origin: 'machine' | 'human' | 'adopted'): Pick<Written, 'by'> {
  if (origin === 'machine') return {};
  return { by: origin === 'human' ? 'person' : 'adopted' };
}
