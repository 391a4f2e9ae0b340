/** `dragoman review export`: writes texts for a translator into a file that translation tools open. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, extname, join, resolve } from 'node:path';
import type { SoundConfig } from '../../config/parse.ts';
import type { Control } from '../../control/control.ts';
import { WRITE_EXCHANGE } from '../../control/review/parsers.ts';
import type { ReviewFile } from '../../control/review/report.ts';
import type { ReviewText } from '../../control/review/review-text.ts';
import { isNamed } from '../../control/scope.ts';
import { bytesIn } from '../../files/disk.ts';
import {
  cutAtCodes,
  type ExchangeDocument,
  type ExchangeFormatName,
  type ExchangeUnit,
} from '../../formats/exchange/exchange.ts';
import type { SourceText } from '../../intake/readings.ts';
import { readSourceTexts } from '../../intake/source-texts.ts';
import { type LanguageTag, plural } from '../../language.ts';
import { parse } from '../../parsing/parse.ts';
import type { Setup } from '../../plan/planner.ts';
import { exchangeId } from '../../segments/exchange-id.ts';
import { hasBranches } from '../../segments/icu-text.ts';
import { countWords, messageWords, type WordCount } from '../../segments/words.ts';
import { type CommandCall, CommandFailure, type ExitCode, UsageError } from '../command.ts';
import { withControl } from '../open-control.ts';
import { requirePaths, scopeFrom } from '../scope.ts';
import { type OpenedSince, openSince } from '../since.ts';
import { type ReviewOptions, requireLock, reviewStatesFrom } from './options.ts';

/** Bytes of one text in the file, roughly. The time limit for writing follows from them. */
const BYTES_OF_TEXT = 1000;

export async function exportTexts(
  call: CommandCall<ReviewOptions>,
  paths: readonly string[],
): Promise<ExitCode> {
  const { options, terminal } = call;
  const output = outputOf(call);
  const format = formatOf(options, output);
  const answer = async (control: Control, setup: SoundConfig): Promise<ExitCode> => {
    const language = exportLanguage(call, setup);
    const files = await chosen(call, { control, setup, paths });
    const size = files.reduce((sum, file) => sum + file.texts.length * BYTES_OF_TEXT, 0);
    const { document, bytes, left } = await parse(
      WRITE_EXCHANGE,
      { format, document: documentOf(files, { language, setup }) },
      { file: output, bytes: size },
    );
    const texts = document.files.flatMap(({ units }) => units);
    const count = countWords(texts.map(translatableWords), document.sourceLanguage);
    if (texts.length > 0) await writeFile(output, bytes);
    const report = { file: texts.length > 0 ? output : null, format, language };
    if (options.json === true) terminal.json({ ...report, ...count, left_out: left });
    else {
      for (const { file, key, reason } of left)
        terminal.note(`left out: ${file} ${key}: ${reason}`);
      terminal.out(
        texts.length === 0 ? 'Nothing to export.' : `${options.output}: ${countsIn(count)}`,
      );
    }
    return 0;
  };
  return await withControl(call, answer, 'asks');
}

/** The path of the file. @throws UsageError, also when the file exists: it may be one that a translator sent back */
function outputOf({ options, cwd }: CommandCall<ReviewOptions>): string {
  if (options.output === undefined) throw new UsageError('name the file to write: -o FILE');
  const file = resolve(cwd, options.output);
  if (!existsSync(dirname(file))) throw new UsageError(`${dirname(file)} does not exist`);
  if (options.force === true || !existsSync(file)) return file;
  throw new UsageError(`${options.output} exists already: name another file, or add --force`);
}

const BY_EXTENSION: ReadonlyMap<string, ExchangeFormatName> = new Map(
  Object.entries<ExchangeFormatName>({
    '.po': 'po',
    '.csv': 'csv',
    '.xlsx': 'xlsx',
  }),
);

function formatOf({ format }: ReviewOptions, output: string): ExchangeFormatName {
  return format ?? BY_EXTENSION.get(extname(output)) ?? 'xliff';
}

/** The one target language of the file. @throws UsageError when the scope has several */
function exportLanguage(call: CommandCall<ReviewOptions>, { config }: Setup): LanguageTag {
  const { projects, languages } = scopeFrom(call, [], { config } as Setup);
  const targets = config.projects
    .filter(({ name }) => projects.length === 0 || projects.includes(name))
    .flatMap((project) => project.targets);
  const asked = [...new Set(targets)].filter((tag) =>
    isNamed({ projects: [], languages }, '', tag),
  );
  const [only] = asked;
  if (only !== undefined && asked.length === 1) return only;
  throw new UsageError(`a file holds one language: add --language, one of ${asked.join(', ')}`);
}

interface Choosing {
  readonly control: Control;
  readonly setup: SoundConfig;
  readonly paths: readonly string[];
}

/** The files with the texts to export. @throws UsageError for wrong options; CommandFailure 78 without a lock, 1 when no file can be read */
async function chosen(
  call: CommandCall<ReviewOptions>,
  { control, setup, paths }: Choosing,
): Promise<readonly ReviewFile[]> {
  const { only, since } = call.options;
  const isChanged = only?.includes('changed') === true;
  if (isChanged !== (since !== undefined)) {
    throw new UsageError('--only changed and --since REF go together');
  }
  const states = reviewStatesFrom(only, ['changed']);
  const scope = scopeFrom(call, paths, setup);
  const report = await control.reviewList({ scope, states: isChanged ? [] : states });
  requireLock(report);
  await requirePaths(control, scope);
  for (const { file, reason } of report.unreadable) call.terminal.note(`${file}: ${reason}`);
  if (report.unreadable.length > 0 && report.files.length === 0) {
    throw new CommandFailure(1, 'none of the files can be read');
  }
  if (since === undefined) return report.files;
  await using then = await openSince(call, setup, since);
  const changed = await changedSince(setup, then);
  return report.files.map((file) => ({
    ...file,
    texts: file.texts.filter((text) => states.includes(text.state) || changed(file, text)),
  }));
}

interface Exporting {
  readonly language: LanguageTag;
  readonly setup: SoundConfig;
}

function documentOf(
  files: readonly ReviewFile[],
  { language, setup }: Exporting,
): ExchangeDocument {
  const hasSeveral = setup.config.projects.length > 1;
  const named = files.find(({ source_language }) => source_language !== 'auto');
  return {
    // XLIFF needs a language; "und" stands for an undetermined one (BCP 47).
    sourceLanguage: named?.source_language ?? 'und',
    language,
    files: files.map(({ project, source, texts }) => ({
      ...{ project, path: source },
      units: texts.map((text) => unitOf(text, hasSeveral ? project : undefined)),
    })),
  };
}

/** A note for people who translate messages in another tool. */
const OF_MESSAGE =
  'ICU message: translate the words inside the inner braces. The names, "plural", "select" and the words before a brace stay; # and {name} stand in each branch. Branches that the language needs may be added.';

function unitOf(text: ReviewText, project: string | undefined): ExchangeUnit {
  const { key, source, target, targetHash, state, codes, check } = text;
  const isMessage = hasBranches({ parts: check.parts ?? [source], syntax: check.syntax });
  const about = isMessage ? OF_MESSAGE : undefined;
  const notes = [text.context, text.note, about].filter((note) => note !== undefined);
  return {
    id: exchangeId(text, project),
    ...{ key, source, state, codes, notes },
    target: target ?? '',
    was: targetHash,
    ...(text.previousSource === undefined ? {} : { previousSource: text.previousSource }),
    ...(text.maxLength === undefined ? {} : { maxLength: text.maxLength }),
    ...(isMessage ? { isMessage } : {}),
  };
}

function translatableWords({ source, codes, isMessage }: ExchangeUnit): string {
  const text = cutAtCodes(source, codes)
    .map((piece) => ('text' in piece ? piece.text : ' '))
    .join('');
  return isMessage === true ? messageWords(text) : text;
}

function countsIn({ texts, words, characters, repetitions }: WordCount): string {
  const repeated =
    repetitions.texts === 0
      ? 'none repeats another'
      : `${plural(repetitions.texts, 'text')} (${plural(repetitions.words, 'word')}) repeat others`;
  return `${plural(texts, 'text')}, ${plural(words, 'word')}, ${plural(characters, 'character')}; ${repeated}`;
}

// Finds the texts whose source differs from an earlier commit.

/** @returns whether the source of a text changed; new texts count as changed. Reads only files that git reports as changed */
async function changedSince(
  { config }: SoundConfig,
  { files, earlier }: OpenedSince,
): Promise<(file: ReviewFile, text: ReviewText) => boolean> {
  const touched = new Set(files.map((path) => path.normalize('NFC')));
  const known = new Map<string, EarlierTexts | undefined>();
  for (const project of config.projects) {
    const before = earlier.setup?.config.projects.find(({ name }) => name === project.name);
    for (const path of touched) {
      if (!path.startsWith(`${project.root}/`)) continue;
      const source = path.slice(project.root.length + 1);
      const match = earlier.setup?.router.match(project.name, source);
      const isThere = before !== undefined && match?.kind === 'source';
      const size = isThere ? await bytesIn(join(before.root, source)) : 0;
      const texts =
        isThere && size > 0
          ? await readSourceTexts({ project: before }, { source: { raw: source, size }, match })
          : [];
      known.set(`${project.name}\n${source}`, earlierOf(texts));
    }
  }
  return ({ project, source }, { id, key, source: text }) => {
    const before = known.get(`${project}\n${source}`);
    if (before === undefined) return false;
    // In files without keys an id is only a number, so the text itself is looked for.
    return key === '' ? !before.texts.has(text) : before.byId.get(id) !== text;
  };
}

interface EarlierTexts {
  readonly byId: ReadonlyMap<string, string>;
  readonly texts: ReadonlySet<string>;
}

function earlierOf(texts: readonly SourceText[]): EarlierTexts {
  return {
    byId: new Map(texts.map(({ id, source }) => [id, source])),
    texts: new Set(texts.map(({ source }) => source)),
  };
}
