/** The glossary commands: how file and service differ, and the updates in both directions. */

import { dirname, extname } from 'node:path';
import { faultLine } from '../config/fault.ts';
import { JobFailure } from '../failure.ts';
import { readBytesIfPresent } from '../files/disk.ts';
import { writeIfDifferent } from '../files/replace.ts';
import type { Right } from '../files/right.ts';
import { parse } from '../parsing/parse.ts';
import { type LanguagePairOfTerms, pairName, type TermDictionary } from '../segments/dictionary.ts';
import type { CallOptions } from '../service/call.ts';
import type { Service } from '../service/client.ts';
import { glossaryKeyOf } from '../sync/glossaries.ts';
import { type CurrentGlossary, findGlossary, inTermTurns } from '../sync/glossary-lookup.ts';
import { stepsOf } from '../sync/glossary-sync.ts';
import type { TerminologyInForce } from '../sync/terminology-in-force.ts';
import type { ExpectedFile } from '../terminology/configured.ts';
import { decodeGlossary } from '../terminology/decode.ts';
import { differencesIn, type TermChange } from '../terminology/diff.ts';
import {
  type LoadedGlossary,
  loadGlossaries,
  MAX_FILE_BYTES,
} from '../terminology/load-glossaries.ts';
import type { SyncStep } from '../terminology/steps.ts';
import { REWRITE_TABLE } from '../terminology/thread-calls.ts';
import { languagesTable, pairTable } from '../terminology/write.ts';
import type { TerminologyRequest } from './control.ts';
import type { TerminologyDifference, TerminologyReport } from './report.ts';

export interface TerminologyControl {
  readonly terminology: TerminologyInForce;
  readonly service: Service;
  /** The right to write their files. */
  readonly right: Right;
}

export interface AskedTerminology extends Pick<TerminologyRequest, 'names' | 'act'> {
  /** Options for requests that change nothing. */
  readonly options?: CallOptions | undefined;
}

export async function glossaryReports(
  rules: TerminologyControl,
  { names, act, options }: AskedTerminology,
): Promise<TerminologyReport[]> {
  // The files as they are now: a daemon uses only content that is settled and valid.
  const { remote, config } = rules.terminology;
  const all = (await loadGlossaries(config)).map((each) => ({
    ...each,
    dictionaries: remote.glossaries.meant(each).dictionaries,
  }));
  const chosen = all.filter(({ name }) => names.length === 0 || names.includes(name));
  const reports: TerminologyReport[] = [];
  for (const glossary of chosen) reports.push(await reportOf(rules, glossary, { act, options }));
  return reports;
}

async function reportOf(
  rules: TerminologyControl,
  glossary: LoadedGlossary,
  { act, options }: Pick<AskedTerminology, 'act' | 'options'>,
): Promise<TerminologyReport> {
  const { terminology, service } = rules;
  const faults = glossary.faults.map((fault) => faultLine(fault, terminology.config.base));
  const report = {
    kind: 'glossary',
    name: glossary.name,
    faults,
    warnings: glossary.notes.map((note) => faultLine(note, terminology.config.base)),
    wrote: [],
  } as const;
  const { name } = glossary;
  const { id, obsolete = [] } = terminology.remote.records.read(glossaryKeyOf(glossary)) ?? {};
  const current = await findGlossary(service, { name, id }, options);
  if (act === 'pull') {
    const wrote = await pullGlossary(rules, glossary, current);
    return { ...report, id: current?.id ?? null, differences: [], calls: [], wrote };
  }
  if (faults.length > 0) return { ...report, id: id ?? null, differences: [], calls: [] };
  const differences = await differencesOf(glossary, current);
  const calls = await callsFor(glossary, current, obsolete);
  if (differences.length > 0) await terminology.remote.records.expire(glossaryKeyOf(glossary));
  if (act === 'diff' || calls.length === 0) {
    return { ...report, id: current?.id ?? null, differences, calls };
  }
  requireSync(terminology);
  const pushed = { ...glossary, mode: pushMode(glossary) };
  const { id: made } = await terminology.remote.glossaries.sync(pushed, { mayEmpty: true });
  return { ...report, id: made, differences, calls };
}

/** @throws JobFailure `unsupported` */
export function requireSync({ config }: TerminologyInForce): void {
  if (config.sync === 'on') return;
  throw new JobFailure({
    kind: 'unsupported',
    what: 'sync is off: glossaries and style lists on the service are not written',
    advice: 'Set sync: on in the config, or unset DRAGOMAN_SYNC.',
  });
}

/** `push` updates the service even when the daemon only checks. */
function pushMode({ mode }: LoadedGlossary): LoadedGlossary['mode'] {
  return mode === 'check' ? 'mirror' : mode;
}

/** @param obsolete legacy glossaries that a sync replaced but could not delete */
async function callsFor(
  glossary: LoadedGlossary,
  current: CurrentGlossary | undefined,
  obsolete: readonly string[],
): Promise<string[]> {
  const { name, dictionaries } = glossary;
  if (current === undefined && dictionaries.length === 0) return [];
  const steps = await stepsOf({ name, dictionaries }, current, pushMode(glossary));
  const legacy = new Set([...obsolete, ...(current?.legacy ?? [])]);
  return [
    ...steps.map(describeStep),
    ...Array.from(legacy, (id) => `DELETE legacy glossary ${id}`),
  ];
}

function describeStep(step: SyncStep): string {
  switch (step.kind) {
    case 'create':
      return `POST ${step.name} with ${step.dictionaries.map(pairName).join(', ')}`;
    case 'patch':
      return [
        'PATCH',
        step.name === undefined ? undefined : `name ${step.name}`,
        step.pair && `${pairName(step.pair)}: ${step.entries?.length ?? 0} entries`,
      ]
        .filter((part) => part !== undefined)
        .join(' ');
    case 'put':
      return `PUT ${pairName(step.dictionary)}: ${step.dictionary.entries.size} entries`;
    case 'drop':
      return `DELETE ${pairName(step.pair)}`;
  }
}

async function differencesOf(
  { name, mode, dictionaries }: LoadedGlossary,
  current: CurrentGlossary | undefined,
): Promise<TerminologyDifference[]> {
  const there = current?.dictionaries ?? [];
  const diffs = await inTermTurns(differencesIn(mode, dictionaries, there));
  const terms = diffs.flatMap(({ pair, entries: { added, changed, removed } }) => [
    ...added.map((term) => termDifference(pair, '+', term)),
    ...changed.map((term) => termDifference(pair, '~', term)),
    ...removed.map((term) => termDifference(pair, '-', term)),
  ]);
  if (current === undefined || current.name === name) return terms;
  return [{ where: 'name', change: '~', what: 'name', from: current.name, to: name }, ...terms];
}

function termDifference(
  pair: LanguagePairOfTerms,
  change: TerminologyDifference['change'],
  { source, ...sides }: TermChange,
): TerminologyDifference {
  return { where: pairName(pair), change, what: source, ...sides };
}

/**
 * @returns the files that were written, absolute
 * @throws JobFailure `unsupported` when the service has no such glossary, or a file is not a table; `malformed` for a file that is not text
 */
async function pullGlossary(
  { terminology, right }: TerminologyControl,
  glossary: LoadedGlossary,
  current: CurrentGlossary | undefined,
): Promise<string[]> {
  if (current === undefined) throw notThere(glossary);
  const { base } = terminology.config;
  const wrote: string[] = [];
  for (const file of chosenFiles(glossary)) {
    const { path } = file;
    const content = await contentFor(file, current.dictionaries);
    if (content === undefined) continue;
    const root = path.startsWith(base) ? base : dirname(path);
    const { written } = await writeIfDifferent({ path, root, content, right });
    if (written) wrote.push(path);
  }
  return wrote;
}

/** If a glossary has files for variants of one language, only one may exist: the existing one, else the first. */
export function chosenFiles({ files, found }: LoadedGlossary): ExpectedFile[] {
  const byPair = Map.groupBy(files, ({ expected }) => `${expected.source} ${expected.targets}`);
  return [...byPair.values()].flatMap(
    (same) => same.find(({ path }) => found.includes(path)) ?? same[0] ?? [],
  );
}

/**
 * The content of a file with these dictionaries; undefined when there is nothing to write. @throws JobFailure `unsupported` for a termbase
 */
async function contentFor(
  { path, expected }: ExpectedFile,
  dictionaries: readonly TermDictionary[],
): Promise<Uint8Array | string | undefined> {
  const own = dictionaries.filter(
    ({ source, target }) => source === expected.source && expected.targets.includes(target),
  );
  const found = await readBytesIfPresent(path, MAX_FILE_BYTES);
  const [only] = own;
  if (only === undefined && found === undefined) return undefined;
  const kind = tableKind(path);
  if (found !== undefined) {
    const { text, encode } = decodeGlossary(path, found.bytes);
    const rewriting = { table: { file: path, text, kind }, expected, dictionaries: own };
    const subject = { file: path, bytes: found.bytes.byteLength };
    const rewritten = await parse(REWRITE_TABLE, rewriting, subject);
    if (rewritten !== undefined) return encode(rewritten);
  }
  if (only === undefined) return undefined;
  return expected.targets.length === 1
    ? pairTable(only.entries, kind)
    : languagesTable(expected.source, own, kind);
}

function tableKind(path: string): 'csv' | 'tsv' {
  const extension = extname(path).toLowerCase();
  if (extension === '.tbx' || extension === '.xml') throw noTable(path);
  return extension === '.tsv' || extension === '.tab' ? 'tsv' : 'csv';
}

function notThere({ name }: LoadedGlossary): JobFailure {
  return new JobFailure({
    kind: 'unsupported',
    what: `there is no glossary "${name}" on the service`,
    advice: 'Nothing to pull; "dragoman glossary push" makes it from the file.',
  });
}

function noTable(file: string): JobFailure {
  return new JobFailure({
    kind: 'unsupported',
    what: `${file} is a termbase, and only tables are written`,
    advice: 'Name a .csv or .tsv file in the config to pull into.',
  });
}
