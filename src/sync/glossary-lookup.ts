/** Finds a glossary on the service, by the id in the ledger or by its name, and reads its terms. */

import { type StepwiseWork, stepsInTurns, turnsOf } from '../clock.ts';
import { baseLanguage, type LanguageTag, parseLanguage } from '../language.ts';
import {
  type LanguagePairOfTerms,
  pairName,
  type TermDictionary,
  type TermEntries,
  termEntriesIn,
} from '../segments/dictionary.ts';
import type { CallOptions } from '../service/call.ts';
import type { Service } from '../service/client.ts';
import type { Glossary } from '../service/glossaries.ts';
import type { LegacyGlossary } from '../service/legacy-glossaries.ts';
import type { GlossaryContent } from '../terminology/steps.ts';
import { ifThere, onlyOne } from './lookup.ts';

export type GlossaryService = Pick<Service, 'glossaries' | 'legacyGlossaries'>;

/** A glossary as it is on the service. */
export interface CurrentGlossary extends GlossaryContent {
  /** Undefined: only legacy glossaries have this name, and they cannot be changed. */
  readonly id: string | undefined;
  /** Ids of legacy glossaries (v2) with this name: they are deleted when there is a new one. */
  readonly legacy: readonly string[];
  /** The terms of the legacy glossaries. */
  readonly legacyTerms: readonly TermDictionary[];
}

/** How to find a glossary. */
export interface Sought {
  readonly name: string;
  /** From the ledger: finds it even when it was renamed on the service. */
  readonly id: string | undefined;
}

/**
 * @returns undefined when there is none
 * @throws JobFailure `unsupported` that names both when two glossaries have this name
 */
export async function findGlossary(
  service: GlossaryService,
  { name, id }: Sought,
  options?: CallOptions,
): Promise<CurrentGlossary | undefined> {
  const known =
    id === undefined ? undefined : await ifThere(async () => service.glossaries.get(id, options));
  if (known !== undefined) return await withEntries(service, known, options);
  const [all, allOld] = await Promise.all([
    service.glossaries.list(options),
    service.legacyGlossaries.list(options),
  ]);
  const legacy = allOld.filter((glossary) => glossary.name === name);
  const oldIds = new Set(allOld.map(({ glossary_id }) => glossary_id));
  const named = all.filter((each) => each.name === name && !oldIds.has(each.glossary_id));
  const found = onlyOne(
    named.map((each) => ({ id: each.glossary_id, found: each })),
    { what: 'glossaries', name, setting: 'glossary: { id: … }' },
  );
  if (found === undefined && legacy.length === 0) return undefined;
  const legacyTerms = await readLegacy(service, legacy, options);
  const old = { legacy: legacy.map(({ glossary_id }) => glossary_id), legacyTerms };
  return found === undefined
    ? { id: undefined, name, dictionaries: legacyTerms, ...old }
    : { ...(await withEntries(service, found, options)), ...old };
}

/** The entries of one dictionary; undefined when the glossary or the dictionary no longer exists. */
export async function entriesIfThere(
  service: GlossaryService,
  { id, pair }: { readonly id: string; readonly pair: LanguagePairOfTerms },
  options?: CallOptions,
): Promise<TermEntries | undefined> {
  const wire = { source_lang: pair.source, target_lang: pair.target };
  return await ifThere(async () => {
    const { entries } = await service.glossaries.entries(id, wire, options);
    return await inTermTurns(termEntriesIn(entries));
  });
}

/** Milliseconds. */
const TURN_MS = 8;

/** Works on the terms of a glossary, and lets other work run meanwhile: there may be 250,000. */
export async function inTermTurns<T>(work: StepwiseWork<T>): Promise<T> {
  return await stepsInTurns(work, turnsOf(TURN_MS));
}

async function withEntries(
  service: GlossaryService,
  { glossary_id: id, name, dictionaries }: Glossary,
  options?: CallOptions,
): Promise<CurrentGlossary> {
  const read = await Promise.all(
    dictionaries.map(async ({ source_lang, target_lang }): Promise<TermDictionary[]> => {
      const pair = { source: languageTagOf(source_lang), target: languageTagOf(target_lang) };
      const entries = await entriesIfThere(service, { id, pair }, options);
      // It was deleted between the two answers.
      return entries === undefined ? [] : [{ ...pair, entries }];
    }),
  );
  return { id, name, legacy: [], legacyTerms: [], dictionaries: read.flat() };
}

/** The terms of legacy glossaries: each has one pair. If several have the same pair, a later one replaces equal terms. */
async function readLegacy(
  { legacyGlossaries }: GlossaryService,
  legacy: readonly LegacyGlossary[],
  options?: CallOptions,
): Promise<TermDictionary[]> {
  const merged = new Map<string, TermDictionary>();
  for (const { glossary_id, source_lang, target_lang } of legacy) {
    const pair = { source: languageTagOf(source_lang), target: languageTagOf(target_lang) };
    const tsv = await legacyGlossaries.entries(glossary_id, options);
    const entries = await inTermTurns(termEntriesIn(tsv));
    const before = merged.get(pairName(pair))?.entries ?? new Map();
    merged.set(pairName(pair), { ...pair, entries: new Map([...before, ...entries]) });
  }
  return [...merged.values()];
}

/** Codes come in upper case (v2), in lower case (deployments) or in BCP 47 casing (docs/design/api.md, "Where deployments differ"). */
export function languageTagOf(code: string): LanguageTag {
  const tag = parseLanguage(code);
  return tag === undefined ? (code as LanguageTag) : baseLanguage(tag);
}
