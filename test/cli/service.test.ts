/** `service install`, checked by systemd itself where it is installed. */

import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { spawnSync } from '../in-time.ts';
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
    .filter((line) => line !== '');
}

test('a user unit runs this config, passes verification, and is removed again', async () => {
  await using rig = await Rig.start({ config: CONFIG });
  const args = ['service', 'install', '--user', '--name', 'webapp', '--folder', rig.path('units')];
  expect((await rig.run(...args)).code).toBe(0);
  const unit = rig.path('units/dragoman-webapp.service');
  expect(readFileSync(unit, 'utf8')).toContain(`run --config ${rig.path('dragoman.yaml')}`);
  expect(complaints(unit)).toEqual([]);
  // The rig's config takes its key from the environment, which systemd does not hand over.
  expect(readFileSync(unit, 'utf8')).toContain('EnvironmentFile=-%E/dragoman/webapp.env\n');
  const again = (await rig.run(...args)).stdout;
  expect(again).toMatch(/write the line \w+=YOUR-KEY into .*\/dragoman\/webapp\.env/);
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

test('the config of a service is read beside it as the service reads it', async () => {
  await using rig = await Rig.start({ config: CONFIG });
  const state = `state: \${STATE_DIRECTORY}`;
  const text = rig.read('dragoman.yaml').replace('version: 1', `version: 1\n${state}`);
  rig.write('webapp.yaml', text);
  const config = ['--config', rig.path('webapp.yaml')];
  const install = ['service', 'install', '--folder', rig.path('units'), ...config];
  expect((await rig.run(...install)).code).toBe(0);
  const dropIn = rig.read('units/dragoman@webapp.service.d/10-dragoman.conf');
  expect(dropIn).toContain('ReadWritePaths=-/var/lib/dragoman/webapp\n');
  expect(dropIn).not.toContain('StateDirectory=');
  await rig.run(...install, '--name', 'other');
  expect(rig.read('units/dragoman@other.service.d/10-dragoman.conf')).toContain(
    'StateDirectory=\nStateDirectory=dragoman/webapp\n',
  );
});

test('the user and the folders that the template needs come with it, and stay when a config goes', async () => {
  await using rig = await Rig.start({ config: CONFIG });
  const args = ['service', 'install', '--name', 'webapp', '--folder', rig.path('units')];
  await rig.run(...args);
  expect(rig.read('units/sysusers.d/dragoman.conf')).toMatch(/^u dragoman /m);
  expect(rig.read('units/tmpfiles.d/dragoman.conf')).toMatch(/^d \/etc\/dragoman 0750 /m);
  if (hasSystemd) {
    mkdirSync(rig.path('root/etc'), { recursive: true });
    const sysusers = rig.path('units/sysusers.d/dragoman.conf');
    const { stderr } = spawnSync('systemd-sysusers', [`--root=${rig.path('root')}`, sysusers]);
    expect(stderr.toString()).not.toMatch(/failed|invalid|unknown/i);
    expect(rig.read('root/etc/passwd')).toMatch(/^dragoman:/m);
  }
  await rig.run('service', 'uninstall', ...args.slice(2));
  expect(rig.exists('units/dragoman@.service')).toBe(true);
  expect(rig.exists('units/dragoman@webapp.service.d')).toBe(false);
});

test('installing again changes nothing, and uninstalling again says that nothing is there', async () => {
  await using rig = await Rig.start({ config: CONFIG });
  const rest = ['--user', '--name', 'webapp', '--folder', rig.path('units'), '--json'];
  const act = async (action: string) =>
    JSON.parse((await rig.run('service', action, ...rest)).stdout) as Record<string, string[]>;
  expect((await act('install'))['files']).toHaveLength(1);
  const before = rig.modified('units/dragoman-webapp.service');
  const again = await act('install');
  expect([again['files'], again['unchanged']?.length]).toEqual([[], 1]);
  expect(rig.modified('units/dragoman-webapp.service')).toBe(before);
  mkdirSync(rig.path('units/default.target.wants'));
  const link = rig.path('units/default.target.wants/dragoman-webapp.service');
  symlinkSync('../dragoman-webapp.service', link);
  rig.remove('dragoman.yaml');
  expect((await act('uninstall'))['files']).toEqual([
    rig.path('units/dragoman-webapp.service'),
    link,
  ]);
  const { code, stdout } = await rig.run('service', 'uninstall', ...rest.slice(0, -1));
  expect([code, stdout]).toEqual([0, 'dragoman-webapp.service is not installed\n']);
});

test('a name that another config has is refused', async () => {
  await using rig = await Rig.start({ config: CONFIG });
  const rest = ['--user', '--name', 'webapp', '--folder', rig.path('units')];
  await rig.run('service', 'install', ...rest);
  rig.write('other/dragoman.yaml', rig.read('dragoman.yaml'));
  const other = ['--config', rig.path('other/dragoman.yaml')];
  const { code, stderr } = await rig.run('service', 'install', ...rest, ...other);
  expect([code, stderr]).toEqual([1, expect.stringContaining('choose another --name')]);
});

test('a unit that somebody else wrote is not touched', async () => {
  await using rig = await Rig.start({
    config: CONFIG,
    files: { 'units/dragoman-webapp.service': '[Unit]\n' },
  });
  const args = ['service', 'install', '--user', '--name', 'webapp', '--folder', rig.path('units')];
  const { code, stderr } = await rig.run(...args);
  expect(code).toBe(1);
  expect(stderr).toContain('not written by dragoman');
  expect(rig.read('units/dragoman-webapp.service')).toBe('[Unit]\n');
});
