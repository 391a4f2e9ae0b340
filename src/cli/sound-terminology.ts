/**
 * Faults of glossary and style files. They end a command with 78, all of them at once and before anything is paid, when they leave nothing to
 * do. Else only jobs that need the files fail.
 */
import { faultLines } from '../config/fault.ts';
import type { SoundConfig } from '../config/parse.ts';
import type { Config } from '../config.ts';
import { loadTerminology } from '../terminology/load-project-terms.ts';
import { projectTerms, type Terminology } from '../terminology/project-terms.ts';
import { type CommandCall, CommandFailure } from './command.ts';

/** Prints the warnings of the config, and what is wrong with glossary and style files. @throws CommandFailure as `soundTerminology` */
export async function requireSoundTerminology(
  call: CommandCall,
  setup: Pick<SoundConfig, 'config' | 'warnings'>,
): Promise<void> {
  const { faults, warnings } = await soundTerminology(setup);
  const all = [...setup.warnings, ...faults, ...warnings];
  for (const line of faultLines(all, call.cwd)) call.terminal.note(line);
}

/** @throws CommandFailure 78 with all faults of the files, when each language of each project needs one with a fault */
export async function soundTerminology({
  config,
}: Pick<SoundConfig, 'config'>): Promise<Terminology> {
  const terminology = await loadTerminology(config);
  const { faults } = terminology;
  if (!isUseless(terminology, config)) return terminology;
  throw new CommandFailure(78, 'glossaries and styles are refused', { faults });
}

/** Whether faults of the files concern each language of each project. */
export function isUseless(terminology: Terminology, { projects }: Config): boolean {
  if (terminology.faults.length === 0) return false;
  return projects.every((project) =>
    project.targets.every(
      (language) => projectTerms(terminology, project, language).faulty !== undefined,
    ),
  );
}
