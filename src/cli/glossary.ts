/** `dragoman glossary`: compares glossary files with the service, pushes or pulls them, and suggests terms from people's corrections. */
import type { Command } from 'commander';
import { oneLine } from '../config/one-line.ts';
import type { SoundConfig } from '../config/parse.ts';
import type { Control } from '../control/control.ts';
import type { TermSuggestion } from '../control/report.ts';
import { plural } from '../language.ts';
import { type Standpoint, seen, standpointOf } from './attention-lines.ts';
import { type CliCommand, type CommandCall, type ExitCode, UsageError } from './command.ts';
import { withControl } from './open-control.ts';
import { addScope, requirePaths, type ScopeOptions, scopeFrom } from './scope.ts';
import type { Terminal } from './terminal.ts';
import { runTerminology, type TerminologyOptions } from './terminology.ts';

interface GlossaryOptions extends TerminologyOptions, ScopeOptions {}

export const command: CliCommand<GlossaryOptions> = {
  describe(command: Command) {
    addScope(command)
      .argument('<action>', 'diff, push, pull or suggest')
      .argument(
        '[name...]',
        'glossaries of dragoman.yaml (default: all); for suggest files or folders',
      )
      .option('--dry-run', 'only show what push or pull would do')
      .option('--yes', 'do not ask')
      .addHelpText(
        'after',
        `
Examples:
  dragoman glossary diff              + only in the file, - only on the service, ~ different
  dragoman glossary push shop --yes   make the service equal to the file, in the fewest calls
  dragoman glossary pull shop         the other way round; notes and other pairs in the file stay
  dragoman glossary suggest           terms that people corrected three times or more, with their places
  dragoman glossary suggest --language de >> l10n/en-de.csv

suggest prints rows for the glossary file on standard output, and their places on standard error. It writes no file.
diff exits with 1 when something differs.`,
      );
  },
  run: async (call) => {
    const [act, ...names] = call.args;
    if (act === 'suggest') return await suggest(call, names);
    const { project, language } = call.options;
    if (project.length + language.length > 0) {
      throw new UsageError('--project and --language are for suggest');
    }
    return await runTerminology(call, { kind: 'glossary', act: actOf(call), names });
  },
};

function actOf({ args: [act] }: CommandCall<GlossaryOptions>): 'diff' | 'push' | 'pull' {
  if (act === 'diff' || act === 'push' || act === 'pull') return act;
  throw new UsageError(`the action is diff, push, pull or suggest, not ${act}`);
}

async function suggest(
  call: CommandCall<GlossaryOptions>,
  names: readonly string[],
): Promise<ExitCode> {
  const { options, terminal } = call;
  const answer = async (control: Control, setup: SoundConfig): Promise<ExitCode> => {
    const scope = scopeFrom(call, names, setup);
    const suggestions = await control.suggestTerms(scope);
    await requirePaths(call, control, { scope, setup });
    if (options.json === true) {
      terminal.json({ suggestions });
      return 0;
    }
    const from = standpointOf(call, setup);
    if (suggestions.length === 0) {
      terminal.note('No term was corrected three times in the same way.');
    }
    const byFile = Map.groupBy(suggestions, ({ file, language }) => `${file ?? ''}\n${language}`);
    for (const group of byFile.values()) printSuggestions(terminal, group, from);
    return 0;
  };
  return await withControl(call, answer, 'asks');
}

/** Only rows go to standard output, so that they can be appended to a file. */
function printSuggestions(
  terminal: Terminal,
  suggestions: readonly TermSuggestion[],
  from: Standpoint,
): void {
  const [first] = suggestions;
  if (first === undefined) return;
  const file = first.file === null ? 'no glossary file yet' : seen(first.file, from);
  terminal.note(`${first.language} (${file})`);
  const rows = suggestions.flatMap(({ row }) => row ?? []);
  for (const { term, machine, person, places, row, standing, obstacle } of suggestions) {
    const times = plural(places.length, 'time');
    terminal.note(oneLine(`  "${term}": "${machine}" became "${person}" ${times}`));
    for (const place of places) {
      terminal.note(oneLine(`    ${seen(place.file, from)} ${place.key} (line ${place.line})`));
    }
    if (standing !== null) {
      terminal.note(oneLine(`    the glossary says "${standing}": change that row, or keep it`));
    }
    if (obstacle !== null) terminal.note(oneLine(`    no row: ${obstacle}`));
    if (row !== null) terminal.out(row === rows[0] && first.needs_line_break ? `\n${row}` : row);
  }
}
