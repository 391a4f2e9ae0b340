/** A daemon and its config file: what SIGHUP puts in force, what it refuses, and what is said while the two differ. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { Rig } from '../rig.ts';

const CONFIG = `
defaults: { settle_ms: 0 }
page: { listen: "127.0.0.1:0" }
projects:
  app:
    source: en
    targets: [de]
    routes: [{ from: "locales/{locale}/**/*.json" }]
`;
const FILES = { 'locales/en/a.json': '{"a":"Hello"}\n' };

async function rigWithDaemon(config = CONFIG, start: 'daemon' | 'daemonApart' = 'daemon') {
  const rig = await Rig.start({ config, files: FILES });
  const daemon = await rig[start]();
  const change = (from: string, to: string) =>
    rig.write('dragoman.yaml', rig.read('dragoman.yaml').replace(from, to));
  return { rig, daemon, change };
}

test('a reload refuses a setting that cannot change while a daemon runs, by its name, and the whole config with it', async () => {
  const { rig, daemon, change } = await rigWithDaemon();
  await using _rig = rig;
  change('defaults:', 'state: { folder: elsewhere }\ndefaults:');
  change('targets: [de]', 'targets: [de, fr]');
  daemon.kill('SIGHUP');
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
  daemon.kill('SIGHUP');
  await daemon.logged(({ kind }) => kind === 'config-reloaded');
  rig.write('locales/en/b.json', '{"b":"World"}\n');
  rig.write('locales/en/bad.json', '{ "a": [}\n');
  await daemon.logged(({ kind }) => kind === 'job-failed');
  expect(await daemon.stop()).toBe(0);
  const levels = daemon.lines.map((line) => (line as { level?: number }).level ?? 50);
  const reloaded = daemon.lines.findIndex(({ kind }) => kind === 'config-reloaded');
  expect(levels.slice(reloaded + 1).filter((level) => level < 50)).toEqual([]);
});

test('a config file that changed and is not reloaded is named by every answer of the daemon, which stays ready', async () => {
  const { rig, daemon, change } = await rigWithDaemon();
  await using _rig = rig;
  await daemon.logged(({ kind }) => kind === 'job-delivered');
  const codes = async (...command: string[]) => {
    const { code, stdout } = await rig.run(...command, '--json');
    const { attention } = JSON.parse(stdout) as { attention: { code: string }[] };
    return [code, attention.map(({ code: reason }) => reason)];
  };
  expect(await codes('once', '--frozen')).toEqual([0, []]);
  change('targets: [de]', 'targets: [de, fr]');
  expect(await codes('once', '--frozen')).toEqual([2, ['config-not-reloaded']]);
  expect(await codes('plan')).toEqual([2, ['config-not-reloaded']]);
  const check = await rig.run('check');
  expect([check.code, check.stdout]).toEqual([2, expect.stringContaining('has changed')]);
  const { stdout } = await rig.run('status', '--json');
  const { attention, page } = JSON.parse(stdout) as { attention: unknown; page: string };
  expect(attention).toMatchObject([
    { code: 'config-not-reloaded', next_step: expect.stringContaining('SIGHUP') },
  ]);
  const ready = await fetch(new URL('/readyz', page));
  expect([ready.status, await ready.json()]).toMatchObject([
    200,
    { checks: { config: { ok: true, reason: expect.stringContaining('not reloaded') } } },
  ]);
  daemon.kill('SIGHUP');
  await daemon.logged(({ kind }) => kind === 'config-reloaded');
  expect((await codes('status'))[1]).toEqual([]);
  expect(await daemon.stop()).toBe(0);
});

test('a refused config is named as such until it is corrected', async () => {
  const { rig, daemon, change } = await rigWithDaemon();
  await using _rig = rig;
  change('defaults:', 'lock: dragoman.lock\ndefaults:');
  daemon.kill('SIGHUP');
  await daemon.logged(({ kind }) => kind === 'config-refused');
  const { stdout } = await rig.run('status', '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    attention: [{ code: 'config-not-reloaded', reason: expect.stringContaining('refused') }],
  });
  expect((await rig.run('status')).stdout).toMatch(/^held +all projects$/m);
  expect(await daemon.stop()).toBe(0);
});

test.skipIf(!existsSync('/dev/shm'))(
  'a daemon with temporary files of its own, as with PrivateTmp, is seen by the commands of its config',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'private-tmp-'));
    vi.stubEnv('TMPDIR', folder);
    const { rig, daemon, change } = await rigWithDaemon(CONFIG, 'daemonApart').finally(() =>
      vi.unstubAllEnvs(),
    );
    await using _rig = rig;
    change('defaults:', 'state: elsewhere\ndefaults:');
    const { code, stderr } = await rig.run('once');
    expect([code, stderr]).toEqual([75, expect.stringContaining('stop that process first')]);
    expect(rig.exists('elsewhere')).toBe(false);
    expect(await daemon.stop()).toBe(0);
    rmSync(folder, { recursive: true });
  },
);

test('a record of a process that was killed refuses nothing', async () => {
  const { rig, daemon, change } = await rigWithDaemon(CONFIG, 'daemonApart');
  await using _rig = rig;
  await daemon.stop('SIGKILL');
  change('defaults:', 'state: elsewhere\ndefaults:');
  expect((await rig.once()).code).toBe(0);
});

test('while a daemon works, no command makes another state for its config', async () => {
  const { rig, daemon, change } = await rigWithDaemon();
  await using _rig = rig;
  change('defaults:', 'state: elsewhere\ndefaults:');
  for (const command of [['once'], ['once', '--frozen'], ['status'], ['plan'], ['run']]) {
    const { code, stderr } = await rig.run(...command);
    expect([command, code, stderr]).toEqual([
      command,
      75,
      expect.stringContaining('stop that process first'),
    ]);
  }
  expect(rig.exists('elsewhere')).toBe(false);
  expect(await daemon.stop()).toBe(0);
  expect((await rig.once()).code).toBe(0);
  expect(rig.exists('elsewhere')).toBe(true);
});
