import { expect, test } from 'vitest';
import { adviceForHold, describeUnclear, shellWords } from '../src/job.ts';
import { spawnSync } from './in-time.ts';

const NAMES = [
  'out/de/a.json',
  'my file.json',
  "it's $HOME.json",
  '-rf',
  'a`b`"c"',
  'Grüße/日本.json',
  '~x',
];

test('a shell reads the files of a command as they are named', () => {
  const { stdout } = spawnSync('sh', ['-c', `printf '%s\\n' ${shellWords(...NAMES)}`]);
  expect(String(stdout).trimEnd().split('\n')).toEqual(
    NAMES.map((name) => (name === '-rf' ? './-rf' : name)),
  );
});

test('plain names are not quoted', () => {
  expect(shellWords('out/de/a.json', 'Grüße/日本.json')).toBe('out/de/a.json Grüße/日本.json');
});

test('an advice quotes the file that it names', () => {
  const hold = { kind: 'conflict', keys: [] } as never;
  expect(adviceForHold(hold, shellWords('my file.json'))).toContain(
    "dragoman resolve 'my file.json' --human",
  );
});

test('a reason names no command without its file', () => {
  expect(describeUnclear('1')).not.toContain('dragoman retry');
});
