/** Opens baselines for reading: those of the state folder, or of the tree in a team's database. */
import { join } from 'node:path';
import type { BaselineReader } from '../baseline.ts';
import type { Config } from '../config.ts';
import { describeFailure, failureOf } from '../failure.ts';
import { readBaselines } from '../state/baseline.ts';
import type { CommandCall } from './command.ts';
import { openAdministration } from './open-administration.ts';

/** When the database cannot be reached, a note says so, and the baselines of the state folder are read. */
export async function openBaselineReader(
  call: CommandCall,
  config: Config,
): Promise<BaselineReader> {
  const { state, team } = config;
  if (team?.tree === undefined) return await readBaselines(join(state, 'base'));
  try {
    const administration = await openAdministration(call, team);
    await administration.requireAnswer();
    return administration.baselines(team.tree.name);
  } catch (error) {
    call.terminal.note(`nothing is known of earlier texts: ${describeFailure(failureOf(error))}`);
    return await readBaselines(join(state, 'base'));
  }
}
