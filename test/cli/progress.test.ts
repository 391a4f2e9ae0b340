/** Lines of a run and of a daemon in the foreground, on a terminal. */
import { expect, test } from 'vitest';
import { showProgress } from '../../src/cli/progress.ts';
import type { Terminal } from '../../src/cli/terminal.ts';
import { jobId } from '../../src/job.ts';
import { parseLanguage } from '../../src/language.ts';
import { manualClock } from '../manual-clock.ts';

const language = parseLanguage('de') ?? expect.unreachable();
const about = { project: 'app', lane: 'text', source: 'en/a.json', language } as const;
const JOB = { ...about, job: jobId('app', language, 'en/a.json') };

function stage(until: 'run' | 'stopped') {
  const clock = manualClock();
  const written: string[] = [];
  const terminal = { interactive: true, columns: 80, note: (line: string) => written.push(line) };
  const stderr = { isTTY: true, write: (text: string) => written.push(text) };
  const progress = showProgress({
    terminal: terminal as unknown as Terminal,
    stderr: stderr as unknown as NodeJS.WriteStream,
    ...{ clock, cwd: '/repo', verbose: false, until },
    advice: () => 'dragoman resolve de/a.json --human',
    rootOf: (project) => (project === 'app' ? '/repo' : `/repo/${project}`),
  });
  return { clock, written, progress };
}

test('a daemon in the foreground has a line while it works, and none when it is idle', async () => {
  const { clock, written, progress } = stage('stopped');
  await clock.pass(1000);
  expect(written).toEqual([]);
  progress({ kind: 'job-queued', ...JOB });
  await clock.pass(300);
  expect(written.at(-1)).toContain('0 of 1 file');
  progress({ kind: 'job-delivered', wrote: ['de/a.json'], durationMs: 1, ...JOB });
  const lines = written.length;
  await clock.pass(1000);
  expect(written.slice(lines)).toEqual([]);
  expect(written.slice(-2)).toEqual(['\r\u001b[K', 'wrote   de/a.json']);
  // The same file again is new work.
  progress({ kind: 'job-queued', ...JOB });
  await clock.pass(300);
  expect(written.at(-1)).toContain('0 of 1 file');
  progress[Symbol.dispose]();
});

test('a run keeps its progress line until it ends', async () => {
  const { clock, written, progress } = stage('run');
  await clock.pass(300);
  expect(written.at(-1)).toContain('reading the files');
  progress[Symbol.dispose]();
  expect(written.at(-1)).toBe('\r\u001b[K');
});

test('a held job shows the command to type', () => {
  const { written, progress } = stage('run');
  progress({ kind: 'job-held', hold: { kind: 'conflict', keys: ['a'] }, ...JOB });
  expect(written).toContain('        dragoman resolve de/a.json --human');
  progress[Symbol.dispose]();
});

test('a failed job is named at once by a daemon, and by the report at the end of a run; a held one at once by both', () => {
  const failure = { kind: 'unreadable', file: 'en/a.json', code: 'EACCES' } as const;
  for (const [until, named] of [
    ['stopped', 2],
    ['run', 1],
  ] as const) {
    const { written, progress } = stage(until);
    progress({ kind: 'job-failed', failure, ...JOB });
    progress({ kind: 'job-held', hold: { kind: 'conflict', keys: ['a'] }, ...JOB });
    const lines = written.filter((line) => /^(?:failed|held) /.test(line));
    expect(lines).toHaveLength(named);
    for (const line of lines) expect(line).toContain(' en/a.json -> de: ');
    progress[Symbol.dispose]();
  }
});

test('files of two projects with the same name have lines of their own', () => {
  const { written, progress } = stage('run');
  for (const project of ['web', 'shop']) {
    progress({ ...JOB, kind: 'job-delivered', wrote: ['de/a.json'], durationMs: 1, project });
    progress({ kind: 'source-moved', project, from: 'en/b.json', to: 'en/c.json' });
  }
  progress[Symbol.dispose]();
  expect(written.filter((line) => /^(?:wrote|moved) /.test(line))).toEqual([
    'wrote   web/de/a.json',
    'moved   web/en/b.json -> web/en/c.json',
    'wrote   shop/de/a.json',
    'moved   shop/en/b.json -> shop/en/c.json',
  ]);
});
