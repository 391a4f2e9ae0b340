/** A folder that is renamed together with the route that names it: a fresh checkout knows its texts by the lock. */
import { renameSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { billed } from '../counts.ts';
import { Rig } from '../rig.ts';

const config = (folder: string) => `lock: dragoman.lock
defaults: { settle_ms: 0 }
projects:
  app: { source: en, targets: [de], routes: [{ from: "${folder}/{locale}/*.json" }] }
`;

test('a folder that is renamed together with its route keeps its lines', async () => {
  await using rig = await Rig.start({
    config: config('web'),
    files: {
      'web/en/a.json': '{"hello":"Hello","bye":"Bye now","more":"More"}\n',
      'web/en/b.json': '{"three":"Three words"}\n',
    },
  });
  expect(await rig.once()).toMatchObject({ code: 0 });
  rig.write('web/de/b.json', '{"three":"Drei Wörter von Hand"}\n');
  expect(await rig.once()).toMatchObject({ code: 0 });
  const paid = billed(rig);
  renameSync(rig.path('web'), rig.path('site'));
  rig.write('dragoman.yaml', rig.read('dragoman.yaml').replace(config('web'), config('site')));
  rmSync(rig.path('.dragoman'), { recursive: true });
  for (const command of ['check', 'plan', 'once --frozen']) {
    const { code, stdout, stderr } = await rig.run(...command.split(' '));
    expect.soft({ command, code, said: stdout + stderr }).toMatchObject({ code: 0 });
  }
  rig.write('site/en/a.json', '{"hello":"Hello changed","bye":"Bye now","more":"More"}\n');
  for (const command of ['check', 'plan', 'once --frozen']) {
    const { code, stdout, stderr } = await rig.run(...command.split(' '));
    expect.soft({ command, code, said: stdout + stderr }).toMatchObject({
      code: command === 'plan' ? 0 : 1,
      said: expect.stringMatching(/hello|13 characters/),
    });
  }
  expect.soft(await rig.once()).toMatchObject({ code: 0 });
  expect.soft(billed(rig) - paid).toBe('Hello changed'.length);
  rmSync(rig.path('.dragoman'), { recursive: true });
  rig.write('site/en/b.json', '{"three":"Four other words"}\n');
  expect(await rig.once()).toMatchObject({ code: 2 });
});

test('a folder that is renamed together with its route and its project keeps its lines', async () => {
  await using rig = await Rig.start({
    config: config('web'),
    files: {
      'web/en/a.json': '{"hello":"Hello","bye":"Bye now","more":"More"}\n',
      'web/en/b.json': '{"three":"Three words"}\n',
    },
  });
  expect(await rig.once()).toMatchObject({ code: 0 });
  rig.write('web/de/b.json', '{"three":"Drei Wörter von Hand"}\n');
  expect(await rig.once()).toMatchObject({ code: 0 });
  const paid = billed(rig);
  renameSync(rig.path('web'), rig.path('site'));
  const renamed = config('site').replace('  app:', '  web:');
  rig.write('dragoman.yaml', rig.read('dragoman.yaml').replace(config('web'), renamed));
  rmSync(rig.path('.dragoman'), { recursive: true });
  for (const command of ['check', 'plan', 'once --frozen', 'once', 'once --frozen']) {
    const { code, stdout, stderr } = await rig.run(...command.split(' '));
    expect.soft({ command, code, said: stdout + stderr }).toMatchObject({ code: 0 });
  }
  expect.soft(billed(rig)).toBe(paid);
  expect.soft(rig.exists('dragoman.lock/app/de')).toBe(false);
  rmSync(rig.path('.dragoman'), { recursive: true });
  rig.write('site/en/b.json', '{"three":"Four other words"}\n');
  expect.soft(await rig.once()).toMatchObject({ code: 2 });
  expect(rig.read('site/de/b.json')).toContain('von Hand');
});
