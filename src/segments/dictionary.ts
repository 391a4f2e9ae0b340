/** The words of glossaries: a dictionary holds source phrases and their target phrases for one direction of one pair. Pure. */
import { hash } from 'node:crypto';
import type { LanguageTag } from '../language.ts';

/** Base codes: a dictionary serves all variants of its languages (API document, "Glossary (v3)"). */
export interface LanguagePairOfTerms {
  readonly source: LanguageTag;
  readonly target: LanguageTag;
}

/** Source phrase -> target phrase. */
export type TermEntries = ReadonlyMap<string, string>;

export interface TermDictionary extends LanguagePairOfTerms {
  readonly entries: TermEntries;
}

/** `en-de`: names a pair in messages and tells pairs apart. */
export function pairName({ source, target }: LanguagePairOfTerms): string {
  return `${source}-${target}`;
}

/** Equal for equal contents, in whatever order the entries come. */
export function versionOf(entries: TermEntries): string {
  const lines = Array.from(entries, ([source, target]) => `${source}\t${target}`);
  return hash('sha256', lines.sort(byCodeUnits).join('\n')).slice(0, 16);
}

/** The entries as the API takes them: phrases hold no tabs and no line breaks, so nothing needs quotes. */
export function tsvOf(entries: Iterable<readonly [string, string]>): string {
  return Array.from(entries, ([source, target]) => `${source}\t${target}`).join('\n');
}

/** Entries as the API gives them back (API document: "format is always tsv"). */
export function entriesOf(tsv: string): TermEntries {
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
