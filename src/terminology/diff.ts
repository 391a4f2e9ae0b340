/** The differences between the files of a glossary and the service, term by term. Pure. */
import type { StepwiseWork } from '../clock.ts';
import {
  type LanguagePairOfTerms,
  pairName,
  type TermDictionary,
  type TermEntries,
} from '../segments/dictionary.ts';

/** `mirror`: the service becomes equal to the file. `merge`: terms and pairs that only the service has stay. `check`: nothing is written. */
export type SyncMode = 'mirror' | 'merge' | 'check';

export interface TermChange {
  readonly source: string;
  /** Absent: the term is new. */
  readonly from?: string;
  /** Absent: the term is gone. */
  readonly to?: string;
}

export interface EntriesDiff {
  readonly added: readonly TermChange[];
  readonly changed: readonly TermChange[];
  readonly removed: readonly TermChange[];
}

/** The differences of one language pair. */
export interface DictionaryDiff {
  readonly pair: LanguagePairOfTerms;
  readonly kind: 'both' | 'file only' | 'service only';
  readonly entries: EntriesDiff;
}

const NO_ENTRIES: TermEntries = new Map();

/** @returns pairs that differ, in the order of the file, then of the service */
function* diffDictionaries(
  wanted: readonly TermDictionary[],
  current: readonly TermDictionary[],
): StepwiseWork<DictionaryDiff[]> {
  const there = byPair(current);
  const here = byPair(wanted);
  const diffs: DictionaryDiff[] = [];
  for (const pair of wanted) {
    const other = there.get(pairName(pair));
    const entries = yield* diffEntries(pair.entries, other?.entries ?? NO_ENTRIES);
    diffs.push({ pair, kind: other === undefined ? 'file only' : 'both', entries });
  }
  for (const pair of current) {
    if (here.has(pairName(pair))) continue;
    const entries = yield* diffEntries(NO_ENTRIES, pair.entries);
    diffs.push({ pair, kind: 'service only', entries });
  }
  return diffs.filter((diff) => diff.kind !== 'both' || !isEmpty(diff.entries));
}

/** The differences that count in a mode: with `merge`, terms and pairs that only the service has are not differences. */
export function* differencesIn(
  mode: SyncMode,
  wanted: readonly TermDictionary[],
  current: readonly TermDictionary[],
): StepwiseWork<DictionaryDiff[]> {
  const all = yield* diffDictionaries(wanted, current);
  if (mode !== 'merge') return all;
  return all
    .filter(({ kind }) => kind !== 'service only')
    .map((diff) => ({ ...diff, entries: { ...diff.entries, removed: [] } }))
    .filter(({ kind, entries }) => kind === 'file only' || !isEmpty(entries));
}

function* diffEntries(wanted: TermEntries, current: TermEntries): StepwiseWork<EntriesDiff> {
  const added: TermChange[] = [];
  const changed: TermChange[] = [];
  const removed: TermChange[] = [];
  for (const [source, to] of wanted) {
    yield;
    const from = current.get(source);
    if (from === undefined) added.push({ source, to });
    else if (from !== to) changed.push({ source, from, to });
  }
  for (const [source, from] of current) {
    yield;
    if (!wanted.has(source)) removed.push({ source, from });
  }
  return { added, changed, removed };
}

export function isEmpty({ added, changed, removed }: EntriesDiff): boolean {
  return added.length + changed.length + removed.length === 0;
}

function byPair(dictionaries: readonly TermDictionary[]): ReadonlyMap<string, TermDictionary> {
  return new Map(dictionaries.map((dictionary) => [pairName(dictionary), dictionary]));
}
