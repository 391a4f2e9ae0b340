/** Opens the ledger of a folder and prints how many milliseconds that took: a part of ledger-update.ts. */
import { systemClock } from '../src/clock.ts';
import { openLedger } from '../src/state/json-ledger.ts';

const [folder = ''] = process.argv.slice(2);
const began = performance.now();
const ledger = await openLedger({ folder, clock: systemClock });
const took = performance.now() - began;
await ledger[Symbol.asyncDispose]();
process.stdout.write(`${took}\n`);
