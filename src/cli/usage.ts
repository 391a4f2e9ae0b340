/** `dragoman usage`: own books beside the account's figures, and where the period leads to. */
import type { Command } from 'commander';
import type { SoundConfig } from '../config/parse.ts';
import type { Control } from '../control/control.ts';
import type { UsageLine } from '../control/usage.ts';
import type { CliCommand, CommandCall } from './command.ts';
import { withControl } from './open-control.ts';
import { addScope, type ScopeOptions, scopeOf } from './scope.ts';
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
  dragoman usage --project webapp       of one project
  dragoman usage --csv > usage.csv      everything since the books began, for a spreadsheet
Where own books and the account differ, it says what may be the reason.`,
      );
  },
  async run(call: CommandCall<UsageOptions>) {
    const asked = (control: Control, setup: SoundConfig) => control.usage(scopeOf(call, [], setup));
    const report = await withControl(call, asked, 'asks');
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

/** Names of projects, languages and lanes hold no character that CSV would have to quote. */
function printCsv(lines: readonly UsageLine[], terminal: Terminal): void {
  terminal.out('project,language,lane,day,billed_characters,voice_seconds');
  for (const line of lines) {
    const { project, language, lane, day, billed_characters, voice_seconds = 0 } = line;
    terminal.out([project, language, lane, day, billed_characters, voice_seconds].join(','));
  }
}
