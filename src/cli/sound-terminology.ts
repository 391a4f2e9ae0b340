/** Glossary and style files at fault end a command as a config at fault does: with 78, all faults at once, before anything is paid. */
import { renderFaults } from '../config/fault.ts';
import type { SoundConfig } from '../config/parse.ts';
import { loadTerminology } from '../terminology/load-project-terms.ts';
import { type CommandCall, CommandFailure } from './command.ts';

/** @throws CommandFailure 78 */
export async function requireSoundTerminology(
  call: CommandCall,
  setup: Pick<SoundConfig, 'config' | 'warnings'>,
): Promise<void> {
  const { faults, warnings: ofFiles } = await loadTerminology(setup.config);
  if (faults.length > 0) {
    throw new CommandFailure(78, 'glossaries and styles are refused', { faults });
  }
  const warnings = [...setup.warnings, ...ofFiles];
  if (warnings.length > 0) call.terminal.note(renderFaults(warnings, call.cwd));
}
