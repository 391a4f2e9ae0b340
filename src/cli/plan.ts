/** `dragoman plan`: what would be done, what each job would bill and why; nothing is paid. */
import type { Command } from 'commander';
import { faultLine } from '../config/fault.ts';
import { keptCapabilities } from '../config/kept-languages.ts';
import type { SoundConfig } from '../config/parse.ts';
import type { PlanLine, PlanReport } from '../control.ts';
import { plural } from '../plural.ts';
import { askLanguages, languagesAge } from './ask-languages.ts';
import type { Call, CliCommand } from './command.ts';
import { oneLine } from './one-line.ts';
import { withControl } from './open-control.ts';
import { addScope, type ScopeOptions, scopeOf } from './scope.ts';
import { type Column, table } from './table.ts';
import type { Terminal } from './terminal.ts';

export const command: CliCommand<ScopeOptions> = {
  describe(command: Command) {
    addScope(command)
      .argument('[path...]', 'only these files or folders')
      .addHelpText(
        'after',
        `
Examples:
  dragoman plan                        everything that "once" would do
  dragoman plan --language de docs     only German, only below docs
  dragoman plan --json                 for scripts: jobs, skipped, estimated_characters`,
      );
  },
  async run(call: Call<ScopeOptions>) {
    const report = await withControl(call, async (control, setup) => {
      const plan = await control.plan(scopeOf(call, call.args, setup));
      if (plan.jobs.length === 0) return plan;
      return { ...plan, notes: [...plan.notes, ...(await languageNotes(call, setup))] };
    });
    if (call.options.json) call.terminal.json(report);
    else print(report, call.terminal);
    return 0;
  },
};

/** Milliseconds after which a plan asks the service again which languages it has. */
const ASK_AFTER_MS = 7 * 86_400_000;

/** What the config asks for and the service does not have, as it says itself now; nothing when it cannot be asked. */
async function languageNotes(call: Call, { config, judge }: SoundConfig): Promise<string[]> {
  if (languagesAge(call, config) < ASK_AFTER_MS || !(await askLanguages(call, config))) return [];
  const { service, state } = config;
  const faults = judge(keptCapabilities({ url: service.url, state }));
  return faults.map((fault) => faultLine(fault, config.base));
}

const COLUMNS: readonly Column<PlanLine>[] = [
  { title: 'project', text: ({ project }) => project },
  { title: 'lane', text: ({ lane }) => lane },
  { title: 'source', shrink: true, text: ({ source }) => source },
  { title: 'language', text: ({ language }) => language },
  { title: 'reason', text: ({ reason }) => reason },
  {
    title: 'characters',
    align: 'right',
    text: ({ estimated_characters, at_least }) =>
      `${at_least ? '≥ ' : ''}${estimated_characters.toLocaleString('en-US')}`,
  },
];

const VOICE_COLUMN: Column<PlanLine> = {
  title: 'seconds of audio',
  align: 'right',
  text: ({ estimated_seconds }) => estimated_seconds?.toLocaleString('en-US') ?? '',
};

function print(report: PlanReport, terminal: Terminal): void {
  if (report.jobs.length > 0) {
    const hasVoice = report.jobs.some(({ lane }) => lane === 'voice');
    const columns = hasVoice ? [...COLUMNS, VOICE_COLUMN] : COLUMNS;
    for (const line of table(columns, report.jobs, terminal.columns)) terminal.out(line);
  }
  for (const job of report.jobs) {
    const about = `${job.source} -> ${job.language}`;
    if (job.would_hold !== undefined) {
      terminal.out(oneLine(`${about} would be held: ${job.would_hold}`));
    }
    if (job.would_fail !== undefined)
      terminal.out(oneLine(`${about} would fail: ${job.would_fail}`));
  }
  for (const { source, language, state, reason, next_step } of report.held) {
    terminal.out(oneLine(`${state}: ${source} -> ${language}: ${reason}; ${next_step}`));
  }
  for (const { path, reason } of report.skipped)
    terminal.out(oneLine(`skipped: ${path}: ${reason}`));
  for (const { name, pair, difference } of report.drift) {
    terminal.out(`drift: ${name} ${pair}: ${difference}`);
  }
  for (const note of report.notes) terminal.note(note);
  terminal.out(summary(report));
}

function summary({ jobs, unchanged, estimated_characters }: PlanReport): string {
  const upToDate = `${plural(unchanged, 'target')} ${unchanged === 1 ? 'is' : 'are'} up to date`;
  if (jobs.length === 0) return `Nothing to do: ${upToDate}.`;
  const held = jobs.filter(({ would_hold }) => would_hold !== undefined);
  const later = held.reduce((sum, job) => sum + job.estimated_characters, 0);
  const waiting =
    later === 0 ? '' : `, ${later.toLocaleString('en-US')} more when what is held is released`;
  const seconds = jobs.reduce((sum, { estimated_seconds = 0 }) => sum + estimated_seconds, 0);
  const audio = seconds === 0 ? '' : ` and ${plural(seconds, 'second')} of audio`;
  const characters = plural(estimated_characters, 'character');
  return `${plural(jobs.length, 'job')}, ${characters}${audio} to be billed${waiting}; ${upToDate}.`;
}
