/** Events of the state that a team shares, as sentences for people. Pure. */
import type { Event } from '../event.ts';
import { plural } from '../language.ts';

export type TeamEvent = Extract<
  Event,
  {
    kind:
      | 'team-state-away'
      | 'team-state-back'
      | 'team-state-refuses'
      | 'runner-given-up'
      | 'tree-taken'
      | 'tree-led'
      | 'tree-troubles';
  }
>;

/** What a daemon does from its start on: a worker of a tree watches nothing. */
export function describeStart(event: Extract<Event, { kind: 'started' }>): string {
  const { projects, follows, waits } = event;
  if (follows === undefined) return `watching ${plural(projects, 'project')}`;
  if (waits === true) return `waiting to lead the tree "${follows}", and watching nothing`;
  return `working for the tree "${follows}", and watching nothing: the leader does`;
}

export function describeTeamEvent(event: TeamEvent): string {
  switch (event.kind) {
    case 'team-state-away':
      return `the team's state at ${event.host} is away: ${event.reason}; nothing new is bought, and paid answers are kept here`;
    case 'team-state-back':
      return `the team's state at ${event.host} is back`;
    case 'team-state-refuses':
      return `the team's state refuses a paid answer: ${event.message}. The answer stays in the outbox of the state folder; tell the operator of the database`;
    case 'tree-taken':
      return `${event.by} works on the tree "${event.tree}"; this daemon continues when that one ends`;
    case 'tree-led':
      return `this daemon leads the tree "${event.tree}", epoch ${event.epoch}`;
    case 'tree-troubles':
      return event.troubles.length === 0
        ? `this daemon can work on the tree "${event.tree}" again`
        : `tree "${event.tree}": ${event.troubles.join('; ')}`;
    case 'runner-given-up': {
      const { runner, requests, characters } = event;
      const silent = `runner ${runner} was silent for 6 s and is given up`;
      if (requests === 0) return silent;
      return `${silent}: ${plural(requests, 'request')} with ${plural(characters, 'character')} may have been billed, and may be billed twice`;
    }
  }
}
