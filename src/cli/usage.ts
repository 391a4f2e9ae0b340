/** `dragoman usage`: dragoman's own figures beside those of the account, and a forecast for the period. */
import type { Command } from 'commander';
import type { SoundConfig } from '../config/parse.ts';
import type { Control } from '../control/control.ts';
import type { UsageLine } from '../control/usage.ts';
import type { CliCommand, CommandCall } from './command.ts';
import { withControl } from './open-control.ts';
import { addScope, type ScopeOptions, scopeFrom } from './scope.ts';
import type { Terminal } from './terminal.ts';
import { usageLines } from './usage-lines.ts';

interface UsageOptions extends ScopeOptions {
  readonly csv?: boolean;
}

export const command: CliCommand<UsageOptions> = {
  describe(command: Command) {
    addScope(command)
      .option('--csv', 'every day, project, language and lane as CSV')
      .addHelpText(
        'after',
        `
Examples:
  dragoman usage                        this period: by project, language and lane, by day
  dragoman usage --project webapp       only one project
  dragoman usage --csv > usage.csv      everything since the first run, for a spreadsheet
Where its own figures and the account differ, it names possible reasons.`,
      );
  },
  async run(call: CommandCall<UsageOptions>) {
    const asked = (control: Control, setup: SoundConfig) =>
      control.usage(scopeFrom(call, [], setup));
    const report = await withControl(call, asked, () => ({ of: 'books' }));
    const { terminal } = call;
    if (call.options.json) terminal.json(report);
    else if (call.options.csv === true) printCsv(report.by, terminal);
    else {
      for (const line of usageLines(report, terminal.columns)) terminal.out(line);
      for (const note of report.notes) terminal.note(note);
    }
    return 0;
  },
};

/** Prints CSV. Names of projects, languages and lanes have no characters that CSV must quote. */
function printCsv(lines: readonly UsageLine[], terminal: Terminal): void {
  terminal.out('project,language,lane,day,billed_characters,voice_seconds');
  for (const line of lines) {
    const { project, language, lane, day, billed_characters, voice_seconds = 0 } = line;
    terminal.out([project, language, lane, day, billed_characters, voice_seconds].join(','));
  }
}
