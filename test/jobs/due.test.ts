import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DueTimes } from '../../src/jobs/due.ts';

const id = fc.integer({ min: 0, max: 8 });
const at = fc.integer({ min: 0, max: 20 });
const change = fc.oneof(
  fc.record({ kind: fc.constant('set' as const), id, at }),
  fc.record({ kind: fc.constant('delete' as const), id }),
  fc.record({ kind: fc.constant('take' as const), now: at }),
);

test('due times behave as a plain map that is searched', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
      const due = new DueTimes<number>();
      const model = new Map<number, number>();
      for (const step of changes) {
        if (step.kind === 'set') {
          due.set(step.id, step.at);
          model.set(step.id, step.at);
        } else if (step.kind === 'delete') {
          due.delete(step.id);
          model.delete(step.id);
        } else {
          const taken = due.take(step.now);
          const expected = [...model].filter(([, time]) => time <= step.now);
          const times = taken.map((one) => model.get(one) ?? Number.NaN);
          expect(times).toEqual(times.toSorted((a, b) => a - b));
          expect(new Set(taken)).toEqual(new Set(expected.map(([one]) => one)));
          for (const one of taken) model.delete(one);
        }
        const earliest = model.size > 0 ? Math.min(...model.values()) : undefined;
        expect([due.size, due.next]).toEqual([model.size, earliest]);
      }
    }),
    { numRuns: 300 },
  );
});
