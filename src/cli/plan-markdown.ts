/** A plan as a comment on a pull request, in the Markdown of GitHub and GitLab. Pure. */

import { soundOf } from '../control/audio.ts';
import type { PlanLanguage, PlanLine, PlanReport } from '../control/plan-report.ts';
import { planLanguages } from '../control/plan-sums.ts';
import type { AttentionLine } from '../control/report.ts';
import type { OpenCounts } from '../lane.ts';
import { inEnglish, plural } from '../language.ts';
import type { Unreviewed } from './review-lines.ts';

/** UTF-16 code units. GitHub refuses a longer comment. */
export const LONGEST_COMMENT = 65_536;
/** A workflow finds its comment by this line, to edit it in place. */
export const PLAN_MARKER = '<!-- dragoman plan -->';

/** Number of visible rows; the others are folded. */
const SHOWN_ROWS = 20;

/** Texts that wait for a reviewer. */
export type UnreviewedTexts = Unreviewed['unreviewed'][number];

/** @param since the branch that the plan is compared with */
export function planMarkdown(
  report: PlanReport,
  since: string | undefined,
  unreviewed: readonly UnreviewedTexts[] = [],
): string {
  const head = [
    PLAN_MARKER,
    `### Translations${since === undefined ? '' : ` since ${code(since)}`}`,
    '',
  ];
  const parts = [
    [...head, totals(report, { since, isReviewed: unreviewed.length === 0 }), ''],
    languagesPart(report.jobs),
    unreviewedPart(unreviewed),
    filesPart(report.jobs),
    ...attentionParts(report),
    notesPart(report.notes),
  ];
  return shortEnough(parts);
}

function totals(
  { jobs, estimated_characters, attention, held, unchanged }: PlanReport,
  { since, isReviewed }: { readonly since: string | undefined; readonly isReviewed: boolean },
): string {
  const failing = jobs.filter(isFailing).length + attention.filter(isFailed).length;
  const waiting = jobs.filter(isWaiting).length + attention.length + held.length;
  const later = waiting - attention.filter(isFailed).length;
  const seconds = soundOf(
    jobs.map(({ estimated_seconds: length = 0, ...job }) => ({ ...job, length })),
  );
  const facts = [
    `**${plural(jobs.length, 'job')}**`,
    `**${plural(estimated_characters, 'character')}** to be billed`,
    ...(seconds === 0 ? [] : [`**${plural(seconds, 'second')}** of audio`]),
    ...(later > 0 ? [`${inEnglish(later)} held`] : []),
    ...(failing > 0 ? [`${inEnglish(failing)} would fail`] : []),
  ];
  return jobs.length + waiting + failing === 0
    ? `Nothing ${isReviewed ? 'to do' : 'is left but the review'}${since === undefined ? `; ${plural(unchanged, 'target')} up to date` : ''}.`
    : `${facts.join(', ')}.`;
}

const isFailing = ({ would_fail }: PlanLine) => would_fail !== undefined;
const isWaiting = ({ would_hold }: PlanLine) => would_hold !== undefined;
const isFailed = ({ state }: AttentionLine) => state === 'failed';

function languagesPart(jobs: readonly PlanLine[]): string[] {
  const lines = [...Map.groupBy(jobs, ({ project }) => project)].flatMap(([project, own]) =>
    planLanguages(own).map((line) => {
      const jobsIn = own.filter(({ language }) => language === line.language);
      return { project, line: { ...statesOf(jobsIn), ...line } };
    }),
  );
  const columns = COLUMNS.filter(
    ({ of, isRare }) => isRare !== true || lines.some(({ line }) => of(line) > 0),
  );
  const rows = lines.map(({ project, line }) => [
    code(project),
    code(line.language),
    ...columns.map(({ of }) => inEnglish(of(line))),
  ]);
  const head = ['project', 'language', ...columns.map(({ title }) => title)];
  return folded({ head, left: 2, rows }, (more) => `${plural(more, 'language')} more`);
}

type States = Record<keyof OpenCounts, number>;

function statesOf(jobs: readonly PlanLine[]): States {
  const sum = (is: keyof States) => jobs.reduce((all, { states }) => all + (states?.[is] ?? 0), 0);
  return {
    missing: sum('missing'),
    stale: sum('stale'),
    held: sum('held'),
    conflict: sum('conflict'),
    unknown: sum('unknown'),
    edited: sum('edited'),
  };
}

interface PlanColumn {
  readonly title: string;
  of(line: PlanLanguage & Omit<States, 'held'>): number;
  /** The column is left out where it is 0 for all languages. */
  readonly isRare?: true;
}

const COLUMNS: readonly PlanColumn[] = [
  { title: 'texts to buy', of: ({ bought }) => bought },
  { title: 'missing', of: ({ missing }) => missing },
  { title: 'stale', of: ({ stale }) => stale },
  { title: 'from memory', of: ({ from_memory }) => from_memory },
  { title: 'adopted', of: ({ adopted }) => adopted },
  { title: 'held', of: ({ held }) => held },
  { title: 'unknown', of: ({ unknown }) => unknown, isRare: true },
  { title: 'edited by hand', of: ({ edited }) => edited, isRare: true },
  { title: 'would fail', of: ({ would_fail }) => would_fail },
  { title: 'characters', of: ({ estimated_characters }) => estimated_characters },
];

/** Texts that wait for a reviewer: of the whole project, not only of the branch. */
function unreviewedPart(unreviewed: readonly UnreviewedTexts[]): string[] {
  const rows = unreviewed.map(({ project, language, texts }) => [
    code(project),
    code(language),
    inEnglish(texts),
  ]);
  const head = ['project', 'language', 'unreviewed'];
  return folded({ head, left: 2, rows }, (more) => `${plural(more, 'language')} more`);
}

/** One row for each file, the most expensive first. */
function filesPart(jobs: readonly PlanLine[]): string[] {
  const files = Map.groupBy(jobs, ({ project, source }) => `${project}\n${source}`);
  const sized = [...files.values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const characters = own.reduce((sum, line) => sum + line.estimated_characters, 0);
    return [{ first, own, characters }];
  });
  const rows = sized
    .toSorted((a, b) => b.characters - a.characters)
    .map(({ first, own, characters }) => [
      code(first.source),
      `${own.length > SHOWN_LANGUAGES ? `${own.length} languages` : own.map(({ language }) => code(language)).join(' ')}`,
      [...new Set(own.map(({ reason }) => escapeText(reason)))].join(', '),
      `${own.some(({ at_least }) => at_least) ? '≥ ' : ''}${inEnglish(characters)}`,
    ]);
  const head = ['file', 'languages', 'why', 'characters'];
  return folded({ head, left: 3, rows }, (more) => `${plural(more, 'file')} more`);
}

const SHOWN_LANGUAGES = 6;

function attentionParts({ jobs, held, attention }: PlanReport): string[][] {
  const waiting = [
    ...jobs.flatMap(({ source, language, would_hold }) =>
      would_hold === undefined ? [] : [item({ source, language, reason: would_hold })],
    ),
    ...[...held, ...attention].filter((line) => !isFailed(line)).map(item),
  ];
  const failing = [
    ...jobs.flatMap(({ source, language, would_fail }) =>
      would_fail === undefined ? [] : [item({ source, language, reason: would_fail })],
    ),
    ...[...held, ...attention].filter(isFailed).map(item),
  ];
  return [markdownList('Held', waiting), markdownList('Would fail', failing)];
}

function item({ source, language, reason }: Pick<AttentionLine, 'source' | 'language' | 'reason'>) {
  const what = [source, language].filter((name) => name !== '*').map(code);
  return `- ${[...what, escapeText(reason)].join(' ')}`;
}

function notesPart(notes: readonly string[]): string[] {
  return markdownList(
    'Notes',
    notes.map((note) => `- ${escapeText(note)}`),
  );
}

function markdownList(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.slice(SHOWN_ROWS);
  return [
    `**${title}**`,
    '',
    ...lines.slice(0, SHOWN_ROWS),
    '',
    ...(more.length === 0 ? [] : details(`${more.length} more`, more)),
  ];
}

interface Rows {
  readonly head: readonly string[];
  /** Number of columns with text; the others are numbers. */
  readonly left: number;
  readonly rows: readonly (readonly string[])[];
}

function folded({ head, left, rows }: Rows, rest: (more: number) => string): string[] {
  if (rows.length === 0) return [];
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const top = [line(head), line(head.map((_, index) => (index < left ? '---' : '---:')))];
  const more = rows.slice(SHOWN_ROWS).map(line);
  return [
    ...top,
    ...rows.slice(0, SHOWN_ROWS).map(line),
    '',
    ...(more.length === 0 ? [] : details(rest(more.length), [...top, ...more])),
  ];
}

function details(title: string, lines: readonly string[]): string[] {
  return [`<details><summary>${title}</summary>`, '', ...lines, '', DETAILS_END, ''];
}

const DETAILS_END = '</details>';
const CUT = 'The comment is cut, since it would be too long: `dragoman plan` shows everything.';

/** Leaves out lines from the end of the longest part until the comment is short enough. */
function shortEnough(parts: readonly (readonly string[])[]): string {
  const kept = parts.map((part) => [...part]);
  const whole = () => `${kept.flat().join('\n').trimEnd()}\n`;
  let isCut = false;
  for (;;) {
    const length = whole().length + (isCut ? CUT.length + 2 : 0);
    if (length <= LONGEST_COMMENT) return isCut ? `${whole()}\n${CUT}\n` : whole();
    isCut = true;
    shorten(kept, length - LONGEST_COMMENT);
  }
}

function shorten(parts: string[][], excess: number): void {
  const [longest] = parts.toSorted((a, b) => b.join('\n').length - a.join('\n').length);
  if (longest === undefined) return;
  let saved = 0;
  while (saved <= excess + CUT.length && longest.length > 0) {
    const at = lastRow(longest);
    if (at < 0) {
      longest.length = 0;
      return;
    }
    const [line = ''] = longest.splice(at, 1);
    saved += line.length + 1;
  }
}

/** The index of the last row. Titles, table heads and the ends of folded parts are not rows, so they stay. */
function lastRow(lines: readonly string[]): number {
  return lines.findLastIndex((line) => line.startsWith('- ') || /^\| (?!---)/.test(line));
}

/** Escapes foreign text for a cell or a line: no markup, no links, no mentions of people. */
function escapeText(value: string): string {
  return value
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_{}[\]|#~$]/g, (mark) => `\\${mark}`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('@', '&#64;');
}

/** A name as Markdown code: the fence is longer than every fence inside, and `|` does not end the cell. */
function code(name: string): string {
  const plain = name.replace(/\s+/g, ' ').replaceAll('|', '\\|');
  const longest = Math.max(0, ...(plain.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  const space = longest > 0 ? ' ' : '';
  return `${fence}${space}${plain}${space}${fence}`;
}
