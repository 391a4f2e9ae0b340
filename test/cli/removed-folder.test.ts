/** A command that is given in a folder that was removed. */
import { expect, test } from 'vitest';
import { spawnSync } from '../in-time.ts';
import { MAIN } from '../main.ts';

/** In a shell: the folder must be gone before the process begins. */
function inRemovedFolder(...args: readonly string[]) {
  const script = 'cd "$(mktemp -d)" && rmdir "$PWD" && exec "$@"';
  const { status, stdout, stderr } = spawnSync(
    'sh',
    ['-c', script, 'sh', process.execPath, MAIN, ...args],
    { encoding: 'utf8' },
  );
  return { status, stdout, stderr };
}

const SAID = 'the folder that you are in was removed: go to another folder';

test.each(['plan', 'once', 'check', 'status', 'doctor', 'run', 'languages'])(
  '%s says in one message that the folder is gone',
  (name) => {
    expect(inRemovedFolder(name)).toEqual({
      status: 78,
      stdout: '',
      stderr: `dragoman: ${SAID}\n`,
    });
    const { status, stdout } = inRemovedFolder(name, '--json');
    expect(status).toBe(78);
    expect(JSON.parse(stdout)).toMatchObject({ error: { exit_code: 78, message: SAID } });
  },
);

test('help and version need no folder', () => {
  expect(inRemovedFolder('--version').status).toBe(0);
  expect(inRemovedFolder('plan', '--help').status).toBe(0);
});
