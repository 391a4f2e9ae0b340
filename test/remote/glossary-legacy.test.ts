/** Legacy (v2) glossaries of the name: they cannot be changed, and give way to one that can. */
import { expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { type Dictionary, pairName } from '../../src/glossary/dictionary.ts';
import type { SyncMode } from '../../src/glossary/diff.ts';
import type { LanguageTag } from '../../src/language.ts';
import { findGlossary } from '../../src/remote/glossary-lookup.ts';
import { syncGlossary } from '../../src/remote/glossary-sync.ts';
import { makeLegacy, Noted, remote } from './rig.ts';

const there = remote();

function german(entries: Record<string, string>): Dictionary {
  const pair = { source: 'en' as LanguageTag, target: 'de' as LanguageTag };
  return { ...pair, entries: new Map(Object.entries(entries)) };
}

async function sync(name: string, dictionary: Dictionary, mode: SyncMode): Promise<void> {
  const parts = { service: there.service, clock: systemClock, log: new Noted(undefined) };
  await syncGlossary(parts, { name, dictionaries: [dictionary], mode });
}

async function standing(name: string) {
  const found = await findGlossary(there.service, { name, id: undefined });
  const dictionaries = found?.dictionaries ?? [];
  return Object.fromEntries(
    dictionaries.map((each) => [pairName(each), Object.fromEntries(each.entries)]),
  );
}

const legacyNames = async () =>
  (await there.service.legacyGlossaries.list()).map(({ name }) => name);

test('a legacy glossary of the name gives way to an editable one, whose terms are those of the file', async () => {
  await makeLegacy(there.service, 'mirrored', 'a\told\ntheirs\tihres');
  await sync('mirrored', german({ a: 'b' }), 'mirror');
  expect(await standing('mirrored')).toEqual({ 'en-de': { a: 'b' } });
  expect(await legacyNames()).not.toContain('mirrored');
});

test('in mode merge it holds the terms of both, the file first', async () => {
  await makeLegacy(there.service, 'merged', 'a\told\ntheirs\tihres');
  await sync('merged', german({ a: 'b' }), 'merge');
  expect(await standing('merged')).toEqual({ 'en-de': { a: 'b', theirs: 'ihres' } });
  expect(await legacyNames()).not.toContain('merged');
});

test('in mode merge the terms come along also where an editable one of the name stands', async () => {
  await sync('both', german({ a: 'b', both: 'new' }), 'mirror');
  await makeLegacy(there.service, 'both', 'both\told\ntheirs\tihres');
  await sync('both', german({ a: 'c' }), 'merge');
  expect(await standing('both')).toEqual({ 'en-de': { a: 'c', both: 'new', theirs: 'ihres' } });
  expect(await legacyNames()).not.toContain('both');
});
