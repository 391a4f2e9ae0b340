/** What the lock says of a file that is translated whole: as if this machine had left it there. Pure. */
import type { Hash } from '../job.ts';
import type { Written } from '../ledger.ts';
import type { History } from '../segments/decide.ts';
import { type LockVerdict, lockVerdict } from '../segments/lock-decision.ts';
import { type Assertion, hashesOfBytes, type Statement } from '../segments/statements.ts';

export interface StandingTarget {
  /** Of the place; undefined: there is no lock. */
  readonly statements: readonly Statement[] | undefined;
  readonly source: Hash;
  /** What stands there. */
  readonly found: Hash | undefined;
  /** What the lock may know source and target by: in another checkout their line ends may differ. */
  readonly alike?: Readonly<Record<'source' | 'found', readonly Hash[]>>;
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

/** Whether the lock may say of what stands there what this machine does not know. */
export function mayBeStated({ statements, source, found, left }: StandingTarget): boolean {
  if (statements === undefined || found === undefined) return false;
  return !isKnown(left, found) || left?.from !== source;
}

/** A file that was only found here is what the lock says of it. */
function isKnown(left: Written | undefined, found: Hash): boolean {
  return left?.hash === found && left.by !== 'adopted';
}

function verdictOf({ history, ...target }: StandingTarget, found: Hash): LockVerdict {
  const { statements } = target;
  const said = statements && [...statements, ...(history?.statements ?? [])];
  return verdictOnFiles({ ...target, found, statements: said });
}

/** What the lock says of the bytes that are here. */
export function verdictOnFiles({
  statements: said,
  source,
  found,
  alike,
}: Pick<StandingTarget, 'source' | 'alike'> & {
  readonly statements: readonly Assertion[] | undefined;
  readonly found: Hash;
}): LockVerdict {
  const here = { source: hashesOfBytes(source).source, target: hashesOfBytes(found).target };
  return lockVerdict({ ...here, statements: said && alikeAs(said, here, alike) });
}

/** Statements, where they are about the files as other checkouts have them, about those that are here. */
function alikeAs(
  statements: readonly Assertion[],
  here: Pick<Assertion, 'source' | 'target'>,
  alike: StandingTarget['alike'],
): readonly Assertion[] {
  if (alike === undefined) return statements;
  const sources = new Set(alike.source.map((hash) => hashesOfBytes(hash).source));
  const targets = new Set(alike.found.map((hash) => hashesOfBytes(hash).target));
  return statements.map((statement) => ({
    ...statement,
    source: sources.has(statement.source) ? here.source : statement.source,
    target: targets.has(statement.target) ? here.target : statement.target,
  }));
}

/** @returns what was left there and from which source; undefined where the lock says nothing and this machine decides */
export function statedTarget(target: StandingTarget): Written | undefined {
  const { source, found, path, left, history } = target;
  if (found === undefined || !mayBeStated(target)) return undefined;
  const verdict = verdictOf(target, found);
  // What this machine left there for another source, a colleague may have found right for this one.
  if (isKnown(left, found) && verdict.kind !== 'stands') return undefined;
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
