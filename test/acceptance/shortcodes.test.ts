/** Template calls of Hugo and Jekyll inside a sentence: what a person wrote in them stays, as in links and tags. */
import { expect, test } from 'vitest';
import { Rig } from '../rig.ts';

const CONFIG = `
defaults: { settle_ms: 0 }
projects:
  docs: { source: en, targets: [de], routes: [{ from: "docs/{locale}/*.md" }] }
`;
const EN = 'docs/en/a.md';
const DE = 'docs/de/a.md';
const ENGLISH = `# Head

See {{< icon name="x" title="The icon" >}} and {{% ref "a.md" %}}, {% image a.png alt="A lake" %}, for a long walk.
`;
const CALLS = [
  '{{< icon name="x" title="Das Symbol" >}}',
  '{{% ref "a.de.md" %}}',
  '{% image a.png alt="Ein See" %}',
];
const GERMAN = `# Kopf

Siehe ${CALLS[0]} und ${CALLS[1]}, ${CALLS[2]}, für einen langen Weg.
`;

test('a person’s values in template calls stay when the words around them are bought again', async () => {
  await using rig = await Rig.start({ config: CONFIG, files: { [EN]: ENGLISH, [DE]: GERMAN } });
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  rig.write(EN, ENGLISH.replace('a long walk', 'a longer walk'));
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
  for (const call of CALLS) expect(rig.read(DE)).toContain(call);
});

test('a value that only the source changed follows it, without a bill; one that both changed is a conflict', async () => {
  await using rig = await Rig.start({ config: CONFIG, files: { [EN]: ENGLISH, [DE]: GERMAN } });
  await rig.once();
  rig.write(EN, ENGLISH.replace('name="x"', 'name="y"'));
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1, requests: 0 });
  expect(rig.read(DE)).toBe(GERMAN.replace('name="x"', 'name="y"'));
  rig.write(EN, ENGLISH.replace('name="x"', 'name="y"').replace('"a.md"', '"b.md"'));
  expect(await rig.once()).toMatchObject({ code: 2, requests: 0 });
  expect(rig.read(DE)).toBe(GERMAN.replace('name="x"', 'name="y"'));
});
