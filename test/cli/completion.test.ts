/** Completion scripts, read by the shells themselves where they are installed. */

import { expect, test } from 'vitest';
import { spawnSync } from '../in-time.ts';
import { MAIN } from '../main.ts';

function scriptFor(shell: string): string {
  const { stdout, status } = spawnSync(process.execPath, [MAIN, 'completion', shell]);
  expect(status).toBe(0);
  return stdout.toString();
}

const has = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0;

test.runIf(has('bash'))('bash completes commands and their options', () => {
  const ask = (words: string, index: number) =>
    spawnSync('bash', [
      '-c',
      `${scriptFor('bash')}\nCOMP_WORDS=(${words}); COMP_CWORD=${index}; _dragoman; echo "\${COMPREPLY[@]}"`,
    ]).stdout.toString();
  expect(ask('dragoman sta', 1).trim().split(' ').sort()).toEqual(['state', 'status']);
  expect(ask('dragoman once --fr', 2).trim()).toBe('--frozen');
  expect(ask('dragoman service ""', 2).trim()).toBe('install uninstall');
  expect(ask('dragoman sandbox --dialect ""', 3).trim()).toBe('document deployed');
  // Nothing of ours: files.
  expect(ask('dragoman explain ""', 2).trim()).toBe('');
  expect(ask('dragoman once --project ""', 3).trim()).toBe('');
});

test('every shell gets all commands, and an unknown shell is a usage error', () => {
  for (const shell of ['bash', 'zsh', 'fish']) expect(scriptFor(shell)).toContain('resolve');
  for (const unknown of ['csh', 'toString']) {
    expect(spawnSync(process.execPath, [MAIN, 'completion', unknown]).status).toBe(64);
  }
});

test.each(['--help', 'sandbox --help', 'completion bash'])(
  'a reader that stops reading the output of "%s" gets no error',
  (words) => {
    // The reading end is closed before anything is written.
    const line = `("${process.execPath}" "${MAIN}" ${words}; echo "ended with $?" >&2) | true`;
    const { stderr } = spawnSync('bash', ['-c', line], { encoding: 'utf8' });
    expect(stderr).toBe('ended with 0\n');
  },
);
