/** Reads the style files of a config. */
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import type { Fault } from '../config/fault.ts';
import type { Config } from '../config.ts';
import { describeFailure, failureOf } from '../failure.ts';
import { conflictLine } from '../files/conflict-markers.ts';
import { readBytes } from '../files/disk.ts';
import { baseLanguage, type LanguageTag } from '../language.ts';
import { parse } from '../parsing/parse.ts';
import { UNMERGED } from './load-glossaries.ts';
import type { Catalogue, StyleContent } from './style-read.ts';
import { READ_STYLE } from './thread-calls.ts';

const MAX_FILE_BYTES = 1024 * 1024;

export interface LoadedStyle {
  /** Absolute path. */
  readonly file: string;
  /** Relative to the config's folder: it identifies a list that was renamed. */
  readonly path: string;
  /** Undefined when there are faults: then the list must not be sent. */
  readonly content: StyleContent | undefined;
  readonly faults: readonly Fault[];
  readonly warnings: readonly Fault[];
  /** A hash: equal for equal contents. */
  readonly version: string;
}

/** Reads all style files of a config, each once. Never throws for their content or for missing files: these are faults. */
export async function loadStyles(config: Config): Promise<LoadedStyle[]> {
  const languages = languagesByFile(config);
  if (languages.size === 0) return [];
  const catalogue = await styleCatalogue();
  const styles = await Promise.all(
    [...languages].map(async ([file, targets]) => {
      const path = relative(config.base, file);
      return { path, ...(await loadStyle(file, { targets, catalogue })) };
    }),
  );
  return styles.map((style, at) => refusingTwins(style, styles.slice(0, at)));
}

/**
 * Refuses a file with the name and language of an earlier one. Both would be the same list on the service, and overwrite each other at each
 * sync.
 */
function refusingTwins(style: LoadedStyle, earlier: readonly LoadedStyle[]): LoadedStyle {
  const { content, file } = style;
  if (content === undefined) return style;
  const { name, language } = content;
  const namesake = earlier.find(
    (each) => each.content?.name === name && each.content.language === language,
  );
  if (namesake === undefined) return style;
  const fault = faultOf(
    file,
    `${namesake.path} is named "${name}" too: give one of them another name`,
  );
  return { ...style, content: undefined, faults: [fault] };
}

/** The known rules and options, from config/style-rule-catalogue.json of the package. */
export async function styleCatalogue(): Promise<Catalogue> {
  const file = new URL('../../config/style-rule-catalogue.json', import.meta.url);
  return JSON.parse(await readFile(file, 'utf8')) as Catalogue;
}

function languagesByFile(config: Config): Map<string, Set<LanguageTag>> {
  const files = new Map<string, Set<LanguageTag>>();
  for (const { rules } of config.projects) {
    for (const [target, rule] of rules.styles) {
      if (!('file' in rule)) continue;
      const languages = files.get(rule.file) ?? new Set();
      files.set(rule.file, languages.add(baseLanguage(target)));
    }
  }
  return files;
}

interface StyleContext {
  /** Base codes of the languages that the config uses the file for. */
  readonly targets: ReadonlySet<LanguageTag>;
  readonly catalogue: Catalogue;
}

async function loadStyle(
  file: string,
  { targets, catalogue }: StyleContext,
): Promise<Omit<LoadedStyle, 'path'>> {
  try {
    const { bytes } = await readBytes(file, MAX_FILE_BYTES);
    const line = conflictLine(bytes.toString('utf8'));
    if (line !== undefined) return unmerged(file, line);
    const style = { text: bytes.toString('utf8'), file, catalogue };
    const subject = { file, bytes: bytes.byteLength };
    const { content, faults, warnings } = await parse(READ_STYLE, style, subject);
    const wrong = [...targets].filter((target) => content && content.language !== target);
    const misused = wrong.map((target) =>
      faultOf(file, `is a list for ${content?.language}, and the config uses it for ${target}`),
    );
    const isSound = faults.length + misused.length === 0;
    return {
      file,
      content: isSound ? content : undefined,
      faults: [...faults, ...misused],
      warnings,
      version: hash('sha256', JSON.stringify(content ?? null)).slice(0, 16),
    };
  } catch (error) {
    const failure = failureOf(error);
    const message = failure.kind === 'malformed' ? failure.message : describeFailure(failure);
    const faults = [faultOf(file, message)];
    return { file, content: undefined, faults, warnings: [], version: '' };
  }
}

function unmerged(file: string, line: number): Omit<LoadedStyle, 'path'> {
  const fault = { ...faultOf(file, UNMERGED), line };
  return { file, content: undefined, faults: [fault], warnings: [], version: '' };
}

function faultOf(file: string, message: string): Fault {
  return { file, line: 1, column: 1, path: '', message };
}
