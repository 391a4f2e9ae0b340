/** `dragoman retry`: tries failed and held jobs again, after it shows their cost. */
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
  dragoman retry --failed            try every failed job again
  dragoman retry outbox/de/a.docx    buy a lost result again; its price is shown first`,
      );
  },
  run: (call) => runRelease(call, 'retry'),
};
