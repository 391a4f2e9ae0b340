/** `dragoman style`: compares style files with the service, pushes them, lists style lists and the known rules. */
import type { Command } from 'commander';
import type { Style } from '../service/styles.ts';
import { styleCatalogue } from '../terminology/load-styles.ts';
import { type CliCommand, type CommandCall, type ExitCode, UsageError } from './command.ts';
import { withService } from './open-service.ts';
import { type Column, table } from './table.ts';
import { runTerminology, type TerminologyOptions } from './terminology.ts';

export const command: CliCommand<TerminologyOptions> = {
  describe(command: Command) {
    command
      .argument('<action>', 'diff, push, list or rules')
      .argument('[name...]', 'diff, push: names or files of lists; rules: categories')
      .option('--dry-run', 'only show what push would do')
      .option('--yes', 'do not ask')
      .addHelpText(
        'after',
        `
Examples:
  dragoman style diff               + only in the file, - only on the service, ~ different
  dragoman style push --yes         make the lists on the service equal to their files
  dragoman style list               all lists of the account
  dragoman style rules punctuation  the rules of a category, and their options

Needs a paid plan. diff exits with 1 when something differs.`,
      );
  },
  async run(call: CommandCall<TerminologyOptions>) {
    const [act, ...names] = call.args;
    switch (act) {
      case 'diff':
      case 'push':
        return await runTerminology(call, { kind: 'style', act, names });
      case 'list':
        return await listStyles(call);
      case 'rules':
        return await listRules(call, names);
      default:
        throw new UsageError(`the action is diff, push, list or rules, not ${act}`);
    }
  },
};

async function listStyles(call: CommandCall<TerminologyOptions>): Promise<ExitCode> {
  const { terminal, options } = call;
  const styles = await withService(call, async ({ styles }, given) => styles.listDetailed(given));
  if (options.json) terminal.json({ styles });
  else for (const line of table(COLUMNS, styles, terminal.columns)) terminal.out(line);
  return 0;
}

const COLUMNS: readonly Column<Style>[] = [
  { title: 'id', text: ({ style_id }) => style_id },
  { title: 'name', shrink: true, text: ({ name }) => name },
  { title: 'language', text: ({ language }) => language },
  { title: 'version', align: 'right', text: ({ version }) => String(version) },
  {
    title: 'rules',
    align: 'right',
    text: ({ configured_rules }) => String(countOf(configured_rules)),
  },
  {
    title: 'instructions',
    align: 'right',
    text: ({ custom_instructions }) => String(custom_instructions.length),
  },
  { title: 'changed', text: ({ updated_time }) => updated_time.slice(0, 10) },
];

function countOf(rules: Style['configured_rules']): number {
  return Object.values(rules).reduce((sum, chosen) => sum + Object.keys(chosen).length, 0);
}

/** Offline: the catalogue is part of the package. */
async function listRules(
  { terminal, options }: CommandCall<TerminologyOptions>,
  categories: readonly string[],
): Promise<ExitCode> {
  const all = Object.entries(await styleCatalogue());
  const chosen = all.filter(([name]) => categories.length === 0 || categories.includes(name));
  if (chosen.length === 0) {
    throw new UsageError(`no such category; there are ${all.map(([name]) => name).join(', ')}`);
  }
  if (options.json) {
    terminal.json(Object.fromEntries(chosen));
    return 0;
  }
  for (const [category, rules] of chosen) {
    terminal.out(terminal.style('bold', category));
    for (const [rule, choices] of Object.entries(rules)) {
      terminal.out(`  ${rule}`);
      for (const option of choices) terminal.out(`    ${option}`);
    }
  }
  return 0;
}
