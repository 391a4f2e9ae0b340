/** Makes a glossary on the service equal to its file: reads what is there, then sends the fewest calls, one dictionary each. */
import type { Clock } from '../clock.ts';
import { JobFailure } from '../failure.ts';
import { type Dictionary, type Pair, pairName, tsvOf } from '../glossary/dictionary.ts';
import { diffEntries, isEmpty } from '../glossary/diff.ts';
import { type GlossaryContent, type Step, type SyncMode, stepsFor } from '../glossary/steps.ts';
import type { CallOptions } from '../service/call.ts';
import type { DictionaryInput } from '../service/glossaries.ts';
import {
  entriesIfThere,
  findGlossary,
  type GlossaryService,
  ifThere,
  type Sought,
  type StandingGlossary,
} from './glossary-lookup.ts';

export interface GlossarySync {
  readonly service: GlossaryService;
  readonly clock: Clock;
  /** Called when the id is known, before anything else is done: it must be durable when this resolves. */
  found(id: string): Promise<void>;
  readonly options?: CallOptions;
}

export interface Synced {
  readonly id: string;
  readonly steps: readonly Step[];
  /** Pairs that have a dictionary now. */
  readonly pairs: readonly string[];
}

/** Milliseconds between two looks at a glossary that is not ready yet. */
const READY_MS = 1000;

/**
 * Brings the service in step with the file. May be stopped anywhere: the next sync goes on from what it finds.
 * @throws JobFailure `unsupported` in mode `check` when there is no such glossary
 */
export async function syncGlossary(
  sync: GlossarySync,
  wanted: GlossaryContent & { readonly mode: SyncMode },
  sought: Sought,
): Promise<Synced> {
  const { name, dictionaries, mode } = wanted;
  const content = { name, dictionaries };
  const standing = await findGlossary(sync.service, sought, sync.options);
  if (mode === 'check') {
    const id = requireId(standing, name);
    await sync.found(id);
    return { id, steps: [], pairs: (standing?.dictionaries ?? []).map(pairName) };
  }
  const steps = stepsOf(content, standing, mode);
  const id = await applySteps(sync, steps, standing);
  for (const old of standing?.legacy ?? []) {
    await ifThere(async () => await sync.service.legacyGlossaries.remove(old, sync.options));
  }
  return { id, steps, pairs: dictionaries.map(pairName) };
}

/** The calls that a sync would make, without making them. */
export function stepsOf(
  wanted: GlossaryContent,
  standing: StandingGlossary | undefined,
  mode: SyncMode,
): readonly Step[] {
  if (standing?.id !== undefined || standing === undefined) return stepsFor(wanted, standing, mode);
  // Legacy glossaries cannot be changed: a new one takes their place, with their terms where others may add terms.
  const dictionaries = mode === 'merge' ? united(wanted, standing) : wanted.dictionaries;
  return stepsFor({ ...wanted, dictionaries }, undefined, mode);
}

/** Whether the service still holds the terms of the file: one read per pair. Names and other pairs are not looked at. */
export async function isInStep(
  { service, options }: Pick<GlossarySync, 'service' | 'options'>,
  { dictionaries, mode }: Pick<GlossaryContent, 'dictionaries'> & { readonly mode: SyncMode },
  id: string,
): Promise<boolean> {
  const found = await Promise.all(
    dictionaries.map(async ({ entries, ...pair }) => {
      const standing = await entriesIfThere(service, { id, pair }, options);
      if (standing === undefined) return false;
      const { added, changed, removed } = diffEntries(entries, standing);
      return isEmpty({ added, changed, removed: mode === 'merge' ? [] : removed });
    }),
  );
  return found.every(Boolean);
}

async function applySteps(
  sync: GlossarySync,
  steps: readonly Step[],
  standing: StandingGlossary | undefined,
): Promise<string> {
  let id = standing?.id;
  if (id !== undefined) await sync.found(id);
  for (const step of steps) {
    if (step.kind === 'create') {
      id = await create(sync, step);
      await sync.found(id);
    } else if (id !== undefined) await apply(sync, id, step);
  }
  if (id === undefined) throw new Error('a glossary is neither there nor created');
  return id;
}

async function create(
  { service, clock, options }: GlossarySync,
  { name, dictionaries }: Extract<Step, { kind: 'create' }>,
): Promise<string> {
  const made = await service.glossaries.create(
    { name, dictionaries: dictionaries.map(inputOf) },
    options,
  );
  for (let { ready } = made; ready === false; ) {
    await clock.sleep(READY_MS, options?.signal);
    ({ ready } = await service.glossaries.get(made.glossary_id, options));
  }
  return made.glossary_id;
}

async function apply(
  { service: { glossaries }, options }: GlossarySync,
  id: string,
  step: Exclude<Step, { kind: 'create' }>,
): Promise<void> {
  switch (step.kind) {
    case 'patch': {
      const { name, pair, entries } = step;
      await glossaries.update(
        id,
        {
          ...(name === undefined ? {} : { name }),
          ...(pair === undefined || entries === undefined
            ? {}
            : {
                dictionaries: [{ ...wire(pair), entries: tsvOf(entries), entries_format: 'tsv' }],
              }),
        },
        options,
      );
      break;
    }
    case 'put':
      await glossaries.putDictionary(id, inputOf(step.dictionary), options);
      break;
    case 'drop':
      // Somebody else may have been faster.
      await ifThere(async () => await glossaries.removeDictionary(id, wire(step.pair), options));
      break;
  }
}

function united(wanted: GlossaryContent, standing: StandingGlossary): readonly Dictionary[] {
  const here = new Map(wanted.dictionaries.map((each) => [pairName(each), each]));
  const kept = standing.dictionaries.map((old) => {
    const own = here.get(pairName(old));
    return { ...old, entries: new Map([...old.entries, ...(own?.entries ?? [])]) };
  });
  const keptPairs = new Set(kept.map(pairName));
  const added = [...here].flatMap(([pair, each]) => (keptPairs.has(pair) ? [] : [each]));
  return [...kept, ...added];
}

function inputOf({ entries, ...pair }: Dictionary): DictionaryInput {
  return { ...wire(pair), entries: tsvOf(entries), entries_format: 'tsv' };
}

function wire({ source, target }: Pair): { source_lang: string; target_lang: string } {
  return { source_lang: source, target_lang: target };
}

function requireId(standing: StandingGlossary | undefined, name: string): string {
  if (standing?.id !== undefined) return standing.id;
  throw new JobFailure({
    kind: 'unsupported',
    what: `there is no glossary "${name}" on the service, and mode: check makes none`,
    advice: 'Run "dragoman glossary push", or set mode: mirror.',
  });
}
