/** A plan, short enough for a screen: one row for all languages with the same reason; below, what would wait or fail. */
import { join } from 'node:path';
import { oneLine } from '../config/one-line.ts';
import type { PlanLanguage, PlanLine, PlanProject, PlanReport } from '../control/plan-report.ts';
import { type Lane, shellWords } from '../job.ts';
import { inEnglish, plural } from '../language.ts';
import { shownFrom } from '../routes/shown-paths.ts';
import { sum } from '../segments/bill.ts';
import { attentionLine, type ShownAttention, type Standpoint, seen } from './attention-lines.ts';
import { type Column, table } from './table.ts';

interface PlanRow {
  readonly project: string;
  readonly lane: Lane;
  readonly source: string;
  readonly languages: readonly string[];
  readonly reason: string;
  /** Sum over all languages. */
  readonly characters: number;
  readonly isAtLeast: boolean;
  readonly texts: NonNullable<PlanLine['texts']>;
  /** Seconds of audio. */
  readonly seconds: number;
}

/** Number of language codes that a row shows; the others become a number. */
const SHOWN_LANGUAGES = 6;
/** Number of lines of one kind that are shown; the others become a number. */
const SHOWN_LINES = 10;
/** Number of jobs shown that are held already; "status" lists all. */
const HELD = 3;

const COLUMNS: readonly Column<PlanRow>[] = [
  { title: 'project', shrink: true, text: ({ project }) => project },
  { title: 'lane', text: ({ lane }) => lane },
  { title: 'source', shrink: true, text: ({ source }) => source },
  { title: 'languages', text: ({ languages }) => codes(languages) },
  { title: 'reason', text: ({ reason }) => reason },
  {
    title: 'characters',
    align: 'right',
    text: ({ characters, isAtLeast }) => `${isAtLeast ? '≥ ' : ''}${inEnglish(characters)}`,
  },
];

/** Shown when some texts are not bought: `adopts 12, buys 3, 4 from memory, holds 2`. */
const TEXTS_COLUMN: Column<PlanRow> = {
  title: 'texts',
  text: ({ texts: { adopted, bought, from_memory, held, conflicts } }) =>
    [
      ...(adopted === 0 ? [] : [`adopts ${adopted}`]),
      ...(bought === 0 ? [] : [`buys ${bought}`]),
      ...(from_memory === 0 ? [] : [`${from_memory} from memory`]),
      ...(held === 0 ? [] : [`holds ${held}`]),
      ...(conflicts === 0 ? [] : [plural(conflicts, 'conflict')]),
    ].join(', '),
};

const VOICE_COLUMN: Column<PlanRow> = {
  title: 'seconds of audio',
  align: 'right',
  text: ({ seconds }) => (seconds === 0 ? '' : inEnglish(seconds)),
};

export interface PlanScreen {
  /** Width of the terminal in columns. */
  readonly width: number;
  /** `largest`: only the rows that bill most. */
  readonly rows: 'all' | 'largest';
}

export function planTable(
  jobs: readonly PlanLine[],
  from: Standpoint,
  { width, rows: shown }: PlanScreen,
): string[] {
  if (jobs.length === 0) return [];
  const isSame = ({ project, lane, source, reason }: PlanLine) =>
    [project, lane, source, reason].join('\n');
  const all = [...Map.groupBy(jobs, isSame).values()].flatMap((group) => rowFor(group, from) ?? []);
  const isCut = shown === 'largest' && all.length > SHOWN_LINES;
  const rows = isCut ? largest(all) : all;
  const hasVoice = rows.some(({ lane }) => lane === 'voice');
  const hasTexts = rows.some(
    ({ texts }) => texts.adopted + texts.from_memory + texts.held + texts.conflicts > 0,
  );
  const columns = [
    ...COLUMNS,
    ...(hasTexts ? [TEXTS_COLUMN] : []),
    ...(hasVoice ? [VOICE_COLUMN] : []),
  ];
  const rest = `and ${plural(all.length - SHOWN_LINES, 'row')} more that bill less; --verbose lists them`;
  return [...table(columns, rows, width), ...(isCut ? [rest] : [])];
}

function largest(rows: readonly PlanRow[]): PlanRow[] {
  return rows
    .toSorted((a, b) => b.characters - a.characters || b.seconds - a.seconds)
    .slice(0, SHOWN_LINES);
}

function rowFor(group: readonly PlanLine[], from: Standpoint): PlanRow | undefined {
  const [first] = group;
  if (first === undefined) return undefined;
  const { project, lane, reason } = first;
  return {
    project,
    lane,
    reason,
    source: shownSource(first, from),
    languages: group.map(({ language }) => language),
    characters: sum(group.map((line) => line.estimated_characters)),
    isAtLeast: group.some((line) => line.at_least === true),
    texts: {
      adopted: sum(group.map(({ texts }) => texts?.adopted ?? 0)),
      bought: sum(group.map(({ texts }) => texts?.bought ?? 0)),
      from_memory: sum(group.map(({ texts }) => texts?.from_memory ?? 0)),
      held: sum(group.map(({ texts }) => texts?.held ?? 0)),
      conflicts: sum(group.map(({ texts }) => texts?.conflicts ?? 0)),
    },
    // One upload is for all languages, also where the job of each language would be held.
    seconds: Math.max(...group.map((line) => line.estimated_seconds ?? 0)),
  };
}

const figure = (title: string, of: (row: PlanLanguage) => number): Column<PlanLanguage> => ({
  title,
  align: 'right',
  text: (row) => inEnglish(of(row)),
});

const LANGUAGE_COLUMNS: readonly Column<PlanLanguage>[] = [
  { title: 'language', text: ({ language }) => language },
  figure('adopted', ({ adopted }) => adopted),
  figure('bought', ({ bought }) => bought),
  figure('from memory', ({ from_memory }) => from_memory),
  figure('held', ({ held }) => held),
  figure('files that would fail', ({ would_fail }) => would_fail),
  figure('characters', ({ estimated_characters }) => estimated_characters),
];

const PROJECT_COLUMNS: readonly Column<PlanProject>[] = [
  { title: 'project', shrink: true, text: ({ project }) => project },
  ...LANGUAGE_COLUMNS,
];

/** One row for each project and language; without the project where there is only one. */
export function projectTable(report: Pick<PlanReport, 'languages' | 'projects'>, width: number) {
  const names = new Set(report.projects.map(({ project }) => project));
  if (names.size < 2) return languageTable(report.languages, width);
  return table(PROJECT_COLUMNS, report.projects, width);
}

/** What to do next; undefined when there is nothing to do. */
export function nextCommand({
  jobs,
  state,
}: Pick<PlanReport, 'jobs' | 'state'>): string | undefined {
  if (jobs.length === 0) return undefined;
  const isStopped = ({ would_hold, would_fail }: PlanLine) =>
    would_hold !== undefined || would_fail !== undefined;
  const isOpen = jobs.some((job) => !isStopped(job));
  if (!isOpen && jobs.every(({ would_hold }) => would_hold === undefined)) return 'dragoman check';
  switch (state) {
    case 'not running':
      return isOpen ? 'dragoman once' : 'dragoman once, then dragoman status';
    case 'running':
      return 'nothing to start: a daemon or a run already works on it; dragoman status shows its progress';
    case 'paused':
      return 'dragoman resume, because a person has paused the daemon';
    case 'stopped':
      return 'dragoman status, which says why paid work is stopped';
  }
}

/** One row for each language. Empty for one language when the table of jobs says everything. */
export function languageTable(languages: PlanReport['languages'], width: number): string[] {
  const isShown = ({ adopted, from_memory, held, would_fail }: PlanLanguage) =>
    adopted + from_memory + held + would_fail > 0;
  if (languages.length < 2 && !languages.some(isShown)) return [];
  return table(LANGUAGE_COLUMNS, languages, width);
}

/** The jobs that would be held or fail, in one line for each source and reason. */
export function blockerLines(jobs: readonly PlanLine[], from: Standpoint): string[] {
  const linesAbout = (verb: string, why: (line: PlanLine) => string | undefined) => {
    const hit = jobs.filter((line) => why(line) !== undefined);
    const groups = Map.groupBy(hit, (line) => `${line.project}\n${line.source}\n${why(line)}`);
    const lines = [...groups.values()].flatMap((group) => {
      const [first] = group;
      if (first === undefined) return [];
      const languages = codes(group.map(({ language }) => language));
      const reason = shownFrom(from, why(first) ?? '');
      return [oneLine(`${shownSource(first, from)} -> ${languages} would ${verb}: ${reason}`)];
    });
    return cutToShown(lines, (more) => `and ${plural(more, 'source')} more would ${verb}`);
  };
  return [
    ...linesAbout('be held', ({ would_hold }) => would_hold),
    ...linesAbout('fail', ({ would_fail }) => would_fail),
  ];
}

/** The first of the jobs that are held already. */
export function heldLines(held: PlanReport['held'], from: Standpoint): readonly ShownAttention[] {
  return held.slice(0, HELD).map((line) => attentionLine(line, from));
}

export function cutToShown(lines: readonly string[], rest: (more: number) => string): string[] {
  const more = lines.length - SHOWN_LINES;
  return more > 0 ? [...lines.slice(0, SHOWN_LINES), rest(more)] : [...lines];
}

function shownSource(
  { project, source }: Pick<PlanLine, 'project' | 'source'>,
  from: Standpoint,
): string {
  return seen(join(from.roots.get(project) ?? '', source), from);
}

function codes(languages: readonly string[]): string {
  const more = languages.length - SHOWN_LANGUAGES;
  const shown = languages.slice(0, SHOWN_LANGUAGES).join(' ');
  return more > 0 ? `${shown} +${more}` : shown;
}

/** Texts that this version finds in delivered files and the earlier version did not, in one line for each source. */
export function newTextLines(texts: PlanReport['new_texts'], from: Standpoint): string[] {
  const groups = Map.groupBy(texts, ({ project, source }) => `${project}\n${source}`);
  const lines = [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const file = shownSource(first, from);
    const languages = codes(group.map(({ language }) => language));
    const count = plural(sum(group.map((line) => line.texts)), 'text');
    const price = plural(sum(group.map((line) => line.price_characters)), 'character');
    return [
      oneLine(
        `${file} -> ${languages}: ${count} new since the earlier version or settings, ${price}: dragoman approve ${shellWords(file)}`,
      ),
    ];
  });
  return cutToShown(
    lines,
    (more) => `and ${plural(more, 'source')} more with new texts: dragoman approve --all`,
  );
}
