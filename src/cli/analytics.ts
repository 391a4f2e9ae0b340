/** `dragoman analytics`: the usage of all keys of the organization. Needs the admin key. */

import { type Command, Option } from 'commander';
import { inEnglish } from '../language.ts';
import type { UsageFigures, UsageReport } from '../service/administration.ts';
import { type CliCommand, type CommandCall, type GlobalOptions, UsageError } from './command.ts';
import { withAdministration } from './open-service.ts';
import { type Column, table } from './table.ts';

interface AnalyticsOptions extends GlobalOptions {
  readonly start: string;
  readonly end: string;
  readonly groupBy?: 'key' | 'key_and_day';
}

export const command: CliCommand<AnalyticsOptions> = {
  describe(command: Command) {
    command
      .requiredOption('--start <date>', 'first day, YYYY-MM-DD')
      .requiredOption('--end <date>', 'last day, YYYY-MM-DD; at most 366 days in all')
      .addOption(
        new Option('--group-by <what>', 'one line for each').choices(['key', 'key_and_day']),
      )
      .addHelpText(
        'after',
        `
Examples:
  dragoman analytics --start 2026-05-01 --end 2026-05-31
  dragoman analytics --start 2026-05-01 --end 2026-05-31 --group-by key --json

Needs service.admin_key in dragoman.yaml, and the main address of the service.`,
      );
  },
  async run(call: CommandCall<AnalyticsOptions>) {
    const { start, end, groupBy } = call.options;
    requireDays(start, end);
    const query = {
      start_date: start,
      end_date: end,
      ...(groupBy === undefined ? {} : { group_by: groupBy }),
    };
    const report = await withAdministration(call, ({ analytics }, options) =>
      analytics.report(query, options),
    );
    if (call.options.json) call.terminal.json(report);
    else {
      const lines = table(COLUMNS, rowsOf(report), call.terminal.columns);
      for (const line of lines) call.terminal.out(line);
    }
    return 0;
  },
};

/** @throws UsageError for what the service would refuse */
function requireDays(start: string, end: string): void {
  for (const [name, day] of Object.entries({ start, end })) {
    // Not the 30th of February: it would be read as a day of March.
    const isDay = /^\d{4}-\d\d-\d\d$/.test(day) && isoDayOf(Date.parse(day)) === day;
    if (!isDay) throw new UsageError(`--${name} needs a day as YYYY-MM-DD, not "${day}"`);
  }
  if (start > end) throw new UsageError(`--start ${start} is after --end ${end}`);
}

function isoDayOf(time: number): string | undefined {
  return Number.isNaN(time) ? undefined : new Date(time).toISOString().slice(0, 10);
}

interface KeyUsage {
  readonly name: string;
  readonly day: string;
  readonly usage: UsageFigures;
}

function rowsOf(report: UsageReport): KeyUsage[] {
  const { key_usages = [], key_and_day_usages = [] } = report;
  return [
    ...key_usages.map(({ usage, ...key }) => ({ name: labelOf(key), day: '', usage })),
    ...key_and_day_usages.map(({ usage, usage_date, ...key }) => ({
      name: labelOf(key),
      day: usage_date,
      usage,
    })),
    { name: 'all keys', day: '', usage: report.total_usage },
  ];
}

function labelOf({ api_key, api_key_label }: { api_key: string; api_key_label: string }): string {
  return api_key_label === '' ? api_key : `${api_key_label} (${api_key})`;
}

const COLUMNS: readonly Column<KeyUsage>[] = [
  { title: 'key', shrink: true, text: ({ name }) => name },
  { title: 'day', text: ({ day }) => day },
  figure('characters', ({ total_characters }) => total_characters),
  figure('text', ({ text_translation_characters }) => text_translation_characters),
  figure('documents', ({ document_translation_characters }) => document_translation_characters),
  figure('improvement', ({ text_improvement_characters }) => text_improvement_characters),
  figure('audio minutes', ({ speech_to_text_minutes }) => speech_to_text_minutes),
];

function figure(title: string, of: (usage: UsageFigures) => number): Column<KeyUsage> {
  return { title, align: 'right', text: ({ usage }) => inEnglish(of(usage)) };
}
