/** A plan ends as the run would, where the service does not have a glossary, style list or translation memory that the config names. */
import { expect, test } from 'vitest';
import { connect } from '../../src/service/client.ts';
import { requests } from '../counts.ts';
import { Rig } from '../rig.ts';

const ID = '00000000-0000-4000-8000-000000000000';
const config = (rule: string, sync = 'on') => `
sync: ${sync}
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de]
    ${rule}
    routes:
      - { from: "locales/{locale}/**/*.json" }
`;
const FILES = {
  'locales/en/a.json': '{ "cart": "Your cart" }\n',
  'l10n/en-de.csv': 'cart,Warenkorb\n',
  'de.yaml': 'name: ours\nlanguage: de\ncustom_instructions: [{ label: Tone, prompt: Be brief }]\n',
};
const CSV = 'csv: "l10n/en-{locale}.csv"';

test.for([
  [`glossary: { id: ${ID} }`, 'on', `there is no glossary ${ID} on the service`],
  [`style: { de: { id: ${ID} } }`, 'on', `style list ${ID}: the service has none of this id`],
  [`translation_memory: { id: ${ID} }`, 'on', `translation memory ${ID}: the service has none`],
  [`glossary: { name: shop, ${CSV} }`, 'off', 'there is no glossary "shop" on the service'],
  [`glossary: { name: shop, ${CSV}, mode: check }`, 'on', 'there is no glossary "shop"'],
  ['style: { de: de.yaml }', 'off', 'there is no style list "'],
] as const)(
  'plan says that the jobs would fail with %s and sync %s',
  async ([rule, sync, reason]) => {
    await using rig = await Rig.start({ config: config(rule, sync), files: FILES });
    const { code, stdout } = await rig.run('plan');
    expect(stdout).toContain(`would fail: ${reason}`);
    expect(code).toBe(1);
    const report = JSON.parse((await rig.run('plan', '--json')).stdout);
    expect(report).toMatchObject({ estimated_characters: 0, jobs: [{ language: 'de' }] });
    expect(await rig.once()).toMatchObject({ code: 1, delivered: 0, failed: [{ language: 'de' }] });
  },
);

test('plan asks for an id once, and not at all when nothing is bought or the service is away', async () => {
  await using rig = await Rig.start({ config: config(''), files: FILES });
  await using service = connect({ url: rig.sandbox.url, key: rig.sandbox.key });
  const entries = { source_lang: 'en', target_lang: 'de', entries: 'a\tb' };
  const { glossary_id } = await service.glossaries.create({
    name: 'shop',
    dictionaries: [{ ...entries, entries_format: 'tsv' }],
  });
  const [memory] = await service.memories.listAll();
  const rule = `glossary: { id: ${glossary_id} }
    translation_memory: { id: ${memory?.translation_memory_id} }`;
  rig.write('dragoman.yaml', rig.read('dragoman.yaml').replace('targets: [de]', `$&\n    ${rule}`));
  rig.write('locales/en/b.json', '{ "pay": "Pay now" }\n');
  const asked = () => requests(rig, 'GET /v3/translation_memories');
  const before = asked();
  expect(await rig.run('plan')).toMatchObject({ code: 0 });
  expect(asked()).toBe(before + 1);
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 2 });
  const all = requests(rig);
  expect(await rig.run('plan')).toMatchObject({ code: 0 });
  expect(requests(rig)).toBe(all);
  rig.write('locales/en/c.json', '{ "sail": "Your sail" }\n');
  await rig.stopService();
  const { code, stderr } = await rig.run('plan');
  expect(stderr).toContain('it is not known whether the service has what the config names');
  expect(code).toBe(0);
});
