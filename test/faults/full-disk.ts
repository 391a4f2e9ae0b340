/** The victim of full-disk.test.ts: writes until the system refuses, waits for a line on stdin, and tries again. */
import { once } from 'node:events';
import { systemClock } from '../../src/clock.ts';
import { failureOf } from '../../src/failure.ts';
import type { RecipeKey } from '../../src/job.ts';
import type { LanguageTag } from '../../src/language.ts';
import { openLedger } from '../../src/state/json-ledger.ts';
import { FolderMemories } from '../../src/state/memories/folder.ts';

const [folder = ''] = process.argv.slice(2);
const DE = 'de' as LanguageTag;

const ledger = await openLedger({ folder, clock: systemClock });
const memories = new FolderMemories({ folder: `${folder}/memory` });
const full = { texts: await remember('t', 0), facts: await commit('f', 0) };
report('full', full);
await once(process.stdin, 'data');
report('again', {
  texts: await remember('u', 3),
  facts: await commit('g', 3),
});
process.exit(0);

/** Until it fails, or `limit` times. */
async function remember(prefix: string, limit: number) {
  const kept: string[] = [];
  for (let n = 0; limit === 0 || n < limit; n++) {
    const source = [`${prefix}${n} ${'x'.repeat(500)}`];
    const entry = {
      recipe: 'r' as RecipeKey,
      source,
      translation: source,
      request: `${n}`,
      at: '',
    };
    try {
      const memory = await memories.open('app', DE);
      await memory.remember([entry]);
      kept.push(...source);
    } catch (error) {
      return { kept, failure: failureOf(error).kind };
    }
  }
  return { kept };
}

async function commit(prefix: string, limit: number) {
  const kept: string[] = [];
  for (let n = 0; limit === 0 || n < limit; n++) {
    const id = `${prefix}${n} ${'x'.repeat(500)}`;
    try {
      const put = { id, kind: 'spool', value: n } as const;
      await ledger.commit([{ table: 'remotes', put, from: undefined }]);
      kept.push(id);
    } catch (error) {
      return { kept, failure: failureOf(error).kind };
    }
  }
  return { kept };
}

function report(when: string, said: object): void {
  process.stdout.write(`${JSON.stringify({ when, ...said })}\n`);
}
