/** `dragoman review export`: writes texts for a translator into a file that translation tools open. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, extname, resolve } from 'node:path';
import type { SoundConfig } from '../../config/parse.ts';
import type { Control } from '../../control/control.ts';
import { WRITE_EXCHANGE } from '../../control/review/thread-calls.ts';
import type { ReviewFile } from '../../control/review-report.ts';
import type { ReviewText } from '../../control/review-text.ts';
import { isNamed } from '../../control/scope.ts';
import {
  cutAtCodes,
  type ExchangeDocument,
  type ExchangeFormatName,
  type ExchangeUnit,
} from '../../formats/exchange/exchange.ts';
import { type LanguageTag, plural } from '../../language.ts';
import { parse } from '../../parsing/parse.ts';
import type { Setup } from '../../plan/planner.ts';
import { exchangeId } from '../../segments/exchange-id.ts';
import { hasBranches } from '../../segments/inline/icu-text.ts';
import { countWords, messageWords, type WordCount } from '../../segments/inline/words.ts';
import { type CommandCall, CommandFailure, type ExitCode, UsageError } from '../command.ts';
import { withControl } from '../open-control.ts';
import { scopeFrom } from '../scope.ts';
import { chosenTexts } from './chosen.ts';
import type { ReviewOptions } from './options.ts';

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
    const { files, unreadable } = await chosenTexts(call, { control, setup, paths });
    for (const { file, reason } of unreadable) terminal.note(`${file}: ${reason}`);
    if (unreadable.length > 0 && files.length === 0) {
      throw new CommandFailure(1, 'none of the files can be read');
    }
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
  const { key, source, target, state, codes, check, unit, nth } = text;
  const { source_hash: sourceHash, target_hash: targetHash } = text;
  const isMessage = hasBranches({ parts: check.parts ?? [source], syntax: check.syntax });
  const about = isMessage ? OF_MESSAGE : undefined;
  const notes = [text.context, text.note, about].filter((note) => note !== undefined);
  return {
    id: exchangeId({ unit, nth, sourceHash, targetHash }, project),
    ...{ key, source, state, codes, notes },
    target: target ?? '',
    was: targetHash,
    ...(text.previous_source && { previousSource: text.previous_source }),
    ...(text.max_length === undefined ? {} : { maxLength: text.max_length }),
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
