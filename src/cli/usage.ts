/** `dragoman usage`: own books beside the account's figures. */
import type { Command } from 'commander';
import type { UsageLine, UsageReport } from '../control.ts';
import type { Call, CliCommand, GlobalOptions } from './command.ts';
import { withControl } from './open-control.ts';
import { type Column, table } from './table.ts';
import type { Terminal } from './terminal.ts';

interface UsageOptions extends GlobalOptions {
  readonly csv?: boolean;
}

export const command: CliCommand<UsageOptions> = {
  describe(command: Command) {
    command
      .option('--csv', 'project,language,lane,day,characters,seconds of audio as CSV')
      .addHelpText(
        'after',
        `
Examples:
  dragoman usage             what was billed, by project, language, lane and day
  dragoman usage --csv       the same for a spreadsheet`,
      );
  },
  async run(call: Call<UsageOptions>) {
    const report = await withControl(call, (control) => control.usage());
    if (call.options.json) call.terminal.json(report);
    else if (call.options.csv === true) printCsv(report, call.terminal);
    else print(report, call.terminal);
    return 0;
  },
};

const COLUMNS: readonly Column<UsageLine>[] = [
  { title: 'day', text: ({ day }) => day },
  { title: 'project', shrink: true, text: ({ project }) => project },
  { title: 'language', text: ({ language }) => language },
  { title: 'lane', text: ({ lane }) => lane },
  {
    title: 'characters',
    align: 'right',
    text: ({ billed_characters }) => count(billed_characters),
  },
  {
    title: 'seconds of audio',
    align: 'right',
    text: ({ voice_seconds }) =>
      voice_seconds === undefined ? '' : count(Math.round(voice_seconds)),
  },
];

function print(report: UsageReport, terminal: Terminal): void {
  for (const line of table(COLUMNS, report.by, terminal.columns)) terminal.out(line);
  terminal.out(
    `billed: ${count(report.billed_characters)} characters, estimated ${count(report.estimated_characters)}`,
  );
  if (report.possibly_billed_twice > 0) {
    terminal.out(
      `possibly billed twice after lost answers: ${count(report.possibly_billed_twice)}`,
    );
  }
  if (report.voice_seconds > 0) {
    terminal.out(
      `voice: ${count(Math.round(report.voice_seconds))} seconds of audio, ${count(report.voice_storage_bytes)} bytes kept by the service`,
    );
  }
  for (const { scope, used, limit } of report.budget) {
    terminal.out(`budget ${scope}: ${count(used)} of ${count(limit)}`);
  }
  const { account } = report;
  if (account !== null) {
    const limit =
      account.character_limit === null ? 'no limit' : `of ${count(account.character_limit)}`;
    terminal.out(`account: ${count(account.character_count)} characters, ${limit}`);
  }
  for (const note of report.notes) terminal.note(note);
}

function printCsv(report: UsageReport, terminal: Terminal): void {
  terminal.out('project,language,lane,day,billed_characters,voice_seconds');
  for (const line of report.by) {
    const { project, language, lane, day, billed_characters, voice_seconds = 0 } = line;
    terminal.out([project, language, lane, day, billed_characters, voice_seconds].join(','));
  }
}

function count(characters: number): string {
  return characters.toLocaleString('en-US');
}
