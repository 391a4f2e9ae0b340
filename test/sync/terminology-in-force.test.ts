/** What is known of glossaries while a daemon runs: faults, failed syncs and differences, each as long as it is so. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { DOCUMENTED } from '../../src/config/capabilities.ts';
import { parseConfig } from '../../src/config/parse.ts';
import { type Event, Events } from '../../src/event.ts';
import { openLedger } from '../../src/state/json-ledger.ts';
import { TerminologyInForce } from '../../src/sync/terminology-in-force.ts';
import { loadTerminology } from '../../src/terminology/load-project-terms.ts';
import { manualClock } from '../manual-clock.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { remote } from './rig.ts';

const there = remote();

/** A glossary of the name, on the service and in a file that tests change. */
async function inForceOf(name: string, terms = 'cart,Wagen\n') {
  const folder = await temporaryFolder();
  const write = (content: string) => writeFileSync(join(folder, 'en-de.csv'), content);
  write(terms);
  const glossary = `{ name: ${name}, csv: "en-{locale}.csv" }`;
  const setup = parseConfig(
    `version: 1
service: { url: "${there.sandbox.url}" }
projects:
  app:
    source: en
    targets: [de]
    settle_ms: 0
    glossary: ${glossary}
    routes: [{ from: "{locale}/*.json" }]
`,
    { file: join(folder, 'dragoman.yaml'), env: {} },
  );
  if (setup.faults !== undefined) throw new Error(JSON.stringify(setup.faults));
  const clock = manualClock();
  const ledger = await openLedger({ folder: join(folder, '.dragoman'), clock });
  onTestFinished(() => ledger[Symbol.asyncDispose]());
  const events = new Events();
  const heard: Event['kind'][] = [];
  events.subscribe(({ kind }) => void heard.push(kind));
  const { service } = there;
  const languageSupport = { capabilities: DOCUMENTED };
  const options = { inForce: setup, service, ledger, clock, events, languageSupport };
  const terminology = new TerminologyInForce(options, await loadTerminology(setup.config));
  const [need] = terminology.remote.needs();
  if (need === undefined) throw new Error('no glossary');
  return { terminology, heard, write, clock, need: need.need };
}

/** Runs the watch; `look` lets it look at the files as often as they need to settle. */
function watching({ terminology, clock }: Awaited<ReturnType<typeof inForceOf>>) {
  const end = new AbortController();
  const watch = terminology.watch(async (_changed, putInForce) => putInForce(), end.signal);
  onTestFinished(async () => {
    end.abort();
    await watch;
  });
  return async (isThere: () => boolean) => {
    while (!isThere()) {
      await clock.pass(1000);
      // The files are read from the disk meanwhile.
      await setImmediate();
    }
  };
}

test('a file that changed after it was read and before the watch began is read again', async () => {
  const opened = await inForceOf('before');
  const { write, heard } = opened;
  write('cart,Korb\n');
  const until = watching(opened);
  await until(() => heard.includes('rules-changed'));
  expect(heard).toEqual(['rules-changed']);
});

test('a fault of a file is over when the file has its earlier content again', async () => {
  const opened = await inForceOf('again');
  const until = watching(opened);
  const { terminology, write } = opened;
  expect(terminology.faults).toEqual([]);
  write('cart\n');
  await until(() => terminology.faults.length > 0);
  expect(terminology.faults).toEqual([expect.stringContaining('en-de.csv:1:1')]);
  write('cart,Wagen\n');
  await until(() => terminology.refused.length === 0);
  expect(terminology.faults).toEqual([]);
});

test('a failed sync is reported until a job has made the service equal to the file', async () => {
  const { terminology, need } = await inForceOf('failed');
  const broken = { ...need, makeEqual: () => Promise.reject(new Error('the service is away')) };
  await expect(terminology.remote.makeEqual(broken)).rejects.toThrow();
  expect(terminology.behind()).toHaveLength(1);
  // The file itself is in order.
  expect(terminology.faults).toEqual([]);
  await terminology.remote.makeEqual(need);
  expect(terminology.behind()).toEqual([]);
});

test('pairs are shown as they were last compared, and only those of the file in force', async () => {
  const opened = await inForceOf('compared');
  const until = watching(opened);
  const { terminology, need, heard, write } = opened;
  const { glossaries } = terminology.remote;
  const file = { kind: 'glossary', file: need.key.file } as const;
  expect(terminology.remote.isDifferent(file)).toBeUndefined();
  await terminology.remote.makeEqual(need);
  expect(heard).toContain('glossary-compared');
  expect(glossaries.compared).toEqual([{ project: 'app', pair: 'en-de', differs: false }]);
  expect(terminology.remote.isDifferent(file)).toBe(false);
  write('source,target\n');
  await until(() => glossaries.compared.length === 0);
});
