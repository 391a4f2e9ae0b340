/** Folded books say what they said before: of every day, language, lane and living job; also when the folding was cut short. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readBooks } from '../../src/control/answer-usage.ts';
import { parseLanguage } from '../../src/language.ts';
import type { Charge, Ledger, LedgerView } from '../../src/ledger.ts';
import { budgetPeriod, Tally } from '../../src/plan/budget.ts';
import { LedgerBooks } from '../../src/state/books/ledger-books.ts';
import { CHARGES_STAND_MS, foldsOf } from '../../src/state/folding.ts';
import { openLedger } from '../../src/state/json-ledger.ts';
import { jobRecord } from '../contracts/ledger.ts';
import { manualClock } from '../manual-clock.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const LANGUAGES = ['de', 'fr'].map((code) => parseLanguage(code) ?? expect.unreachable());
const NOW = Date.UTC(2026, 10, 20, 12);
const DAY_MS = 86_400_000;
const LIVING = [jobRecord('app/de/a.json'), jobRecord('app/de/b.json')];

const charges: fc.Arbitrary<Charge[]> = fc
  .array(
    fc.record({
      job: fc.constantFrom(null, ...LIVING.map(({ id }) => id), jobRecord('app/de/gone.json').id),
      language: fc.constantFrom(...LANGUAGES),
      project: fc.constantFrom('app', 'docs'),
      lane: fc.constantFrom('text', 'voice'),
      kind: fc.constantFrom('billed', 'counted', 'possibly-twice'),
      characters: fc.option(fc.nat(1000)),
      estimated: fc.nat(1000),
      at: fc
        .tuple(fc.constantFrom(0, 20, 61, 62, 63, 64, 400), fc.nat(DAY_MS - 1))
        .map(([days, ms]) => new Date(NOW - days * DAY_MS - ms).toISOString()),
    }),
    { maxLength: 40 },
  )
  .map((all) => all.map((charge, id) => ({ ...charge, id: String(id), seconds: id % 3 })));

async function ledgerWith(all: readonly Charge[]): Promise<Ledger> {
  const ledger = await openLedger({ folder: await temporaryFolder(), clock: manualClock() });
  await ledger.commit([
    ...LIVING.map((add) => ({ table: 'jobs', add }) as const),
    ...all.map((put) => ({ table: 'charges', put }) as const),
  ]);
  return ledger;
}

/** Everything that anybody asks of the books. */
async function said(ledger: LedgerView) {
  const limits = { overall: { month: 1, onExceed: 'hold' } as const, projects: new Map() };
  const running = await new LedgerBooks(ledger).sums();
  return {
    books: readBooks(ledger.all('charges'), () => true),
    ofApp: readBooks(ledger.all('charges'), ({ project }) => project === 'app'),
    month: new Tally(limits, budgetPeriod(NOW), ledger.all('charges')).statuses(),
    days: [0, 20, 61, 62, 63, 64, 400].map((days) => running.since(NOW - days * DAY_MS)),
    jobs: LIVING.map(({ id }) => running.forJob(id)),
    lanes: new Map(
      [...running.byLane()].map(({ labels, value }) => [JSON.stringify(labels), value]),
    ),
    oldest: [...ledger.all('charges')].reduce((oldest, { at }) => (at < oldest ? at : oldest), '9'),
  };
}

test('folding changes nothing that the books say, wherever it is cut short, and is over when it is done', async () => {
  await fc.assert(
    fc.asyncProperty(charges, fc.nat(10), async (all, cut) => {
      await using ledger = await ledgerWith(all);
      const before = await said(ledger);
      const running = new LedgerBooks(ledger);
      expect((await running.sums()).billed()).toBe(before.books.billed);
      for (const facts of [...foldsOf(ledger, NOW - CHARGES_STAND_MS)].slice(0, cut)) {
        await ledger.commit(facts);
        expect(await said(ledger)).toEqual(before);
      }
      for (const facts of foldsOf(ledger, NOW - CHARGES_STAND_MS)) await ledger.commit(facts);
      expect(await said(ledger)).toEqual(before);
      expect([...foldsOf(ledger, NOW - CHARGES_STAND_MS)]).toEqual([]);
      const [first] = all;
      if (first !== undefined) {
        await ledger.commit([{ table: 'charges', put: { ...first, id: 'new', kind: 'billed' } }]);
      }
      expect((await running.sums()).billed()).toBe(
        readBooks(ledger.all('charges'), () => true).billed,
      );
    }),
    { numRuns: 60 },
  );
});

test('charges of the last two months are kept as they are; older ones are folded into one for each job and day', async () => {
  const at = (days: number) => new Date(NOW - days * DAY_MS).toISOString();
  const base = {
    language: LANGUAGES[0] ?? expect.unreachable(),
    project: 'app',
    lane: 'text',
  } as const;
  const all = [100, 100, 100, 70, 10, 10].flatMap((days, nth) =>
    Array.from({ length: 200 }, (_, text): Charge => {
      const job = LIVING[nth % 2]?.id ?? null;
      return {
        ...base,
        job,
        id: `${nth} ${text}`,
        at: at(days),
        kind: 'billed',
        characters: 7,
        estimated: 7,
      };
    }),
  );
  await using ledger = await ledgerWith(all);
  for (const facts of foldsOf(ledger, NOW - CHARGES_STAND_MS)) await ledger.commit(facts);
  expect(ledger.size('charges')).toBe(2 + 1 + 400);
});

test('the books have the same sums after the process was killed between two batches', async () => {
  const folder = await temporaryFolder();
  const language = LANGUAGES[0] ?? expect.unreachable();
  const all = Array.from({ length: 12_000 }, (_, id): Charge => {
    const at = new Date(NOW - (100 + (id % 4000)) * DAY_MS).toISOString();
    const kind = 'billed';
    return {
      id: `c${id}`,
      job: null,
      project: 'app',
      language,
      lane: 'text',
      at,
      kind,
      characters: id,
      estimated: 0,
    };
  });
  const opened = await openLedger({ folder, clock: manualClock() });
  await opened.commit(all.map((put) => ({ table: 'charges', put }) as const));
  const before = readBooks(opened.all('charges'), () => true);
  const [first] = foldsOf(opened, NOW);
  await opened.commit(first ?? []);

  // Not closed: the next process finds only flushed records.
  await using after = await openLedger({ folder, clock: manualClock() });
  expect(readBooks(after.all('charges'), () => true)).toEqual(before);
  for (const facts of foldsOf(after, NOW)) await after.commit(facts);
  expect(readBooks(after.all('charges'), () => true)).toEqual(before);
  expect(after.size('charges')).toBe(4000);
});
