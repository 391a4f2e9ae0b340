/** The desk of what is at work: commands and page ask it. */

import { describeFailure } from '../failure.ts';
import type { Assembly } from './assembly.ts';
import { blockedPaths, blockersOf } from './blockers.ts';
import type { Control, Entrance } from './control.ts';
import { createLocalControl } from './local-control.ts';
import type { StatusReport } from './report.ts';

/** @param page how people get to the page, once it is served */
export function openLocalControl(assembly: Assembly, page: () => Entrance | undefined): Control {
  const { workspace, runner, spending, inForce } = assembly;
  const isWatching = () => assembly.mode === 'watching';
  return createLocalControl({
    ...workspace,
    spending,
    inForce,
    clock: assembly.options.world.clock,
    setup: () => assembly.setup,
    planner: () => assembly.planner,
    condition: () => conditionOf(assembly, page()),
    visit: () => page()?.visit() ?? null,
    estimate: (job, counted) => runner.estimate(job, counted),
    look: async () => {
      const { monitor } = assembly;
      await monitor.look();
      // What stands in the way is known only now.
      return { skipped: [...monitor.intake.skipped(), ...blockedPaths(assembly.blockers)] };
    },
    offer: (jobs) => {
      if (isWatching()) runner.offer(jobs);
    },
    isBusy: ({ state }) => isWatching() && (state.kind === 'queued' || state.kind === 'running'),
    tookBack: (file) => assembly.monitor.intake.tookBack(file),
    followUps: (scope) => assembly.followUps(scope),
    blockers: () => blockersOf(assembly.blockers),
    confirmDeletions: () => assembly.monitor.intake.confirmDeletions(),
    pause: async () => runner.pause(),
    resume: () => runner.resume(),
  });
}

function conditionOf(
  assembly: Assembly,
  page: Entrance | undefined,
): Pick<StatusReport, 'state' | 'stopped_by' | 'page'> {
  const { stop } = assembly.runner;
  const stopped_by = stop === undefined ? null : describeFailure(stop);
  return { state: stateWord(assembly), stopped_by, page: page?.address ?? null };
}

function stateWord({ runner, mode }: Assembly): StatusReport['state'] {
  if (runner.stop !== undefined) return 'stopped';
  if (runner.paused) return 'paused';
  return mode === 'watching' ? 'running' : 'not running';
}
