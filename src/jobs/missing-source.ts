/** What a job that could not read its source waits for: the next look at the disk, or a person who confirms a mass deletion. */
import type { Failure } from '../failure.ts';
import { statOf } from '../files/disk.ts';
import { type Job, sourceId } from '../job.ts';
import type { LedgerView } from '../ledger.ts';
import type { InForce } from '../plan/in-force.ts';
import { sourcePath } from '../plan/planner.ts';

/** `missing`: no look has seen yet that the file is gone. Undefined: the failure has another reason. */
export async function sourceAfter(
  failure: Failure,
  { project: name, source: path }: Pick<Job, 'project' | 'source'>,
  { ledger, inForce }: { readonly ledger: LedgerView; readonly inForce: Pick<InForce, 'planner'> },
): Promise<'missing' | 'vanished' | undefined> {
  if (failure.kind !== 'unreadable') return undefined;
  const project = inForce.planner.project(name);
  const source = ledger.get('sources', sourceId(name, path));
  if (project === undefined || source === undefined) return undefined;
  const isThere = await statOf(sourcePath(project, source)).then(
    (stat) => stat !== undefined,
    () => true,
  );
  if (isThere) return undefined;
  return source.vanished === true ? 'vanished' : 'missing';
}
