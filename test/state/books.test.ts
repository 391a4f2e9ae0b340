/** Books that are updated agree with books that are read again, at any moment. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readBooks } from '../../src/control/answer-usage.ts';
import { jobId } from '../../src/job.ts';
import { parseLanguage } from '../../src/language.ts';
import type { Charge } from '../../src/ledger.ts';
import { LedgerBooks } from '../../src/state/books/ledger-books.ts';
import { openLedger } from '../../src/state/json-ledger.ts';
import { manualClock } from '../manual-clock.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const LANGUAGES = ['de', 'fr'].map((code) => parseLanguage(code) ?? expect.unreachable());

const charges = fc.array(
  fc.record({
    language: fc.constantFrom(...LANGUAGES),
    project: fc.constantFrom('app', 'docs'),
    lane: fc.constantFrom('text', 'document'),
    kind: fc.constantFrom('billed', 'counted', 'possibly-twice'),
    characters: fc.option(fc.nat(1000)),
    at: fc.constantFrom('2026-11-19T23:59:59Z', '2026-11-20T00:00:00Z'),
  }),
  { maxLength: 12 },
);

test('books that were updated agree with books that are read again', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(charges, { maxLength: 4 }), async (commits) => {
      await using ledger = await openLedger({
        folder: await temporaryFolder(),
        clock: manualClock(),
      });
      const running = new LedgerBooks(ledger);
      let id = 0;
      for (const commit of commits) {
        const put = commit.map((charge): Charge => {
          const job = jobId(charge.project, charge.language, 'a.json');
          return { ...charge, id: String(id++), job, estimated: 0 };
        });
        await ledger.commit(put.map((charge) => ({ table: 'charges', put: charge })));
        const books = await running.sums();
        const anew = readBooks(ledger.all('charges'), () => true);
        expect(books.billed()).toBe(anew.billed);
        const day = '2026-11-20';
        const onDay = anew.by.filter((line) => line.day === day);
        expect(books.onDay(day)).toBe(sum(onDay.map((line) => line.billed_characters)));
        expect(sum([...books.byLane()].map(({ value }) => value))).toBe(anew.billed);
        const jobs = LANGUAGES.flatMap((code) =>
          ['app', 'docs'].map((project) => jobId(project, code, 'a.json')),
        );
        expect(sum(jobs.map((job) => books.forJob(job)))).toBe(anew.billed);
      }
    }),
    { numRuns: 25 },
  );
});

function sum(figures: readonly number[]): number {
  return figures.reduce((total, figure) => total + figure, 0);
}
