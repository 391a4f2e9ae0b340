/** Reads the glossary files of a config. */
import { stepsInTurns, turnsOf } from '../clock.ts';
import type { Fault } from '../config/fault.ts';
import type { Config } from '../config.ts';
import { describeFailure, failureOf } from '../failure.ts';
import { conflictLine } from '../files/conflict-markers.ts';
import { readBytesIfPresent } from '../files/disk.ts';
import { parse } from '../parsing/parse.ts';
import {
  type LanguagePairOfTerms,
  pairName,
  type TermDictionary,
  unpackDictionary,
  versionOf,
} from '../segments/dictionary.ts';
import { TermIndex } from '../segments/terms.ts';
import type { SkippedRows } from './collect.ts';
import {
  type ConfiguredGlossary,
  configuredGlossaries,
  type ExpectedFile,
  variantClash,
} from './configured.ts';
import type { GlossaryFile } from './read.ts';
import { READ_GLOSSARY } from './thread-calls.ts';
import type { PackedGlossary } from './thread-work.ts';

/** Bytes of a file. A glossary holds 10 MiB; its file may be larger: UTF-16, quotes, other pairs. */
export const MAX_FILE_BYTES = 64 * 1024 * 1024;

export interface LoadedGlossary extends ConfiguredGlossary {
  readonly dictionaries: readonly TermDictionary[];
  /** Names of the pairs of files that exist and have no term. */
  readonly emptied: ReadonlySet<string>;
  /** Files that exist, absolute. */
  readonly found: readonly string[];
  /** Notes about rows that no project of this glossary uses: one for each file, with their number. */
  readonly notes: readonly Fault[];
  /** Not empty: the glossary must not be sent. */
  readonly faults: readonly Fault[];
  /** A hash: equal for equal dictionaries. */
  readonly version: string;
  terms(pair: LanguagePairOfTerms): Terms | undefined;
}

/** The dictionary of one pair, with an index to find its terms in texts. */
export interface Terms {
  readonly index: TermIndex;
  /** A hash of this pair alone. */
  readonly version: string;
}

/** Milliseconds: a glossary may have 250,000 entries, and other work goes on meanwhile. */
const TURN_MS = 8;
/** In every file with conflict markers. */
const MARKER = '<<<<<<<';

/** Reads all glossary files of a config. Never throws for their content or for missing files: these are faults. */
export async function loadGlossaries(config: Config): Promise<LoadedGlossary[]> {
  return await Promise.all(
    configuredGlossaries(config).map(async (glossary) => loadGlossary(glossary, config)),
  );
}

async function loadGlossary(glossary: ConfiguredGlossary, config: Config): Promise<LoadedGlossary> {
  const faults: Fault[] = [];
  const read = await Promise.all(glossary.files.map((file) => readFile(file, faults)));
  const files = read.filter((file) => file !== undefined);
  const { dictionaries: packed, skipped, ...more } = await readAll(files);
  const turns = turnsOf(TURN_MS);
  const dictionaries: TermDictionary[] = [];
  for (const each of packed) dictionaries.push(await stepsInTurns(unpackDictionary(each), turns));
  const versions = new Map(packed.map((each) => [pairName(each), each.version]));
  faults.push(...more.faults);
  const wholeFile = (message: string, path: string) =>
    faults.push({ file: path, line: 1, column: 1, path: '', message });
  const clash = variantClash(glossary.files.filter(({ path }) => isAmong(files, path)));
  if (clash !== undefined) wholeFile(clash, files[0]?.file ?? config.file);
  // Without any file, the glossary counts as lost, not as empty: an unmounted folder must not empty it on the service.
  if (files.length === 0 && faults.length === 0)
    wholeFile(missing(glossary), glossary.files[0]?.path ?? config.file);
  return {
    ...glossary,
    dictionaries,
    emptied: emptiedPairs(files, dictionaries),
    notes: skipped.map(noteOf),
    faults,
    found: files.map(({ file }) => file),
    version: versionOf(versions),
    terms: termsOf(dictionaries, versions),
  };
}

function emptiedPairs(
  files: readonly GlossaryFile[],
  dictionaries: readonly TermDictionary[],
): ReadonlySet<string> {
  const filled = new Set(dictionaries.map(pairName));
  const pairs = files.map(({ expected: { source, targets } }) =>
    targets.map((target) => pairName({ source, target })),
  );
  return new Set(pairs.filter((all) => !all.some((pair) => filled.has(pair))).flat());
}

/** Parses the files. Too slow is a fault for the whole glossary: with half of its terms, a sync would delete the other half on the service. */
async function readAll(files: readonly GlossaryFile[]): Promise<PackedGlossary> {
  const [{ file } = { file: '' }] = files;
  const bytes = files.reduce((sum, each) => sum + each.bytes.byteLength, 0);
  try {
    return await parse(READ_GLOSSARY, files, { file, bytes });
  } catch (error) {
    const failure = failureOf(error);
    if (failure.kind !== 'malformed') throw error;
    const fault = { file, line: 1, column: 1, path: '', message: failure.message };
    return { dictionaries: [], skipped: [], faults: [fault] };
  }
}

async function readFile(
  { path, expected }: ExpectedFile,
  faults: Fault[],
): Promise<GlossaryFile | undefined> {
  try {
    const read = await readBytesIfPresent(path, MAX_FILE_BYTES);
    const isSuspect = read?.bytes.includes(MARKER) === true;
    const line = isSuspect ? conflictLine(read.bytes.toString('utf8')) : undefined;
    if (line !== undefined) {
      faults.push({ file: path, line, column: 1, path: '', message: UNMERGED });
      return undefined;
    }
    return read && { file: path, bytes: read.bytes, expected };
  } catch (error) {
    const message = describeFailure(failureOf(error));
    faults.push({ file: path, line: 1, column: 1, path: '', message });
    return undefined;
  }
}

/** The message for a file with conflict markers: one side of a merge would delete the terms of the other on the service. */
export const UNMERGED = 'git left conflict markers here; resolve the merge';

function noteOf({ file, line, rows }: SkippedRows): Fault {
  const message =
    rows === 1
      ? 'one row is left out: no project translates its pair'
      : `${rows} rows from here on are left out: no project translates their pairs`;
  return { file, line, column: 1, path: '', message };
}

function isAmong(files: readonly GlossaryFile[], path: string): boolean {
  return files.some(({ file }) => file === path);
}

function missing({ name, csv, files }: ConfiguredGlossary): string {
  return files.length === 0
    ? `no language of the projects can use the glossary "${name}" (${csv})`
    : `does not exist; the glossary "${name}" is read from ${csv}`;
}

function termsOf(
  dictionaries: readonly TermDictionary[],
  versions: ReadonlyMap<string, string>,
): LoadedGlossary['terms'] {
  const made = new Map<string, Terms>();
  const byPair = new Map(dictionaries.map((each) => [pairName(each), each]));
  return (pair) => {
    const name = pairName(pair);
    const dictionary = byPair.get(name);
    if (dictionary === undefined) return undefined;
    const known = made.get(name);
    if (known !== undefined) return known;
    const terms = { index: new TermIndex(dictionary.entries), version: versions.get(name) ?? '' };
    made.set(name, terms);
    return terms;
  };
}
