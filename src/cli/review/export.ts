/** `dragoman review export`: texts for a translator, in a file that their tools open. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, extname, join, resolve } from 'node:path';
import type { SoundConfig } from '../../config/parse.ts';
import type { Control } from '../../control/control.ts';
import { type ReviewText, WRITE_EXCHANGE } from '../../control/review/parsers.ts';
import type { ReviewFile } from '../../control/review/report.ts';
import { bytesIn } from '../../files/disk.ts';
import {
  cutAtCodes,
  type ExchangeDocument,
  type ExchangeFormatName,
  type ExchangeUnit,
} from '../../formats/exchange/exchange.ts';
import type { SourceText } from '../../intake/parsers.ts';
import { readSourceTexts } from '../../intake/source-texts.ts';
import { type LanguageTag, plural } from '../../language.ts';
import { parse } from '../../parsing/parse.ts';
import type { Setup } from '../../plan/planner.ts';
import { countWords, type WordCount } from '../../segments/words.ts';
import { type CommandCall, CommandFailure, type ExitCode, UsageError } from '../command.ts';
import { withControl } from '../open-control.ts';
import { requirePaths, scopeOf } from '../scope.ts';
import { type OpenedSince, openSince } from '../since.ts';
import { type ReviewOptions, requireLock, statesOf } from './options.ts';

/** In a file, about: what says how long writing it may take. */
const BYTES_OF_TEXT = 1000;

export async function exportTexts(
  call: CommandCall<ReviewOptions>,
  paths: readonly string[],
): Promise<ExitCode> {
  const { options, terminal } = call;
  const output = outputOf(call);
  const format = formatOf(options, output);
  const answer = async (control: Control, setup: SoundConfig): Promise<ExitCode> => {
    const language = languageOf(call, setup);
    const files = await chosen(call, { control, setup, paths });
    const size = files.reduce((sum, file) => sum + file.texts.length * BYTES_OF_TEXT, 0);
    const { document, bytes, left } = await parse(
      WRITE_EXCHANGE,
      { format, document: documentOf(files, language) },
      { file: output, bytes: size },
    );
    const texts = document.files.flatMap(({ units }) => units);
    const count = countWords(texts.map(wordsOf), document.sourceLanguage);
    if (texts.length > 0) await writeFile(output, bytes);
    const report = { file: texts.length > 0 ? output : null, format, language };
    if (options.json === true) terminal.json({ ...report, ...count, left_out: left });
    else {
      for (const { file, key, reason } of left)
        terminal.note(`left out: ${file} ${key}: ${reason}`);
      terminal.out(texts.length === 0 ? 'Nothing to export.' : `${options.output}: ${told(count)}`);
    }
    return 0;
  };
  return await withControl(call, answer, 'asks');
}

/** @throws UsageError; what a translator sent back must not be written over by mistake */
function outputOf({ options, cwd }: CommandCall<ReviewOptions>): string {
  if (options.output === undefined) throw new UsageError('say where to: -o FILE');
  const file = resolve(cwd, options.output);
  if (!existsSync(dirname(file))) throw new UsageError(`${dirname(file)} is not there`);
  if (options.force === true || !existsSync(file)) return file;
  throw new UsageError(`${options.output} is there already: name another file, or add --force`);
}

const BY_EXTENSION: Readonly<Record<string, ExchangeFormatName>> = {
  '.po': 'po',
  '.csv': 'csv',
  '.xlsx': 'xlsx',
};

function formatOf({ format }: ReviewOptions, output: string): ExchangeFormatName {
  return format ?? BY_EXTENSION[extname(output)] ?? 'xliff';
}

/** @throws UsageError: a file holds one language */
function languageOf(call: CommandCall<ReviewOptions>, { config }: Setup): LanguageTag {
  const { projects, languages } = scopeOf(call, [], { config } as Setup);
  const targets = config.projects
    .filter(({ name }) => projects.length === 0 || projects.includes(name))
    .flatMap((project) => project.targets);
  const asked = [...new Set(targets)].filter(
    (tag) => languages.length === 0 || isNamed(tag, languages),
  );
  const [only] = asked;
  if (only !== undefined && asked.length === 1) return only;
  throw new UsageError(`a file holds one language: add --language, one of ${asked.join(', ')}`);
}

function isNamed(tag: string, codes: readonly string[]): boolean {
  return codes.some((code) => code.toLowerCase().replaceAll('_', '-') === tag.toLowerCase());
}

interface Choosing {
  readonly control: Control;
  readonly setup: SoundConfig;
  readonly paths: readonly string[];
}

/** @throws UsageError, CommandFailure 78 and 1 */
async function chosen(
  call: CommandCall<ReviewOptions>,
  { control, setup, paths }: Choosing,
): Promise<readonly ReviewFile[]> {
  const { only, since } = call.options;
  const isChanged = only?.includes('changed') === true;
  if (isChanged !== (since !== undefined)) {
    throw new UsageError('--only changed and --since REF go together');
  }
  const states = statesOf(only, ['changed']);
  const scope = scopeOf(call, paths, setup);
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

function documentOf(files: readonly ReviewFile[], language: LanguageTag): ExchangeDocument {
  const named = files.find(({ source_language }) => source_language !== 'auto');
  return {
    // XLIFF wants a language; "und" is the one that nobody determined (BCP 47).
    sourceLanguage: named?.source_language ?? 'und',
    language,
    files: files.map(({ project, source, texts }) => ({
      ...{ project, path: source },
      units: texts.map(unitOf),
    })),
  };
}

function unitOf(text: ReviewText): ExchangeUnit {
  const { unit, sourceHash, nth, key, source, target, targetHash, state, codes } = text;
  const notes = [text.context, text.note].filter((note) => note !== undefined);
  return {
    id: `${unit}.${sourceHash}.${nth}`,
    ...{ key, source, state, codes, notes },
    target: target ?? '',
    was: targetHash,
    ...(text.previousSource === undefined ? {} : { previousSource: text.previousSource }),
    ...(text.maxLength === undefined ? {} : { maxLength: text.maxLength }),
  };
}

function wordsOf({ source, codes }: ExchangeUnit): string {
  return cutAtCodes(source, codes)
    .map((piece) => ('text' in piece ? piece.text : ' '))
    .join('');
}

function told({ texts, words, characters, repetitions }: WordCount): string {
  const repeated =
    repetitions.texts === 0
      ? 'none repeats another'
      : `${plural(repetitions.texts, 'text')} (${plural(repetitions.words, 'word')}) repeat others`;
  return `${plural(texts, 'text')}, ${plural(words, 'word')}, ${plural(characters, 'character')}; ${repeated}`;
}

// Which texts have another source than they had at an earlier commit.

/** Texts that were not there are changed ones. Of files that git calls unchanged nothing is read. */
async function changedSince(
  { config }: SoundConfig,
  { files, earlier }: OpenedSince,
): Promise<(file: ReviewFile, text: ReviewText) => boolean> {
  const touched = new Set(files.map((path) => path.normalize('NFC')));
  const known = new Map<string, Earlier | undefined>();
  for (const project of config.projects) {
    const before = earlier.setup?.config.projects.find(({ name }) => name === project.name);
    for (const path of touched) {
      if (!path.startsWith(`${project.root}/`)) continue;
      const source = path.slice(project.root.length + 1);
      const claim = earlier.setup?.router.claim(project.name, source);
      const isThere = before !== undefined && claim?.kind === 'source';
      const size = isThere ? await bytesIn(join(before.root, source)) : 0;
      const texts =
        isThere && size > 0
          ? await readSourceTexts({ project: before }, { source: { raw: source, size }, claim })
          : [];
      known.set(`${project.name}\n${source}`, earlierOf(texts));
    }
  }
  return ({ project, source }, { id, key, source: text }) => {
    const before = known.get(`${project}\n${source}`);
    if (before === undefined) return false;
    // Without keys an id is a number: what counts is whether the text was there.
    return key === '' ? !before.texts.has(text) : before.byId.get(id) !== text;
  };
}

interface Earlier {
  readonly byId: ReadonlyMap<string, string>;
  readonly texts: ReadonlySet<string>;
}

function earlierOf(texts: readonly SourceText[]): Earlier {
  return {
    byId: new Map(texts.map(({ id, source }) => [id, source])),
    texts: new Set(texts.map(({ source }) => source)),
  };
}
