/** Jobs that a person decides together. */
import { expect, test } from 'vitest';
import { attentionFor } from '../../src/control/attention.ts';
import { daemonsOf, nextStepOfTask, reasonOfTask, taskKey } from '../../src/control/tasks.ts';
import type { Failure } from '../../src/failure.ts';
import { type Fingerprint, type Hold, jobId } from '../../src/job.ts';
import { parseLanguage } from '../../src/language.ts';
import type { JobRecord } from '../../src/ledger.ts';

const AT = '2026-11-20T11:00:00Z';

function job(source: string, code: string, state: JobRecord['state']): JobRecord {
  const language = parseLanguage(code) ?? expect.unreachable();
  return {
    ...{ id: jobId('app', language, source), project: 'app', lane: 'text', source, language },
    ...{ targets: { file: source }, fingerprint: 'f' as Fingerprint, state, fence: 1 },
    ...{ wrote: [], delivered: null, estimate: 0 },
  };
}

const held = (source: string, code: string, hold: Hold) =>
  job(source, code, { kind: 'held', at: AT, hold });
const failed = (source: string, code: string, failure: Failure) =>
  job(source, code, { kind: 'failed', at: AT, attempts: 1, failure });
const budget = (needs: number, scope: 'run' | 'file' = 'run'): Hold => ({
  ...{ kind: 'budget', scope, needs, left: 100 - needs },
});

const tasksIn = (jobs: readonly JobRecord[]) => new Set(jobs.map(taskKey)).size;

test('everything that one budget holds is one task, and says what all of it needs', () => {
  const jobs = [
    held('a.json', 'de', budget(10)),
    held('a.json', 'fr', budget(20)),
    held('b.json', 'de', budget(30)),
  ];
  expect(tasksIn(jobs)).toBe(1);
  expect(reasonOfTask(jobs, 'x')).toBe(
    'the run budget has 70 characters left, this needs 60 characters',
  );
});

test('minutes that a budget holds count once for all languages of a recording', () => {
  const minutes = (needs: number): Hold => ({
    ...{ kind: 'budget', scope: 'month' },
    needs,
    left: 2,
    unit: 'minutes',
  });
  const jobs = [
    held('a.wav', 'de', minutes(3)),
    held('a.wav', 'fr', minutes(3)),
    held('b.wav', 'de', minutes(4)),
  ];
  expect(reasonOfTask(jobs, 'x')).toMatch(/has 2 minutes of audio left, this needs 7/);
});

test('jobs that failed for the same reason in several daemons of a tree are one task, which names the daemons', () => {
  const failure: Failure = { kind: 'unwritable', file: 'de', code: 'EROFS' };
  const inDaemon = (source: string, daemon?: string) =>
    job(source, 'de', {
      ...{ kind: 'failed', at: AT, attempts: 1, failure },
      ...(daemon === undefined ? {} : { daemon }),
    });
  const jobs = [inDaemon('a.json', 'two-9'), inDaemon('b.json', 'one-8'), inDaemon('c.json')];
  expect(tasksIn(jobs)).toBe(1);
  expect(daemonsOf(jobs)).toEqual({ daemons: ['one-8', 'two-9'] });
  expect(jobs.map((each) => attentionFor(each)?.daemon)).toEqual(['two-9', 'one-8', undefined]);
  expect(daemonsOf(jobs.slice(2))).toEqual({});
});

test('a command for several files names the price of all of them; a recording is sent once for all languages', () => {
  const place = { line: { next_step: '' }, base: '/work', root: '/work' };
  const texts = ['de', 'fr'].map((code) =>
    held(`a.${code}.docx`, code, { kind: 'in-doubt', characters: 50_000 }),
  );
  const oneSource = texts.map((each) => ({ ...each, source: 'a.docx' }));
  expect(nextStepOfTask(oneSource, place)).toBe(
    'dragoman retry a.de.docx a.fr.docx (buys it again for 100,000 characters)',
  );
  const sounds = ['de', 'fr'].map((code) =>
    held('a.wav', code, { kind: 'in-doubt', characters: 0, seconds: 60 }),
  );
  expect(nextStepOfTask(sounds, place)).toContain('buys it again for 1 minutes of audio');
  const free = texts.map(({ source, language }) =>
    held(source, language, { kind: 'in-doubt', characters: 0 }),
  );
  expect(nextStepOfTask(free, place)).toContain('forgets it');
});

test('a budget of files holds each file for itself', () => {
  const hold = budget(10, 'file');
  expect(tasksIn([held('a', 'de', hold), held('a', 'fr', hold), held('b', 'de', hold)])).toBe(2);
});

test('jobs that failed for one reason are one task, whatever the files', () => {
  const refused: Failure = { kind: 'forbidden', operation: 'POST /v2/translate', message: 'no' };
  const [one, other] = [failed('a', 'de', refused), failed('b', 'fr', refused)];
  expect(tasksIn([one, other, failed('c', 'de', { kind: 'internal', message: 'x' })])).toBe(2);
});

test('one reason in different files and lines is one task', () => {
  const unwritable = (source: string) =>
    failed(source, 'de', { kind: 'unwritable', file: `/repo/de/${source}`, code: 'EACCES' });
  const malformed = (source: string, line: number) =>
    failed(source, 'de', {
      ...{ kind: 'malformed', message: 'a value is missing' },
      where: { file: `/repo/${source}`, line, column: 3 },
    });
  const unsupported = (source: string) =>
    failed(source, 'de', { kind: 'unsupported', what: `${source} is odd`, advice: 'Correct it.' });
  expect(tasksIn([unwritable('a.json'), unwritable('b.json')])).toBe(1);
  expect(tasksIn([malformed('a.json', 1), malformed('b.json', 2)])).toBe(1);
  expect(tasksIn([unsupported('a.json'), unsupported('b.json')])).toBe(1);
  expect(tasksIn([unwritable('a.json'), malformed('a.json', 1), unsupported('a.json')])).toBe(3);
});

test('conflicts are decided file by file and language by language', () => {
  const hold: Hold = { kind: 'conflict', keys: ['a'] };
  expect(tasksIn([held('a', 'de', hold), held('a', 'fr', hold)])).toBe(2);
});

test('jobs that need nobody belong to no task', () => {
  expect(taskKey(job('a', 'de', { kind: 'queued' }))).toBeUndefined();
  expect(taskKey(job('a', 'de', { kind: 'done', at: AT }))).toBeUndefined();
});

test('the command of a task names files as they are typed in the folder of the config, also when the project is in another folder', () => {
  const conflict: Hold = { kind: 'conflict', keys: ['a'] };
  const jobs = [held('de/app.json', 'de', conflict)];
  const place = { line: { next_step: '' }, base: '/work/app' };
  const named = (root: string) => nextStepOfTask(jobs, { ...place, root });
  expect(named('/work/app')).toMatch(/^dragoman resolve de\/app\.json --human/);
  expect(named('/work/app/web')).toMatch(/^dragoman resolve web\/de\/app\.json --human/);
  expect(named('/work/site')).toMatch(/^dragoman resolve \.\.\/site\/de\/app\.json --human/);
});
