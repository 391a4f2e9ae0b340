/** The victim of ledger-kill.test.ts: commits and notes baselines without a pause, says what was acknowledged, and makes checkpoints all the time. */
import { writeSync } from 'node:fs';
import { systemClock } from '../../src/clock.ts';
import { lockState } from '../../src/files/exclusive.ts';
import type { RecipeKey } from '../../src/job.ts';
import type { LanguageTag } from '../../src/language.ts';
import type { RemoteRecord } from '../../src/ledger.ts';
import { openBaselines } from '../../src/state/baseline.ts';
import { openLedger } from '../../src/state/json-ledger.ts';
import { FolderMemories } from '../../src/state/memories/folder.ts';
import { keyOf, record } from '../contracts/baseline.ts';

const [folder = '', life = ''] = process.argv.slice(2);
const WRITERS = 16;
const STDOUT = 1;

await lockState(folder, systemClock);
const ledger = await openLedger({ folder, clock: systemClock });
const memories = new FolderMemories({ folder: `${folder}/memory` });
const memory = await memories.open('app', 'de' as LanguageTag);
const baselines = openBaselines(`${folder}/base`);
const LONG = 'x'.repeat(50_000);
await Promise.all([...Array.from({ length: WRITERS }, (_, n) => write(n)), checkpoints()]);

async function write(writer: number): Promise<never> {
  for (let n = 0; ; n++) {
    const request = `${life}.${writer}.${n}`;
    await memory.remember([
      {
        recipe: 'r' as RecipeKey,
        source: [request],
        translation: [`übersetzt ${request}`],
        request,
        at: '',
      },
    ]);
    // Both or neither, also after the kill.
    const records: readonly RemoteRecord[] = [
      { id: `${request}/one`, kind: 'spool', value: 'x'.repeat(200) },
      { id: `${request}/two`, kind: 'spool', value: n },
    ];
    await ledger.commit(records.map((put) => ({ table: 'remotes', put, from: undefined })));
    await baselines.of(keyOf(request), undefined).prepare(record(request, 'h'), null);
    // Long records that are removed at once, so that the log is rewritten all the time.
    await baselines.of(keyOf('long'), undefined).prepare(record(LONG, request), null);
    // The line leaves the process in one system call: each printed record was acknowledged.
    writeSync(STDOUT, `${request}\n`);
  }
}

async function checkpoints(): Promise<never> {
  for (;;) {
    await ledger.checkpoint();
    await systemClock.sleep(5);
  }
}
