/**
 * Makes a glossary on the service equal to its file: reads what is there, then sends as few calls as possible, one for each
 * dictionary.
 */
import { type Clock, OnwardTime } from '../clock.ts';
import { JobFailure } from '../failure.ts';
import { shellWords } from '../job.ts';
import {
  type LanguagePairOfTerms,
  pairName,
  type TermDictionary,
  tsvOf,
} from '../segments/dictionary.ts';
import type { CallOptions } from '../service/call.ts';
import type { DictionaryInput, Glossary } from '../service/glossaries.ts';
import { differencesIn, type SyncMode } from '../terminology/diff.ts';
import type { LoadedGlossary } from '../terminology/load-glossaries.ts';
import { type GlossaryContent, type SyncStep, stepsFor } from '../terminology/steps.ts';
import {
  type CurrentGlossary,
  entriesIfThere,
  findGlossary,
  type GlossaryService,
  inTermTurns,
  type Sought,
} from './glossary-lookup.ts';
import { ifThere } from './lookup.ts';
import type { SyncLog } from './records.ts';

export interface GlossarySync {
  readonly service: GlossaryService;
  readonly clock: Clock;
  readonly log: SyncLog;
  readonly options?: CallOptions;
  /** A person agreed to it: a file without any term removes all terms from the service. */
  readonly mayEmpty?: true;
}

export type WantedGlossary = GlossaryContent &
  Pick<LoadedGlossary, 'emptied'> & { readonly mode: SyncMode };

export interface Synced {
  readonly id: string;
  readonly steps: readonly SyncStep[];
  /** Pairs that have a dictionary now. */
  readonly pairs: readonly string[];
  /** Pairs that still differ from the file, because mode `check` changes nothing. */
  readonly differing: readonly string[];
}

/** Milliseconds between two looks at a glossary that is not ready yet. */
const READY_MS = 1000;
const MAX_READY_MS = 10 * 60_000;

/**
 * Makes the service equal to the file. It may be interrupted at any point: the next sync continues with what it finds.
 * @throws JobFailure `unsupported` in mode `check` when there is no such glossary, and for a file that has lost all of its terms
 */
export async function syncGlossary(sync: GlossarySync, wanted: WantedGlossary): Promise<Synced> {
  const { service, options, log } = sync;
  const { name, dictionaries, mode } = wanted;
  if (mode === 'check') return await lookOnly(sync, wanted);
  await removeLegacy(sync, log.obsolete);
  const current = await findGlossary(service, { name, id: log.id }, options);
  const steps = await stepsOf({ name, dictionaries }, current, mode);
  if (sync.mayEmpty !== true) requireTerms(wanted, steps);
  const legacy = current?.legacy ?? [];
  const id = await applySteps(sync, steps, current);
  await removeLegacy(sync, legacy);
  if (legacy.length > 0) await log.begin(id);
  return { id, steps, pairs: dictionaries.map(pairName), differing: [] };
}

/** A file that was emptied by mistake, by an editor or an export, must not remove what people collected on the service. */
function requireTerms({ name, emptied }: WantedGlossary, steps: readonly SyncStep[]): void {
  const pairs = steps
    .flatMap((step) => (step.kind === 'drop' ? [pairName(step.pair)] : []))
    .filter((pair) => emptied.has(pair));
  if (pairs.length === 0) return;
  throw new JobFailure({
    kind: 'unsupported',
    what: `the glossary "${name}" has no term in a file any more, and terms of ${pairs.join(', ')} on the service: they stay there`,
    advice: `Bring the terms back, or remove them from the service with: dragoman glossary push ${shellWords(name)}`,
  });
}

async function lookOnly(
  { service, log, options }: GlossarySync,
  { name, dictionaries, mode }: WantedGlossary,
): Promise<Synced> {
  const { id, dictionaries: there } = await requireGlossary(service, { name, id: log.id }, options);
  await log.begin(id);
  const differences = await inTermTurns(differencesIn(mode, dictionaries, there));
  const differing = differences.map(({ pair }) => pairName(pair));
  return { id, steps: [], pairs: there.map(pairName), differing };
}

/** @throws JobFailure `unsupported` when there is no such glossary */
export async function requireGlossary(
  service: GlossaryService,
  sought: Sought,
  options?: CallOptions,
): Promise<CurrentGlossary & { readonly id: string }> {
  const current = await findGlossary(service, sought, options);
  if (current?.id !== undefined) return { ...current, id: current.id };
  throw new JobFailure({
    kind: 'unsupported',
    what: `there is no glossary "${sought.name}" on the service, and with "mode: check" or "sync: off" dragoman creates none`,
    advice: 'Run "dragoman glossary push" where sync is on, or set mode: mirror.',
  });
}

/** Somebody else may have removed them already. */
async function removeLegacy(
  { service, options }: GlossarySync,
  legacy: readonly string[],
): Promise<void> {
  for (const id of legacy) {
    await ifThere(async () => await service.legacyGlossaries.remove(id, options));
  }
}

/** The calls that a sync would make, without making them. */
export async function stepsOf(
  wanted: GlossaryContent,
  current: CurrentGlossary | undefined,
  mode: SyncMode,
): Promise<readonly SyncStep[]> {
  if (current === undefined) return await inTermTurns(stepsFor(wanted, undefined, mode));
  // A legacy glossary cannot be changed: a new one replaces it, and it is deleted. In mode `merge` the new one keeps its terms.
  const { id, dictionaries, legacyTerms } = current;
  const kept = mode === 'merge' && legacyTerms.length > 0 ? united(legacyTerms, dictionaries) : [];
  const all =
    kept.length === 0 ? wanted : { ...wanted, dictionaries: united(kept, wanted.dictionaries) };
  return await inTermTurns(stepsFor(all, id === undefined ? undefined : current, mode));
}

/** Pairs of the file whose terms differ on the service; one read for each pair. The name and other pairs are not compared. */
export async function pairsOutOfStep(
  { service, options }: Pick<GlossarySync, 'service' | 'options'>,
  { dictionaries, mode }: Pick<WantedGlossary, 'dictionaries' | 'mode'>,
  id: string,
): Promise<readonly string[]> {
  const found = await Promise.all(
    dictionaries.map(async (dictionary): Promise<string[]> => {
      const { source, target } = dictionary;
      const entries = await entriesIfThere(service, { id, pair: dictionary }, options);
      const current = entries === undefined ? [] : [{ source, target, entries }];
      const differences = await inTermTurns(differencesIn(mode, [dictionary], current));
      return differences.map(({ pair }) => pairName(pair));
    }),
  );
  return found.flat();
}

async function applySteps(
  sync: GlossarySync,
  steps: readonly SyncStep[],
  current: CurrentGlossary | undefined,
): Promise<string> {
  const { log } = sync;
  const legacy = current?.legacy ?? [];
  // If the glossary is gone and its file has no terms, it is not created again. The recorded id is kept, but no request uses it.
  let id = current?.id ?? (steps.length === 0 ? log.id : undefined);
  // A legacy glossary is recorded as obsolete only when the new glossary has its terms: after a crash, the next sync deletes obsolete
  // glossaries first.
  if (id !== undefined && legacy.length === 0) await log.begin(id);
  for (const step of steps) {
    if (step.kind === 'create') {
      const made = await createOnService(sync, step);
      id = made.glossary_id;
      await log.begin(id, legacy);
      await untilReady(sync, made);
    } else if (id !== undefined) await apply(sync, id, step);
  }
  if (id === undefined) throw new Error('a glossary is neither there nor created');
  if (legacy.length > 0) await log.begin(id, legacy);
  return id;
}

async function createOnService(
  { service, options }: GlossarySync,
  { name, dictionaries }: Extract<SyncStep, { kind: 'create' }>,
): Promise<Glossary> {
  return await service.glossaries.create(
    { name, dictionaries: dictionaries.map(inputOf) },
    options,
  );
}

async function untilReady(
  { service, clock, options }: GlossarySync,
  { glossary_id, ...made }: Pick<Glossary, 'glossary_id' | 'ready'>,
): Promise<void> {
  const time = new OnwardTime(clock);
  const since = time.now();
  for (let { ready } = made; ready === false; ) {
    if (time.now() - since >= MAX_READY_MS) throw neverReady(glossary_id);
    await clock.sleep(READY_MS, options?.signal);
    ({ ready } = await service.glossaries.get(glossary_id, options));
  }
}

function neverReady(id: string): JobFailure {
  return new JobFailure({
    kind: 'server-error',
    status: 503,
    operation: 'GET /v3/glossaries/{glossary_id}',
    message: `the glossary ${id} is still not ready after ${MAX_READY_MS / 60_000} minutes`,
  });
}

async function apply(
  { service: { glossaries }, options }: GlossarySync,
  id: string,
  step: Exclude<SyncStep, { kind: 'create' }>,
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
      // Somebody else may have removed it already.
      await ifThere(async () => await glossaries.removeDictionary(id, wire(step.pair), options));
      break;
  }
}

/** The terms of both; where they differ, those of `then`. */
function united(
  first: readonly TermDictionary[],
  then: readonly TermDictionary[],
): readonly TermDictionary[] {
  const byPair = new Map(first.map((each) => [pairName(each), each]));
  for (const each of then) {
    const before = byPair.get(pairName(each))?.entries;
    const entries = before === undefined ? each.entries : new Map([...before, ...each.entries]);
    byPair.set(pairName(each), { ...each, entries });
  }
  return [...byPair.values()];
}

function inputOf({ entries, ...pair }: TermDictionary): DictionaryInput {
  return { ...wire(pair), entries: tsvOf(entries), entries_format: 'tsv' };
}

function wire({ source, target }: LanguagePairOfTerms): {
  source_lang: string;
  target_lang: string;
} {
  return { source_lang: source, target_lang: target };
}
