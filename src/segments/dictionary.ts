/** The entries of a glossary. A dictionary holds source phrases and their target phrases for one direction of one language pair. Pure. */
import { hash } from 'node:crypto';
import type { StepwiseWork } from '../clock.ts';
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
  const known = TSVS.get(entries);
  return known ?? Array.from(entries, ([source, target]) => `${source}\t${target}`).join('\n');
}

/** The form of the API that entries were read from. */
const TSVS = new WeakMap<Iterable<readonly [string, string]>, string>();

/** A dictionary as text: another thread gets it in a moment, however many entries it has. */
export interface PackedDictionary extends LanguagePairOfTerms {
  readonly tsv: string;
  /** See `versionOf`. */
  readonly version: string;
}

export function packDictionary({ source, target, entries }: TermDictionary): PackedDictionary {
  return { source, target, tsv: tsvOf(entries), version: versionOf(entries) };
}

export function* unpackDictionary({
  source,
  target,
  tsv,
}: PackedDictionary): StepwiseWork<TermDictionary> {
  const entries = yield* termEntriesIn(tsv);
  TSVS.set(entries, tsv);
  return { source, target, entries };
}

/** Reads entries as the API returns them (docs/design/api.md, "Glossaries": always `tsv`). */
export function* termEntriesIn(tsv: string): StepwiseWork<TermEntries> {
  const entries = new Map<string, string>();
  for (let at = 0; at < tsv.length; ) {
    yield;
    const found = tsv.indexOf('\n', at);
    const end = found < 0 ? tsv.length : found;
    const line = tsv.slice(at, tsv[end - 1] === '\r' ? end - 1 : end);
    const tab = line.indexOf('\t');
    if (tab > 0) entries.set(line.slice(0, tab), line.slice(tab + 1));
    at = end + 1;
  }
  return entries;
}

function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : 1;
}
