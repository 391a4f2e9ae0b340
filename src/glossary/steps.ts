/** The fewest calls that make a glossary on the service equal to its file, in an order that may stop anywhere. Pure. */

import { type Dictionary, type Pair, pairName } from './dictionary.ts';
import { type Change, type DictionaryDiff, diffDictionaries, isEmpty } from './diff.ts';

/** `mirror`: the file is the truth. `merge`: others may add terms and pairs on the service. `check`: nothing is written. */
export type SyncMode = 'mirror' | 'merge' | 'check';

export interface GlossaryContent {
  readonly name: string;
  readonly dictionaries: readonly Dictionary[];
}

type Entry = readonly [source: string, target: string];

/** One call; each is right by itself, so that a sync which was stopped goes on from what it finds. */
export type Step =
  | { readonly kind: 'create'; readonly name: string; readonly dictionaries: readonly Dictionary[] }
  /** PATCH: renames, merges entries into the dictionary of an existing pair, or both. */
  | {
      readonly kind: 'patch';
      readonly name?: string;
      readonly pair?: Pair;
      readonly entries?: readonly Entry[];
    }
  /** PUT: a new pair, or one that lost terms, which a PATCH would let live on. */
  | { readonly kind: 'put'; readonly dictionary: Dictionary }
  | { readonly kind: 'drop'; readonly pair: Pair };

/** @param standing undefined: there is no such glossary on the service */
export function stepsFor(
  wanted: GlossaryContent,
  standing: GlossaryContent | undefined,
  mode: SyncMode,
): readonly Step[] {
  if (mode === 'check') return [];
  if (standing === undefined) return [{ kind: 'create', ...wanted }];
  const diffs = diffDictionaries(wanted.dictionaries, standing.dictionaries);
  const wantedBy = new Map(wanted.dictionaries.map((each) => [pairName(each), each]));
  const edits = diffs.flatMap((diff) => editFor(diff, { wantedBy, mode }) ?? []);
  return [...named(edits, wanted.name === standing.name ? undefined : wanted.name)];
}

interface Wish {
  readonly wantedBy: ReadonlyMap<string, Dictionary>;
  readonly mode: SyncMode;
}

function editFor(diff: DictionaryDiff, { wantedBy, mode }: Wish): Step | undefined {
  const { pair, kind, entries } = diff;
  const dictionary = wantedBy.get(pairName(pair));
  if (kind === 'service only' || dictionary === undefined) {
    return mode === 'mirror' ? { kind: 'drop', pair: pairOf(pair) } : undefined;
  }
  if (kind === 'file only') return { kind: 'put', dictionary };
  if (entries.removed.length > 0 && mode === 'mirror') return { kind: 'put', dictionary };
  const merged = { ...entries, removed: [] };
  if (isEmpty(merged)) return undefined;
  const changed = [...entries.added, ...entries.changed].map(entryOf);
  return { kind: 'patch', pair: pairOf(pair), entries: changed };
}

/** A PATCH may carry the name along; without one the name costs a call of its own. */
function named(steps: readonly Step[], name: string | undefined): readonly Step[] {
  if (name === undefined) return steps;
  const at = steps.findIndex(({ kind }) => kind === 'patch');
  const patch = steps[at];
  return patch?.kind === 'patch'
    ? steps.with(at, { ...patch, name })
    : [{ kind: 'patch', name }, ...steps];
}

function pairOf({ source, target }: Pair): Pair {
  return { source, target };
}

function entryOf({ source, to }: Change): Entry {
  return [source, to ?? ''];
}
