/** The promises of all memories, as a suite that an implementation runs. */
import { describe, expect, test } from 'vitest';
import type { Part } from '../../src/format.ts';
import type { RecipeKey } from '../../src/job.ts';
import type { LanguageTag } from '../../src/language.ts';
import type { Memories, Memory, Remembered } from '../../src/state/memory.ts';

/** A place where memories can be opened again and again. */
interface MemoriesPlace {
  open(): Promise<Memories>;
}

export const DE = 'de' as LanguageTag;
const PLAIN = 'plain' as RecipeKey;

export function bought(
  source: string | Part[],
  translation: string | Part[],
  request = 'r1',
): Remembered {
  const parts = (text: string | Part[]) => (typeof text === 'string' ? [text] : text);
  return {
    recipe: PLAIN,
    source: parts(source),
    translation: parts(translation),
    request,
    at: '2026-10-19T10:00:00.000Z',
  };
}

/** The first part of a text's translation. */
export async function foundIn(
  memory: Memory,
  text: string | Part[],
  recipe = PLAIN,
): Promise<Part | undefined> {
  const [found] = await memory.find([{ recipe, parts: typeof text === 'string' ? [text] : text }]);
  return found?.[0];
}

export function memoriesContract(makePlace: () => Promise<MemoriesPlace>): void {
  describe('a memory', () => {
    test('finds a translation at once and after a restart, by its text and recipe', async () => {
      const place = await makePlace();
      {
        await using memories = await place.open();
        const memory = await memories.open('app', DE);
        await memory.remember([bought('Save', 'Sichern')]);
        expect(await foundIn(memory, 'Save')).toBe('Sichern');
      }
      await using memories = await place.open();
      const memory = await memories.open('app', DE);
      expect(await foundIn(memory, ['Sa', 've'])).toBe('Sichern');
      expect(await foundIn(memory, 'Save', 'formal' as RecipeKey)).toBeUndefined();
    });

    test('answers in the order of what it is asked, also where a text is asked for twice', async () => {
      await using memories = await (await makePlace()).open();
      const memory = await memories.open('app', DE);
      await memory.remember([bought('Save', 'Sichern'), bought('Open', 'Öffnen')]);
      const asked = ['Open', 'Nothing', 'Save', 'Open'];
      const found = await memory.find(asked.map((text) => ({ recipe: PLAIN, parts: [text] })));
      expect(found).toEqual([['Öffnen'], undefined, ['Sichern'], ['Öffnen']]);
      expect(await memory.find([])).toEqual([]);
    });

    test('gives a text no translation that does not fit it', async () => {
      await using memories = await (await makePlace()).open();
      const memory = await memories.open('app', DE);
      await memory.remember([bought('At least :min', 'Mindestens :minuten')]);
      const keeps = (word: string) => (parts: readonly Part[]) => parts.join('').includes(word);
      const asked = { recipe: PLAIN, parts: ['At least :min'] };
      const found = await memory.find([
        { ...asked, fits: keeps(':minuten') },
        { ...asked, fits: keeps(':min ') },
        asked,
      ]);
      const known = ['Mindestens :minuten'];
      expect(found).toEqual([known, undefined, known]);
    });

    test('is of one project and language', async () => {
      await using memories = await (await makePlace()).open();
      const memory = await memories.open('app', DE);
      await memory.remember([bought('Save', 'Sichern')]);
      for (const other of [memories.open('..', DE), memories.open('app', 'fr' as LanguageTag)]) {
        expect(await foundIn(await other, 'Save')).toBeUndefined();
      }
    });

    test('distinguishes a text that looks like raw syntax from raw syntax', async () => {
      await using memories = await (await makePlace()).open();
      const memory = await memories.open('app', DE);
      const raw: Part[] = ['Press ', { raw: '<b>', pair: { id: 7, side: 'open' } }, 'it'];
      const german: Part[] = ['Drück ', { raw: '<b>', pair: { id: 7, side: 'open' } }, 'es'];
      await memory.remember([
        bought(raw, german),
        bought('Press <b>it', 'wörtlich'),
        bought('\u0000["x"]', 'NUL'),
      ]);
      const elsewhere: Part[] = ['Press ', { raw: '<b>', pair: { id: 1, side: 'open' } }, 'it'];
      const asked = [elsewhere, ['Press <b>it'], ['\u0000["x"]'], ['x']];
      const found = await memory.find(asked.map((parts) => ({ recipe: PLAIN, parts })));
      expect(found).toEqual([german, ['wörtlich'], ['NUL'], undefined]);
    });

    test('has the translation that was bought last', async () => {
      const place = await makePlace();
      await using memories = await place.open();
      const memory = await memories.open('app', DE);
      await memory.remember([bought('Save', 'Sichern')]);
      await memory.remember([bought('Save', 'Speichern', 'r2')]);
      expect(await foundIn(memory, 'Save')).toBe('Speichern');
    });

    test('knows which requests were answered, also after a restart', async () => {
      const place = await makePlace();
      {
        await using memories = await place.open();
        await (await memories.open('app', DE)).remember([bought('Save', 'Sichern', 'r7')]);
      }
      await using memories = await place.open();
      const memory = await memories.open('app', DE);
      expect(await memory.holdsAnswerTo('r7')).toBe(true);
      expect(await memory.holdsAnswerTo('r8')).toBe(false);
    });

    test('lists everything with its request and time', async () => {
      await using memories = await (await makePlace()).open();
      const memory = await memories.open('app', DE);
      const entries = [bought('Save', 'Sichern'), bought(['a', { raw: '%s' }], 'b', 'r2')];
      for (const entry of entries) await memory.remember([entry]);
      expect(await Array.fromAsync(memory.entries())).toEqual(entries);
    });

    test('asks the own language first of two that share what is bought, and names the other one', async () => {
      await using memories = await (await makePlace()).open();
      const keys = { own: 'in' as RecipeKey, shared: 'bd' as RecipeKey };
      const [bangladesh, india] = ['bn-BD' as LanguageTag, 'bn-IN' as LanguageTag];
      const own = await memories.open('app', india);
      await own.remember([{ ...bought('Save', 'imported'), recipe: keys.own }]);
      const shared = { key: keys.shared, target: bangladesh };
      const memory = await memories.of({ project: 'app', key: keys.own, target: india, shared });
      const scoped = `${keys.shared}/t1` as RecipeKey;
      await memory.remember([
        { ...bought('Save', 'bought'), recipe: keys.shared },
        { ...bought('Open', 'bought', 'r2'), recipe: scoped },
      ]);
      expect(await foundIn(memory, 'Save', keys.shared)).toBe('imported');
      expect(await foundIn(memory, 'Open', scoped)).toBe('bought');
      expect(await memory.holdsAnswerTo('r2')).toBe(true);
      const other = await memories.open('app', bangladesh);
      expect(await foundIn(other, 'Save', keys.shared)).toBe('bought');
    });
  });
}
