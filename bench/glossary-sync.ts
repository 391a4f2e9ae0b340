/**
 * The cost of a glossary of 100,000 terms: to read, compare and send it, and to find its terms in texts. Printed; `--smoke`: a twentieth of
 * it.
 */
import { allSteps, systemClock } from '../src/clock.ts';
import type { LanguageTag } from '../src/language.ts';
import { startSandbox } from '../src/sandbox/server.ts';
import type { TermDictionary } from '../src/segments/dictionary.ts';
import { TermIndex } from '../src/segments/terms.ts';
import { connect } from '../src/service/client.ts';
import { pairsOutOfStep, syncGlossary } from '../src/sync/glossary-sync.ts';
import { differencesIn } from '../src/terminology/diff.ts';
import { readGlossary } from '../src/terminology/read.ts';

const TERMS = process.argv.includes('--smoke') ? 5_000 : 100_000;
const TEXTS = 10_000;
const PAIR = { source: 'en' as LanguageTag, target: 'de' as LanguageTag };
const NAME = 'bench';

const rows = Array.from(
  { length: TERMS },
  (_, n) => `"term number ${n}","Begriff Nummer ${n}"\r\n`,
);
const bytes = Buffer.from(`\uFEFFen,de\r\n${rows.join('')}`);
const expected = { source: PAIR.source, targets: [PAIR.target] };

await using sandbox = await startSandbox();
await using service = connect({ url: sandbox.url, key: sandbox.key });
const log = { id: undefined, obsolete: [], begin: async () => {} };
const parts = { service, clock: systemClock, log };

const dictionary = await timed(`read ${(bytes.length / 1e6).toFixed(1)} MB of CSV`, () => {
  const [first] = readGlossary([{ file: 'terms.csv', bytes, expected }]).dictionaries;
  if (first?.entries.size !== TERMS) throw new Error('terms were lost');
  return first;
});
await timed('compare with an equal one', () =>
  allSteps(
    differencesIn('mirror', [dictionary], [{ ...PAIR, entries: new Map(dictionary.entries) }]),
  ),
);
const index = new TermIndex(dictionary.entries);
await timed('index', () => index.prepare());
await timed(`look for terms in ${TEXTS} texts`, () => {
  for (let n = 0; n < TEXTS; n++)
    index.signature(`Open term number ${n} and close term number ${n + 1}`);
});
const { id } = await timed('push', () => sync(dictionary));
await timed('find that nothing changed', () =>
  pairsOutOfStep({ service }, { dictionaries: [dictionary], mode: 'mirror' }, id),
);
const more = { ...PAIR, entries: new Map([...dictionary.entries, ['one more', 'noch einer']]) };
await timed('push one more term', () => sync(more));
await timed('push one term less', () => sync(dictionary));

async function sync(wanted: TermDictionary) {
  const content = {
    ...({ name: NAME, mode: 'mirror' } as const),
    ...{ dictionaries: [wanted], emptied: new Set<string>() },
  };
  return await syncGlossary(parts, content);
}

async function timed<T>(what: string, act: () => T | Promise<T>): Promise<T> {
  const began = performance.now();
  const result = await act();
  console.log(`${what}: ${(performance.now() - began).toFixed(0)} ms`);
  return result;
}
