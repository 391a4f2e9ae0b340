/** Titles of links and images: each is a text of its own, and a change of it leaves its sentence alone. */
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

See [the guide](guide.md "The long guide") and ![a lake](lake.png 'Lake at dawn') before you go.
`;
const GERMAN = `# Kopf

Lies [den Leitfaden](guide.md "Der lange Leitfaden") und ![ein See](lake.png 'See im Morgengrauen'), bevor du gehst.
`;

async function planned(rig: Rig): Promise<number> {
  const { stdout } = await rig.run('plan', '--json');
  return (JSON.parse(stdout) as { estimated_characters: number }).estimated_characters;
}

test.each(['adopted', 'bought'])(
  'a changed title of a link in a page that was %s is bought alone',
  async (how) => {
    const files = how === 'adopted' ? { [EN]: ENGLISH, [DE]: GERMAN } : { [EN]: ENGLISH };
    await using rig = await Rig.start({ config: CONFIG, files });
    expect(await rig.once()).toMatchObject({ code: 0 });
    const before = rig.read(DE);
    rig.write(EN, ENGLISH.replace('The long guide', String.raw`The \"short\" guide`));
    const price = 'The "short" guide'.length;
    expect(await planned(rig)).toBe(price);
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 1, billed_characters: price });
    const [, title = ''] = /guide\.md ("(?:[^"\\]|\\.)*")/.exec(rig.read(DE)) ?? [];
    expect(title).toMatch(/^"\[de .*\\".*\\"/);
    expect(rig.read(DE)).toBe(before.replace(/(?<=guide\.md )"[^"]*"/, () => title));
  },
);

test('a title that left the source leaves the target, and a new one is bought alone', async () => {
  await using rig = await Rig.start({ config: CONFIG, files: { [EN]: ENGLISH, [DE]: GERMAN } });
  await rig.once();
  rig.write(EN, ENGLISH.replace(' "The long guide"', ''));
  expect(await rig.once()).toMatchObject({ code: 0, delivered: 1, requests: 0 });
  const bare = GERMAN.replace(' "Der lange Leitfaden"', '');
  expect(rig.read(DE)).toBe(bare);
  rig.write(EN, ENGLISH.replace('The long guide', 'Guide'));
  expect(await rig.once()).toMatchObject({ code: 0, billed_characters: 'Guide'.length });
  expect(rig.read(DE).replace(/(?<=guide\.md) "\[de [^"]*"/, '')).toBe(bare);
});

test('a title that a person edited is not lost when it changes in the source: the sentence stays and waits', async () => {
  await using rig = await Rig.start({ config: CONFIG, files: { [EN]: ENGLISH } });
  await rig.once();
  const theirs = rig.read(DE).replace(/(?<=guide\.md )"[^"]*"/, '"Von Hand"');
  rig.write(DE, theirs);
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  rig.write(EN, ENGLISH.replace('The long guide', 'The short guide'));
  const price = 'The short guide'.length;
  expect(await rig.once()).toMatchObject({ code: 2, billed_characters: price });
  expect(rig.read(DE)).toBe(theirs);
  await rig.run('resolve', DE, '--machine');
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  expect(rig.read(DE).replace(/(?<=guide\.md )"[^"]*"/, '"Von Hand"')).toBe(theirs);
});
