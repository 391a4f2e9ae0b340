/** Reports on films: made once for each written target, and not again beside a job that works on it. */
import { expect, onTestFinished, test } from 'vitest';
import type { SegmentRecord } from '../../src/baseline.ts';
import { filmReport } from '../../src/control/subtitles.ts';
import type { Fingerprint, JobState, RecipeKey } from '../../src/job.ts';
import { jobId } from '../../src/job.ts';
import { parseLanguage } from '../../src/language.ts';
import type { JobRecord, Written } from '../../src/ledger.ts';
import { openBaselines } from '../../src/state/baseline.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const GERMAN = parseLanguage('de') as NonNullable<ReturnType<typeof parseLanguage>>;
const PATH = 'film.srt';
const HASH = 'a'.repeat(64) as Written['hash'];

const cue = (id: string): SegmentRecord => ({
  ...{
    id,
    source: 'Hello',
    target: ['Hallo'],
    origin: 'machine',
    state: 'ok',
  },
  cue: { timing: '00:00:01,000 --> 00:00:02,000', notes: [] },
});

async function written(cues: number) {
  const baselines = openBaselines(await temporaryFolder());
  onTestFinished(() => baselines[Symbol.asyncDispose]());
  const key = { project: 'p', language: GERMAN, path: PATH };
  const record = async (count: number) => {
    const segments = Array.from({ length: count }, (_, nth) => cue(String(nth)));
    const of = { segments, targetHash: HASH, recipe: 'r' as RecipeKey, at: '2026-01-01T00:00:00Z' };
    await baselines.of(key, HASH).prepare(of, null);
  };
  await record(cues);
  const route = { subtitles: { lines: 2 } };
  const planner = { routeOf: () => route, project: () => ({ source: 'en' }) };
  const options = { baselines, inForce: { planner } } as unknown as Parameters<
    typeof filmReport
  >[0];
  const job = (wrote: readonly Written[], kind: JobState['kind']) =>
    ({
      ...{ id: jobId('p', GERMAN, PATH), project: 'p', source: PATH, language: GERMAN },
      ...{ lane: 'subtitle', fingerprint: 'f' as Fingerprint, wrote, state: { kind } },
    }) as unknown as JobRecord;
  const cuesOf = async (of: JobRecord) => (await filmReport(options, of))?.cues;
  return { record, job, cuesOf };
}

test('while a job is open, the report describes the earlier target', async () => {
  const { record, job, cuesOf } = await written(2);
  const wrote = [{ path: PATH, hash: HASH }] as unknown as readonly Written[];
  expect(await cuesOf(job(wrote, 'done'))).toBe(2);
  await record(3);
  for (const kind of ['queued', 'running'] as const) expect(await cuesOf(job(wrote, kind))).toBe(2);
  expect(await cuesOf(job(wrote, 'held'))).toBe(3);
});

test('a target that was written again has a new report', async () => {
  const { record, job, cuesOf } = await written(2);
  const wrote = () => [{ path: PATH, hash: HASH }] as unknown as readonly Written[];
  expect(await cuesOf(job(wrote(), 'done'))).toBe(2);
  await record(3);
  expect(await cuesOf(job(wrote(), 'running'))).toBe(3);
});
