/** `dragoman lock`: brings the lock of the team up to date with the files on the disk. Sends and buys nothing. */
import type { Command } from 'commander';
import { plural } from '../language.ts';
import {
  type CliCommand,
  type CommandCall,
  CommandFailure,
  type ExitCode,
  type GlobalOptions,
} from './command.ts';
import { withControl } from './open-control.ts';

interface LockCommandOptions extends GlobalOptions {
  readonly prune?: boolean;
}

export const command: CliCommand<LockCommandOptions> = {
  describe(command: Command) {
    command
      .option('--prune', 'also remove entries of sources, languages and projects that are gone')
      .addHelpText(
        'after',
        `
Nothing is bought or sent, and no translation is written. "once" and "run" update the lock themselves. This command is for
translations that were made in another way, and for a lock with conflict markers.

Examples:
  dragoman lock            record the translations that are up to date
  dragoman lock --prune    also remove entries of what is gone`,
      );
  },
  async run(call: CommandCall<LockCommandOptions>) {
    const { terminal, options } = call;
    return await withControl<ExitCode>(call, async (control) => {
      const report = await control.lock({ orphans: options.prune === true ? 'drop' : 'keep' });
      if (report.lock === null) {
        throw new CommandFailure(78, 'the config names no lock; add "lock: dragoman.lock"');
      }
      if (options.json === true) terminal.json(report);
      else {
        for (const path of report.changed) terminal.out(path);
        const open =
          report.open === 0
            ? ''
            : `; ${plural(report.open, 'translation')} not up to date ("dragoman plan")`;
        terminal.out(`${plural(report.changed.length, 'file')} of the lock changed${open}.`);
      }
      return 0;
    });
  },
};
