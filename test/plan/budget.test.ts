/** No budget is exceeded by any requests at the same time. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jobId, sourceId } from '../../src/job.ts';
import type { LanguageTag } from '../../src/language.ts';
import type { Charge } from '../../src/ledger.ts';
import { budgetPeriod, Tally } from '../../src/plan/budget.ts';
import type { BudgetLimits, SpendingRequest } from '../../src/plan/budget-scope.ts';
import type { Budget } from '../../src/project.ts';

const german = 'de' as LanguageTag;
const NOW = Date.UTC(2026, 2, 14);
const MARCH = budgetPeriod(NOW);

const limitsOf = (overall: Partial<Budget>, project?: Partial<Budget>): BudgetLimits => ({
  overall: { onExceed: 'hold', ...overall },
  projects: new Map(project === undefined ? [] : [['web', { onExceed: 'hold', ...project }]]),
});

const ask = (characters: number, path = 'a.json', seconds = 0): SpendingRequest => ({
  project: 'web',
  source: sourceId('web', path),
  characters,
  seconds,
});

const job = (path = 'a.json', language = german) => jobId('web', language, path);

let charges = 0;
const charge = (characters: number, over: Partial<Charge> = {}): Charge => ({
  id: `charge-${++charges}`,
  job: job(),
  project: 'web',
  language: german,
  lane: 'text',
  at: new Date(NOW).toISOString(),
  kind: 'billed',
  characters,
  estimated: characters,
  ...over,
});

test("the month is the account's period when it is known, else the UTC calendar month", () => {
  const account = { start: Date.UTC(2026, 2, 10), end: Date.UTC(2026, 3, 10) };
  expect(budgetPeriod(NOW, account)).toBe(account);
  expect(budgetPeriod(Date.UTC(2026, 11, 31))).toEqual({
    start: Date.UTC(2026, 11),
    end: Date.UTC(2027, 0),
  });
});

test.each([
  ['the next day', '2026-02-01T00:00:00Z', '2026-01-31T00:00:00Z', '2026-02-28T00:00:00Z'],
  ['its last moment', '2026-02-27T23:59:59Z', '2026-01-31T00:00:00Z', '2026-02-28T00:00:00Z'],
  ['half a year later', '2026-07-30T12:00:00Z', '2026-06-30T00:00:00Z', '2026-07-31T00:00:00Z'],
  ['a leap day', '2028-02-29T12:00:00Z', '2028-02-29T00:00:00Z', '2028-03-31T00:00:00Z'],
])("when the account's period is over, one of a month follows: %s", (_, now, start, end) => {
  const account = { start: Date.UTC(2025, 11, 31), end: Date.UTC(2026, 0, 31) };
  const period = budgetPeriod(Date.parse(now), account);
  expect(period).toEqual({ start: Date.parse(start), end: Date.parse(end) });
});

test.each<[string, BudgetLimits, string]>([
  ['month', limitsOf({ month: 100 }), 'month'],
  ['project', limitsOf({}, { month: 100 }), 'project'],
  ['run', limitsOf({ run: 100 }), 'run'],
  ['project run', limitsOf({}, { run: 100 }), 'run'],
  ['file', limitsOf({ file: 100 }), 'file'],
])(
  'a %s budget holds a job that would exceed it, and says how much is left',
  (_name, limits, scope) => {
    const tally = new Tally(limits, MARCH);
    tally.book(charge(60));
    expect(tally.wouldHold(ask(40))).toBeUndefined();
    expect(tally.wouldHold(ask(41))).toEqual({ kind: 'budget', scope, needs: 41, left: 40 });
  },
);

test('the tightest of several budgets is named', () => {
  const tally = new Tally(limitsOf({ month: 100, run: 50 }, { month: 30 }), MARCH);
  expect(tally.wouldHold(ask(60))).toMatchObject({ scope: 'project', left: 30 });
});

test('a file budget is for one source in all its languages, and not for its neighbour', () => {
  const tally = new Tally(limitsOf({ file: 100 }), MARCH);
  tally.book(
    charge(80, { job: job('a.json', 'fr' as LanguageTag), language: 'fr' as LanguageTag }),
  );
  expect(tally.wouldHold(ask(30, 'a.json'))).toMatchObject({ scope: 'file', left: 20 });
  expect(tally.wouldHold(ask(30, 'b.json'))).toBeUndefined();
});

test('run and file budgets start again with each run, the budget of the month does not', () => {
  const past = [charge(50)];
  const tally = new Tally(limitsOf({ month: 200, run: 100, file: 100 }), MARCH, past);
  expect(tally.wouldHold(ask(100))).toBeUndefined();
  tally.book(charge(100));
  expect(tally.wouldHold(ask(1))).toMatchObject({ scope: 'run' });
  tally.startRun();
  expect(tally.wouldHold(ask(51))).toMatchObject({ scope: 'month', left: 50 });
});

test('charges of another period do not count', () => {
  const past = [
    charge(90, { at: '2026-02-28T23:59:59Z' }),
    charge(10, { at: '2026-03-01T00:00:00Z' }),
  ];
  const tally = new Tally(limitsOf({ month: 100 }), MARCH, past);
  expect(tally.statuses()).toMatchObject([{ scope: 'month', used: 10 }]);
  expect(tally.wouldHold(ask(90))).toBeUndefined();
  expect(tally.wouldHold(ask(91))).toMatchObject({ left: 90 });
});

test('a reserved price counts as spent until it is booked or given back', () => {
  const tally = new Tally(limitsOf({ month: 100 }), MARCH);
  expect(tally.reserve(job(), ask(70))).toBeUndefined();
  expect(tally.reserve(job('b.json'), ask(40))).toMatchObject({ needs: 40, left: 30 });
  tally.book(charge(50)); // 50 of the 70
  expect(tally.wouldHold(ask(31))).toMatchObject({ left: 30 });
  tally.release(job());
  expect(tally.wouldHold(ask(50))).toBeUndefined();
});

test('a person may approve what no budget allows, and it counts', () => {
  const tally = new Tally(limitsOf({ month: 100 }), MARCH);
  tally.approve(job(), ask(500));
  expect(tally.wouldHold(ask(1, 'b.json'))).toMatchObject({ left: 0 });
});

test('on_exceed: warn holds nothing, and what costs nothing is never held', () => {
  const warning = new Tally(limitsOf({ month: 10, onExceed: 'warn' }), MARCH);
  expect(warning.wouldHold(ask(500))).toBeUndefined();
  const spent = new Tally(limitsOf({ month: 10 }), MARCH, [charge(20)]);
  expect(spent.wouldHold(ask(0))).toBeUndefined();
});

test('voice is limited in minutes and spends no characters', () => {
  const tally = new Tally(limitsOf({ month: 10, voiceMinutes: 2 }), MARCH);
  tally.book(charge(0, { characters: null, seconds: 90, lane: 'voice' }));
  expect(tally.wouldHold(ask(0, 'a.mp3', 30))).toBeUndefined();
  expect(tally.wouldHold(ask(0, 'a.mp3', 61))).toEqual({
    kind: 'budget',
    scope: 'month',
    needs: 2,
    left: 0,
    unit: 'minutes',
  });
});

test('a budget warns once at 80 % and once when it is used up', () => {
  const tally = new Tally(limitsOf({ month: 100 }), MARCH);
  const warned = [79, 1, 10, 10, 10].map((characters) => tally.book(charge(characters)).length);
  expect(warned).toEqual([0, 1, 0, 1, 0]);
});

test('standings name every budget but those of files, also when nothing was spent', () => {
  const tally = new Tally(limitsOf({ month: 100, file: 5 }, { voiceMinutes: 10 }), MARCH);
  tally.book(charge(3, { seconds: 30 }));
  expect(tally.statuses()).toEqual([
    { scope: 'month', unit: 'characters', limit: 100, used: 3 },
    { scope: 'project', project: 'web', unit: 'minutes', limit: 10, used: 0.5 },
  ]);
});

test('however jobs reserve, book and give back, no budget is exceeded', () => {
  const step = fc.record({
    do: fc.constantFrom('reserve', 'book', 'release'),
    path: fc.constantFrom('a', 'b', 'c'),
    characters: fc.nat(60),
  });
  const budget = fc.record({ month: fc.nat(200), run: fc.nat(200), file: fc.nat(100) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), budget, (steps, limits) => {
      const tally = new Tally(limitsOf(limits), MARCH);
      const reserved = new Map<string, number>();
      const spent = new Map<string, number>();
      for (const { do: action, path, characters } of steps) {
        if (action === 'release') {
          tally.release(job(path));
          reserved.delete(path);
        } else if (action === 'reserve') {
          reserved.delete(path);
          if (!tally.reserve(job(path), ask(characters, path))) reserved.set(path, characters);
        } else {
          const paid = Math.min(characters, reserved.get(path) ?? 0); // a request bills what was reserved at most
          tally.book(charge(paid, { job: job(path) }));
          reserved.set(path, (reserved.get(path) ?? 0) - paid);
          spent.set(path, (spent.get(path) ?? 0) + paid);
        }
      }
      const total = [...spent.values()].reduce((a, b) => a + b, 0);
      expect(total).toBeLessThanOrEqual(Math.min(limits.month, limits.run));
      for (const characters of spent.values()) expect(characters).toBeLessThanOrEqual(limits.file);
    }),
    { numRuns: 500 },
  );
});
