/** Sources whose language is not known: left to the service, or asked for and routed by the answer. */
import { once } from 'node:events';
import { expect, test } from 'vitest';
import type { Clock } from '../../src/clock.ts';
import { jobId } from '../../src/job.ts';
import type { LanguageTag } from '../../src/language.ts';
import type { JobRecord, Ledger } from '../../src/ledger.ts';
import { connect } from '../../src/service/client.ts';
import { billed, requests } from '../counts.ts';
import { daemonHere } from '../daemon-here.ts';
import { Rig } from '../rig.ts';
import { until } from '../until.ts';

const config = (more: string) => `
defaults: { settle_ms: 100 }
projects:
  mail:
    source: auto
    targets: [de, fr]
    ${more}
    routes:
      - { from: "in/**/*.txt", to: "out/{locale}/{dir}/{name}.{ext}", lane: text }
`;
const ENGLISH = 'The letter is about the boat, and it is for the harbour master.\n';
const GERMAN = 'Der Brief ist über das Boot, und er ist für den Hafenmeister.\n';

test('without detection the service finds the language by itself', async () => {
  await using rig = await Rig.start({ config: config(''), files: { 'in/a.txt': ENGLISH } });
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 2 });
  expect(requests(rig, 'POST /v3/detect/language')).toBe(0);
});

test('a detected language is asked for once, and nothing is translated into itself', async () => {
  await using rig = await Rig.start({
    config: config('detect: true'),
    files: { 'in/en.txt': ENGLISH, 'in/de.txt': GERMAN },
  });
  expect(await rig.once()).toMatchObject({ code: 0, held: [], failed: [] });
  expect(requests(rig, 'POST /v3/detect/language')).toBe(2);
  expect(rig.read('out/fr/de.txt')).toMatch(/^\[fr /);
  expect(rig.exists('out/de/de.txt')).toBe(false);
  expect(rig.read('out/de/en.txt')).toMatch(/^\[de /);
  expect(billed(rig)).toBe(2 * (ENGLISH.length - 1) + GERMAN.length - 1);
  const sources = rig.sandbox.log().flatMap(({ source_lang }) => source_lang ?? []);
  expect(new Set(sources)).toEqual(new Set(['en', 'de']));
  expect(await rig.once()).toMatchObject({ requests: 0 });
});

test('a job into the detected language is removed and bills nothing, where another daemon detected it', async () => {
  await using rig = await Rig.start({
    config: config('detect: true'),
    files: { 'in/de.txt': GERMAN },
  });
  await rig.once();
  const before = billed(rig);
  const { daemon, heard } = await daemonHere(rig);
  await using _ = daemon;
  const ending = new AbortController();
  const ended = daemon.run({ drain: ending.signal, abort: new AbortController().signal });
  await until(() => heard.includes('started'));
  const ledger = daemon.ledger as Ledger;
  const french = [...ledger.all('jobs')].find((job) => job.language === 'fr') as JobRecord;
  const language = 'de' as LanguageTag;
  const id = jobId('mail', language, 'in/de.txt');
  const add: JobRecord = {
    ...{ ...french, id, language, targets: { file: 'out/de/de.txt' } },
    ...{ state: { kind: 'queued' }, wrote: [], delivered: null },
  };
  // The job that asked for the language is there still.
  if (ledger.get('jobs', id) === undefined) await ledger.commit([{ table: 'jobs', add }]);
  daemon.runner.offer([id]);
  const isOpen = (job?: JobRecord) => job?.state.kind === 'queued' || job?.state.kind === 'running';
  await until(() => !isOpen(ledger.get('jobs', id)));
  expect(ledger.get('jobs', id)).toBeUndefined();
  expect([billed(rig), rig.exists('out/de/de.txt')]).toEqual([before, false]);
  ending.abort(new Error('the test ends'));
  await ended;
});

test('a language that has variants is not converted into itself either', async () => {
  await using rig = await Rig.start({
    config: config('detect: true').replace(/targets: .*/, 'targets: [en, en-GB, de]'),
    files: { 'in/en.txt': ENGLISH },
  });
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 2 });
  expect(rig.exists('out/en/en.txt')).toBe(false);
  expect(rig.exists('out/en-GB/en.txt')).toBe(true);
  expect(requests(rig, 'POST /v2/write/rephrase')).toBe(1);
  const { jobs } = JSON.parse((await rig.run('status', '--json')).stdout);
  expect(jobs).toMatchObject({ queued: 0, done: 2 });
});

test('a detected language lets a glossary be used', async () => {
  await using rig = await Rig.start({ config: config(''), files: { 'in/en.txt': ENGLISH } });
  await using service = connect({ url: rig.sandbox.url, key: rig.sandbox.key });
  const { glossary_id } = await service.glossaries.create({
    name: 'mail',
    dictionaries: [
      { source_lang: 'en', target_lang: 'de', entries: 'boat\tKahn', entries_format: 'tsv' },
    ],
  });
  const text = rig.read('dragoman.yaml');
  rig.write(
    'dragoman.yaml',
    text.replace('targets:', `detect: true\n    glossary: { id: ${glossary_id} }\n    targets:`),
  );
  await rig.once();
  expect(rig.read('out/de/en.txt')).toContain('‹Kahn›');
  expect(rig.read('out/fr/en.txt')).not.toContain('‹');
});

test('a file whose language the service cannot detect is held, asked about once, and reported', async () => {
  await using rig = await Rig.start({
    config: config('detect: true'),
    files: { 'in/a.txt': 'Xyzzy plugh\n' },
  });
  const { held, code } = await rig.once();
  expect(code).toBe(2);
  expect(held).toHaveLength(2);
  expect(held[0]?.reason).toMatch(/cannot tell its language \((insufficient|no_language|unsupp)/);
  await rig.once();
  expect(requests(rig, 'POST /v3/detect/language')).toBe(1);
  expect(requests(rig, 'POST /v2/translate')).toBe(0);
});

test('an account without detection gets the name of the feature that it lacks', async () => {
  await using rig = await Rig.start({
    config: config('detect: true'),
    files: { 'in/a.txt': ENGLISH },
    sandbox: {
      faults: [
        { kind: 'status', status: 403, operation: 'POST /v3/detect/language', times: 'always' },
      ],
    },
  });
  const { failed } = await rig.once();
  expect(failed[0]?.reason).toContain('may not use POST /v3/detect/language');
  expect(requests(rig, 'POST /v2/translate')).toBe(0);
});

test('a daemon goes on by itself when the language is known', async () => {
  await using rig = await Rig.start({ config: config('detect: true') });
  const daemon = await rig.daemon();
  rig.write('in/de.txt', GERMAN);
  await daemon.logged(({ msg }) => msg?.includes('wrote out/fr/de.txt') === true);
  expect(rig.exists('out/de/de.txt')).toBe(false);
  expect(await daemon.stop()).toBe(0);
});

test('a glossary file beside detection is refused with its place', async () => {
  await using rig = await Rig.start({
    config: config('detect: true\n    glossary: { name: mail, csv: terms.csv }'),
  });
  const { code, stdout } = await rig.run('check');
  expect(code).toBe(78);
  expect(stdout).toMatch(
    /dragoman\.yaml:12:34 projects\.mail\.glossary\.csv: a file is read for one source/,
  );
});

const DETECT = 'POST /v3/detect/language';
const SAMPLE = ENGLISH.trimEnd().length;

/** What the books have beside the translations: the sandbox has no bill for detection. */
async function booked(rig: Rig): Promise<{ detected: number; possibly: number }> {
  const books = JSON.parse((await rig.run('usage', '--json')).stdout);
  const detected = books.billed_characters - billed(rig);
  return { detected, possibly: books.possibly_billed_twice };
}

test('an answer about a language that is lost is in the books, and asked for once more', async () => {
  await using rig = await Rig.start({
    config: config('detect: true'),
    files: { 'in/a.txt': ENGLISH },
    sandbox: { faults: [{ kind: 'no_answer', operation: DETECT, times: 1 }] },
  });
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 2 });
  expect(requests(rig, DETECT)).toBe(2);
  expect(await booked(rig)).toEqual({ detected: SAMPLE, possibly: SAMPLE });
});

test('a language whose answers are all lost fails its file, and each is in the books', async () => {
  await using rig = await Rig.start({
    config: config('detect: true'),
    files: { 'in/a.txt': ENGLISH },
    sandbox: { faults: [{ kind: 'no_answer', operation: DETECT, times: 'always' }] },
  });
  const { code, failed } = await rig.once();
  expect(code).toBe(1);
  expect(failed[0]?.reason).toContain(`no answer to ${DETECT}`);
  const possibly = requests(rig, DETECT) * SAMPLE;
  expect(possibly).toBeGreaterThan(0);
  expect(await booked(rig)).toEqual({ detected: 0, possibly });
});

test('a run that is killed while a language is asked for has the request in its books', async () => {
  const answer = Promise.withResolvers<void>();
  let waiting = 0;
  const sleep = async () => {
    waiting += 1;
    await answer.promise;
  };
  const clock: Clock = { now: () => Date.now(), sleep };
  const late = { kind: 'latency', ms: 1, operation: DETECT, times: 1 } as const;
  await using rig = await Rig.start({
    config: config('detect: true'),
    files: { 'in/a.txt': ENGLISH },
    sandbox: { clock, faults: [late] },
  });
  const child = rig.spawn('once');
  await expect.poll(() => waiting).toBe(1);
  child.kill('SIGKILL');
  await once(child, 'close');
  answer.resolve();
  expect(await rig.once()).toMatchObject({ code: 0 });
  expect(await booked(rig)).toEqual({ detected: SAMPLE, possibly: SAMPLE });
});
