/** `dragoman review import`: writes texts that translators sent back into the targets. */
import { resolve } from 'node:path';
import { oneLine } from '../../config/one-line.ts';
import type { ReviewImportRequest } from '../../control/control.ts';
import { READ_EXCHANGE } from '../../control/review/thread-calls.ts';
import type { ReviewImportLine, ReviewImportReport } from '../../control/review-report.ts';
import { describeFailure, failureOf } from '../../failure.ts';
import { bytesIn } from '../../files/disk.ts';
import type { Returned, ReturnedNote } from '../../formats/exchange/exchange.ts';
import { isWestern } from '../../formats/exchange/western.ts';
import {
  type LanguageTag,
  languageName,
  languagesNamed,
  parseLanguage,
  plural,
  sameLanguage,
} from '../../language.ts';
import { parse } from '../../parsing/parse.ts';
import type { Setup } from '../../plan/planner.ts';
import { userName } from '../../state/edit-log.ts';
import { type Standpoint, seen, standpointOf } from '../attention-lines.ts';
import { type CommandCall, CommandFailure, type ExitCode, UsageError } from '../command.ts';
import { withControl } from '../open-control.ts';
import { scopeFrom } from '../scope.ts';
import type { Terminal } from '../terminal.ts';
import { type ReviewOptions, requireLock } from './options.ts';

type UnreadRow = Pick<ReviewImportLine, 'from' | 'row' | 'sheet' | 'message'>;

/** @returns 0 when all texts are in place, 2 when some wait for a person, 1 when a row was refused */
export async function importTexts(
  call: CommandCall<ReviewOptions>,
  names: readonly string[],
): Promise<ExitCode> {
  const { options, terminal } = call;
  if (names.length === 0) throw new UsageError('name the files to import');
  return await withControl<ExitCode>(call, async (control, setup) => {
    scopeFrom(call, [], setup);
    const { files, unread, notes } = await readAll(call, names, setup);
    const as = options.as === undefined ? {} : { as: options.as };
    const act = options.dryRun === true ? 'try' : 'write';
    const decided = await control.reviewImport({
      ...{ files, projects: options.project, by: userName(), act },
      ...as,
    });
    requireLock(decided);
    const report = { ...decided, warnings: [...notes, ...decided.warnings] };
    if (options.json === true) terminal.json({ ...report, unreadable: unread });
    else printImport(terminal, { report, unread, act }, standpointOf(call, setup));
    if (report.refused.length + unread.length > 0) return 1;
    return report.conflicts.length + report.outdated.length > 0 ? 2 : 0;
  });
}

interface ReadFiles {
  readonly files: ReviewImportRequest['files'];
  readonly unread: readonly UnreadRow[];
  /** Columns and sheets that are not read. */
  readonly notes: readonly ReviewImportLine[];
}

async function readAll(
  call: CommandCall<ReviewOptions>,
  names: readonly string[],
  setup: Setup,
): Promise<ReadFiles> {
  const files: ReviewImportRequest['files'][number][] = [];
  const unread: UnreadRow[] = [];
  const notes: ReviewImportLine[] = [];
  for (const name of names) {
    const file = resolve(call.cwd, name);
    const returned = await readBack(file);
    const language = importLanguage(call, { name, named: returned.languages, setup });
    requireItsLetters(returned, { name, language });
    files.push({ file, language, rows: returned.rows });
    const placed = ({ line, ...note }: ReturnedNote) => ({ from: file, row: line, ...note });
    unread.push(...returned.refused.map(placed));
    for (const note of returned.notes ?? [])
      notes.push({ ...placed(note), file: null, language, key: '' });
  }
  return { files, unread, notes };
}

/** @throws CommandFailure for a file that cannot be read, with advice to import it again: dragoman does not retry it */
async function readBack(file: string): Promise<Returned> {
  try {
    return await parse(READ_EXCHANGE, { file }, { file, bytes: await bytesIn(file) });
  } catch (error) {
    const failure = failureOf(error);
    if (failure.kind !== 'malformed' && failure.kind !== 'unreadable') throw error;
    const message = `${describeFailure(failure)}\nNothing was imported. Correct the file, and import it again.`;
    throw new CommandFailure(1, message, { cause: error });
  }
}

/** @throws CommandFailure for a file that is not Unicode, and whose letters may be others than those that were read */
function requireItsLetters(
  { read }: Returned,
  { name, language }: { readonly name: string; readonly language: LanguageTag },
): void {
  if (read === undefined || (read === 'windows-1252' && isWestern(language))) return;
  const what = isWestern(language)
    ? 'its encoding is not known: it may be Windows-1252, Mac Roman or another one'
    : `such a file is read as Windows-1252, which does not have the letters of ${spoken(language)}`;
  const message = `${name} is not in UTF-8, and ${what}\n${SAVE_AS_UTF8}`;
  throw new CommandFailure(1, message);
}

const SAVE_AS_UTF8 =
  'Nothing was imported. Save the table again: in Excel as "CSV UTF-8 (Comma delimited)" or as .xlsx, in LibreOffice with the character set "Unicode (UTF-8)". Letters that are lost in it already come back only from the exported file.';

interface FileLanguages {
  readonly name: string;
  /** The languages in the spelling of the file. */
  readonly named: readonly string[];
  readonly setup: Setup;
}

/**
 * The language of a file: the one that the file names, in any spelling. `--language` decides when the name is absent or ambiguous.
 * @throws UsageError when neither names one language of the config, or when they contradict each other
 */
function importLanguage(
  { options }: CommandCall<ReviewOptions>,
  { name, named, setup }: FileLanguages,
): LanguageTag {
  const targets = new Set(setup.config.projects.flatMap((project) => project.targets));
  const [code, ...more] = options.language;
  if (more.length > 0) throw new UsageError('a file holds one language: name one --language');
  const wanted = code === undefined ? undefined : oneNamed(code, { targets, what: '--language' });
  const own = named.map((each) => {
    const tag = parseLanguage(each);
    const isVariant = wanted !== undefined && tag !== undefined && sameLanguage(tag, wanted);
    return isVariant ? wanted : oneNamed(each, { targets, what: name });
  });
  const [language, ...others] = new Set(own);
  if (others.length > 0) {
    const all = `${named.map(spoken).join(' and ')}`;
    throw new UsageError(`${name} is in ${all}: one file holds one language, split it`);
  }
  if (wanted !== undefined && language !== undefined && wanted !== language) {
    throw new UsageError(`${name} is in ${spoken(named[0] ?? language)}, not in ${spoken(wanted)}`);
  }
  const found = wanted ?? language;
  if (found === undefined)
    throw new UsageError(`${name} does not say its language: add --language`);
  return found;
}

interface NamedLanguages {
  readonly targets: ReadonlySet<LanguageTag>;
  readonly what: string;
}

function oneNamed(code: string, { targets, what }: NamedLanguages): LanguageTag {
  const [found, ...more] = languagesNamed(code, targets);
  if (found === undefined) {
    const all = [...targets].join(', ');
    const tag = parseLanguage(code);
    const near = [...targets].find((each) => tag !== undefined && sameLanguage(tag, each));
    const advice = near === undefined ? '' : `. If it is meant for ${near}: --language ${near}`;
    const message = `${what} is in ${spoken(code)}, which is no target language of the config (${all})${advice}`;
    throw new UsageError(message);
  }
  if (more.length === 0) return found;
  const all = [found, ...more].join(' or ');
  throw new UsageError(`${what} is in ${spoken(code)}, which can be ${all}: add --language`);
}

/** `French (fr)` */
function spoken(code: string): string {
  const tag = parseLanguage(code);
  const name = tag === undefined ? undefined : languageName(tag);
  return name === undefined ? `"${code}"` : `${name} (${tag})`;
}

interface Printed {
  readonly report: ReviewImportReport;
  readonly unread: readonly UnreadRow[];
  readonly act: ReviewImportRequest['act'];
}

function printImport(terminal: Terminal, { report, unread, act }: Printed, from: Standpoint): void {
  for (const line of report.outdated) {
    terminal.out(lineFor('outdated', line, from));
  }
  for (const { disk, returned, ...line } of report.conflicts) {
    terminal.out(lineFor('conflict', line, from));
    terminal.out(oneLine(`          there     ${disk ?? '(nothing)'}`));
    terminal.out(oneLine(`          returned  ${returned}`));
  }
  for (const line of report.refused) terminal.out(lineFor('refused', line, from));
  for (const { message, ...row } of unread) {
    terminal.out(oneLine(`refused   ${rowPlaceOf(row, from)}: ${message}`));
  }
  for (const line of report.warnings) terminal.note(lineFor('warning', line, from));
  const refused = report.refused.length + unread.length;
  const done = act === 'try' ? 'would be written' : 'written';
  const counts = [
    `${plural(report.written.length + report.outdated.length, 'text')} ${done}`,
    `${report.reviewed.length} reviewed`,
    `${report.unchanged} unchanged`,
    ...(report.ignored === 0 ? [] : [`${report.ignored} without a translation`]),
    ...(report.conflicts.length === 0 ? [] : [plural(report.conflicts.length, 'conflict')]),
    ...(refused === 0 ? [] : [`${refused} refused`]),
  ];
  terminal.out(`${counts.join(', ')}.`);
  if (report.outdated.length > 0) {
    terminal.out(
      'The next "dragoman once" holds the outdated texts as conflicts; nothing was bought.',
    );
  }
}

function lineFor(
  word: string,
  { file, key, message, ...row }: ReviewImportLine,
  from: Standpoint,
): string {
  const text = [file === null ? '' : seen(file, from), key].filter((part) => part !== '');
  const place = [rowPlaceOf(row, from), ...(text.length === 0 ? [] : [text.join(' ')])].join(': ');
  return oneLine(`${word.padEnd(9)} ${place}: ${message}`);
}

/** `de.xlsx:7`, `de.xlsx:Rest!7` */
function rowPlaceOf(
  { from: file, row, sheet }: Pick<ReviewImportLine, 'from' | 'row' | 'sheet'>,
  from: Standpoint,
): string {
  return `${seen(file, from)}:${sheet === undefined ? '' : `${sheet}!`}${row}`;
}
