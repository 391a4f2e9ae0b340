/** What follows for other jobs when another daemon has delivered a document. */
import { expect, test } from 'vitest';
import { afterDelivery, deliveriesAmong } from '../../../src/lanes/document/copies.ts';
import type { JobRecord } from '../../../src/ledger.ts';
import { openLedger } from '../../../src/state/json-ledger.ts';
import { jobRecord } from '../../contracts/ledger.ts';
import { manualClock } from '../../manual-clock.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const AT = '2026-11-01T00:00:00.000Z';
const HASH = 'f0'.repeat(32) as NonNullable<JobRecord['wrote'][0]>['hash'];

test('a job that only keeps the result of a lost source is over when another source takes that result', async () => {
  await using ledger = await openLedger({
    folder: await temporaryFolder(),
    clock: manualClock(),
  });
  const gone = document('in/gone.docx', { kind: 'held', at: AT, hold: { kind: 'source-gone' } });
  const other = {
    ...document('in/other.docx', { kind: 'done', at: AT }),
    wrote: [
      { path: 'de/other.docx', hash: HASH, stat: '1:2:3:4' as JobRecord['wrote'][0]['stat'] },
    ],
  };
  const stage = { kind: 'downloaded', hash: HASH, size: 1 };
  const bought = { key: 'key', job: gone.id, project: 'app', language: 'de', stage };
  await ledger.commit([
    { table: 'jobs', add: gone },
    { table: 'jobs', add: other },
    {
      ...{ table: 'remotes', from: undefined },
      put: { id: 'document key', kind: 'spool', value: bought } as never,
    },
  ]);
  const { facts } = afterDelivery(ledger, deliveriesAmong(ledger, [other]));
  expect(facts).toEqual([{ table: 'jobs', drop: ledger.get('jobs', gone.id) }]);
  await ledger.commit(facts);
  expect(afterDelivery(ledger, deliveriesAmong(ledger, [other])).facts).toEqual([]);
});

function document(source: string, state: JobRecord['state']): JobRecord {
  return jobRecord(source, { lane: 'document', source, state });
}
