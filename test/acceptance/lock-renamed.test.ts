/** A lock that the config names otherwise: without it, no stale translation counts as up to date. */
import { cpSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { billed } from '../counts.ts';
import { commitAll, newRepository } from '../git.ts';
import { execFileSync } from '../in-time.ts';
import { Rig } from '../rig.ts';
import { until } from '../until.ts';

const CONFIG = `
lock: dragoman.lock
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de]
    routes: [{ from: "locales/{locale}/*.json" }]
`;
const FILES = { 'locales/en/a.json': '{"hello":"Hello","bye":"Bye now"}\n' };
const COMMANDS = [
  'check',
  'plan',
  'once --frozen',
  'status',
  'lock',
  'once',
  'explain locales/de/a.json',
];

interface Renaming {
  readonly from: string;
  readonly to: string;
  readonly config: readonly [string, string];
}

const RENAMINGS: readonly Renaming[] = [
  { from: 'dragoman.lock', to: 'l10n.lock', config: ['lock: dragoman.lock', 'lock: l10n.lock'] },
  {
    ...{ from: 'dragoman.lock', to: 'l10n/team.lock' },
    config: ['lock: dragoman.lock', 'lock: l10n/team.lock'],
  },
];

/** A fresh checkout: the source has changed since its translation, and the config names the lock otherwise. */
async function renamed({ config: [before, after] }: Renaming): Promise<Rig> {
  const rig = await Rig.start({ config: CONFIG, files: FILES });
  expect(await rig.once()).toMatchObject({ code: 0 });
  rig.write('locales/en/a.json', '{"hello":"Hello there","bye":"Bye now"}\n');
  rig.write('dragoman.yaml', rig.read('dragoman.yaml').replace(before, after));
  rmSync(rig.path('.dragoman'), { recursive: true });
  return rig;
}

test.each(RENAMINGS)(
  'every command ends with 78 until the lock $from is moved to $to, and then knows what is stale',
  async (renaming) => {
    const { from, to } = renaming;
    await using rig = await renamed(renaming);
    const before = [rig.read('locales/de/a.json'), billed(rig)];
    for (const command of COMMANDS) {
      const { code, stdout, stderr } = await rig.run(...command.split(' '));
      expect.soft({ command, code, said: `${stdout}${stderr}` }).toMatchObject({
        ...{ command, code: 78 },
        said: expect.stringContaining(`mv ${from} ${to}`),
      });
    }
    expect(await rig.run('doctor')).toMatchObject({ code: 1 });
    expect([rig.read('locales/de/a.json'), billed(rig)]).toEqual(before);
    expect(rig.exists(from)).toBe(true);

    mkdirSync(rig.path(`${to}/..`), { recursive: true });
    renameSync(rig.path(from), rig.path(to));
    for (const command of ['check', 'once --frozen']) {
      const { code, stdout } = await rig.run(...command.split(' '));
      expect.soft({ command, code, stdout }).toMatchObject({
        ...{ command, code: 1 },
        stdout: expect.stringContaining('hello'),
      });
    }
    expect(await rig.once()).toMatchObject({ code: 0, billed_characters: 'Hello there'.length });
  },
);

interface Relocation {
  readonly where: string;
  readonly from: string;
  readonly to: string;
  readonly command: string;
  /** What is there beside the lock. */
  readonly files?: Readonly<Record<string, string>>;
  /** Absent: also without git. */
  readonly isInGitAlone?: true;
}

const RELOCATIONS: readonly Relocation[] = [
  {
    where: 'into a folder with a glossary in it',
    ...{ from: 'dragoman.lock', to: 'l10n', files: { 'l10n/terms.csv': 'en,de\na,b\n' } },
    command: 'mv dragoman.lock/app l10n/app',
  },
  {
    where: 'into a folder with a folder of this name in it',
    ...{ from: 'dragoman.lock', to: 'l10n', files: { 'l10n/app/terms.csv': 'en,de\na,b\n' } },
    command: 'mv dragoman.lock/app/* l10n/app/',
  },
  { where: 'out of a hidden folder', from: '.l10n', to: 'locks', command: 'mv .l10n locks' },
  {
    where: 'out of a folder three deep',
    ...{ from: 'a/b/lock', to: 'l10n/team', command: 'mkdir -p l10n && mv a/b/lock l10n/team' },
  },
  {
    where: 'out of a folder seven deep',
    ...{ from: 'a/b/c/d/e/f/lock', to: 'locks', command: 'mv a/b/c/d/e/f/lock locks' },
    isInGitAlone: true,
  },
];

const RELOCATED = RELOCATIONS.flatMap((relocation) =>
  (['in git', 'without git'] as const)
    .filter((found) => found === 'in git' || relocation.isInGitAlone === undefined)
    .map((found) => ({ ...relocation, found })),
);

test.each(RELOCATED)(
  'a lock that is moved $where is asked for, $found, and found by the command that is told',
  async ({ from, to, files, command, found }) => {
    const config = CONFIG.replace('lock: dragoman.lock', `lock: ${from}`);
    await using rig = await Rig.start({
      config,
      files: { 'locales/en/a.json': '{"hello":"Hello"}\n', '.gitignore': '.dragoman/\n', ...files },
    });
    expect(await rig.once()).toMatchObject({ code: 0 });
    rig.write('dragoman.yaml', rig.read('dragoman.yaml').replace(`lock: ${from}`, `lock: ${to}`));
    rig.write('locales/en/a.json', '{"hello":"Hello changed"}\n');
    rmSync(rig.path('.dragoman'), { recursive: true });
    if (found === 'in git') commitAll(rig.root, 'x');
    for (const each of COMMANDS) {
      const { code, stdout, stderr } = await rig.run(...each.split(' '));
      expect.soft({ each, code, said: `${stdout}${stderr}` }).toMatchObject({
        ...{ each, code: 78 },
        said: expect.stringContaining(`("${command}")`),
      });
    }
    execFileSync('sh', ['-c', command], { cwd: rig.root });
    for (const each of ['check', 'once --frozen']) {
      const { code, stdout } = await rig.run(...each.split(' '));
      expect.soft({ each, code, stdout }).toMatchObject({
        ...{ each, code: 1 },
        stdout: expect.stringContaining('hello'),
      });
    }
    expect(await rig.once()).toMatchObject({ code: 0, billed_characters: 'Hello changed'.length });
  },
);

test('a package that lost its config to the one above keeps the lines of its lock', async () => {
  const config = CONFIG.replace('    source', '    root: .\n    source');
  await using rig = await Rig.start({ config, files: FILES });
  rig.write('site/dragoman.yaml', rig.read('dragoman.yaml'));
  rig.write('site/locales/en/a.json', '{"other":"Other words"}\n');
  expect(await rig.once()).toMatchObject({ code: 0 });
  expect(await rig.run('once', '--config', 'site/dragoman.yaml')).toMatchObject({ code: 0 });
  for (const path of ['.dragoman', 'site/.dragoman', 'site/dragoman.yaml']) {
    rmSync(rig.path(path), { recursive: true });
  }
  const app = config.slice(config.indexOf('  app:'));
  rig.write(
    'dragoman.yaml',
    `${rig.read('dragoman.yaml')}${app.replace('app:', 'site:').replace('root: .', 'root: site')}`,
  );
  rig.write('site/locales/en/a.json', '{"other":"Other words now"}\n');
  const { code, stderr } = await rig.run('check');
  expect({ code, stderr }).toMatchObject({
    code: 78,
    stderr: expect.stringContaining('("mv site/dragoman.lock/app dragoman.lock/site")'),
  });
  renameSync(rig.path('site/dragoman.lock/app'), rig.path('dragoman.lock/site'));
  expect(await rig.run('check')).toMatchObject({ code: 1 });
  expect(await rig.once()).toMatchObject({ code: 0, billed_characters: 'Other words now'.length });
});

test('one of two configs with one lock gets another: only its own lines are asked for', async () => {
  await using rig = await Rig.start({ config: CONFIG, files: FILES });
  const second = rig
    .read('dragoman.yaml')
    .replaceAll('  app:', '  web:\n    root: other')
    .replace('lock:', 'state: .other\nlock:');
  rig.write('second.yaml', second);
  rig.write('other/locales/en/a.json', '{"other":"Other words"}\n');
  const other = ['--config', 'second.yaml'];
  for (const args of [[], other]) expect(await rig.once(...args)).toMatchObject({ code: 0 });
  rig.write('second.yaml', second.replace('dragoman.lock', 'l10n.lock'));
  for (const state of ['.dragoman', '.other']) rmSync(rig.path(state), { recursive: true });
  expect(await rig.once()).toMatchObject({ code: 0 });
  const { code, stderr } = await rig.run('plan', ...other);
  expect({ code, stderr }).toMatchObject({
    code: 78,
    stderr: expect.stringContaining('("mkdir -p l10n.lock && mv dragoman.lock/web l10n.lock/web")'),
  });
});

test('locks of other programs, of copies and of examples are no lock of this config', async () => {
  const config = CONFIG.replace('lock: dragoman.lock\n', '');
  await using rig = await Rig.start({ config, files: FILES });
  const locked = rig.read('dragoman.yaml').replace('defaults:', 'lock: dragoman.lock\ndefaults:');
  rig.write('examples/one/dragoman.yaml', locked);
  rig.write('examples/one/locales/en/a.json', FILES['locales/en/a.json']);
  rig.write('tools/deep/l10n.yaml', locked.replace('    source', '    root: files\n    source'));
  rig.write('tools/deep/files/locales/en/a.json', FILES['locales/en/a.json']);
  for (const path of ['examples/one/dragoman.yaml', 'tools/deep/l10n.yaml']) {
    expect(await rig.run('once', '--config', path)).toMatchObject({ code: 0 });
  }
  cpSync(rig.path('examples/one'), rig.path('node_modules/one'), { recursive: true });
  rmSync(rig.path('node_modules/one/dragoman.yaml'));
  cpSync(rig.path('examples/one'), rig.path('clone'), { recursive: true });
  rmSync(rig.path('clone/dragoman.yaml'));
  newRepository(rig.path('clone/.git'), { isBare: false });
  rig.write('.gitignore', 'clone/\n');
  rig.write('dragoman.yaml', locked);
  for (const found of ['without git', 'in git']) {
    if (found === 'in git') commitAll(rig.root, 'x');
    for (const command of ['plan', 'check', 'once --frozen', 'status']) {
      const { code, stderr } = await rig.run(...command.split(' '));
      expect.soft({ found, command, code, stderr }).not.toMatchObject({ code: 78 });
    }
  }
  expect(await rig.once()).toMatchObject({ code: 0 });
});

test('a lock elsewhere is another lock when the folder of this one exists', async () => {
  const [renaming] = RENAMINGS;
  if (renaming === undefined) return;
  await using rig = await renamed(renaming);
  mkdirSync(rig.path(renaming.to));
  expect(await rig.once()).toMatchObject({ code: 0 });
  expect(rig.exists('dragoman.lock/app/de')).toBe(true);
});

test('the lock of a package with a config of its own is no lock of the config above', async () => {
  await using rig = await Rig.start({
    config: CONFIG.replace('lock: dragoman.lock\n', ''),
    files: FILES,
  });
  rig.write(
    'site/dragoman.yaml',
    rig.read('dragoman.yaml').replace('defaults:', 'lock: dragoman.lock\ndefaults:'),
  );
  rig.write('site/locales/en/a.json', '{"other":"Other words"}\n');
  expect(await rig.run('once', '--config', 'site/dragoman.yaml')).toMatchObject({ code: 0 });
  expect(rig.exists('site/dragoman.lock/app/de')).toBe(true);
  rig.write(
    'dragoman.yaml',
    rig.read('dragoman.yaml').replace('defaults:', 'lock: dragoman.lock\ndefaults:'),
  );
  expect(await rig.once()).toMatchObject({ code: 0 });
  expect(rig.exists('dragoman.lock/app/de')).toBe(true);
  expect(rig.exists('site/dragoman.lock/app/de')).toBe(true);
});

test('the lock of a removed project goes with the next run, also when a new language has no lock yet', async () => {
  const more = CONFIG.replace(
    'projects:',
    `projects:
  other:
    root: other
    source: en
    targets: [de]
    routes: [{ from: "locales/{locale}/*.json" }]`,
  );
  await using rig = await Rig.start({
    config: more,
    files: { ...FILES, 'other/locales/en/a.json': '{"one":"One"}\n' },
  });
  expect(await rig.once()).toMatchObject({ code: 0 });
  const config = rig.read('dragoman.yaml');
  const [head, tail] = [config.indexOf('  other:'), config.indexOf('  app:')];
  rig.write(
    'dragoman.yaml',
    `${config.slice(0, head)}${config.slice(tail).replace('[de]', '[de, fr]')}`,
  );
  expect(await rig.once()).toMatchObject({ code: 0 });
  expect(rig.exists('dragoman.lock/other/de')).toBe(false);
});

test('a daemon that gets a renamed project at a reload moves the lines of its lock', async () => {
  await using rig = await Rig.start({ config: CONFIG, files: FILES });
  expect(await rig.once()).toMatchObject({ code: 0 });
  rig.write('locales/de/a.json', '{"hello":"Grüß dich","bye":"Bis bald"}\n');
  expect(await rig.once()).toMatchObject({ code: 0 });
  const paid = billed(rig);
  const daemon = await rig.daemon();
  rig.write('dragoman.yaml', rig.read('dragoman.yaml').replace('  app:', '  web:'));
  daemon.kill('SIGHUP');
  await daemon.logged(({ kind }) => kind === 'config-reloaded');
  await until(() => rig.exists('dragoman.lock/web/de') && !rig.exists('dragoman.lock/app/de'));
  expect(await daemon.stop()).toBe(0);
  expect(rig.read('dragoman.lock/web/de').match(/ h$/gm)).toHaveLength(2);
  expect(billed(rig)).toBe(paid);
});
