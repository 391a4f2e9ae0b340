/** `dragoman glossary`: how glossary files differ from the service, and both directions of making them equal. */
import type { Command } from 'commander';
import { type Call, type CliCommand, UsageError } from './command.ts';
import { type RulesOptions, runRules } from './rules.ts';

export const command: CliCommand<RulesOptions> = {
  describe(command: Command) {
    command
      .argument('<action>', 'diff, push or pull')
      .argument('[name...]', 'glossaries of dragoman.yaml; all when none is named')
      .option('--dry-run', 'only show what push or pull would do')
      .option('--yes', 'do not ask')
      .addHelpText(
        'after',
        `
Examples:
  dragoman glossary diff              + only in the file, - only on the service, ~ different
  dragoman glossary push shop --yes   make the service equal to the file, in the fewest calls
  dragoman glossary pull shop         the other way round; notes and other pairs in the file stay

diff exits with 1 when something differs.`,
      );
  },
  run: async (call) =>
    await runRules(call, { kind: 'glossary', act: actOf(call), names: call.args.slice(1) }),
};

function actOf({ args: [act] }: Call<RulesOptions>): 'diff' | 'push' | 'pull' {
  if (act === 'diff' || act === 'push' || act === 'pull') return act;
  throw new UsageError(`glossary does diff, push or pull, not ${act}`);
}
