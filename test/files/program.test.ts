/** A foreign program gives its answer, or is ended and named after its time limit. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { askGit } from '../../src/files/git.ts';
import {
  answerInTime,
  runProgram,
  startProgram,
  tellSlowPrograms,
} from '../../src/files/program.ts';
import { shownFrom } from '../../src/routes/shown-paths.ts';

const folder = mkdtempSync(join(tmpdir(), 'dragoman-program-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A program of this name, as a script for the shell. */
function script(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
  return file;
}

/** It waits for its input, which never ends, and another process of it keeps the pipes open. */
const HANGS = 'sleep 20 & wait';
const LONG_MS = 600_000;

test('the answer has the exit code, the output and the messages', async () => {
  const program = script('speaks', 'cat; echo "no: $1" >&2; exit 3');
  expect(
    await runProgram({ program, words: ['a'], input: 'in', limitMs: LONG_MS, folder }),
  ).toEqual({ code: 3, text: 'in', complaint: 'no: a\n' });
});

test('a program that gives no answer is ended and named, and is not asked again at once', async () => {
  const program = script('hangs', HANGS);
  const failure = {
    ...{ kind: 'program-silent', seconds: 0.05, folder },
    command: `${program} log -1`,
  };
  const call = { program, words: ['log', '-1'], folder };
  await expect(runProgram({ ...call, limitMs: 50 })).rejects.toMatchObject({ failure });
  await expect(runProgram({ ...call, words: [], limitMs: LONG_MS })).rejects.toMatchObject({
    failure,
  });
});

test('a person hears once of a program that gives no answer for ten seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const said: string[] = [];
    using _ = tellSlowPrograms((line) => said.push(line));
    const [program, stop] = [script('waits', HANGS), new AbortController()];
    const call = { program, words: [], limitMs: LONG_MS, folder, signal: stop.signal };
    const asked = [runProgram(call), runProgram(call)];
    vi.advanceTimersByTime(9999);
    expect(said).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(said.map((line) => shownFrom({ cwd: folder }, line))).toEqual([
      `waiting for "${program.slice(folder.length + 1)}" in ${folder}/ to give an answer`,
    ]);
    stop.abort();
    await Promise.allSettled(asked);
  } finally {
    vi.useRealTimers();
  }
});

test('a git whose answer has no end fails with one message', async () => {
  script('git', 'cat /dev/zero');
  vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`);
  await expect(askGit(folder, ['ls-files'])).rejects.toMatchObject({
    fault: { kind: 'failed', message: 'the answer of "git ls-files" is longer than 256 MiB' },
  });
  vi.unstubAllEnvs();
});

test('a program that is not there, or is stopped, is not called silent', async () => {
  const absent = { program: join(folder, 'absent'), words: [], limitMs: LONG_MS };
  await expect(runProgram(absent)).rejects.toMatchObject({ code: 'ENOENT' });
  const signal = AbortSignal.abort();
  const stopped = { program: script('stopped', HANGS), words: [], limitMs: LONG_MS, signal };
  await expect(runProgram(stopped)).rejects.toMatchObject({ name: 'AbortError' });
});

test('a program that answers questions is ended when one answer is late', async () => {
  const program = script('listens', HANGS);
  const child = startProgram(program, ['--batch'], { folder, env: process.env });
  const ended = new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal)));
  const never = new Promise<string>(() => {});
  const call = { program, words: ['--batch'], limitMs: 50, folder };
  await expect(answerInTime(child, never, call)).rejects.toMatchObject({
    failure: { kind: 'program-silent', command: `${program} --batch` },
  });
  expect(await ended).toBe('SIGKILL');
  expect(() => startProgram(program, [], { folder, env: process.env })).toThrow('no answer');
});
