/** `dragoman approve`: releases jobs that wait for approval (approve_over, a budget, a bulk change), after it shows their cost. */
import type { Command } from 'commander';
import type { CliCommand } from './command.ts';
import { type ReleaseOptions, runRelease } from './release.ts';
import { addScope } from './scope.ts';

export const command: CliCommand<ReleaseOptions> = {
  describe(command: Command) {
    addScope(command)
      .argument('[file...]', 'sources or targets')
      .option('--all', 'everything that waits for approval')
      .option('--yes', 'do not ask')
      .addHelpText(
        'after',
        `
Examples:
  dragoman approve inbox/report.docx     buy this one, in all languages
  dragoman approve --all --language de   everything that waits, German only`,
      );
  },
  run: (call) => runRelease(call, 'approve'),
};
