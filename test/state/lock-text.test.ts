import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allSteps } from '../../src/clock.ts';
import { type Statement, union } from '../../src/segments/statements.ts';
import { formatLock, parseLock, textOfLock } from '../../src/state/lock-text.ts';

const name = (length: number) =>
  fc.string({
    unit: fc.constantFrom(...'ABCabc012-_'),
    minLength: length,
    maxLength: length,
  });

const statements: fc.Arbitrary<Statement[]> = fc.array(
  fc.record(
    {
      unit: name(6),
      source: name(8),
      target: name(6),
      mark: fc.constantFrom('machine', 'adopted', 'human', 'held'),
      review: fc.constantFrom('wanted', 'reviewed'),
      recipe: name(6),
    },
    { requiredKeys: ['unit', 'source', 'target', 'mark'] },
  ) as fc.Arbitrary<Statement>,
  { maxLength: 6 },
);
const path = fc.oneof(
  fc.constantFrom('a.json', 'docs/b.md', 'new\nline.json', 'back\\slash.json', 'über.md'),
  fc.string({ minLength: 1 }).filter((text) => text.trim() === text && !/[\r\n]/.test(text)),
);
const locks = fc.array(fc.tuple(path, statements)).map((list) => new Map(list));

const all = (text: string) => [...parseLock(text).sections.values()].flat();
const asSet = (set: Iterable<Statement>) =>
  new Set(union(set).map((each) => JSON.stringify(Object.entries(each).sort())));

test('a written lock is read again, section by section', () => {
  fc.assert(
    fc.property(locks, (sections) => {
      const { sections: read, version } = parseLock(formatLock(sections));
      expect(version).toBe(1);
      const kept = [...sections].filter(([, set]) => set.length > 0);
      expect(new Set([...read.keys()].filter((each) => each !== ''))).toEqual(
        new Set(kept.map(([each]) => each)),
      );
      for (const [each, set] of kept) expect(asSet(read.get(each) ?? [])).toEqual(asSet(set));
    }),
  );
});

test('writing again changes nothing', () => {
  fc.assert(
    fc.property(locks, (sections) => {
      const text = formatLock(sections);
      expect(formatLock(parseLock(text).sections)).toBe(text);
    }),
  );
});

test('both sides of a merge are true, with and without the markers of a conflict', () => {
  fc.assert(
    fc.property(locks, locks, (ours, theirs) => {
      const [a, b] = [formatLock(ours), formatLock(theirs)];
      const conflict = `<<<<<<< HEAD\n${a}||||||| 1234567\n=======\n${b}>>>>>>> topic\n`;
      const both = asSet([...all(a), ...all(b)]);
      expect(asSet(all(a + b))).toEqual(both);
      expect(asSet(all(conflict))).toEqual(both);
      expect(parseLock(conflict).hasMarkers).toBe(true);
      expect(parseLock(formatLock(parseLock(conflict).sections)).hasMarkers).toBe(false);
    }),
  );
});

test('the order of lines and lines that come twice mean nothing', () => {
  fc.assert(
    fc.property(locks, fc.infiniteStream(fc.nat()), (sections, numbers) => {
      const text = formatLock(sections);
      const lines = [...text.split('\n'), ...text.split('\n')];
      const shuffled = lines.map((line) => ({ line, at: numbers.next().value ?? 0 }));
      shuffled.sort((x, y) => x.at - y.at);
      expect(asSet(all(shuffled.map(({ line }) => line).join('\n')))).toEqual(asSet(all(text)));
    }),
  );
});

test('carriage returns, unknown lines and an empty file are read', () => {
  const text =
    '# dragoman lock 2; x\r\n\r\n# a.json\r\n\r\nRk3v9a 4Qm2xZ7p aP0_d1 m+\r\n\r\nnonsense\r\n';
  expect(parseLock(text)).toEqual({
    version: 2,
    unreadable: 7,
    hasMarkers: false,
    sections: new Map([
      ['', []],
      [
        'a.json',
        [
          {
            unit: 'Rk3v9a',
            source: '4Qm2xZ7p',
            target: 'aP0_d1',
            mark: 'machine',
            review: 'reviewed',
          },
        ],
      ],
    ]),
  });
  expect(all('')).toEqual([]);
});

test('an empty file is damaged, as one that was cut off: the lock of no text has a header', () => {
  expect([parseLock('').unreadable, parseLock('\r\n \n').unreadable]).toEqual([0, 0]);
  expect(parseLock(formatLock(new Map())).unreadable).toBe(undefined);
});

test('a lock in which statements changed is written as if all of it were formatted', () => {
  const change = fc.record({ at: fc.nat(12), removed: fc.nat(3), added: statements });
  fc.assert(
    fc.property(statements, statements, fc.array(change), (a, b, changes) => {
      let before = new Map<string, readonly Statement[]>([
        ['a.json', [...a, ...b]],
        ['b.json', b],
      ]);
      formatLock(before);
      for (const { at, removed, added } of changes) {
        const known = before.get('a.json') ?? [];
        const now = new Map(before).set('a.json', known.toSpliced(at, removed, ...added));
        const text = allSteps(textOfLock(now, before));
        const fresh = [...now].map(
          ([path, all]) => [path, all.map((each) => ({ ...each }))] as const,
        );
        expect(text).toBe(formatLock(new Map(fresh)));
        before = now;
      }
    }),
  );
});

test('a statement that changes in a lock is written without a step for each of the others', () => {
  const hash = (text: string, length: number) => text.padStart(length, '0');
  const statement = (nth: number): Statement => ({
    unit: hash(`${nth}`, 6) as Statement['unit'],
    source: hash(`${nth}`, 8) as Statement['source'],
    target: hash(`${nth}`, 6) as Statement['target'],
    mark: 'machine',
  });
  const section = Array.from({ length: 10_000 }, (_, nth) => statement(nth));
  const before = new Map([['a.json', section]]);
  formatLock(before);
  const changed: Statement = { ...statement(7000), mark: 'human', review: 'reviewed' };
  const now = new Map([['a.json', section.with(7000, changed)]]);
  const work = textOfLock(now, before);
  const steps = Array.from(work).length;
  expect(steps).toBeLessThan(10);
  expect(formatLock(now).split('\n')).toContain('007000 00007000 007000 h+');
});
