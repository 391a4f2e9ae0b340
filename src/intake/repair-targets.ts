/** Makes the ledger and the targets agree where killed processes moved targets or put them in place. */
import type { Config } from '../config.ts';
import type { TargetsOfLeaving } from './apply.ts';
import { takeBackMoves } from './begun-moves.ts';
import { recordPlaced } from './placed.ts';
import type { ProjectContext } from './project-context.ts';

/** @param targets `stay`: a dry run, which moves no file */
export async function repairTargets(
  parts: Pick<ProjectContext, 'trash' | 'right' | 'ledger' | 'baselines'>,
  { projects }: Pick<Config, 'projects'>,
  targets: TargetsOfLeaving,
): Promise<void> {
  const { ledger } = parts;
  const moving = Iterator.from(ledger.all('jobs')).filter(
    ({ moveBegun }) => moveBegun !== undefined,
  );
  const byProject = Map.groupBy(moving, ({ project }) => project);
  for (const project of targets === 'stay' ? [] : projects) {
    await takeBackMoves({ ...parts, project }, byProject.get(project.name) ?? []);
  }
  const roots = new Map(projects.map(({ name, root }) => [name, root]));
  const rootOf = (project: string) => roots.get(project);
  await recordPlaced(ledger, ledger.all('jobs'), { rootOf, edited: 'ours' });
}
