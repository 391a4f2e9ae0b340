/** The statement of the lock about a file that is translated whole, in the form of a target in the ledger. Pure. */

import { NO_STAT } from '../files/disk.ts';
import type { Hash } from '../job.ts';
import type { Written } from '../ledger.ts';
import type { History } from '../segments/decision.ts';
import { type LockVerdict, lockVerdict } from '../segments/lock-decision.ts';
import { type Assertion, hashesOfBytes, type Statement } from '../segments/statements.ts';

export interface CurrentTarget {
  /** The statements about the file; undefined: there is no lock. */
  readonly statements: readonly Statement[] | undefined;
  readonly source: Hash;
  /** Hash of the present target; undefined: there is none. */
  readonly found: Hash | undefined;
  /** All hashes that the lock may have for source and target: in another checkout they may have other line ends. */
  readonly alike?: Readonly<Record<'source' | 'found', readonly Hash[]>>;
  /** Path of the target, relative to the root. */
  readonly path: string;
  /** The target as this machine left it. */
  readonly left: Written | undefined;
  /** The answer of the history about a target that the lock does not explain. */
  readonly history?: History;
}

/** Whether the history must be asked: no statement is about the present target, and this machine did not leave it. */
export function isUnexplained(target: CurrentTarget): boolean {
  const { found, left } = target;
  if (found === undefined || isKnown(left, found)) return false;
  return ['edited', 'unknown'].includes(verdictOf(target, found).kind);
}

/** Whether the lock may know something about the present target that this machine does not know. */
export function mayBeStated({ statements, source, found, left }: CurrentTarget): boolean {
  if (statements === undefined || found === undefined) return false;
  return !isKnown(left, found) || left?.from !== source;
}

/** Whether this machine left the target. An adopted one does not count: the lock decides about it. */
function isKnown(left: Written | undefined, found: Hash): boolean {
  return left?.hash === found && left.by !== 'adopted';
}

function verdictOf({ history, ...target }: CurrentTarget, found: Hash): LockVerdict {
  const { statements } = target;
  const said = statements && [...statements, ...(history?.statements ?? [])];
  return verdictOnFiles({ ...target, found, statements: said });
}

/** The verdict on the present bytes by the statements of the lock. */
export function verdictOnFiles({
  statements: said,
  source,
  found,
  alike,
}: Pick<CurrentTarget, 'source' | 'alike'> & {
  readonly statements: readonly Assertion[] | undefined;
  readonly found: Hash;
}): LockVerdict {
  const here = { source: hashesOfBytes(source).source, target: hashesOfBytes(found).target };
  return lockVerdict({ ...here, statements: said && alikeAs(said, here, alike) });
}

/** The statements, with the hashes of other checkouts replaced by those of the present files. */
function alikeAs(
  statements: readonly Assertion[],
  here: Pick<Assertion, 'source' | 'target'>,
  alike: CurrentTarget['alike'],
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

/**
 * @returns who wrote the target and for which source; undefined when the lock does not say it: then the ledger of this machine
 * decides
 */
export function statedTarget(target: CurrentTarget): Written | undefined {
  const { source, found, path, left, history } = target;
  if (found === undefined || !mayBeStated(target)) return undefined;
  const verdict = verdictOf(target, found);
  // This machine may have left the target for another source, and a colleague may have confirmed it for this source.
  if (isKnown(left, found) && verdict.kind !== 'up-to-date') return undefined;
  const stat = left?.stat ?? NO_STAT;
  const written = { path, hash: found, stat };
  switch (verdict.kind) {
    case 'up-to-date':
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

/** An older source whose hash is unknown: no file has this hash. */
const OLDER = '' as Hash;

export function authorOf(origin: 'machine' | 'human' | 'adopted'): Pick<Written, 'by'> {
  if (origin === 'machine') return {};
  return { by: origin === 'human' ? 'person' : 'adopted' };
}
