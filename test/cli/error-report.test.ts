/** A command that ends with an error: one object for scripts, one message for people, and the exit code. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CommandFailure, UsageError } from '../../src/cli/command.ts';
import { errorLines, errorReport } from '../../src/cli/run-command-line.ts';
import { JobFailure } from '../../src/failure.ts';
import { Rig } from '../rig.ts';

const CONFIG = `
projects:
  app:
    source: en
    targets: [de]
    routes:
      - { from: "locales/{locale}/**/*.json" }
`;

const FAULT = {
  file: '/home/me/dragoman.yaml',
  line: 3,
  column: 5,
  path: 'projects.app',
  message: 'unknown setting',
};

test('an error as data has the exit code, the message, what to do and each fault', () => {
  const failure = new JobFailure({ kind: 'key-missing', message: 'DRAGOMAN_KEY is not set' });
  expect(errorReport(failure)).toMatchObject({
    exit_code: 77,
    message: 'no key: DRAGOMAN_KEY is not set',
    next_step: expect.stringContaining('service.key'),
    faults: [],
  });
  const refused = new CommandFailure(78, 'the config is refused', { faults: [FAULT] });
  const { file, line, column } = FAULT;
  expect(errorReport(refused)).toEqual({
    exit_code: 78,
    message: 'the config is refused',
    next_step: null,
    faults: [{ file, line, column, message: 'projects.app: unknown setting' }],
  });
  expect(errorReport(new UsageError('name a file'))).toMatchObject({ exit_code: 64 });
});

test('people see paths from where they are', () => {
  const error = new CommandFailure(78, '/home/me/a.csv is refused', { faults: [FAULT] });
  const report = errorReport(error);
  if (report === undefined) throw new Error('no report');
  expect(errorLines(error, report, { cwd: '/home/me' })).toEqual([
    'dragoman: a.csv is refused',
    'dragoman.yaml:3:5 projects.app: unknown setting',
  ]);
});

test('with --json a refused call, key or config is one object on stdout', async () => {
  await using rig = await Rig.start({
    commands: 'process',
    config: CONFIG,
    files: { 'locales/en/a.json': '{"a":"Hello"}\n' },
  });
  const ended = async (...args: string[]) => {
    const { code, stdout } = await rig.run(...args, '--json');
    const { error } = JSON.parse(stdout) as { error: { exit_code: number; message: string } };
    expect(error.exit_code).toBe(code);
    return error;
  };
  expect(await ended('status', '--bad')).toMatchObject({ exit_code: 64 });
  expect(await ended('plann')).toMatchObject({
    exit_code: 64,
    message: expect.stringContaining('did you mean "plan"'),
  });
  writeFileSync(join(rig.root, 'dragoman.yaml'), 'version: 2\n');
  expect(await ended('once')).toMatchObject({
    exit_code: 78,
    faults: expect.arrayContaining([expect.objectContaining({ line: 1 })]),
  });
});
