import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Section, sectionFrom, withSections } from '../../src/segments/lock-section.ts';
import { type Statement, sourceHash, targetHash, unitId } from '../../src/segments/statements.ts';
import { formatLock, parseLock } from '../../src/state/lock-text.ts';

const PATHS = ['a.json', 'b.json', 'docs/c.md'];
const MARKS = ['machine', 'adopted', 'human'] as const;

/** Three sources with two texts each: what this machine knows of them. */
const SECTIONS: Section[] = PATHS.map((path) =>
  sectionFrom({
    path,
    shape: 'keyed',
    records: ['one', 'two'].map((id) => ({
      id,
      source: `${id} of ${path}`,
      target: [`${id} von ${path}`],
      origin: 'machine' as const,
      state: 'ok' as const,
    })),
    wants: () => false,
  }),
);

/** What others stated of the same pairs, and of older sources. */
const LINES: Statement[] = PATHS.flatMap((path) =>
  ['one', 'two'].flatMap((id) =>
    MARKS.flatMap((mark) =>
      [`${id} of ${path}`, `older ${id}`].map((text) => ({
        unit: unitId(path, id),
        source: sourceHash(text),
        target: targetHash(`${id} von ${path}`),
        mark,
      })),
    ),
  ),
);

/** Lines as a merge may leave them: under any source, twice, and between markers. */
const merged = fc
  .array(
    fc.record({
      line: fc.constantFrom(...LINES),
      under: fc.constantFrom(...PATHS, 'gone.json', ''),
      isInConflict: fc.boolean(),
    }),
    { maxLength: 30 },
  )
  .map((lines) => {
    const text = lines.map(({ line, under, isInConflict }) => {
      const written = formatLock(new Map([[under, [line]]]));
      return isInConflict ? `<<<<<<< HEAD\n${written}=======\n${written}>>>>>>> b\n` : written;
    });
    return { text: text.join(''), lines: lines.map(({ line }) => line) };
  });

test('lines that a merge put under another source count for their own, and stand under it when the lock is written', () => {
  fc.assert(
    fc.property(merged, ({ text, lines }) => {
      const { sections: known } = parseLock(text);
      const next = withSections({ known, sections: SECTIONS, isKept: () => false });
      const written = parseLock(formatLock(next));
      expect(written.hasMarkers).toBe(false);
      for (const { path, units } of SECTIONS) {
        const own = written.sections.get(path) ?? [];
        expect(new Set(own.map(({ unit }) => unit))).toEqual(new Set(units.keys()));
        for (const { unit, source, target, mark } of own) {
          const same = lines.filter(
            (line) => line.unit === unit && line.source === source && line.target === target,
          );
          const strongest = Math.max(0, ...same.map((line) => MARKS.indexOf(line.mark as 'human')));
          expect(mark).toBe(MARKS[strongest]);
        }
      }
      const elsewhere = [...written.sections].filter(([path]) => !PATHS.includes(path));
      expect(elsewhere.flatMap(([, rest]) => rest)).toEqual([]);
    }),
  );
});

test('of what this machine has not worked on nothing is lost, wherever it stands', () => {
  fc.assert(
    fc.property(merged, fc.constantFrom(...SECTIONS), ({ text, lines }, section) => {
      const next = withSections({
        known: parseLock(text).sections,
        sections: [section],
        isKept: () => true,
      });
      const kept = new Set([...next.values()].flat().map((each) => JSON.stringify(each)));
      for (const line of lines.filter(({ unit }) => !section.units.has(unit))) {
        const pair = ({ unit, source, target }: Statement) => [unit, source, target].join(' ');
        const strongest = lines
          .filter((each) => pair(each) === pair(line))
          .toSorted((x, y) => MARKS.indexOf(y.mark as 'human') - MARKS.indexOf(x.mark as 'human'));
        expect(kept).toContain(JSON.stringify(strongest[0]));
      }
    }),
  );
});

const PLACE = { path: 'a.json', id: 'one', source: 'Hello', target: 'Hallo' } as const;

/** What the lock says of the pair after this machine, which found the lock silent, took the text for an edit. */
function rewritten(...before: readonly Pick<Statement, 'mark' | 'review'>[]) {
  const unit = unitId(PLACE.path, PLACE.id);
  const pair = { unit, source: sourceHash(PLACE.source), target: targetHash(PLACE.target) };
  const record = { ...PLACE, target: [PLACE.target], origin: 'human', state: 'ok' } as const;
  const section = sectionFrom({ path: PLACE.path, shape: 'keyed', records: [record] });
  const known = new Map([[PLACE.path, before.map((each) => ({ ...pair, ...each }))]]);
  const next = withSections({ known, sections: [section], isKept: () => true });
  return (next.get(PLACE.path) ?? []).map(({ mark, review }) => [mark, review]);
}

test('a text that was put back is the machine’s, as the lock says by now, although a job saw it before the lock said so', () => {
  expect(rewritten()).toEqual([['human', undefined]]);
  expect(rewritten({ mark: 'machine', review: 'wanted' })).toEqual([['machine', 'wanted']]);
  expect(rewritten({ mark: 'adopted' })).toEqual([['adopted', undefined]]);
  expect(rewritten({ mark: 'held' })).toEqual([['human', undefined]]);
  expect(rewritten({ mark: 'machine', review: 'reviewed' }, { mark: 'human' })).toEqual([
    ['human', undefined],
  ]);
});
