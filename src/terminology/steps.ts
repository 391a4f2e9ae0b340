/** The fewest calls that make a glossary on the service equal to its file. The sequence may stop after any call. Pure. */
import type { StepwiseWork } from '../clock.ts';
import { type LanguagePairOfTerms, pairName, type TermDictionary } from '../segments/dictionary.ts';
import { type DictionaryDiff, differencesIn, type SyncMode, type TermChange } from './diff.ts';

export interface GlossaryContent {
  readonly name: string;
  readonly dictionaries: readonly TermDictionary[];
}

type TermPair = readonly [source: string, target: string];

/** One call. Each call leaves a valid glossary, so that an interrupted sync continues from there. */
export type SyncStep =
  | {
      readonly kind: 'create';
      readonly name: string;
      readonly dictionaries: readonly TermDictionary[];
    }
  /** PATCH: renames, merges entries into the dictionary of an existing pair, or both. */
  | {
      readonly kind: 'patch';
      readonly name?: string;
      readonly pair?: LanguagePairOfTerms;
      readonly entries?: readonly TermPair[];
    }
  /** PUT: a new pair, or one that lost terms, which a PATCH would keep. */
  | { readonly kind: 'put'; readonly dictionary: TermDictionary }
  | { readonly kind: 'drop'; readonly pair: LanguagePairOfTerms };

/** @param current the glossary on the service; undefined when there is none */
export function* stepsFor(
  wanted: GlossaryContent,
  current: GlossaryContent | undefined,
  mode: SyncMode,
): StepwiseWork<readonly SyncStep[]> {
  if (mode === 'check') return [];
  // The service has no empty glossaries.
  if (current === undefined && wanted.dictionaries.length === 0) return [];
  if (current === undefined) return [{ kind: 'create', ...wanted }];
  const wantedBy = new Map(wanted.dictionaries.map((each) => [pairName(each), each]));
  const differences = yield* differencesIn(mode, wanted.dictionaries, current.dictionaries);
  const edits = differences.map((diff) => editFor(diff, wantedBy.get(pairName(diff.pair))));
  return [...withName(edits, wanted.name === current.name ? undefined : wanted.name)];
}

/** @param dictionary of the file; undefined when the file does not have the pair any more */
function editFor(
  { pair: { source, target }, kind, entries }: DictionaryDiff,
  dictionary: TermDictionary | undefined,
): SyncStep {
  const pair = { source, target };
  if (dictionary === undefined) return { kind: 'drop', pair };
  if (kind === 'file only' || entries.removed.length > 0) return { kind: 'put', dictionary };
  return { kind: 'patch', pair, entries: [...entries.added, ...entries.changed].map(termPair) };
}

/** Adds the new name to a PATCH; without a PATCH, the name needs a call of its own. */
function withName(steps: readonly SyncStep[], name: string | undefined): readonly SyncStep[] {
  if (name === undefined) return steps;
  const at = steps.findIndex(({ kind }) => kind === 'patch');
  const patch = steps[at];
  return patch?.kind === 'patch'
    ? steps.with(at, { ...patch, name })
    : [{ kind: 'patch', name }, ...steps];
}

function termPair({ source, to }: TermChange): TermPair {
  return [source, to ?? ''];
}
