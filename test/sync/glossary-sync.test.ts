import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { allSteps, systemClock } from '../../src/clock.ts';
import type { LanguageTag } from '../../src/language.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import {
  type LanguagePairOfTerms,
  pairName,
  type TermDictionary,
} from '../../src/segments/dictionary.ts';
import { connect, type Service } from '../../src/service/client.ts';
import { findGlossary } from '../../src/sync/glossary-lookup.ts';
import { pairsOutOfStep, syncGlossary } from '../../src/sync/glossary-sync.ts';
import type { SyncMode } from '../../src/terminology/diff.ts';
import { stepsFor } from '../../src/terminology/steps.ts';
import { dying, makeLegacy, Noted, remote } from './rig.ts';

const tag = (code: string) => code as LanguageTag;
const EN_DE: LanguagePairOfTerms = { source: tag('en'), target: tag('de') };
const EN_FR: LanguagePairOfTerms = { source: tag('en'), target: tag('fr') };

const there = remote();

beforeEach(async () => {
  const { glossaries } = there.service;
  for (const { glossary_id } of await glossaries.list()) await glossaries.remove(glossary_id);
});

function dictionary(pair: LanguagePairOfTerms, entries: Record<string, string>): TermDictionary {
  return { ...pair, entries: new Map(Object.entries(entries)) };
}

function manyTerms(count: number): TermDictionary {
  const entries = new Map(Array.from({ length: count }, (_, n) => [`term ${n}`, `Wort ${n}`]));
  return { ...EN_DE, entries };
}

interface SyncOptions {
  readonly dictionaries: readonly TermDictionary[];
  readonly name?: string;
  readonly id?: string | undefined;
  readonly log?: Noted;
  readonly mode?: SyncMode;
  readonly by?: Service;
}

async function sync(options: SyncOptions): Promise<string> {
  const { dictionaries, name = 'shop', id, mode = 'mirror', by = there.service } = options;
  const { log = new Noted(id) } = options;
  return (
    await syncGlossary(
      { service: by, clock: systemClock, log },
      { name, dictionaries, mode, emptied: new Set<string>() },
    )
  ).id;
}

/** The look that a daemon takes when the file did not change since the last sync. */
async function look(options: SyncOptions & { readonly id: string }): Promise<readonly string[]> {
  const { dictionaries, mode = 'mirror', id } = options;
  return await pairsOutOfStep({ service: there.service }, { dictionaries, mode }, id);
}

async function current(name = 'shop') {
  const found = await findGlossary(there.service, { name, id: undefined });
  return found && contentsOf(found.dictionaries);
}

function contentsOf(dictionaries: readonly TermDictionary[]) {
  return Object.fromEntries(
    dictionaries.map((each) => [pairName(each), Object.fromEntries(each.entries)]),
  );
}

const ENTRIES = 'GET /v3/glossaries/{glossary_id}/entries';
const ONE = 'GET /v3/glossaries/{glossary_id}';
const PATCH = 'PATCH /v3/glossaries/{glossary_id}';
const PUT = 'PUT /v3/glossaries/{glossary_id}/dictionaries';

test('an unchanged glossary of 10,000 terms costs one read', async () => {
  const terms = manyTerms(10_000);
  const id = await sync({ dictionaries: [terms] });
  const calls = await there.callsOf(async () => {
    expect(await look({ dictionaries: [terms], id })).toEqual([]);
  });
  expect(calls).toEqual({ [ENTRIES]: 1 });
});

test('one added term among 10,000 costs one PATCH with one entry', async () => {
  const terms = manyTerms(10_000);
  const id = await sync({ dictionaries: [terms] });
  const more = { ...EN_DE, entries: new Map([...terms.entries, ['new', 'neu']]) };
  const calls = await there.callsOf(() => sync({ dictionaries: [more], id }));
  expect(calls).toEqual({ [ENTRIES]: 1, [ONE]: 1, [PATCH]: 1 });
  expect(there.sandbox.log().at(-1)?.bytes).toBeLessThan(200);
});

test('one removed term among 10,000 costs one PUT, because a PATCH would keep it', async () => {
  const terms = manyTerms(10_000);
  const id = await sync({ dictionaries: [terms] });
  const less = { ...EN_DE, entries: new Map([...terms.entries].slice(1)) };
  const calls = await there.callsOf(() => sync({ dictionaries: [less], id }));
  expect(calls).toEqual({ [ENTRIES]: 1, [ONE]: 1, [PUT]: 1 });
  expect(Object.keys((await current())?.['en-de'] ?? {})).toHaveLength(9999);
});

test('a new glossary is made with all its dictionaries in one call', async () => {
  const dictionaries = [dictionary(EN_DE, { a: 'b' }), dictionary(EN_FR, { a: 'c' })];
  const calls = await there.callsOf(() => sync({ dictionaries }));
  expect(calls).toEqual({
    'GET /v3/glossaries': 1,
    'GET /v2/glossaries': 1,
    'POST /v3/glossaries': 1,
  });
  expect(await current()).toEqual({ 'en-de': { a: 'b' }, 'en-fr': { a: 'c' } });
});

test('a new pair is put, a missing one deleted, and a new name sent with a PATCH', () => {
  const old = [
    dictionary(EN_DE, { a: 'b' }),
    dictionary({ ...EN_DE, target: tag('es') }, { a: 'd' }),
  ];
  const here = [dictionary(EN_DE, { a: 'b', x: 'y' }), dictionary(EN_FR, { a: 'c' })];
  const kinds = (mode: SyncMode) =>
    allSteps(
      stepsFor({ name: 'new', dictionaries: here }, { name: 'old', dictionaries: old }, mode),
    );
  expect(kinds('mirror')).toEqual([
    { kind: 'patch', name: 'new', pair: EN_DE, entries: [['x', 'y']] },
    { kind: 'put', dictionary: here[1] },
    { kind: 'drop', pair: { source: 'en', target: 'es' } },
  ]);
  expect(kinds('merge').map(({ kind }) => kind)).toEqual(['patch', 'put']);
  expect(kinds('check')).toEqual([]);
});

test('mode merge changes and adds, and leaves what others added', async () => {
  const id = await sync({ dictionaries: [dictionary(EN_DE, { a: 'b', theirs: 'ihres' })] });
  await sync({ dictionaries: [dictionary(EN_DE, { a: 'c' })], id, mode: 'merge' });
  expect(await current()).toEqual({ 'en-de': { a: 'c', theirs: 'ihres' } });
  const file = [dictionary(EN_DE, { a: 'c' })];
  expect(await look({ dictionaries: file, id, mode: 'merge' })).toEqual([]);
  expect(await look({ dictionaries: file, id, mode: 'mirror' })).toEqual(['en-de']);
});

test('mode check writes nothing, and says so when there is nothing to use', async () => {
  const wanted = { dictionaries: [dictionary(EN_DE, { a: 'b' })], mode: 'check' } as const;
  await expect(sync(wanted)).rejects.toThrow('there is no glossary "shop" on the service');
  const id = await sync({ dictionaries: [dictionary(EN_DE, { a: 'x' })] });
  expect(await sync({ ...wanted, id })).toBe(id);
  expect(await current()).toEqual({ 'en-de': { a: 'x' } });
});

test('mode check names the pairs that differ, and no other', async () => {
  const id = await sync({
    dictionaries: [dictionary(EN_DE, { a: 'x' }), dictionary(EN_FR, { a: 'c' })],
  });
  const dictionaries = [dictionary(EN_DE, { a: 'b' }), dictionary(EN_FR, { a: 'c' })];
  const { differing, steps } = await syncGlossary(
    { service: there.service, clock: systemClock, log: new Noted(id) },
    { name: 'shop', dictionaries, mode: 'check', emptied: new Set<string>() },
  );
  expect(differing).toEqual(['en-de']);
  expect(steps).toEqual([]);
});

test('a glossary that somebody deleted is not made again for a file without a term', async () => {
  const id = await sync({ dictionaries: [dictionary(EN_DE, { a: 'b' })] });
  await there.service.glossaries.remove(id);
  expect(await sync({ dictionaries: [], id })).toBe(id);
  expect(await there.service.glossaries.list()).toEqual([]);
});

test('a glossary that somebody deleted is made again', async () => {
  const dictionaries = [dictionary(EN_DE, { a: 'b' })];
  const id = await sync({ dictionaries });
  await there.service.glossaries.remove(id);
  expect(await sync({ dictionaries, id })).not.toBe(id);
  expect(await current()).toEqual({ 'en-de': { a: 'b' } });
});

test('two glossaries of one name are an error that names both', async () => {
  const made = await Promise.all(
    ['b', 'c'].map((phrase) =>
      there.service.glossaries.create({
        name: 'shop',
        dictionaries: [
          { source_lang: 'en', target_lang: 'de', entries: `a\t${phrase}`, entries_format: 'tsv' },
        ],
      }),
    ),
  );
  const wanted = sync({ dictionaries: [dictionary(EN_DE, { a: 'b' })] });
  const message = await wanted.catch((error: Error) => error.message);
  for (const { glossary_id } of made) expect(message).toContain(glossary_id);
  // The id in the ledger knows which one is meant.
  const id = made[1]?.glossary_id;
  expect(await sync({ dictionaries: [dictionary(EN_DE, { a: 'b' })], id })).toBe(id);
});

test('a request that the service refuses for now is repeated, and nothing else waits for it', async () => {
  await using slow = await startSandbox({
    faults: [{ kind: 'status', status: 456, operation: 'POST /v3/glossaries', retry_after: 1 }],
  });
  await using client = connect({ url: slow.url, key: slow.key });
  const dictionaries = [dictionary(EN_DE, { a: 'b' })];
  const order: string[] = [];
  await Promise.all([
    sync({ dictionaries, by: client }).then(() => order.push('glossary')),
    client.text.translate({ text: ['hello'], target_lang: 'de' }).then(() => order.push('text')),
  ]);
  expect(order).toEqual(['text', 'glossary']);
});

const phrase = fc.constantFrom('a', 'b', 'c', 'd', 'e f', 'ä');
const dictionaries = fc
  .record({
    de: fc.dictionary(phrase, phrase, { minKeys: 1 }),
    fr: fc.option(fc.dictionary(phrase, phrase, { minKeys: 1 })),
    es: fc.option(fc.dictionary(phrase, phrase, { minKeys: 1 })),
  })
  .map((all) =>
    Object.entries(all).flatMap(([target, entries]) =>
      entries === null ? [] : [dictionary({ source: tag('en'), target: tag(target) }, entries)],
    ),
  );

test('from any state, killed at any call and started again, a sync makes the service equal to the file', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        before: fc.oneof(dictionaries, fc.constantFrom('nothing' as const, 'legacy' as const)),
        isKnown: fc.boolean(),
        calls: fc.nat({ max: 10 }),
        when: fc.constantFrom('before' as const, 'after' as const),
      }),
      dictionaries,
      async ({ before, isKnown, ...death }, wanted) => {
        const name = `shop ${crypto.randomUUID()}`;
        const log = new Noted();
        if (before === 'legacy') await makeLegacy(there.service, name, 'a\told\ntheirs\tihres');
        else if (before !== 'nothing') await sync({ dictionaries: before, name, log });
        if (!isKnown) log.id = undefined;
        const by = dying(there.service, death);
        await sync({ dictionaries: wanted, name, log, by }).catch(() => {});
        await sync({ dictionaries: wanted, name, log });
        const found = await findGlossary(there.service, { name, id: undefined });
        expect(contentsOf(found?.dictionaries ?? [])).toEqual(contentsOf(wanted));
        expect(found?.legacy).toEqual([]);
        expect(found?.id).toBe(log.id);
      },
    ),
    { numRuns: 40 },
  );
});
