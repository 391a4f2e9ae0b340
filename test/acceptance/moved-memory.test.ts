/** Texts that were bought for a project are found when its sources are in another one: it was renamed, merged or split. */
import { expect, test } from 'vitest';
import { billed } from '../counts.ts';
import { CHANGES, configOf, FILES } from '../moved-projects.ts';
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
