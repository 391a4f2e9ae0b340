/** The desk of what is at work: commands and page ask it. */

import { describeFailure } from '../failure.ts';
import type { Assembly } from './assembly.ts';
import { obstaclePaths, obstaclesOf } from './blockers.ts';
import type { Control, Entrance } from './control.ts';
import { createDesk } from './local-control.ts';
import type { StatusReport } from './report.ts';

/** @param page how people get to the page, once it is served */
export function openDesk(assembly: Assembly, page: () => Entrance | undefined): Control {
  const { workspace, workshop, spending, rulebook } = assembly;
  const isWatching = () => assembly.mode === 'watching';
  return createDesk({
    ...workspace,
    spending,
    rulebook,
    clock: assembly.options.world.clock,
    setup: () => assembly.setup,
    planner: () => assembly.planner,
    condition: () => conditionOf(assembly, page()),
    visit: () => page()?.visit() ?? null,
    estimate: (job, counted) => workshop.estimate(job, counted),
    look: async () => {
      const { lookout } = assembly;
      await lookout.look();
      // What stands in the way is known only now.
      return { skipped: [...lookout.intake.skipped(), ...obstaclePaths(assembly.obstacles)] };
    },
    offer: (jobs) => {
      if (isWatching()) workshop.offer(jobs);
    },
    isBusy: ({ state }) => isWatching() && (state.kind === 'queued' || state.kind === 'running'),
    tookBack: (file) => assembly.lookout.intake.tookBack(file),
    followUps: (scope) => assembly.followUps(scope),
    obstacles: () => obstaclesOf(assembly.obstacles),
    confirmDeletions: () => assembly.lookout.intake.confirmDeletions(),
    pause: async () => workshop.pause(),
    resume: () => workshop.resume(),
  });
}

function conditionOf(
  assembly: Assembly,
  page: Entrance | undefined,
): Pick<StatusReport, 'state' | 'stopped_by' | 'page'> {
  const { stop } = assembly.workshop;
  const stopped_by = stop === undefined ? null : describeFailure(stop);
  return { state: stateWord(assembly), stopped_by, page: page?.address ?? null };
}

function stateWord({ workshop, mode }: Assembly): StatusReport['state'] {
  if (workshop.stop !== undefined) return 'stopped';
  if (workshop.paused) return 'paused';
  return mode === 'watching' ? 'running' : 'not running';
}
