/** A changed recipe buys again only what `retranslate_on` names, and every rule reaches the service. */
import { expect, test } from 'vitest';
import { billed } from '../counts.ts';
import { Rig } from '../rig.ts';

const config = (rules: string) => `
projects:
  app:
    source: en
    targets: [de]
    ${rules}
    routes:
      - { from: "locales/{locale}/**/*.json" }
`;
const FILES = { 'locales/en/app.json': '{ "a": "Your boat", "b": "Our boat" }\n' };
const ALL = 'Your boatOur boat'.length;

async function rewrite(rig: Rig, from: string, to: string): Promise<void> {
  rig.write('dragoman.yaml', rig.read('dragoman.yaml').replace(from, to));
  await rig.once();
}

test('another formality buys nothing again by itself', async () => {
  await using rig = await Rig.start({ config: config('formality: prefer_more'), files: FILES });
  await rig.once();
  await rewrite(rig, 'prefer_more', 'prefer_less');
  expect(billed(rig)).toBe(ALL);
  expect(rig.json('locales/de/app.json')['a']).toContain('·more');
});

test('with retranslate_on: [options], another formality buys the machine texts again, once, and keeps those of a person', async () => {
  const rules = 'formality: prefer_more\n    retranslate_on: [source, options]';
  await using rig = await Rig.start({ config: config(rules), files: FILES });
  await rig.once();
  const own = { ...rig.json('locales/de/app.json'), b: 'Unser Boot' };
  rig.write('locales/de/app.json', `${JSON.stringify(own)}\n`);
  await rewrite(rig, 'prefer_more', 'prefer_less');
  expect(rig.json('locales/de/app.json')['a']).toContain('·less');
  expect(rig.json('locales/de/app.json')['b']).toBe('Unser Boot');
  expect(billed(rig)).toBe(ALL + 'Your boat'.length);
  expect(await rig.once()).toMatchObject({ requests: 0 });
});

test('every rule of a project reaches the service', async () => {
  const rules = `formality: more
    model: quality_optimized
    context: Texts of a boatyard
    custom_instructions: ["Be brief"]
    translation_memory: { id: 6f1d2c3a-0b5e-4a7c-9d8e-1f2a3b4c5d6e, threshold: 80 }
    tag_handling_version: v2`;
  await using rig = await Rig.start({ config: config(rules), files: FILES });
  expect(await rig.once()).toMatchObject({ code: 0, failed: [] });
  const [entry] = rig.sandbox.log().filter(({ operation }) => operation === 'POST /v2/translate');
  expect(entry?.recipe).toContain('quality_optimized');
  expect(rig.json('locales/de/app.json')['a']).toMatch(
    /^\[de·more·instructions-[0-9a-f]{8}·memory-6f1d2c3a\.80 /,
  );
});
