/** Faults of glossary and style files end a command with 78, all of them at once, before anything is paid. */
import { faultLines } from '../config/fault.ts';
import type { SoundConfig } from '../config/parse.ts';
import { loadTerminology } from '../terminology/load-project-terms.ts';
import type { Terminology } from '../terminology/project-terms.ts';
import { type CommandCall, CommandFailure } from './command.ts';

/** Prints the warnings of config, glossary and style files. @throws CommandFailure 78 with all faults of the files */
export async function requireSoundTerminology(
  call: CommandCall,
  setup: Pick<SoundConfig, 'config' | 'warnings'>,
): Promise<void> {
  const { warnings: ofFiles } = await soundTerminology(setup);
  const warnings = [...setup.warnings, ...ofFiles];
  for (const line of faultLines(warnings, call.cwd)) call.terminal.note(line);
}

/** @throws CommandFailure 78 with all faults of the files */
export async function soundTerminology({
  config,
}: Pick<SoundConfig, 'config'>): Promise<Terminology> {
  const terminology = await loadTerminology(config);
  const { faults } = terminology;
  if (faults.length === 0) return terminology;
  throw new CommandFailure(78, 'glossaries and styles are refused', { faults });
}
