/** Connects to the database of a team, for the commands that manage it. */
import { readTeamUrl } from '../config/load-team-url.ts';
import type { TeamConfig } from '../config.ts';
import type { Administration } from '../state/postgres/administer.ts';
import type { CommandCall } from './command.ts';
import { worldOf } from './world.ts';

/** Milliseconds that a running command waits for a database that goes away. One that is away at the start is not waited for. */
const DATABASE_PATIENCE_MS = 10_000;

/** @throws JobFailure `team-state` */
export async function openAdministration(
  call: CommandCall,
  team: TeamConfig,
): Promise<Administration> {
  const { Administration } = await import('../state/postgres/administer.ts');
  return new Administration({
    url: await readTeamUrl(team, worldOf(call).secrets),
    schema: team.schema,
    clock: call.clock,
    ...{ patienceMs: DATABASE_PATIENCE_MS, firstPatienceMs: 0 },
  });
}
