/**
 * A named pipe, whose writer never comes, or a file without end, in place of a text. Commands run as processes, so that a hang ends
 * with the test.
 */
import { rmSync, truncateSync } from 'node:fs';
import { expect, test } from 'vitest';
import { execFileSync } from '../in-time.ts';
import { Rig } from '../rig.ts';

const CONFIG = `
projects:
  app:
    source: en
    targets: [de]
    routes:
      - { from: "locales/{locale}/*.json" }
`;

async function start(): Promise<Rig> {
  const files = { 'locales/en/a.json': '{ "a": "Hello" }\n' };
  return await Rig.start({ config: CONFIG, files, commands: 'process' });
}

const HINDRANCES = {
  'a named pipe': (path: string) => execFileSync('/usr/bin/mkfifo', [path]),
  'a file of 4 GiB': (path: string) => {
    execFileSync('/usr/bin/touch', [path]);
    truncateSync(path, 4 * 1024 ** 3);
  },
};

test.each(Object.entries(HINDRANCES))(
  '%s in place of .git, of the kept languages or of a file to import ends no command in a wait',
  async (_, put) => {
    await using rig = await start();
    put(rig.path('.git'));
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
    rmSync(rig.path('.dragoman/languages.json'), { force: true });
    put(rig.path('.dragoman/languages.json'));
    expect(await rig.run('status')).toMatchObject({ code: 0 });
    put(rig.path('old.tmx'));
    const { code, stderr } = await rig.run('memory', 'import', 'old.tmx');
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^dragoman: old\.tmx cannot be read \([ a-z]+\)\nNothing was imported/),
    ]);
    expect(stderr).not.toContain('retry');
  },
);

test('a named pipe in place of a file of the ledger ends every command with 78', async () => {
  await using rig = await start();
  expect(await rig.once()).toMatchObject({ code: 0 });
  rmSync(rig.path('.dragoman/db.json'));
  HINDRANCES['a named pipe'](rig.path('.dragoman/db.json'));
  for (const command of [['status'], ['plan'], ['check'], ['once'], ['once', '--frozen']]) {
    const { code, stdout, stderr } = await rig.run(...command);
    expect([command, code]).toEqual([command, 78]);
    expect(`${stdout}${stderr}`).toContain('db.json is damaged: it is not a regular file');
  }
});

test.each(Object.entries(HINDRANCES))(
  '%s that a person names, or that stands in a new repository, ends no command in a wait',
  async (_, put) => {
    await using rig = await start();
    put(rig.path('faults.json'));
    const served = await rig.run('sandbox', '--faults', 'faults.json');
    expect([served.code, served.stderr]).toEqual([
      64,
      expect.stringContaining('faults.json cannot be read ('),
    ]);
    rig.remove('dragoman.yaml');
    put(rig.path('i18n.json'));
    expect(await rig.run('init', '--from', 'i18n.json')).toMatchObject({ code: 64 });
    put(rig.path('.gitignore'));
    expect(await rig.run('init', '--yes')).toMatchObject({ code: 0 });
  },
);
