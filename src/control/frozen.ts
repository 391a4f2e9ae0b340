/** `once --frozen`: what a run would change, and what is missing all the same; nothing is done and nothing is sent. */
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { statOf } from '../files/disk.ts';
import { findWorkTree } from '../files/work-tree.ts';
import { type Job, targetList } from '../job.ts';
import type { PlannedJob } from '../plan/plan.ts';
import { attentionOf } from './attention.ts';
import { blockersIn, notesOfBlockers } from './blockers.ts';
import type { Scope } from './control.ts';
import type { LocalControlOptions } from './options.ts';
import type { FrozenReport } from './report.ts';
import { inScope } from './scope.ts';

export async function frozenReport(
  options: LocalControlOptions,
  scope: Scope,
): Promise<FrozenReport> {
  await options.look();
  const { ledger, inForce } = options;
  const rootOf = (project: string) => inForce.planner.project(project)?.root;
  const { work } = inForce.planner.plan('passing');
  const open = await remaining(
    options,
    work.filter(({ job }) => inScope(scope, job, rootOf)),
  );
  const undone = new Set(open.map(({ job }) => job.id));
  const others = [...ledger.all('jobs')].filter(
    (job) => !undone.has(job.id) && inScope(scope, job, rootOf),
  );
  const blockers = blockersIn(scope, options.blockers(), rootOf);
  return {
    jobs: [...options.followUps(scope), ...open].map(({ job, reason }) => {
      const { project, source, language } = job;
      return { project, source, language, reason };
    }),
    attention: attentionOf(others, blockers),
    notes: [...notesOfBlockers(blockers), ...noLockNotes(inForce.config)],
  };
}

/** Without a lock only what this machine has seen is known. Outside of git there are no other checkouts to which it matters. */
export function noLockNotes({ lock, base }: Config): string[] {
  return lock === undefined && findWorkTree(base) !== undefined ? [NO_LOCK] : [];
}

const NO_LOCK =
  'the config names no lock: in a fresh checkout a stale translation cannot be told from one that is up to date; "lock: dragoman.lock" keeps that in the repository';

/** Without translations that stand already and are up to date: a run only writes down that it knows them. */
async function remaining(
  options: LocalControlOptions,
  pending: readonly PlannedJob[],
): Promise<PlannedJob[]> {
  const open: PlannedJob[] = [];
  for (const planned of pending) {
    if (planned.reason !== 'new' || !(await stands(options, planned.job))) open.push(planned);
  }
  return open;
}

async function stands({ inForce, estimate }: LocalControlOptions, job: Job): Promise<boolean> {
  const root = inForce.planner.project(job.project)?.root;
  if (root === undefined) return false;
  for (const path of targetList(job.targets)) {
    if ((await statOf(join(root, path))) === undefined) return false;
  }
  const estimated = await estimate(job, new Set()).catch(() => undefined);
  return estimated?.stands === true && estimated.hold === undefined;
}
