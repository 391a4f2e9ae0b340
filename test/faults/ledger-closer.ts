/** A victim of ledger-kill.test.ts: writes little into a large ledger, says so, and closes it. */
import { writeSync } from 'node:fs';
import { systemClock } from '../../src/clock.ts';
import { openLedger } from '../../src/state/json-ledger.ts';

const [folder = ''] = process.argv.slice(2);
const STDOUT = 1;

await using ledger = await openLedger({ folder, clock: systemClock });
await ledger.commit([
  { table: 'remotes', put: { id: 'last', kind: 'spool', value: 0 }, from: undefined },
]);
writeSync(STDOUT, 'last\n');
