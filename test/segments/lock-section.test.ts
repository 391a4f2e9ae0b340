import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allSteps, type StepwiseWork } from '../../src/clock.ts';
import {
  type Section,
  sectionFrom,
  statementsByUnit,
  withSections,
} from '../../src/segments/lock-section.ts';
import { amended } from '../../src/segments/review.ts';
import { type Statement, sourceHash, targetHash, unitId } from '../../src/segments/statements.ts';
import { formatLock, lockIn, parseLock, textOfLock } from '../../src/state/lock-text.ts';

const PATHS = ['a.json', 'b.json', 'docs/c.md'];
const MARKS = ['machine', 'adopted', 'human'] as const;

/** The records of this machine about three sources with two texts each. */
const SECTIONS: Section[] = PATHS.map((path) =>
  allSteps(
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
  ),
);

/** The statements of others about the same pairs, and about older sources. */
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

test('lines that a merge put under another source count for their own source, and are written there', () => {
  fc.assert(
    fc.property(merged, ({ text, lines }) => {
      const { sections: known } = parseLock(text);
      const next = allSteps(withSections({ known, sections: SECTIONS, isKept: () => false }));
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

test('lines about files that this machine has not worked on are kept, at any position', () => {
  fc.assert(
    fc.property(merged, fc.constantFrom(...SECTIONS), ({ text, lines }, section) => {
      const next = allSteps(
        withSections({
          known: parseLock(text).sections,
          sections: [section],
          isKept: () => true,
        }),
      );
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

/**
 * The statements of the lock about the pair after this machine has written them. Its job found no statement in the lock, and took the
 * text for an edit of a person.
 * @param before the statements that the lock has now
 */
function rewritten(...before: readonly Pick<Statement, 'mark' | 'review'>[]) {
  const unit = unitId(PLACE.path, PLACE.id);
  const pair = { unit, source: sourceHash(PLACE.source), target: targetHash(PLACE.target) };
  const record = { ...PLACE, target: [PLACE.target], origin: 'human', state: 'ok' } as const;
  const section = allSteps(sectionFrom({ path: PLACE.path, shape: 'keyed', records: [record] }));
  const known = new Map([[PLACE.path, before.map((each) => ({ ...pair, ...each }))]]);
  const next = allSteps(withSections({ known, sections: [section], isKept: () => true }));
  return (next.get(PLACE.path) ?? []).map(({ mark, review }) => [mark, review]);
}

test('a restored text counts as the machine’s when the lock says so now, although a job read it before', () => {
  expect(rewritten()).toEqual([['human', undefined]]);
  expect(rewritten({ mark: 'machine', review: 'wanted' })).toEqual([['machine', 'wanted']]);
  expect(rewritten({ mark: 'adopted' })).toEqual([['adopted', undefined]]);
  expect(rewritten({ mark: 'held' })).toEqual([['human', undefined]]);
  expect(rewritten({ mark: 'machine', review: 'reviewed' }, { mark: 'human' })).toEqual([
    ['human', undefined],
  ]);
});

test('no step of the work on a lock is about more than one text, so that other work goes on beside a large file', () => {
  const texts = Array.from({ length: 500 }, (_, nth) => `text ${nth}`);
  const records = texts.map((id) => ({
    ...{ id, source: id, target: [`Text ${id}`], origin: 'machine' as const, state: 'ok' as const },
  }));
  const stepsOf = <T>(work: StepwiseWork<T>) => {
    for (let steps = 0; ; steps += 1) {
      const step = work.next();
      if (step.done) return { steps, value: step.value };
    }
  };
  const section = stepsOf(sectionFrom({ path: 'a.json', shape: 'keyed', records }));
  const sections = stepsOf(
    withSections({ known: new Map(), sections: [section.value], isKept: () => true }),
  );
  const known = sections.value;
  const text = stepsOf(textOfLock(known));
  const lock = stepsOf(lockIn(text.value));
  const byUnit = stepsOf(statementsByUnit(lock.value.sections.values()));
  const said = stepsOf(amended(known, 'a.json', { decided: [], renewed: new Set() }));
  for (const { steps } of [section, sections, text, lock, byUnit, said]) {
    expect(steps).toBeGreaterThanOrEqual(texts.length);
  }
  expect(said.value).toEqual(known);
});
