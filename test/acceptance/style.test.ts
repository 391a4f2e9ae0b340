/** Style lists through the real binary: applied, kept in step, and refused where they would do harm. */
import { expect, test } from 'vitest';
import { connect } from '../../src/service/client.ts';
import { billed } from '../counts.ts';
import { Rig } from '../rig.ts';

const TEXTS = { cart: 'Your cart is empty', pay: 'Go to checkout', help: 'Help' };
const FILES = { 'locales/en/app.json': `${JSON.stringify(TEXTS, null, 2)}\n` };

const STYLED = `
projects:
  shop:
    source: en
    targets: [de, de-AT, pl]
    style: { de: l10n/style.de.yaml }
    retranslate_on: [source, style]
    routes:
      - { from: "locales/{locale}/**/*.json" }
`;
const list = (prompt: string) => `name: shop German
language: de
configured_rules:
  punctuation: { apostrophe: use_straight_apostrophes }
custom_instructions:
  - { label: Tone, prompt: "${prompt}" }
`;

test('a style list is applied to its language and the variants of it, and the new list is used before the old one is deleted', async () => {
  const files = { ...FILES, 'l10n/style.de.yaml': list('Be brief') };
  await using rig = await Rig.start({ config: STYLED, files });
  expect((await rig.once()).code).toBe(0);
  expect(rig.json('locales/de/app.json')['help']).toMatch(/^\[de·style-[0-9a-f]{8}\.1 /);
  expect(rig.json('locales/de-AT/app.json')['help']).toMatch(/^\[de·style-/);
  expect(rig.json('locales/pl/app.json')['help']).not.toContain('style');
  const before = billed(rig);
  rig.write('l10n/style.de.yaml', list('Be very brief'));
  await rig.once();
  await using service = connect({ url: rig.sandbox.url, key: rig.sandbox.key });
  const lists = await service.styles.listDetailed();
  expect(lists.map(({ custom_instructions: [own] }) => own?.prompt)).toEqual(['Be very brief']);
  // Once for de and de-AT: the service is asked for de in both.
  expect(billed(rig) - before).toBe(Object.values(TEXTS).join('').length);
});

test('an old list that a stopped replacement left behind is named, and deleted by the next push', async () => {
  const files = { ...FILES, 'l10n/style.de.yaml': list('Be brief') };
  await using rig = await Rig.start({ config: STYLED, files });
  await rig.run('style', 'push', '--yes');
  rig.write('l10n/style.de.yaml', list('Be very brief'));
  const operation = 'DELETE /v3/style_rules/{style_id}';
  rig.sandbox.faults.add([{ kind: 'status', status: 400, operation }]);
  expect((await rig.run('style', 'push', '--yes')).code).not.toBe(0);
  await using service = connect({ url: rig.sandbox.url, key: rig.sandbox.key });
  expect(await service.styles.listDetailed()).toHaveLength(2);
  expect((await rig.run('style', 'diff')).stderr).toContain('DELETE the old list');
  expect((await rig.run('style', 'push', '--yes')).code).toBe(0);
  expect(await service.styles.listDetailed()).toHaveLength(1);
  expect((await rig.run('style', 'diff')).code).toBe(0);
});

test('unknown rules are warnings with a place, a list of another language is refused', async () => {
  await using rig = await Rig.start({
    config: STYLED,
    files: {
      ...FILES,
      'l10n/style.de.yaml':
        'name: x\nlanguage: fr\nconfigured_rules:\n  punctuation: { apostrofe: x }\n',
    },
  });
  const { code, stdout, stderr } = await rig.run('check');
  expect(code).toBe(1);
  expect(stdout).toContain('is a list for fr, and the config uses it for de');
  expect(stderr).toContain('unknown rule; did you mean "apostrophe"?');
});

test('two style files of one language and name are refused, because each would overwrite the other', async () => {
  const config = STYLED.replace(
    '{ de: l10n/style.de.yaml }',
    '{ de: l10n/a.yaml, de-AT: l10n/b.yaml }',
  );
  const files = { ...FILES, 'l10n/a.yaml': list('Be brief'), 'l10n/b.yaml': list('Be long') };
  await using rig = await Rig.start({ config, files });
  const { code, stderr } = await rig.run('once');
  expect(code).toBe(1);
  expect(stderr).toContain('l10n/b.yaml:1:1 l10n/a.yaml is named "shop German" too');
});
