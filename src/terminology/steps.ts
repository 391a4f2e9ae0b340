/** The fewest calls that make a glossary on the service equal to its file, in an order that may stop anywhere. Pure. */
import { type LanguagePairOfTerms, pairName, type TermDictionary } from '../segments/dictionary.ts';
import { type DictionaryDiff, differencesIn, type SyncMode, type TermChange } from './diff.ts';

export interface GlossaryContent {
  readonly name: string;
  readonly dictionaries: readonly TermDictionary[];
}

type Entry = readonly [source: string, target: string];

/** One call; each is right by itself, so that a sync which was stopped goes on from what it finds. */
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
      readonly entries?: readonly Entry[];
    }
  /** PUT: a new pair, or one that lost terms, which a PATCH would let live on. */
  | { readonly kind: 'put'; readonly dictionary: TermDictionary }
  | { readonly kind: 'drop'; readonly pair: LanguagePairOfTerms };

/** @param standing undefined: there is no such glossary on the service */
export function stepsFor(
  wanted: GlossaryContent,
  standing: GlossaryContent | undefined,
  mode: SyncMode,
): readonly SyncStep[] {
  if (mode === 'check') return [];
  // The service holds no empty ones.
  if (standing === undefined && wanted.dictionaries.length === 0) return [];
  if (standing === undefined) return [{ kind: 'create', ...wanted }];
  const wantedBy = new Map(wanted.dictionaries.map((each) => [pairName(each), each]));
  const edits = differencesIn(mode, wanted.dictionaries, standing.dictionaries).map((diff) =>
    editFor(diff, wantedBy.get(pairName(diff.pair))),
  );
  return [...named(edits, wanted.name === standing.name ? undefined : wanted.name)];
}

/** @param dictionary as the file has it; undefined when the pair vanished from it */
function editFor(
  { pair: { source, target }, kind, entries }: DictionaryDiff,
  dictionary: TermDictionary | undefined,
): SyncStep {
  const pair = { source, target };
  if (dictionary === undefined) return { kind: 'drop', pair };
  if (kind === 'file only' || entries.removed.length > 0) return { kind: 'put', dictionary };
  return { kind: 'patch', pair, entries: [...entries.added, ...entries.changed].map(entryOf) };
}

/** A PATCH may carry the name along; without one the name costs a call of its own. */
function named(steps: readonly SyncStep[], name: string | undefined): readonly SyncStep[] {
  if (name === undefined) return steps;
  const at = steps.findIndex(({ kind }) => kind === 'patch');
  const patch = steps[at];
  return patch?.kind === 'patch'
    ? steps.with(at, { ...patch, name })
    : [{ kind: 'patch', name }, ...steps];
}

function entryOf({ source, to }: TermChange): Entry {
  return [source, to ?? ''];
}
