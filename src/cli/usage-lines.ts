/** The usage report as lines for a terminal: two tables of the period, then a summary. Pure. */

import type { BooksComparison, PeriodUsage, UsageLine, UsageSummary } from '../control/usage.ts';
import { inEnglish } from '../language.ts';
import { type Column, table } from './table.ts';

/** @param width of the terminal, in columns */
export function usageLines(report: UsageSummary, width: number): string[] {
  const { period, by, account, comparison } = report;
  const own = by.filter(({ day }) => day >= dayOf(period.start));
  const earlier = by.filter(({ day }) => day < dayOf(period.start));
  const summary = [
    `period    ${periodWords(period)}`,
    ...earlierLines(earlier),
    `billed    ${count(report.billed_characters)} characters in dragoman's ledger, estimated ${count(report.estimated_characters)}`,
    ...lossLines(report),
    ...voiceLines(report),
    ...budgetLines(report),
    ...(account === null ? [] : [`account   ${accountWords(account)}`]),
    ...(comparison === null ? [] : comparisonLines(comparison)),
    `forecast  ${forecastWords(period)}`,
  ];
  return [...periodTables(own, width), ...summary.flatMap((line) => wrapped(line, width))];
}

function periodTables(lines: readonly UsageLine[], width: number): string[] {
  if (lines.length === 0) return ['Nothing was billed in this period.', ''];
  const places = summed(lines, ({ project, language, lane }) => [project, language, lane]);
  const days = summed(lines, ({ day }) => [day]);
  return [
    ...table(columns(places, ['project', 'language', 'lane']), places, width),
    '',
    ...table(columns(days, ['day']), days, width),
    '',
  ];
}

interface Sum {
  readonly names: readonly string[];
  characters: number;
  seconds: number;
}

function summed(lines: readonly UsageLine[], namesOf: (line: UsageLine) => string[]): Sum[] {
  const sums = new Map<string, Sum>();
  for (const line of lines) {
    const names = namesOf(line);
    const sum = sums.get(names.join('\n')) ?? { names, characters: 0, seconds: 0 };
    sums.set(names.join('\n'), sum);
    sum.characters += line.billed_characters;
    sum.seconds += line.voice_seconds ?? 0;
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
}

function columns(sums: readonly Sum[], titles: readonly string[]): Column<Sum>[] {
  const hasVoice = sums.some(({ seconds }) => seconds > 0);
  const names = titles.map((title, nth): Column<Sum> => {
    const text = ({ names }: Sum) => names[nth] ?? '';
    return title === 'project' ? { title, text, shrink: true } : { title, text };
  });
  const right = { align: 'right' } as const;
  return [
    ...names,
    { ...right, title: 'characters', text: ({ characters }) => count(characters) },
    ...(hasVoice
      ? [{ ...right, title: 'audio, s', text: ({ seconds }: Sum) => count(seconds) }]
      : []),
  ];
}

function periodWords({ start, end, from }: PeriodUsage): string {
  const whose = from === 'account' ? "the account's period" : 'calendar month, UTC';
  return `${dayOf(start)} to ${lastDay(end)} (${whose})`;
}

function earlierLines(lines: readonly UsageLine[]): string[] {
  if (lines.length === 0) return [];
  const characters = lines.reduce((sum, line) => sum + line.billed_characters, 0);
  return [`before    ${count(characters)} characters; --csv lists every day`];
}

function lossLines({ possibly_billed_twice: twice }: UsageSummary): string[] {
  return twice === 0 ? [] : [`perhaps   ${count(twice)} more, billed twice after lost answers`];
}

function voiceLines(report: UsageSummary): string[] {
  if (report.voice_seconds === 0) return [];
  const kept = `${count(report.voice_storage_bytes)} bytes kept by the service`;
  return [`voice     ${count(report.voice_seconds)} seconds of audio, ${kept}`];
}

function budgetLines({ budget }: UsageSummary): string[] {
  return budget.map(
    ({ scope, used, limit }) =>
      `budget    ${scope}: ${count(used)} of ${count(limit)} (${percent(used, limit)})`,
  );
}

function accountWords({
  character_count: used,
  character_limit: limit,
}: NonNullable<UsageSummary['account']>): string {
  if (limit === null) return `${count(used)} characters, no limit`;
  return `${count(used)} of ${count(limit)} characters (${percent(used, limit)})`;
}

function comparisonLines({ own_characters, difference, reasons }: BooksComparison): string[] {
  if (difference === 0) return ["          the same as dragoman's ledger"];
  const amount = `${count(Math.abs(difference))} ${difference > 0 ? 'more' : 'less'}`;
  return [
    `          ${amount} than the ${count(own_characters)} of dragoman's ledger for this period:`,
    ...reasons.map(({ reason, characters }) =>
      characters === null ? `          - ${reason}` : `          - ${count(characters)}: ${reason}`,
    ),
  ];
}

function forecastWords({ forecast, end, limit, limited_by }: PeriodUsage): string {
  const words = `about ${count(forecast)} characters by ${lastDay(end)} at the pace of the last 7 days`;
  if (limit === null || forecast <= limit) return words;
  return `${words}: over the ${limited_by === 'budget' ? 'month budget' : "account's limit"}`;
}

/** Breaks a line between words; the following lines are indented to its text. */
function wrapped(line: string, width: number): string[] {
  if (line.length <= width) return [line];
  const indent = /^(\S+ +| +(- )?)/.exec(line)?.[0].length ?? 0;
  const cut = line.lastIndexOf(' ', width);
  if (cut <= indent) return [line];
  const rest = `${' '.repeat(indent)}${line.slice(cut + 1)}`;
  return [line.slice(0, cut), ...wrapped(rest, width)];
}

function dayOf(iso: string): string {
  return iso.slice(0, 10);
}

/** The last day of a period; its end is not part of it. */
function lastDay(end: string): string {
  return dayOf(new Date(Date.parse(end) - 1).toISOString());
}

function percent(part: number, whole: number): string {
  return whole === 0 ? 'all' : `${Math.round((100 * part) / whole)} %`;
}

function count(figure: number): string {
  return inEnglish(Math.round(figure));
}
