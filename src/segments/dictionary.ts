/** The entries of a glossary. A dictionary holds source phrases and their target phrases for one direction of one language pair. Pure. */
import { hash } from 'node:crypto';
import type { LanguageTag } from '../language.ts';

/** Base codes: a dictionary is used for all variants of its languages (docs/design/api.md, "Glossaries"). */
export interface LanguagePairOfTerms {
  readonly source: LanguageTag;
  readonly target: LanguageTag;
}

/** Source phrase -> target phrase. */
export type TermEntries = ReadonlyMap<string, string>;

export interface TermDictionary extends LanguagePairOfTerms {
  readonly entries: TermEntries;
}

/** `en-de`: the name of a pair in messages, and its key. */
export function pairName({ source, target }: LanguagePairOfTerms): string {
  return `${source}-${target}`;
}

/** A hash of the entries that does not depend on their order. */
export function versionOf(entries: TermEntries): string {
  const lines = Array.from(entries, ([source, target]) => `${source}\t${target}`);
  return hash('sha256', lines.sort(byCodeUnits).join('\n')).slice(0, 16);
}

/** The entries in the form of the API. Phrases hold no tabs and no line breaks, so nothing needs quotes. */
export function tsvOf(entries: Iterable<readonly [string, string]>): string {
  return Array.from(entries, ([source, target]) => `${source}\t${target}`).join('\n');
}

/** Reads entries as the API returns them (docs/design/api.md, "Glossaries": always `tsv`). */
export function termEntriesOf(tsv: string): TermEntries {
  const entries = new Map<string, string>();
  for (const line of tsv.split(/\r?\n/)) {
    const tab = line.indexOf('\t');
    if (tab > 0) entries.set(line.slice(0, tab), line.slice(tab + 1));
  }
  return entries;
}

function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : 1;
}
