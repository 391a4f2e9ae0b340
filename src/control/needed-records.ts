/** Which records of a shared tree `status` needs. A machine that does not lead the tree reads only these. */
import { isBoughtByText, languagesOfLanes } from '../config/lane-languages.ts';
import { asksFor, countsAsWaiting, type JobNames } from '../plan/asked.ts';
import { laneNow, type Setup } from '../plan/planner.ts';
import type { Project, Route } from '../project.ts';
import type { Extent, NeededSources } from '../state/tree.ts';
import type { Scope } from './control.ts';
import { wantsReviews } from './review/progress.ts';

/**
 * With limits by path all records: the number of jobs below a path is not counted in the database. So too when reviews or the detected
 * language of each source are asked for.
 */
export function recordsForStatus(setup: Setup, { paths, since }: Scope): Extent {
  const { projects } = setup.config;
  const asksForAll = projects.some((project) => project.detect || wantsReviews(project));
  if (paths.length > 0 || since !== undefined || asksForAll) return { of: 'everything' };
  const counts = (job: JobNames) => {
    return countsAsWaiting({ lane: job.lane, isAsked: asksFor(setup, job) });
  };
  return { of: 'open work', sources: neededSources(setup), counts };
}

/** The records that show which routes are empty, and which sources may share a target. */
function neededSources({ config: { projects }, router }: Setup): NeededSources {
  const mayCollide = projects.some(({ name }) => router.mayCollide(name));
  const open = new Set<Route | Project>(projects.flatMap(({ routes }) => routes));
  for (const project of projects) if (hasTextsOnly(project)) open.add(project);
  return {
    needs({ project: name, path, lane }) {
      const project = projects.find((each) => each.name === name);
      const match = project && router.match(name, path);
      if (match?.kind !== 'source') return false;
      const isFirst = open.delete(match.route);
      const isText = isBoughtByText(laneNow({ ...(lane && { lane }) }, match));
      const isFirstOther = !isText && open.delete(project as Project);
      return isFirst || isFirstOther || router.mayCollide(name, path);
    },
    isEnough: () => !mayCollide && open.size === 0,
  };
}

/** Whether some target languages are for texts only: then a document or a recording of the project matters. */
function hasTextsOnly(project: Project): boolean {
  const { text, others } = languagesOfLanes(project);
  return text.some((language) => !others.includes(language));
}
