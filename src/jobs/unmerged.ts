/**
 * Finds what git left unfinished in the files of a job: conflict markers, pointers of git-LFS, files outside of the checkout.
 * Such a job is held, and nothing of it is sent.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { conflictIn } from '../files/conflict-markers.ts';
import { isPointer } from '../files/disk.ts';
import { isTextPath } from '../files/line-ends.ts';
import { absentOnPurpose, findWorkTree } from '../files/work-tree.ts';
import { extensionsOf } from '../formats/all.ts';
import { type Hold, type Job, sourceId, targetList } from '../job.ts';
import type { LedgerView } from '../ledger.ts';
import type { InForce } from '../plan/in-force.ts';

/** Pages whose code fences may show conflict markers. */
export const FENCED = extensionsOf('markdown');

interface UnmergedContext {
  readonly inForce: InForce;
  readonly ledger: LedgerView;
}

/** Conflict markers in the source or a target of a job. */
export async function markersOf(context: UnmergedContext, job: Job): Promise<Hold | undefined> {
  const root = context.inForce.planner.project(job.project)?.root;
  if (root === undefined) return undefined;
  const paths = [sourceOnDisk(context, job), ...targetList(job.targets)];
  for (const path of job.lane === 'voice' ? paths.filter(isTextPath) : paths) {
    // The lane reports a file that cannot be read.
    const line = await conflictIn(join(root, path), FENCED).catch(() => undefined);
    if (line !== undefined) return { kind: 'conflict-markers', path, line };
  }
  return undefined;
}

/** A source whose content git-LFS has not fetched. */
export async function unfetchedSource(
  context: UnmergedContext,
  job: Job,
): Promise<Hold | undefined> {
  const root = context.inForce.planner.project(job.project)?.root;
  if (root === undefined) return undefined;
  const path = sourceOnDisk(context, job);
  return (await isPointer(join(root, path))) ? { kind: 'not-fetched', path } : undefined;
}

/** A target of the text or subtitle lane whose content git-LFS has not fetched. The lane would take the pointer for a text of a person. */
export async function unfetchedTarget(
  { inForce }: Pick<UnmergedContext, 'inForce'>,
  { project, lane, targets }: Pick<Job, 'project' | 'lane' | 'targets'>,
): Promise<Hold | undefined> {
  const root = inForce.planner.project(project)?.root;
  if (root === undefined || (lane !== 'text' && lane !== 'subtitle')) return undefined;
  for (const path of targetList(targets)) {
    if (await isPointer(join(root, path))) return { kind: 'not-fetched', path };
  }
  return undefined;
}

/** A target that git tracks and left out of the checkout: a new one would replace the texts in it, also those of a person. */
export async function leftOutTarget(
  { inForce }: Pick<UnmergedContext, 'inForce'>,
  { project, targets }: Pick<Job, 'project' | 'targets'>,
): Promise<Hold | undefined> {
  const root = inForce.planner.project(project)?.root;
  if (root === undefined) return undefined;
  const absent = targetList(targets).filter((path) => !existsSync(join(root, path)));
  const tree = absent.length === 0 ? undefined : findWorkTree(root);
  if (tree === undefined) return undefined;
  const isAway = await absentOnPurpose(tree);
  const path = absent.find((target) => isAway(join(root, target)));
  return path === undefined ? undefined : { kind: 'not-fetched', path, by: 'checkout' };
}

/** The path of the source as it is spelled on the disk. */
function sourceOnDisk({ ledger }: UnmergedContext, { project, source }: Job): string {
  return ledger.get('sources', sourceId(project, source))?.raw ?? source;
}
