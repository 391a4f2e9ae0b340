/** Texts that were bought for a project are found when its sources are in another one: it was renamed, merged or split. */
import { expect, test } from 'vitest';
import { billed } from '../counts.ts';
import { CHANGES, configOf, FILES, ROUTE } from '../moved-projects.ts';
import { Rig } from '../rig.ts';

const WHOLE = '{"three":"Three words","more":"A text that goes and comes back"}\n';

test.each(CHANGES)('%s: a text that comes back is not bought again', async (...changed) => {
  const [, before, after] = changed;
  await using rig = await Rig.start({
    config: configOf(before),
    files: { ...FILES, 'app/en/c.json': WHOLE },
  });
  expect(await rig.once()).toMatchObject({ code: 0 });
  rig.write('app/en/c.json', FILES['app/en/c.json']);
  expect(await rig.once()).toMatchObject({ code: 0 });
  const paid = billed(rig);
  rig.write('dragoman.yaml', rig.read('dragoman.yaml').replace(configOf(before), configOf(after)));
  expect(await rig.once()).toMatchObject({ code: 0 });
  rig.write('app/en/c.json', WHOLE);
  const plan = JSON.parse((await rig.run('plan', '--json')).stdout);
  expect(plan.jobs).toMatchObject([{ estimated_characters: 0, texts: { from_memory: 1 } }]);
  expect(await rig.once()).toMatchObject({ code: 0 });
  expect(rig.read('app/de/c.json')).toContain('more');
  expect(billed(rig)).toBe(paid);
});

test.each([
  ['with a lock', (config: string) => config],
  ['without a lock', (config: string) => config.replace('lock: dragoman.lock\n', '')],
])('%s: nothing is bought when two projects exchange their roots', async (_, locked) => {
  const rooted = (first: string, second: string) =>
    locked(
      configOf({ one: { routes: [ROUTE], root: first }, two: { routes: [ROUTE], root: second } }),
    );
  await using rig = await Rig.start({
    config: rooted('a', 'b'),
    files: { 'a/en/x.json': '{"k":"Hello you"}\n', 'b/en/x.json': '{"k":"Good bye now"}\n' },
  });
  expect(await rig.once()).toMatchObject({ code: 0 });
  const [paid, targets] = [billed(rig), ['a', 'b'].map((root) => rig.read(`${root}/de/x.json`))];
  const exchanged = rig.read('dragoman.yaml').replace(rooted('a', 'b'), rooted('b', 'a'));
  rig.write('dragoman.yaml', exchanged);
  const plan = await rig.run('plan', '--json');
  expect(plan).toMatchObject({ code: 0 });
  expect(plan.stdout).not.toMatch(/"estimated_characters": ?[1-9]/);
  expect(await rig.once()).toMatchObject({ code: 0 });
  expect(await rig.run('once', '--frozen')).toMatchObject({ code: 0 });
  expect(billed(rig)).toBe(paid);
  expect(['a', 'b'].map((root) => rig.read(`${root}/de/x.json`))).toEqual(targets);
  // A person's text of another source is still a person's.
  rig.write('a/de/x.json', '{"k":"Von Hand"}\n');
  rig.write('a/en/x.json', '{"k":"Another greeting"}\n');
  expect(await rig.run('plan')).toMatchObject({ code: 2 });
});
