/** The units, and what the daemon tells systemd. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { Rig } from './rig.ts';

const UNITS = join(import.meta.dirname, '..', 'systemd');
const MAIN = join(import.meta.dirname, '..', 'src', 'main.ts');
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

test.runIf(hasSystemd)('both units pass systemd-analyze verify', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-units-'));
  cpSync(join(UNITS, 'dragoman-user.service'), join(folder, 'dragoman-user.service'));
  cpSync(join(UNITS, 'dragoman@.service'), join(folder, 'dragoman@webapp.service'));
  const { status, stderr } = spawnSync('systemd-analyze', [
    'verify',
    '--man=no',
    join(folder, 'dragoman-user.service'),
    join(folder, 'dragoman@webapp.service'),
  ]);
  rmSync(folder, { recursive: true });
  // systemd before 253 names the one setting that it ignores.
  const complaints = stderr
    .toString()
    .split('\n')
    .filter((line) => line !== '' && !line.includes('OpenFile'));
  expect({ status, complaints }).toEqual({ status: 0, complaints: [] });
});

test.runIf(hasSystemd)('the system unit is exposed to at most 1.5 of 10', () => {
  const { stdout } = spawnSync('systemd-analyze', [
    'security',
    '--offline=yes',
    '--no-pager',
    join(UNITS, 'dragoman@.service'),
  ]);
  const exposure = Number(/exposure level[^\d]*([\d.]+)/.exec(stdout.toString())?.[1]);
  expect(exposure).toBeLessThanOrEqual(1.5);
});

test('the daemon says when it is ready, that it lives, that it reloaded and that it stops', async () => {
  await using rig = await Rig.start({
    config: `
projects:
  app: { source: en, targets: [de], routes: [{ from: "{locale}/*.json" }] }
`,
  });
  const child = spawn(process.execPath, [MAIN, 'run', '--no-input'], {
    cwd: rig.root,
    env: {
      ...process.env,
      DRAGOMAN_KEY: rig.sandbox.key,
      LISTEN_FDS: '1',
      LISTEN_FDNAMES: 'sdnotify',
      WATCHDOG_USEC: '200000',
    },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const notices = createInterface({ input: child.stdio[3] as NodeJS.ReadableStream });
  const lines = notices[Symbol.asyncIterator]();
  const seen = async (wanted: string) => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done === true) return 'ended';
      if (value.startsWith(wanted)) return value;
    }
  };
  expect(await seen('READY=1')).toBe('READY=1');
  expect(await seen('WATCHDOG=1')).toBe('WATCHDOG=1');
  child.kill('SIGHUP');
  expect(await seen('STATUS=config reloaded')).toBe('STATUS=config reloaded');
  child.kill('SIGTERM');
  expect(await seen('STOPPING=1')).toBe('STOPPING=1');
  const [code] = await once(child, 'close');
  expect(code).toBe(0);
});
