/**
 * Tells the other daemons of a tree how many jobs this one can run at a time, and how many it has settled. Also why it takes none. While it
 * takes no jobs, the others go on with what it has sent.
 */
import type { Clock } from '../clock.ts';
import { failureOf } from '../failure.ts';
import type { Tree } from '../state/tree.ts';
import type { RunState } from './run-state.ts';
import type { JobRunner } from './runner.ts';

/** Milliseconds between two messages; a message is sent only when something has changed. */
const TELL_MS = 2000;

export interface PresenceOptions {
  readonly tree: Pick<Tree, 'compare' | 'daemons' | 'troubles' | 'volume'>;
  readonly runner: Pick<JobRunner, 'slots' | 'settled' | 'leaveWhileIdle'>;
  readonly runState: Pick<RunState, 'troubles'>;
  readonly clock: Clock;
}

/**
 * Sends the figures until the signal. A message that the database does not get is not a loss, because every message has all figures.
 * @throws JobFailure `team-state` when this daemon leads, and the files of the tree are not here (`absent`), or another one leads now (`taken`)
 */
export async function keepPresence(options: PresenceOptions, signal: AbortSignal): Promise<void> {
  const { tree, runner, runState, clock } = options;
  let published = '';
  while (!signal.aborted) {
    // Reads the leader's config, which may have changed.
    await tree.compare().catch((error: unknown) => {
      if (endsLead(error)) throw error;
    });
    await runner.leaveWhileIdle();
    const { slots, settled } = runner;
    const troubles = [...tree.troubles, ...runState.troubles];
    const figures = { places: slots, settled, troubles, volume: tree.volume };
    const message = JSON.stringify(figures);
    if (message !== published) {
      await tree.daemons.publish(figures).then(
        () => {
          published = message;
        },
        () => {},
      );
    }
    await clock.sleep(TELL_MS, signal).catch(() => {});
  }
}

function endsLead(error: unknown): boolean {
  const failure = failureOf(error);
  return failure.kind === 'team-state' && ['absent', 'taken'].includes(failure.problem);
}
