/** A lock that the config names otherwise: without it, no stale translation counts as up to date. */
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { billed } from '../counts.ts';
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
  daemon.child.kill('SIGHUP');
  await daemon.logged(({ kind }) => kind === 'config-reloaded');
  await until(() => rig.exists('dragoman.lock/web/de') && !rig.exists('dragoman.lock/app/de'));
  expect(await daemon.stop()).toBe(0);
  expect(rig.read('dragoman.lock/web/de').match(/ h$/gm)).toHaveLength(2);
  expect(billed(rig)).toBe(paid);
});
