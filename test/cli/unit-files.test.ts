/** The files that `service install` writes: unusual paths, and folders that the template hides. */
import { expect, test } from 'vitest';
import { type Installation, unitFiles } from '../../src/cli/unit-files.ts';
import type { Config } from '../../src/config.ts';

const OPT = { main: '/opt/dragoman/dist/main.js', readme: '/opt/dragoman/README.md' };
const TEMPLATES = { user: '[Service]\nExecStart=x\n', system: '', sysusers: '', tmpfiles: '' };

function dropInFor({ root, state, csv }: { root: string; state: string; csv?: string }): string {
  const rules = csv === undefined ? {} : { glossary: { name: 'g', csv, mode: 'mirror' } };
  const config = {
    ...{ file: '/srv/l10n/dragoman.yaml', base: '/srv/l10n', state },
    service: { key: { credential: 'api-key' } },
    projects: [{ root, rules }],
  } as unknown as Config;
  return textOf({ config, name: 'x', node: '/usr/bin/node', ...OPT });
}

function textOf(installation: Installation): string {
  return unitFiles(installation, 'system', TEMPLATES)[0]?.text ?? '';
}

test('folders of state, projects and glossaries may be written', () => {
  const csv = 'terms/{source}-{locale}.csv';
  const text = dropInFor({ root: '/srv/app', state: '/var/lib/dragoman/x', csv });
  expect(text).toContain('ReadWritePaths=-/var/lib/dragoman/x\n');
  expect(text).toContain('ReadWritePaths=-/srv/app\n');
  expect(text).toContain('ReadWritePaths=-/srv/l10n/terms\n');
  expect(text).not.toContain('ProtectHome');
});

test('only command lines have variables: a dollar in a folder stays one', () => {
  const text = dropInFor({ root: '/srv/50% $off "a"', state: '/srv/s' });
  expect(text).toContain('ReadWritePaths=-"/srv/50%% $off \\"a\\""\n');
});

test('folders in a home are mounted into an empty one, because nothing below a hidden folder can be shown', () => {
  const text = dropInFor({ root: '/home/ann/app', state: '/home/ann/app/.dragoman' });
  expect(text).toContain('ProtectHome=tmpfs\n');
  expect(text).toContain('BindPaths=-/home/ann/app\n');
  expect(text).not.toContain('ReadWritePaths');
});

test('a runtime in a home is mounted with what it needs', () => {
  const config = {
    ...{ file: '/srv/a.yaml', base: '/srv', state: '/srv/s', projects: [] },
    service: { key: { env: 'K' } },
  } as unknown as Config;
  const home = '/home/ann/.nvm/v24';
  const main = `${home}/lib/node_modules/dragoman/dist/main.js`;
  const text = textOf({ config, name: 'x', node: `${home}/bin/node`, main, readme: '/r.md' });
  expect(text).toContain(`BindReadOnlyPaths=-${home}/bin\n`);
  expect(text).toContain(`BindReadOnlyPaths=-${home}/lib/node_modules/dragoman\n`);
  expect(text).toContain('\nLoadCredential=\n');
});

test('a dollar and a percent in a command line are escaped', () => {
  const config = { file: '/srv/$a%.yaml', service: { key: { file: 'k' } } } as unknown as Config;
  const own = { config, name: 'x', node: '/n', main: '/m', readme: '/r.md' };
  const [unit] = unitFiles(own, 'user', TEMPLATES);
  expect(unit?.text).toContain('ExecStart=/n /m run --config /srv/$$a%%.yaml --no-input\n');
});

test('a setting that systemd 252 warns of is written for later versions alone, and a user unit has the socket of its person', () => {
  const config = { file: '/c.yaml', service: { key: { env: 'MY_KEY' } } } as unknown as Config;
  const own = { config, name: 'x', node: '/n', main: '/m', readme: '/a b/README.md' };
  const templates = { ...TEMPLATES, user: '[Unit]\nDescription=d\n[Service]\nExecStart=x\n' };
  const [old] = unitFiles(own, 'user', templates);
  expect(old?.text).not.toContain('OpenFile');
  expect(old?.text).toContain('Description=d\nDocumentation=file:///a%%20b/README.md\n');
  expect(old?.text).toContain('EnvironmentFile=-%E/dragoman/x.env\n');
  const [later] = unitFiles(
    { ...own, notifySocket: '/run/user/7/systemd/notify' },
    'user',
    templates,
  );
  expect(later?.text).toContain('OpenFile=/run/user/7/systemd/notify:sdnotify:graceful\n');
});
