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

test.each([
  {
    what: 'a new title, and the person has none: it is added',
    was: '![An image](/en/a.png "A title")',
    now: '![An image](/en/a.png "A new title")',
    theirs: '![Ein Bild](/de/a.png)',
    bought: 'A new title',
    wanted: '![Ein Bild](/de/a.png "NEW")',
  },
  {
    what: 'a first title, and the person has one: it stays',
    was: 'See [the guide](/guide.md) now.',
    now: 'See [the guide](/guide.md "The guide") now.',
    theirs: "Lies jetzt [den Leitfaden](/guide.md 'Unser Leitfaden').",
    bought: '',
    wanted: "Lies jetzt [den Leitfaden](/guide.md 'Unser Leitfaden').",
  },
  {
    what: 'a new title and a new address',
    was: 'See [the guide](/guide.md "The guide") now.',
    now: 'See [the guide](/start.md "The start") now.',
    theirs: "Lies jetzt [den Leitfaden](/guide.md 'Der Leitfaden').",
    bought: 'The start',
    wanted: "Lies jetzt [den Leitfaden](/start.md 'NEW').",
  },
  {
    what: 'a new title and other code',
    was: 'Run `a` for [help](/h.md "Short help").',
    now: 'Run `b` for [help](/h.md "Long help").',
    theirs: '[Hilfe](/h.md "Kurze Hilfe") zeigt `a`.',
    bought: 'Long help',
    wanted: '[Hilfe](/h.md "NEW") zeigt `b`.',
  },
  {
    what: 'a new title, and the person left the image out',
    was: 'First words ![a lake](/l.png "Lake") here.',
    now: 'First words ![a lake](/l.png "Sea") here.',
    theirs: 'Erste Worte hier.',
    bought: '',
    wanted: 'Erste Worte hier.',
  },
])(
  'the words of a person stay where the source changes none: $what',
  async ({ was, now, theirs, bought, wanted }) => {
    const english = (text: string) => `# Head\n\n${text}\n\nThe end.\n`;
    const german = (text: string) => `# Kopf\n\n${text}\n\nDas Ende.\n`;
    const files = { [EN]: english(was), [DE]: german(theirs) };
    await using rig = await Rig.start({ config: CONFIG, files });
    expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
    rig.write(EN, english(now));
    expect(await planned(rig)).toBe(bought.length);
    expect(await rig.once()).toMatchObject({ code: 0, billed_characters: bought.length });
    expect(rig.read(DE).replace(/\[de [^"']*(?=["'])/, 'NEW')).toBe(german(wanted));
    expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  },
);
