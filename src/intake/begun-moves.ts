/**
 * Takes back unfinished moves of targets: the process died before it wrote the record, or one of the targets could not be moved. Then
 * the targets are again at the paths in the ledger. From there they move or go with their sources, wherever these are now.
 */
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BaselineKey, BaselineMove, Baselines } from '../baseline.ts';
import { parseStat, statOf } from '../files/disk.ts';
import { isTemporary } from '../files/temporary.ts';
import type { Stat } from '../job.ts';
import {
  commitDecision,
  type Fact,
  type JobRecord,
  type Ledger,
  type MoveBegun,
  type MovingFile,
} from '../ledger.ts';
import type { ProjectContext } from './project-context.ts';
import { type Relocation, relocate } from './relocate.ts';

type TakeBackOptions = Pick<ProjectContext, 'project' | 'trash' | 'right' | 'ledger' | 'baselines'>;

type MovingTargets = JobRecord & { readonly moveBegun: MoveBegun };

/** Writes down which files a move will move, before it moves the first one. */
export async function beginMoves(
  ledger: Ledger,
  moves: readonly { readonly job: JobRecord; readonly moveBegun: MoveBegun }[],
): Promise<void> {
  const begun = moves.filter(({ moveBegun }) => moveBegun.files.length > 0);
  if (begun.length === 0) return;
  await commitDecision(ledger, () =>
    begun.flatMap(({ job, moveBegun }): Fact[] => {
      const from = ledger.get('jobs', job.id);
      return from === undefined ? [] : [{ table: 'jobs', from, set: { moveBegun } }];
    }),
  );
}

/** @param jobs of the project; those that took each other's places must be among them together */
export async function takeBackMoves(
  options: TakeBackOptions,
  jobs: Iterable<JobRecord>,
): Promise<void> {
  const begun = [...jobs].filter(isBegun);
  if (begun.length === 0) return;
  const { ledger, project, baselines } = options;
  const back: Relocation[] = [];
  for (const file of begun.flatMap(({ moveBegun }) => moveBegun.files)) {
    const at = await pathNow(project.root, file);
    if (at !== undefined) back.push({ from: at, to: file.from });
  }
  await relocate(options, back);
  await baselines.move(await baselinesBack(baselines, begun));
  await commitDecision(ledger, () =>
    begun.flatMap(({ id }): Fact[] => {
      const from = ledger.get('jobs', id);
      return from === undefined ? [] : [{ table: 'jobs', from, set: { moveBegun: undefined } }];
    }),
  );
}

function isBegun(job: JobRecord): job is MovingTargets {
  return job.moveBegun !== undefined;
}

/**
 * If another file has the old path now (two files took each other's names), only the stat of the file shows which one it is. While they
 * change places, each is aside under a temporary name, beside its new path.
 * @returns the path to move it back from; undefined when it is at its old path, where somebody may have changed it
 */
async function pathNow(root: string, { from, to, stat }: MovingFile): Promise<string | undefined> {
  const isAt = async (path: string) => {
    const found = await statOf(join(root, path));
    return found !== undefined && isSameFile(found, stat);
  };
  if (await isAt(from)) return undefined;
  if (await isAt(to)) return to;
  const names = await readdir(join(root, dirname(to))).catch(() => []);
  for (const name of names.filter(isTemporary)) {
    const aside = join(dirname(to), name);
    if (await isAt(aside)) return aside;
  }
  // Somebody has changed it since.
  return (await statOf(join(root, from))) === undefined ? to : undefined;
}

/** Whether both are stats of one file. A move changes the ctime. */
function isSameFile(one: Stat, other: Stat): boolean {
  const [a, b] = [parseStat(one), parseStat(other)];
  return a.inode === b.inode && a.mtimeNs === b.mtimeNs && a.size === b.size;
}

/** The baselines that have moved already. */
async function baselinesBack(
  baselines: Baselines,
  begun: readonly MovingTargets[],
): Promise<readonly BaselineMove[]> {
  const moves: BaselineMove[] = [];
  for (const { project, language, source, moveBegun } of begun) {
    const to: BaselineKey = { project, language, path: source };
    const from = { ...to, path: moveBegun.source };
    if ((await baselines.copyOf(to)) === undefined) moves.push({ from, to });
  }
  return moves;
}
