/** Legacy (v2) glossaries of the name: they cannot be changed, and give way to one that can. */
import { expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import type { LanguageTag } from '../../src/language.ts';
import { pairName, type TermDictionary } from '../../src/segments/dictionary.ts';
import type { Service } from '../../src/service/client.ts';
import { findGlossary } from '../../src/sync/glossary-lookup.ts';
import { syncGlossary } from '../../src/sync/glossary-sync.ts';
import type { SyncMode } from '../../src/terminology/diff.ts';
import { dying, makeLegacy, Noted, remote } from './rig.ts';

const there = remote();

function german(entries: Record<string, string>): TermDictionary {
  const pair = { source: 'en' as LanguageTag, target: 'de' as LanguageTag };
  return { ...pair, entries: new Map(Object.entries(entries)) };
}

interface By {
  readonly service?: Service;
  readonly log?: Noted;
}

async function sync(
  wanted: { readonly name: string; readonly mode: SyncMode },
  dictionary: TermDictionary,
  { service = there.service, log = new Noted() }: By = {},
): Promise<void> {
  const parts = { service, clock: systemClock, log };
  await syncGlossary(parts, { ...wanted, dictionaries: [dictionary], emptied: new Set<string>() });
}

async function current(name: string) {
  const found = await findGlossary(there.service, { name, id: undefined });
  const dictionaries = found?.dictionaries ?? [];
  return Object.fromEntries(
    dictionaries.map((each) => [pairName(each), Object.fromEntries(each.entries)]),
  );
}

const legacyNames = async () =>
  (await there.service.legacyGlossaries.list()).map(({ name }) => name);

test('an editable glossary with the terms of the file replaces a legacy one of its name', async () => {
  await makeLegacy(there.service, 'mirrored', 'a\told\ntheirs\tihres');
  await sync({ name: 'mirrored', mode: 'mirror' }, german({ a: 'b' }));
  expect(await current('mirrored')).toEqual({ 'en-de': { a: 'b' } });
  expect(await legacyNames()).not.toContain('mirrored');
});

test('in mode merge the new glossary holds the terms of both, the file first', async () => {
  await makeLegacy(there.service, 'merged', 'a\told\ntheirs\tihres');
  await sync({ name: 'merged', mode: 'merge' }, german({ a: 'b' }));
  expect(await current('merged')).toEqual({ 'en-de': { a: 'b', theirs: 'ihres' } });
  expect(await legacyNames()).not.toContain('merged');
});

test('in mode merge the terms are copied also where an editable glossary of the name exists', async () => {
  await sync({ name: 'both', mode: 'mirror' }, german({ a: 'b', both: 'new' }));
  await makeLegacy(there.service, 'both', 'both\told\ntheirs\tihres');
  await sync({ name: 'both', mode: 'merge' }, german({ a: 'c' }));
  expect(await current('both')).toEqual({ 'en-de': { a: 'c', both: 'new', theirs: 'ihres' } });
  expect(await legacyNames()).not.toContain('both');
});

test('in mode merge none of their terms is lost, whichever call the process is killed at', async () => {
  for (const when of ['before', 'after'] as const) {
    for (const calls of Array.from({ length: 8 }, (_, at) => at + 1)) {
      const name = `killed ${when} call ${calls}`;
      await sync({ name, mode: 'mirror' }, german({ a: 'b' }));
      await makeLegacy(there.service, name, 'theirs\tihres');
      const log = new Noted();
      const by = { service: dying(there.service, { calls, when }), log };
      await sync({ name, mode: 'merge' }, german({ a: 'b' }), by).catch(() => {});
      await sync({ name, mode: 'merge' }, german({ a: 'b' }), { log });
      expect(await current(name), name).toEqual({ 'en-de': { a: 'b', theirs: 'ihres' } });
      expect(await legacyNames()).not.toContain(name);
    }
  }
});

test('in mode check legacy glossaries stay, also those that an earlier sync was to delete', async () => {
  const log = new Noted();
  await sync({ name: 'watched', mode: 'mirror' }, german({ a: 'b' }), { log });
  await makeLegacy(there.service, 'watched', 'a\told');
  const [old] = (await there.service.legacyGlossaries.list()).filter(
    (glossary) => glossary.name === 'watched',
  );
  log.obsolete = [old?.glossary_id ?? ''];
  await sync({ name: 'watched', mode: 'check' }, german({ a: 'b' }), { log });
  expect(await legacyNames()).toContain('watched');
});
