/** A daemon and its config file: what SIGHUP puts in force, what it refuses, and what is said while the two differ. */
import { expect, test } from 'vitest';
import { Rig } from '../rig.ts';

const CONFIG = `
defaults: { settle_ms: 0 }
page: false
projects:
  app:
    source: en
    targets: [de]
    routes: [{ from: "locales/{locale}/**/*.json" }]
`;
const FILES = { 'locales/en/a.json': '{"a":"Hello"}\n' };

async function rigWithDaemon(config = CONFIG) {
  const rig = await Rig.start({ config, files: FILES });
  const daemon = await rig.daemon();
  const change = (from: string, to: string) =>
    rig.write('dragoman.yaml', rig.read('dragoman.yaml').replace(from, to));
  return { rig, daemon, change };
}

test('a reload refuses a setting that cannot change while a daemon runs, by its name, and the whole config with it', async () => {
  const { rig, daemon, change } = await rigWithDaemon();
  await using _rig = rig;
  change('defaults:', 'state: { folder: elsewhere }\ndefaults:');
  change('targets: [de]', 'targets: [de, fr]');
  daemon.child.kill('SIGHUP');
  const { msg } = await daemon.logged(({ kind }) => kind === 'config-refused');
  expect(msg).toMatch(
    /dragoman\.yaml:\d+:\d+ state\.folder: cannot change while the daemon runs; restart it/,
  );
  rig.write('locales/en/b.json', '{"b":"World"}\n');
  await daemon.logged(({ msg: said }) => said?.includes('locales/de/b.json') === true);
  expect([rig.exists('elsewhere'), rig.exists('locales/fr/b.json')]).toEqual([false, false]);
  expect(await daemon.stop()).toBe(0);
});

test('a reload puts the level of the log in force', async () => {
  const { rig, daemon, change } = await rigWithDaemon();
  await using _rig = rig;
  change('defaults:', 'log: { level: error }\ndefaults:');
  daemon.child.kill('SIGHUP');
  await daemon.logged(({ kind }) => kind === 'config-reloaded');
  rig.write('locales/en/b.json', '{"b":"World"}\n');
  rig.write('locales/en/bad.json', '{ "a": [}\n');
  await daemon.logged(({ kind }) => kind === 'job-failed');
  expect(await daemon.stop()).toBe(0);
  const levels = daemon.lines.map((line) => (line as { level?: number }).level ?? 50);
  const reloaded = daemon.lines.findIndex(({ kind }) => kind === 'config-reloaded');
  expect(levels.slice(reloaded + 1).filter((level) => level < 50)).toEqual([]);
});
