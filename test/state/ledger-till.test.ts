import { systemClock } from '../../src/clock.ts';
import { openLedger } from '../../src/state/json-ledger.ts';
import { FolderMemories } from '../../src/state/memories/folder.ts';
import { LedgerTill } from '../../src/state/tills/ledger-till.ts';
import { tillContract } from '../contracts/till.ts';
import { temporaryFolder } from '../temporary-folder.ts';

tillContract(async () => {
  const folder = await temporaryFolder();
  return {
    async open() {
      const ledger = await openLedger({ folder, clock: systemClock });
      const memories = new FolderMemories({ folder: `${folder}/memory` });
      return {
        till: new LedgerTill({ ledger, memories }),
        memories,
        charges: async () => [...ledger.all('charges')],
        requests: async () => [...ledger.all('requests')],
        async [Symbol.asyncDispose]() {
          await memories[Symbol.asyncDispose]();
          await ledger[Symbol.asyncDispose]();
        },
      };
    },
  };
});
