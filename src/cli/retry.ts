/** `dragoman retry`: failed and held jobs are tried again, after their cost was shown. */
import type { Command } from 'commander';
import type { CliCommand } from './command.ts';
import { type ReleaseOptions, runRelease } from './release.ts';
import { addScope } from './scope.ts';

export const command: CliCommand<ReleaseOptions> = {
  describe(command: Command) {
    addScope(command)
      .argument('[file...]', 'sources or targets')
      .option('--failed', 'everything that failed')
      .option('--all', 'everything that failed or is held')
      .option('--yes', 'do not ask')
      .addHelpText(
        'after',
        `
Examples:
  dragoman retry --failed            try again what failed
  dragoman retry outbox/de/a.docx    buy a lost result again, after its price was shown`,
      );
  },
  run: (call) => runRelease(call, 'retry'),
};
