import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ALIKE, type Described, pairAlike } from '../../src/intake/similarity.ts';

const file = (path: string, texts: string, format = 'json'): Described => ({
  path,
  format,
  texts: new Set(texts),
});

const pairs = (came: readonly Described[], went: readonly Described[]) =>
  [...pairAlike(came, went)]
    .map(([to, from]) => `${from} -> ${to}`)
    .toSorted((a, b) => a.localeCompare(b));

test('a file that shares half of its texts with a missing file counts as that file, and below half it is new', () => {
  expect(pairs([file('new', 'abxy')], [file('old', 'abcd')])).toEqual(['old -> new']);
  expect(pairs([file('new', 'axyz')], [file('old', 'abcd')])).toEqual([]);
  expect(pairs([file('new', 'abcdefghi')], [file('old', 'abcd')])).toEqual([]);
});

test('the most similar files are paired first, and each file once', () => {
  const came = [file('n1', 'abcd'), file('n2', 'abce')];
  expect(pairs(came, [file('old', 'abcdf')])).toEqual(['old -> n1']);
  expect(pairs(came, [file('o1', 'abcd'), file('o2', 'abxe')])).toEqual(['o1 -> n1', 'o2 -> n2']);
});

test('among two equally similar files the one that kept its name is chosen; without one, both are new', () => {
  const old = file('l/a.json', 'abcd');
  const twins = [file('x/b.json', 'abce'), file('y/c.json', 'abcf')];
  expect(pairs(twins, [old])).toEqual([]);
  expect(pairs([...twins, file('z/a.json', 'abcg')], [old])).toEqual(['l/a.json -> z/a.json']);
});

test('formats are never paired with each other, and a file without texts with nobody', () => {
  expect(pairs([file('new', 'abcd', 'yaml')], [file('old', 'abcd')])).toEqual([]);
  expect(pairs([file('new', '')], [file('old', '')])).toEqual([]);
});

const described = (prefix: string) =>
  fc.uniqueArray(fc.nat(30), { maxLength: 8 }).chain((names) =>
    fc.tuple(
      ...names.map((name) =>
        fc.record({
          path: fc.constantFrom(`${prefix}/${name}.json`, `${prefix}/x/${name}.json`),
          format: fc.constantFrom('json', 'yaml'),
          texts: fc
            .array(fc.constantFrom(...'abcdef'), { maxLength: 6 })
            .map((texts) => new Set(texts)),
        }),
      ),
    ),
  );

const sides = fc.record({ came: described('new'), went: described('old') });

test('the order of the files does not change the pairs', () => {
  fc.assert(
    fc.property(sides, fc.integer(), ({ came, went }, seed) => {
      const turned = <T>(items: readonly T[]) =>
        items
          .map((item, at) => ({ item, key: Math.sin(seed + at) }))
          .toSorted((a, b) => a.key - b.key)
          .map(({ item }) => item);
      expect(pairs(turned(came), turned(went))).toEqual(pairs(came, went));
    }),
    { numRuns: 300 },
  );
});

test('a pair has one format and shares at least half of its texts, and no file is in two pairs', () => {
  fc.assert(
    fc.property(sides, ({ came, went }) => {
      const found = pairAlike(came, went);
      expect(new Set(found.values()).size).toBe(found.size);
      for (const [to, from] of found) {
        const [a, b] = [
          came.find(({ path }) => path === to),
          went.find(({ path }) => path === from),
        ];
        if (a === undefined || b === undefined) throw new Error('a stranger');
        expect(a.format).toBe(b.format);
        const shared = a.texts.intersection(b.texts).size;
        expect(shared / Math.max(a.texts.size, b.texts.size)).toBeGreaterThanOrEqual(ALIKE);
      }
    }),
    { numRuns: 300 },
  );
});

test('a file with unchanged texts is never paired with a less similar one', () => {
  fc.assert(
    fc.property(sides, ({ came, went }) => {
      const twin = file('twin.json', 'uvwxyz');
      expect(pairAlike([...came, twin], [...went, twin]).get('twin.json')).toBe('twin.json');
    }),
    { numRuns: 100 },
  );
});

test('20,000 files a side take seconds, also when all of them share a text', () => {
  const many = (folder: string, edit: string) =>
    Array.from({ length: 20_000 }, (_, at) => ({
      path: `${folder}/${at}.json`,
      format: 'json',
      texts: new Set(['All rights reserved', `a ${at}`, `b ${at}`, `${edit} ${at}`]),
    }));
  const found = pairAlike(many('new', 'later'), many('old', 'earlier'));
  expect(found.size).toBe(20_000);
  expect(found.get('new/77.json')).toBe('old/77.json');
});
