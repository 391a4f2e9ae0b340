/** The promises of all baselines, as a suite that an implementation runs. */
import { describe, expect, test } from 'vitest';
import type { BaselineKey, BaselineRecord, Baselines } from '../../src/baseline.ts';
import type { Hash, RecipeKey } from '../../src/job.ts';
import type { LanguageTag } from '../../src/language.ts';

/** A place where baselines can be opened again and again, by one at a time. */
export interface BaselinesPlace {
  open(): Promise<Baselines>;
}

export const KEY: BaselineKey = {
  project: 'app',
  language: 'de' as LanguageTag,
  path: 'en/app.json',
};

export function keyOf(name: string): BaselineKey {
  return { ...KEY, path: `en/${name}.json` };
}

export function hash(name: string): Hash {
  return name as Hash;
}

export function record(text: string, targetHash: string): BaselineRecord {
  return {
    segments: [{ id: 'title', source: text, target: [text], origin: 'machine', state: 'ok' }],
    targetHash: hash(targetHash),
    recipe: 'r' as RecipeKey,
    at: '2026-10-19T10:00:00.000Z',
  };
}

export interface Situation {
  readonly found: string | null;
  readonly wrote?: string;
}

/** Which text a baseline holds for a target found on the disk and the ledger's word of it. */
export async function textIn(
  baselines: Pick<Baselines, 'of'>,
  { found, wrote }: Situation,
  key = KEY,
): Promise<string> {
  const baseline = baselines.of(key, wrote === undefined ? undefined : hash(wrote));
  const segments = await baseline.read(found === null ? null : hash(found));
  return segments.get('title')?.source ?? 'nothing';
}

export async function prepareTwice(baselines: Baselines, key = KEY): Promise<void> {
  await baselines.of(key, undefined).prepare(record('first', 'h1'), null);
  await baselines.of(key, hash('h1')).prepare(record('second', 'h2'), hash('h1'));
}

const DELIVERED = { found: 'h2', wrote: 'h2' };

export function baselinesContract(makePlace: () => Promise<BaselinesPlace>): void {
  const opened = async () => await (await makePlace()).open();

  describe('a baseline', () => {
    test('is empty at first contact', async () => {
      await using baselines = await opened();
      expect(await textIn(baselines, { found: 'h1' })).toBe('nothing');
      expect(await baselines.sources(KEY)).toEqual([]);
      expect(await baselines.of(KEY, undefined).record(hash('h1'))).toBeUndefined();
    });

    test.each([
      ['the target was replaced and the ledger knows', { found: 'h2', wrote: 'h2' }, 'second'],
      [
        'it was replaced and the process died before the ledger',
        { found: 'h2', wrote: 'h1' },
        'second',
      ],
      ['the process died before it was replaced', { found: 'h1', wrote: 'h1' }, 'first'],
      ['a person edited what we wrote', { found: 'edited', wrote: 'h2' }, 'second'],
      ['a person deleted what we wrote', { found: null, wrote: 'h2' }, 'second'],
      ['it was not replaced, and a person edited it', { found: 'edited', wrote: 'h1' }, 'first'],
      ['the ledger is lost, the target stands', { found: 'h2' }, 'second'],
      ['the ledger is lost, a person edited it', { found: 'edited' }, 'second'],
      ['the baseline is older than what we wrote', { found: 'h3', wrote: 'h3' }, 'nothing'],
    ] as const)(
      'after two deliveries, when %s, knows which one is in place, also after a restart',
      async (_name, situation, text) => {
        const place = await makePlace();
        {
          await using baselines = await place.open();
          await prepareTwice(baselines);
          expect(await textIn(baselines, situation)).toBe(text);
        }
        await using again = await place.open();
        expect(await textIn(again, situation)).toBe(text);
      },
    );

    test.each([
      ['died before the first target was there', { found: null }, 'nothing'],
      ['wrote the first target and died before the ledger', { found: 'h1' }, 'first'],
      ['lost its ledger after one delivery, and a person edited it', { found: 'edited' }, 'first'],
    ] as const)('when the process %s', async (_name, situation, text) => {
      await using baselines = await opened();
      await baselines.of(KEY, undefined).prepare(record('first', 'h1'), null);
      expect(await textIn(baselines, situation)).toBe(text);
    });

    test('leaves a file to be adopted when it was there before and the process died before it was replaced', async () => {
      await using baselines = await opened();
      await baselines.of(KEY, undefined).prepare(record('first', 'h1'), hash('older'));
      expect(await textIn(baselines, { found: 'older' })).toBe('nothing');
    });

    test('has two candidates only where a target was edited after a delivery that may have been interrupted', async () => {
      await using baselines = await opened();
      await prepareTwice(baselines);
      const candidates = async (wrote: string, found: string | null) => {
        const all = await baselines
          .of(KEY, hash(wrote))
          .candidates(found === null ? null : hash(found));
        return all.map(({ targetHash }) => targetHash);
      };
      expect(await candidates('h1', 'edited')).toEqual(['h1', 'h2']);
      expect(await candidates('h2', 'edited')).toEqual(['h2']);
      expect(await candidates('h1', 'h1')).toEqual(['h1']);
      expect(await candidates('h1', 'h2')).toEqual(['h2']);
      expect(await candidates('h1', null)).toEqual(['h1']);
      await baselines.of(KEY, hash('h1')).withdraw();
      expect(await candidates('h1', 'edited')).toEqual(['h1']);
    });

    test('gives the next preparation the true one, when one was never carried out', async () => {
      await using baselines = await opened();
      await prepareTwice(baselines);
      await baselines.of(KEY, hash('h1')).prepare(record('third', 'h3'), hash('h1'));
      expect(await textIn(baselines, { found: 'h1', wrote: 'h1' })).toBe('first');
    });

    test('keeps every field of a record', async () => {
      const whole: BaselineRecord = { ...record('first', 'h1'), frame: { lines: 'abc' } };
      await using baselines = await opened();
      await baselines.of(KEY, undefined).prepare(whole, null);
      expect(await baselines.of(KEY, undefined).record(hash('h1'))).toEqual(whole);
      expect(await baselines.sources(KEY)).toEqual(whole.segments);
    });

    test('of another project, language or path is another one', async () => {
      await using baselines = await opened();
      await prepareTwice(baselines);
      for (const key of [
        { ...KEY, project: 'web' },
        { ...KEY, language: 'fr' as LanguageTag },
        { ...KEY, path: 'en/other.json' },
      ]) {
        expect(await textIn(baselines, DELIVERED, key)).toBe('nothing');
      }
    });

    test('is read and prepared by a thread as here, over its stored bytes', async () => {
      await using baselines = await opened();
      await prepareTwice(baselines);
      const { stored } = baselines.of(KEY, undefined);
      await baselines.of(keyOf('b'), undefined).stored.write((await stored.read()) ?? Buffer.of());
      expect(await textIn(baselines, DELIVERED, keyOf('b'))).toBe('second');
    });

    test('moves with a renamed source', async () => {
      const place = await makePlace();
      {
        await using baselines = await place.open();
        await prepareTwice(baselines);
        await baselines.move([{ from: KEY, to: keyOf('new') }]);
        expect(await textIn(baselines, DELIVERED, keyOf('new'))).toBe('second');
        expect(await textIn(baselines, DELIVERED)).toBe('nothing');
      }
      await using again = await place.open();
      expect(await textIn(again, DELIVERED, keyOf('new'))).toBe('second');
      expect(await textIn(again, DELIVERED)).toBe('nothing');
    });

    test('moves with sources that exchange their names', async () => {
      const place = await makePlace();
      const [a, b, c] = [keyOf('a'), keyOf('b'), keyOf('c')];
      {
        await using baselines = await place.open();
        for (const [key, text] of [
          [a, 'of a'],
          [b, 'of b'],
          [c, 'of c'],
        ] as const)
          await baselines.of(key, undefined).prepare(record(text, text), null);
        await baselines.move([
          { from: a, to: b },
          { from: b, to: a },
          { from: c, to: keyOf('d') },
        ]);
      }
      await using again = await place.open();
      const texts = [a, b, c, keyOf('d')].map((key) => textIn(again, { found: 'x' }, key));
      expect(await Promise.all(texts)).toEqual(['of b', 'of a', 'nothing', 'of c']);
    });

    test('that does not exist may be moved and removed: then there is none under the other name', async () => {
      await using baselines = await opened();
      await prepareTwice(baselines);
      await baselines.move([{ from: keyOf('none'), to: keyOf('other') }]);
      await baselines.remove(keyOf('none'));
      expect(await textIn(baselines, DELIVERED)).toBe('second');
      await baselines.remove(KEY);
      await baselines.remove(KEY);
      expect(await textIn(baselines, DELIVERED)).toBe('nothing');
    });

    test('is put back from a copy as it was', async () => {
      const place = await makePlace();
      {
        await using baselines = await place.open();
        expect(await baselines.copyOf(KEY)).toBeUndefined();
        await prepareTwice(baselines);
        const copy = await baselines.copyOf(KEY);
        await baselines.of(KEY, hash('h2')).prepare(record('third', 'h3'), hash('h2'));
        await baselines.putBack(KEY, copy ?? expect.unreachable());
      }
      await using again = await place.open();
      expect(await textIn(again, DELIVERED)).toBe('second');
    });

    test('is prepared at the same time as many others, and is its own', async () => {
      const place = await makePlace();
      const names = Array.from({ length: 200 }, (_, n) => `file${n}`);
      {
        await using baselines = await place.open();
        await Promise.all(
          names.map((name) => {
            // One in twenty is long: those are written on another thread, between the others.
            const text = Number(name.slice(4)) % 20 === 0 ? name.repeat(50_000) : name;
            return baselines.of(keyOf(name), undefined).prepare(record(text, name), null);
          }),
        );
      }
      await using again = await place.open();
      for (const name of names) {
        const text = await textIn(again, { found: name }, keyOf(name));
        expect(text.slice(0, name.length)).toBe(name);
      }
    });
  });
}
