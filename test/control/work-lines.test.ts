/** The lines of the page about work in progress, delivered targets, and the changes of a run. */
import { expect, test } from 'vitest';
import { changedLines } from '../../src/control/change.ts';
import { deliveredLines, workLines } from '../../src/control/work-lines.ts';
import { type Fingerprint, jobId } from '../../src/job.ts';
import { parseLanguage } from '../../src/language.ts';
import type { JobRecord } from '../../src/ledger.ts';
import { LanePace } from '../../src/page/pace.ts';
import { timed } from '../../src/page/snapshot.ts';
import { manualClock } from '../manual-clock.ts';

function job(source: string, code: string, state: JobRecord['state']): JobRecord {
  const language = parseLanguage(code) ?? expect.unreachable();
  return {
    ...{ id: jobId('app', language, source), project: 'app', lane: 'text', source, language },
    ...{ targets: { file: `${code}/${source}` }, fingerprint: 'f' as Fingerprint, state, fence: 1 },
    ...{ wrote: [], delivered: null, estimate: 0 },
  };
}

const RUNNING: JobRecord['state'] = { kind: 'running', attempt: 1, step: { kind: 'started' } };
const done = (at: string): JobRecord['state'] => ({ kind: 'done', at });

test('work in progress is a line for each file, with how many of its languages are done', () => {
  const jobs = [
    job('a.json', 'de', RUNNING),
    job('a.json', 'fr', { kind: 'queued' }),
    job('b.json', 'de', RUNNING),
    job('b.json', 'fr', { ...RUNNING, attempt: 2 }),
    job('b.json', 'ja', done('2026-11-20T11:00:00Z')),
    job('c.json', 'de', { kind: 'queued' }),
  ];
  expect(workLines(jobs)).toEqual({
    total: 2,
    lines: [
      {
        ...{ project: 'app', source: 'b.json', lane: 'text', languages: { done: 1, total: 3 } },
        beside: 2,
        running: [
          { language: 'de', phase: 'working', attempt: 1 },
          { language: 'fr', phase: 'working', attempt: 2 },
        ],
      },
      {
        ...{ project: 'app', source: 'a.json', lane: 'text', languages: { done: 0, total: 2 } },
        beside: 2,
        running: [{ language: 'de', phase: 'working', attempt: 1 }],
      },
    ],
  });
});

test('the time left of a file shares the pace of its lane with all files in progress, also those that are not shown', () => {
  const jobs = Array.from({ length: 30 }, (_, index) => `${index}.json`).flatMap((source) =>
    ['de', 'fr'].map((code) => job(source, code, RUNNING)),
  );
  const page = { ...job('page.pdf', 'de', RUNNING), lane: 'document' as const };
  const { lines, total } = workLines([...jobs, page]);
  expect([lines.length < total, total]).toEqual([true, 31]);
  const pace = { secondsFor: (_: unknown, open: number) => open };
  const { lines: shown } = timed({ lines, total }, pace);
  expect(new Set(shown.map(({ seconds_left }) => seconds_left))).toEqual(new Set([60]));
  expect(timed(workLines([jobs.slice(0, 2), page].flat()), pace).lines).toMatchObject([
    { source: '0.json', seconds_left: 2 },
    { source: 'page.pdf', seconds_left: 1 },
  ]);
});

test('the newest deliveries come first, and no more than a few of them', () => {
  const jobs = Array.from({ length: 20 }, (_, index) =>
    job(`${index}.json`, 'de', done(`2026-11-20T11:${String(((index * 7) % 20) + 10)}:00Z`)),
  );
  const lines = deliveredLines(jobs, () => '/root');
  expect(lines.map(({ at }) => at.slice(14, 16))).toEqual(
    [29, 28, 27, 26, 25, 24, 23, 22].map(String),
  );
  expect(lines[0]).toMatchObject({ language: 'de', file: expect.stringMatching('^/root/de/') });
});

test('a change shows the lines that changed with those around them', () => {
  const before = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const now = ['a', 'b', 'c', 'd', 'E', 'f', 'g', 'h'];
  const shown = changedLines(before, now).map(({ kind, text }) => `${kind} ${text}`);
  expect(shown).toEqual([
    ...['same c', 'same d', 'removed e', 'added E', 'same f', 'same g', 'added h'],
  ]);
  expect(changedLines(before, before)).toEqual([]);
  expect(changedLines([], ['a'])).toEqual([{ kind: 'added', text: 'a' }]);
});

test('the remaining time follows from the pace of the last files, and is unknown where too few were done lately', async () => {
  const clock = manualClock();
  const pace = new LanePace(clock);
  const deliver = () =>
    pace.listener({
      ...{ kind: 'job-delivered', wrote: [], durationMs: 1, project: 'app', lane: 'text' },
      ...{ source: 'a.json', language: job('a.json', 'de', RUNNING).language },
      job: job('a.json', 'de', RUNNING).id,
    });
  for (let count = 0; count < 3; count++) deliver();
  expect(pace.secondsFor('text', 10)).toBeNull();
  await clock.pass(6000);
  deliver();
  expect(pace.secondsFor('text', 10)).toBe(20);
  expect(pace.secondsFor('voice', 10)).toBeNull();
  await clock.pass(700_000);
  expect(pace.secondsFor('text', 10)).toBeNull();
});
