/** A lock that lacks lines, or that cannot be used. Every command reports it, and the lock is complete as soon as it can be written. */
import { rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { billed } from '../counts.ts';
import { Rig } from '../rig.ts';
import { Team } from '../team.ts';

const CONFIG = `
lock: dragoman.lock
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de]
    routes: [{ from: "locales/{locale}/*.json" }]
`;
const FILES = {
  'locales/en/a.json': '{"hello":"Hello"}\n',
  'locales/en/b.json': '{"bye":"Bye"}\n',
};

test('in a fresh checkout, translations without any lock are not up to date, until a run writes it', async () => {
  await using rig = await Rig.start({ config: CONFIG, files: FILES });
  expect((await rig.run('once')).code).toBe(0);
  for (const path of ['dragoman.lock', '.dragoman']) rmSync(rig.path(path), { recursive: true });
  for (const command of ['once --frozen', 'plan']) {
    const { code, stdout, stderr } = await rig.run(...command.split(' '));
    expect.soft({ command, code }).toEqual({ command, code: 1 });
    expect
      .soft(`${stdout}${stderr}`, command)
      .toContain('it was not written yet, or it was removed');
  }
  expect((await rig.run('once')).code).toBe(0);
  for (const command of ['once --frozen', 'plan']) {
    const { code } = await rig.run(...command.split(' '));
    expect.soft({ command, code }).toEqual({ command, code: 0 });
  }
});

test('a run says that a commit removed the whole lock, and that nothing says which translations are up to date', async () => {
  const projects = CONFIG.slice(CONFIG.indexOf('defaults'));
  const { team, first } = await Team.start(projects, {
    'locales/en/a.json': '{"hello":"Hello"}\n',
  });
  const said = 'app (de): the lock had no file of this language';
  expect(await first.run('once')).toMatchObject({
    code: 0,
    out: expect.not.stringContaining(said),
  });
  first.commit('translate');
  first.git('rm', '--quiet', '-r', 'dragoman.lock');
  first.commit('remove the lock');
  for (const checkout of [await team.clone(), await team.clone('--depth', '1')]) {
    await checkout.write({ 'locales/en/a.json': '{"hello":"Hello, World"}\n' });
    expect(await checkout.run('once')).toMatchObject({
      code: 0,
      out: expect.stringContaining(said),
    });
    expect((await checkout.run('once')).out).not.toContain(said);
  }
});

test('a first plan beside translations of people says that the first run writes the lock, until git has had one', async () => {
  const projects = CONFIG.slice(CONFIG.indexOf('defaults'));
  const { team, first: a } = await Team.start(projects, {
    'locales/en/a.json': '{"hello":"Hello"}\n',
    'locales/de/a.json': '{"hello":"Hallo"}\n',
  });
  const news = 'git has no lock of 1 translated file in any commit';
  const planned = await a.run('plan');
  expect(planned).toMatchObject({ code: 0, out: expect.stringContaining(news) });
  expect(planned.out).not.toContain('failed');
  expect((await a.run('once', '--frozen')).code).toBe(1);
  expect(await a.run('once')).toMatchObject({ code: 0, texts: 0 });
  expect((await a.run('plan')).out).not.toContain('lock');
  a.commit('translate');

  await a.write({ 'locales/fr/a.json': '{"hello":"Bonjour"}\n' });
  await a.write({ 'dragoman.yaml': (await a.read('dragoman.yaml')).replace('[de]', '[de, fr]') });
  expect(await a.run('plan')).toMatchObject({ code: 0, out: expect.stringContaining(news) });
  a.git('checkout', '--quiet', '.');

  a.git('rm', '--quiet', '-r', 'dragoman.lock');
  a.commit('remove the lock');
  for (const checkout of [await team.clone(), await team.clone('--depth', '1')]) {
    const { code, out } = await checkout.run('plan');
    expect(code).toBe(1);
    expect(out).toContain('it was not written yet, or it was removed');
  }
});

test('a daemon whose lock was replaced by a file says so, buys nothing, and goes on when the lock is back', async () => {
  await using rig = await Rig.start({ config: CONFIG, files: FILES });
  await rig.once();
  const daemon = await rig.daemon();
  const codes = async () => {
    const { attention } = JSON.parse((await rig.run('status', '--json')).stdout);
    return (attention as { code: string }[]).map(({ code }) => code);
  };
  rmSync(rig.path('dragoman.lock'), { recursive: true });
  writeFileSync(rig.path('dragoman.lock'), 'no folder\n');
  await expect.poll(codes).toEqual(['lock-damaged']);
  const before = billed(rig);
  rig.write('locales/en/c.json', '{"new":"New"}\n');
  await daemon.logged(({ kind }) => kind === 'job-failed');
  expect((await rig.run('plan')).code).toBe(78);
  expect(billed(rig)).toBe(before);
  rmSync(rig.path('dragoman.lock'));
  await daemon.logged(({ kind }) => kind === 'job-delivered');
  expect(rig.read('locales/de/c.json')).toContain('new');
  await expect.poll(codes).toEqual([]);
  expect(await daemon.stop()).toBe(0);
  expect(rig.read('dragoman.lock/app/de')).toContain('locales/en/b.json');
});

test('a lock that is damaged while a daemon works is named by its status, until it is mended', async () => {
  await using rig = await Rig.start({ config: CONFIG, files: FILES });
  await rig.once();
  const whole = rig.read('dragoman.lock/app/de');
  const daemon = await rig.daemon();
  const codes = async () => {
    const { attention } = JSON.parse((await rig.run('status', '--json')).stdout);
    return (attention as { code: string }[]).map(({ code }) => code);
  };
  expect(await codes()).toEqual([]);
  writeFileSync(rig.path('dragoman.lock/app/de'), whole.slice(0, -5));
  await expect.poll(codes).toEqual(['lock-damaged']);
  expect((await rig.run('plan')).code).toBe(78);
  expect(rig.read('dragoman.lock/app/de')).toBe(whole.slice(0, -5));
  writeFileSync(rig.path('dragoman.lock/app/de'), whole);
  await expect.poll(codes).toEqual([]);
  expect(await daemon.stop()).toBe(0);
});

test('a run says that the lock lacks the file of a language whose translations it leaves as they are', async () => {
  const config = CONFIG.replace('[de]', '[de, fr]');
  await using rig = await Rig.start({ config, files: FILES });
  expect((await rig.run('once')).code).toBe(0);
  rmSync(rig.path('dragoman.lock/app/de'));
  rmSync(rig.path('.dragoman'), { recursive: true });
  const { stderr, stdout } = await rig.run('once');
  expect(`${stdout}${stderr}`).toContain('app (de): the lock had no file of this language');
  expect(`${stdout}${stderr}`).not.toContain('app (fr)');
  const again = await rig.run('once');
  expect(`${again.stdout}${again.stderr}`).not.toContain('the lock had no file');
});
