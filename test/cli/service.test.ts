/** `service install`, checked by systemd itself where it is installed. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Rig } from '../rig.ts';

const CONFIG = `
projects:
  app: { source: en, targets: [de], routes: [{ from: "{locale}/*.json" }] }
`;

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

function complaints(...units: readonly string[]): string[] {
  if (!hasSystemd) return [];
  const { stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...units]);
  return stderr
    .toString()
    .split('\n')
    .filter((line) => line !== '' && !line.includes('OpenFile'));
}

test('a user unit runs this config, passes verification, and is removed again', async () => {
  await using rig = await Rig.start({ config: CONFIG });
  const args = ['service', 'install', '--user', '--name', 'webapp', '--folder', rig.path('units')];
  expect((await rig.run(...args)).code).toBe(0);
  const unit = rig.path('units/dragoman-webapp.service');
  expect(readFileSync(unit, 'utf8')).toContain(`run --config ${rig.path('dragoman.yaml')}`);
  expect(complaints(unit)).toEqual([]);
  args[1] = 'uninstall';
  expect((await rig.run(...args)).code).toBe(0);
  expect(existsSync(unit)).toBe(false);
});

test('a system installation is the template with a drop-in that lets it write its folders', async () => {
  await using rig = await Rig.start({ config: CONFIG });
  const args = ['service', 'install', '--name', 'webapp', '--folder', rig.path('units')];
  expect((await rig.run(...args)).code).toBe(0);
  const dropIn = rig.read('units/dragoman@webapp.service.d/10-dragoman.conf');
  expect(dropIn).toContain(`ReadWritePaths=-${rig.root}`);
  expect(dropIn).toMatch(/^ExecStart=\nExecStart=\/.* run --config .*dragoman\.yaml --no-input$/m);
});

test('a unit that somebody else wrote is not touched', async () => {
  await using rig = await Rig.start({
    config: CONFIG,
    files: { 'units/dragoman-webapp.service': '[Unit]\n' },
  });
  const args = ['service', 'install', '--user', '--name', 'webapp', '--folder', rig.path('units')];
  const { code, stderr } = await rig.run(...args);
  expect(code).toBe(1);
  expect(stderr).toContain('written by somebody else');
  expect(rig.read('units/dragoman-webapp.service')).toBe('[Unit]\n');
});
