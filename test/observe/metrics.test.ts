/** `/metrics`, read back with a parser of the format that is not ours. */
import parseMetrics from 'parse-prometheus-text-format';
import { expect, test } from 'vitest';
import type { Event } from '../../src/event.ts';
import { type Fingerprint, jobId } from '../../src/job.ts';
import { parseLanguage } from '../../src/language.ts';
import type { Charge, JobRecord } from '../../src/ledger.ts';
import { exposition } from '../../src/observe/metrics/exposition.ts';
import { ProcessFigures } from '../../src/observe/metrics/process.ts';
import { Metrics } from '../../src/observe/metrics.ts';
import { LedgerBooks } from '../../src/state/books/ledger-books.ts';
import { openLedger } from '../../src/state/json-ledger.ts';
import type { ComparedPair } from '../../src/sync/glossaries.ts';
import { manualClock } from '../manual-clock.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { until } from '../until.ts';

const DE = parseLanguage('de') ?? expect.unreachable();
const OF_JOB = {
  job: jobId('app', DE, 'secret-plans.json'),
  project: 'app',
  lane: 'text',
  source: 'secret-plans.json',
  language: DE,
} as const;

interface Found {
  readonly configFaults: readonly string[];
  readonly compared: readonly ComparedPair[];
  readonly isReported: (job: JobRecord) => boolean;
}

async function metricsOf(
  events: readonly Event[],
  records: readonly JobRecord[] = [],
  { configFaults = [], compared = [], isReported = () => true }: Partial<Found> = {},
) {
  const clock = manualClock(Date.parse('2026-11-20T12:00:00Z'));
  await using ledger = await openLedger({ folder: await temporaryFolder(), clock });
  await ledger.commit([
    ...records.map((add) => ({ table: 'jobs', add }) as const),
    { table: 'charges', put: charge('a', 'billed', 120) },
    { table: 'charges', put: charge('b', 'counted', 30) },
    { table: 'charges', put: charge('c', 'possibly-twice', 999) },
  ]);
  using metrics = new Metrics({
    daemon: {
      ...{ ledger, books: new LedgerBooks(ledger), condition: { configFaults } },
      terminology: { remote: { glossaries: { compared } } },
      answers: { isReported },
    },
    clock,
    version: '1.2.3',
    account: { look: () => ({ character_count: 900, character_limit: 1000 }) },
    reviews: {
      look: () => [
        {
          ...{ project: 'app', language: 'de', check: 'off', asked: 0 },
          counts: { missing: 1, stale: 0, held: 0, unreviewed: 4, reviewed: 2, done: 0 },
        },
      ],
    },
  });
  for (const event of events) metrics.listener(event);
  await clock.pass(5000);
  return await metrics.render();
}

function charge(id: string, kind: Charge['kind'], characters: number): Charge {
  const at = '2026-11-20T11:00:00Z';
  return {
    ...{ id, kind, characters, at, job: OF_JOB.job, project: 'app', lane: 'text' },
    language: DE,
    estimated: characters,
  };
}

function record(state: JobRecord['state']): JobRecord {
  return {
    ...{ id: OF_JOB.job, project: 'app', lane: 'text', language: DE, fence: 1, estimate: 0 },
    source: OF_JOB.source,
    targets: { file: 'x.json' },
    fingerprint: 'f' as Fingerprint,
    state,
    wrote: [],
    delivered: null,
  };
}

/** Samples of one family as `labels value`, as the foreign parser read them. */
function read(text: string, name: string) {
  return parseMetrics(text).find((family) => family.name === name)?.metrics;
}

test('every family has a name, a help and a type that the format allows', async () => {
  const families = parseMetrics(await metricsOf([]));
  expect(families.length).toBeGreaterThan(15);
  for (const { name, help, type } of families) {
    expect(name).toMatch(/^(dragoman|process|nodejs)_[a-z_]+$/);
    expect(help).toMatch(/^\S.*[a-z0-9)]\.$/);
    expect(['COUNTER', 'GAUGE', 'HISTOGRAM', 'SUMMARY']).toContain(type);
  }
});

test('jobs are counted by state, and states without jobs are there as 0', async () => {
  const text = await metricsOf([], [record({ kind: 'done', at: '2026-11-20T11:59:00Z' })]);
  const jobs = read(text, 'dragoman_jobs');
  const of = (state: string) => ({ labels: { project: 'app', lane: 'text', state } });
  expect(jobs).toContainEqual({ ...of('done'), value: '1' });
  expect(jobs).toContainEqual({ ...of('failed'), value: '0' });
  expect(read(text, 'dragoman_last_success_timestamp_seconds')).toEqual([
    { value: String(Date.parse('2026-11-20T11:59:00Z') / 1000) },
  ]);
});

test('jobs that status does not count are not counted, and do not wait; their series goes on with 0', async () => {
  const queued = record({ kind: 'queued' });
  const event: Event = { kind: 'job-queued', ...OF_JOB };
  const text = await metricsOf([event], [queued], { isReported: () => false });
  const labels = { project: 'app', lane: 'text', state: 'queued' };
  expect(read(text, 'dragoman_jobs')).toContainEqual({ labels, value: '0' });
  expect(read(text, 'dragoman_queue_oldest_age_seconds')).toEqual([{ value: '0' }]);
});

test('texts are counted by state', async () => {
  const text = read(await metricsOf([]), 'dragoman_segments');
  const of = (state: string) => ({ labels: { project: 'app', language: 'de', state } });
  expect(text).toHaveLength(6);
  expect(text).toContainEqual({ ...of('unreviewed'), value: '4' });
  expect(text).toContainEqual({ ...of('done'), value: '0' });
});

test('billed characters come from the books, without those that were possibly billed twice', async () => {
  expect(read(await metricsOf([]), 'dragoman_billed_characters_total')).toEqual([
    { labels: { project: 'app', lane: 'text', language: 'de' }, value: '150' },
  ]);
});

test('the age of the queue is that of the job that waits longest', async () => {
  const text = await metricsOf([{ kind: 'job-queued', ...OF_JOB }], [record({ kind: 'queued' })]);
  expect(read(text, 'dragoman_queue_oldest_age_seconds')).toEqual([{ value: '5' }]);
});

test('ended runs count by result, and their durations fill buckets', async () => {
  const text = await metricsOf([
    { kind: 'job-started', attempt: 1, ...OF_JOB },
    { kind: 'job-delivered', wrote: [], durationMs: 700, ...OF_JOB },
    { kind: 'job-failed', failure: { kind: 'internal', message: 'x' }, ...OF_JOB },
  ]);
  const labels = { project: 'app', lane: 'text', language: 'de' };
  expect(read(text, 'dragoman_jobs_completed_total')).toEqual([
    { labels: { ...labels, result: 'delivered' }, value: '1' },
    { labels: { ...labels, result: 'failed' }, value: '1' },
  ]);
  const [duration] = read(text, 'dragoman_job_duration_seconds') ?? [];
  expect(duration?.buckets).toMatchObject({ '0.5': '0', '1': '1', '+Inf': '1' });
  expect(text).toContain('dragoman_job_duration_seconds_sum{lane="text"} 0.7\n');
  expect(text).toContain('dragoman_job_duration_seconds_count{lane="text"} 1\n');
});

test('requests, retries and waits of the service are counted', async () => {
  const operation = 'POST /v2/translate';
  const throttled = { kind: 'throttled', status: 429, operation } as const;
  const text = await metricsOf([
    { kind: 'request', operation, status: 429, durationMs: 20 },
    { kind: 'throttled', operation, waitMs: 1500 },
    { kind: 'request-repeated', operation, failure: throttled, inMs: 1500 },
    { kind: 'request', operation, status: 'lost', durationMs: 20 },
  ]);
  expect(read(text, 'dragoman_api_requests_total')).toEqual([
    { labels: { operation, status: '429' }, value: '1' },
    { labels: { operation, status: 'lost' }, value: '1' },
  ]);
  expect(read(text, 'dragoman_api_retries_total')).toEqual([
    { labels: { reason: 'throttled' }, value: '1' },
  ]);
  expect(read(text, 'dragoman_throttled_seconds_total')).toEqual([{ value: '1.5' }]);
});

test('quota, drift, reload and build have metrics', async () => {
  const compared = [{ project: 'app', pair: 'en-de', differs: true }];
  const text = await metricsOf([], [], { compared, configFaults: ['dragoman.yaml:1:1 nonsense'] });
  expect(read(text, 'dragoman_quota_characters')).toEqual([
    { labels: { type: 'used' }, value: '900' },
    { labels: { type: 'limit' }, value: '1000' },
  ]);
  expect(read(text, 'dragoman_glossary_drift')).toEqual([
    { labels: { project: 'app', pair: 'en-de' }, value: '1' },
  ]);
  expect(read(text, 'dragoman_config_reload_success')).toEqual([{ value: '0' }]);
  expect(read(text, 'dragoman_build_info')).toMatchObject([{ labels: { version: '1.2.3' } }]);
});

test('no file name is in the metrics', async () => {
  const text = await metricsOf([{ kind: 'job-queued', ...OF_JOB }], [record({ kind: 'queued' })]);
  expect(text).not.toContain('secret-plans');
});

test('label values with quotes, backslashes and line ends are read back as they were', () => {
  const odd = 'a"b\\c\nd';
  const samples = [{ labels: { odd }, value: Number.POSITIVE_INFINITY }];
  const text = exposition([{ name: 'x', help: 'Odd.', type: 'gauge', samples }]);
  expect(parseMetrics(text)).toMatchObject([{ metrics: [{ labels: { odd }, value: '+Inf' }] }]);
});

test('names and units are as the guidelines of Prometheus want them', async () => {
  const text = await metricsOf([]);
  for (const { name, type } of parseMetrics(text)) {
    expect(name.endsWith('_total')).toBe(type === 'COUNTER');
    expect(name).not.toMatch(/_(ms|milliseconds|minutes|kb|percent|count|sum|bucket)(_|$)/);
    expect(name).not.toMatch(/gauge|counter|summary|histogram/);
  }
  expect(text.endsWith('\n')).toBe(true);
  const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
  expect(new Set(names).size).toBe(names.length);
});

test('results that have not occurred yet are exported as 0, as soon as a job waits', async () => {
  const text = await metricsOf([{ kind: 'job-queued', ...OF_JOB }]);
  const results = read(text, 'dragoman_jobs_completed_total')?.map(({ value }) => value);
  expect(results).toEqual(['0', '0', '0', '0']);
});

test('a hundred thousand jobs and requests make no more series than there are kinds of them', async () => {
  const events = Array.from({ length: 20_000 }, (_, nth): Event[] => {
    const of = { ...OF_JOB, job: jobId('app', DE, `${nth}.json`), source: `${nth}.json` };
    return [
      { kind: 'job-queued', ...of },
      { kind: 'job-started', attempt: 1, ...of },
      { kind: 'job-delivered', wrote: [], durationMs: nth, ...of },
      { kind: 'request', operation: 'POST /v2/translate', status: 200, durationMs: nth },
    ];
  });
  const lines = (await metricsOf(events.flat())).split('\n');
  expect(lines.length).toBeLessThan(120);
});

test('counts of the event loop only rise, while its quantiles forget', async () => {
  const clock = manualClock();
  using figures = new ProcessFigures(clock);
  const count = () =>
    figures.families()[0]?.samples.find(({ suffix }) => suffix === '_count')?.value ?? 0;
  let before = 0;
  for (let nth = 0; nth < 4; nth++) {
    await until(() => count() > before);
    before = count();
    await clock.pass(600_000);
    expect(count()).toBeGreaterThanOrEqual(before);
  }
});
