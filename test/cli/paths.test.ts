/** A path on the command line, or a pattern of keys in the config, that names nothing is reported. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git } from '../git.ts';
import { Rig } from '../rig.ts';

const CONFIG = (keys = '') => `lock: dragoman.lock
projects:
  shop:
    source: en
    targets: [de, pl]
    routes: [{ from: "locales/{locale}/*.json"${keys} }]
`;

const COMMANDS = [
  'plan PATH',
  'check PATH',
  'retry PATH --yes',
  'approve PATH --yes',
  'undo PATH --yes',
  'review list PATH',
  'review export PATH --language de -o out.xlf',
  'glossary suggest PATH',
  'once PATH',
  'once --frozen PATH',
];

test('a path that does not exist and that no route makes is refused; the path of a missing translation is accepted', async () => {
  await using rig = await Rig.start({
    config: CONFIG(),
    files: { 'locales/en/app.json': '{"a": "Hello you"}', 'locales/en/new.json': '{"b": "New"}' },
  });
  await rig.once('locales/en/app.json');
  for (const command of COMMANDS) {
    const argumentsFor = (path: string) => command.replace('PATH', path).split(' ');
    const wrong = await rig.run(...argumentsFor('locales/de/ap.json'));
    expect.soft({ command, ...wrong }).toMatchObject({
      ...{ command, code: 64 },
      stderr: expect.stringContaining('locales/de/ap.json does not exist, and no route writes it'),
    });
    const missing = await rig.run(...argumentsFor('locales/de/new.json'));
    expect.soft({ command, stderr: missing.stderr }).toMatchObject({
      stderr: expect.not.stringContaining('does not exist, and no route writes it'),
    });
  }
  expect(rig.exists('out.xlf')).toBe(true);
  // A script may name files that are gone beside others: the check reports nothing wrong about them.
  expect(await rig.run('check', 'locales/de/app.json', 'locales/de/ap.json')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('locales/de/ap.json does not exist, and no route writes it'),
  });
});

test('a path outside of every project is refused, and named beside others; a check only names it', async () => {
  await using rig = await Rig.start({
    config: CONFIG().replace('    source: en', '    root: app\n    source: en'),
    files: { 'app/locales/en/app.json': '{"a": "Hello you"}', 'other/README.md': 'Other\n' },
  });
  await rig.once();
  for (const around of ['.', 'app', 'app/locales/de', '..'])
    expect(await rig.run('once', '--frozen', around), around).toMatchObject({ code: 0 });
  for (const outside of ['other', 'other/README.md', '/etc']) {
    const said = { stderr: expect.stringContaining('is outside of every project of the config') };
    for (const command of COMMANDS.filter((each) => each !== 'check PATH')) {
      if (rig.exists('out.xlf')) rig.remove('out.xlf');
      const [args, both] = [[outside], [outside, 'app/locales']].map((paths) =>
        command.split(' ').flatMap((word) => (word === 'PATH' ? paths : [word])),
      );
      const wrong = await rig.run(...(args ?? []));
      expect.soft({ command, ...wrong }).toMatchObject({ command, code: 64, ...said });
      const beside = await rig.run(...(both ?? []));
      expect.soft({ command, ...beside }).toMatchObject({ command, ...said });
      expect.soft(beside.code, command).not.toBe(64);
    }
    expect(await rig.run('check', outside)).toMatchObject({ code: 0, ...said });
  }
});

test('a path inside of a project that no route reads or writes is refused, and named beside others; a check only names it', async () => {
  await using rig = await Rig.start({
    config: CONFIG(', exclude: ["locales/en/old.json"]'),
    files: {
      'locales/en/app.json': '{"a": "Hello you"}',
      'locales/en/old.json': '{"a": "Old"}',
      'src/app.ts': 'a;\n',
    },
  });
  await rig.once();
  for (const around of ['.', 'locales', 'locales/de', 'locales/de/app.json'])
    expect(await rig.run('once', '--frozen', around), around).toMatchObject({
      code: 0,
      stderr: '',
    });
  for (const path of ['src', 'src/app.ts', 'locales/en/old.json']) {
    const said = { stderr: expect.stringContaining(`no route reads or writes ${path}`) };
    for (const command of COMMANDS.filter((each) => each !== 'check PATH')) {
      if (rig.exists('out.xlf')) rig.remove('out.xlf');
      const [args, both] = [[path], [path, 'locales']].map((paths) =>
        command.split(' ').flatMap((word) => (word === 'PATH' ? paths : [word])),
      );
      const wrong = await rig.run(...(args ?? []));
      expect.soft({ command, ...wrong }).toMatchObject({ command, code: 64, ...said });
      // It has files to put back then.
      if (command.startsWith('undo')) continue;
      const beside = await rig.run(...(both ?? []));
      expect.soft({ command, ...beside }).toMatchObject({ command, ...said });
      expect.soft(beside.code, command).not.toBe(64);
    }
    expect(await rig.run('check', path)).toMatchObject({ code: 0, ...said });
  }
  expect((await rig.run('check', 'src', 'src/app.ts', 'locales')).stderr).toContain(
    'no route reads or writes src and 1 other path\n',
  );
});

test('a check of nothing but files that were deleted, now or in an earlier commit, is no fault, as a hook of git or a pull request asks for it', async () => {
  await using rig = await Rig.start({
    config: CONFIG(),
    files: { 'locales/en/app.json': '{"a": "Hello you"}', 'locales/en/old.json': '{"b": "Old"}' },
  });
  git(rig.root, 'init', '-q');
  git(rig.root, 'add', '.');
  git(rig.root, 'commit', '-qm', 'x');
  git(rig.root, 'rm', '-q', 'locales/en/old.json');
  for (const moment of ['before the commit', 'after it', 'in a side branch']) {
    if (moment === 'after it') git(rig.root, 'commit', '-qm', 'y');
    if (moment === 'in a side branch') addAndDeleteAside(rig, 'locales/en/side.json');
    const gone = moment === 'in a side branch' ? 'side' : 'old';
    const check = await rig.run('check', `locales/en/${gone}.json`);
    expect.soft({ moment, code: check.code }).toEqual({ moment, code: 0 });
    expect.soft((await rig.run('check', 'locales/en/odl.json')).code).toBe(64);
  }
});

function addAndDeleteAside(rig: Rig, path: string): void {
  git(rig.root, 'checkout', '-qb', 'side');
  git(rig.root, 'commit', '-qm', 'other', '--allow-empty');
  writeFileSync(join(rig.root, path), '{"c": "Side"}');
  git(rig.root, 'add', path);
  git(rig.root, 'commit', '-qm', 'add');
  git(rig.root, 'rm', '-q', path);
  git(rig.root, 'commit', '-qm', 'remove');
  git(rig.root, 'checkout', '-q', '-');
  git(rig.root, 'merge', '-q', '--no-ff', '-m', 'merge', 'side');
}

test('a file of memory import that does not exist is named in words', async () => {
  await using rig = await Rig.start({ config: CONFIG() });
  const { code, stderr } = await rig.run('memory', 'import', 'nope.tmx', '--project', 'shop');
  expect({ code, stderr }).toEqual({ code: 64, stderr: 'dragoman: nope.tmx does not exist\n' });
});

test('check reports each pattern that matches no key once, with its place, and the exit code stays', async () => {
  const keys =
    ', keys: { ignore: ["never.*", "b"], lock: ["brand"], max_length: { "no": 3, "n_few": 40 }, notes: { "nosuch.*": "a button", "*": "all" } }';
  await using rig = await Rig.start({
    config: CONFIG(keys),
    files: {
      'locales/en/app.json':
        '{"a": "Hello you", "brand": "X", "n_one": "{{count}} x", "n_other": "{{count}} xs"}',
      'locales/en/more.json': '{"b": "left alone"}',
    },
  });
  await rig.once();
  const { code, stdout } = await rig.run('check', '--json');
  const { warnings } = JSON.parse(stdout) as { warnings: { line: number; message: string }[] };
  expect(code).toBe(0);
  expect(warnings.map(({ message }) => message)).toEqual([
    'keys.ignore: "never.*" names no key of any source of its route',
    'keys.max_length: "no" names no key of any source of its route',
    'keys.notes: "nosuch.*" names no key of any source of its route',
  ]);
  const line = rig
    .read('dragoman.yaml')
    .split('\n')
    .findIndex((each) => each.includes('never.*'));
  expect(new Set(warnings.map((each) => each.line))).toEqual(new Set([line + 1]));
  expect((await rig.run('check', 'locales/de')).stdout).not.toContain('names no key');
});

test('no pattern is reported while a source cannot be read', async () => {
  await using rig = await Rig.start({
    config: CONFIG(', keys: { ignore: ["gone"] }'),
    files: { 'locales/en/app.json': '{"a": "Hello"}', 'locales/en/bad.json': '{"gone": ' },
  });
  expect((await rig.run('check')).stdout).not.toContain('names no key');
});
