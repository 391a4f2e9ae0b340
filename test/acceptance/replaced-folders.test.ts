/** A folder of sources that something else replaces: the sources below it are gone, as if the folder had been removed. */
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Rig } from '../rig.ts';
import { until } from '../until.ts';

const CONFIG = `
page: false
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de]
    routes:
      - { from: "l/{locale}/**/*.json" }
`;
const FILES = {
  'l/en/a.json': '{ "hello": "Hello" }\n',
  'l/en/sub/x.json': '{ "inside": "Inside the folder" }\n',
};

describe('the sources of a folder are gone when its name belongs to', () => {
  const replacements: Record<string, (rig: Rig) => void> = {
    nothing: () => undefined,
    'a file': (rig) => rig.write('l/en/sub', '../../other\n'),
    'a link to a file': (rig) => symlinkSync('a.json', rig.path('l/en/sub')),
    'a link to nothing': (rig) => symlinkSync('/nowhere/x', rig.path('l/en/sub')),
    'a link to itself': (rig) => symlinkSync('sub', rig.path('l/en/sub')),
  };
  for (const [name, replace] of Object.entries(replacements)) {
    test(name, async () => {
      await using rig = await Rig.start({ config: CONFIG, files: FILES });
      expect(await rig.once()).toMatchObject({ code: 0, delivered: 2 });
      rig.remove('l/en/sub');
      replace(rig);
      expect(await rig.once()).toMatchObject({ code: 0, failed: [] });
      expect(rig.exists('l/de/sub/x.json')).toBe(false);
      expect(rig.exists('l/de/a.json')).toBe(true);
      expect((await rig.run('once', '--frozen')).code).toBe(0);
    });
  }
});

test('a file that becomes a folder and a file again under a daemon is translated', async () => {
  await using rig = await Rig.start({ config: CONFIG, files: FILES });
  const daemon = await rig.daemon();
  await until(() => rig.exists('l/de/a.json'));
  rmSync(rig.path('l/en/a.json'));
  mkdirSync(rig.path('l/en/a.json'));
  rig.write('l/en/a.json/inner.json', '{ "inner": "Inside of it" }\n');
  // The target of the file is in the place of the folder.
  await daemon.logged(({ msg }) => msg?.startsWith('failed: l/en/a.json/inner.json') === true);
  rig.remove('l/en/a.json');
  rig.write('l/en/a.json', '{ "again": "Hello again" }\n');
  await until(() => rig.json('l/de/a.json')['again'] !== undefined);
  await until(async () => (await rig.run('once', '--frozen')).code === 0);
  await daemon.stop();
  expect(await rig.once()).toMatchObject({ code: 0, failed: [] });
});
