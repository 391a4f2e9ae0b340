/** Context costs nothing: comments, keys and neighbours go along, and make neither another request nor another character. */
import { describe, expect, test } from 'vitest';
import { parseLanguage } from '../../src/language.ts';
import type { Recipe } from '../../src/plan/recipe.ts';
import { jsonBytes } from '../../src/segments/batch.ts';
import { requestBytes, textRequestFor } from '../../src/translate/request.ts';
import { billed, requests } from '../counts.ts';
import { Rig } from '../rig.ts';

const KEYS = 230;
const MINIMUM = Math.ceil(KEYS / 50);

const config = (context: string) => `
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de]
${context}    routes:
      - { from: "{locale}.arb" }
`;

const arb = (described: boolean) =>
  JSON.stringify(
    Object.fromEntries(
      Array.from({ length: KEYS }, (_, n): [string, unknown][] => [
        [`screen${n % 7}Label${n}`, `Text number ${n} of the screen`],
        ...(described
          ? [
              [
                `@screen${n % 7}Label${n}`,
                { description: `Shown ${'very '.repeat(n % 40)}late, ${n}` },
              ] as [string, unknown],
            ]
          : []),
      ]).flat(),
    ),
    null,
    2,
  );

test('a comment on every text and a note of the project take as many requests and characters as none', async () => {
  const spent = async (note: string, described: boolean) => {
    await using rig = await Rig.start({
      config: config(note),
      files: { 'en.arb': arb(described) },
    });
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
    return { requests: requests(rig, 'POST /v2/translate'), billed: billed(rig) };
  };
  const bare = await spent('', false);
  expect(bare.requests).toBe(MINIMUM);
  expect(await spent('    context: An application of a boatyard\n', true)).toEqual(bare);
});

describe('the context of a request', () => {
  const german = parseLanguage('de') as NonNullable<ReturnType<typeof parseLanguage>>;
  const recipe = { key: 'k', target: german, context: 'A shop', customInstructions: [] };
  const kind = {
    recipe: recipe as unknown as Recipe,
    form: 'plain',
    version: 'v2',
    content: 'strings',
  } as const;

  test('holds the note of the project, then comments, then keys and neighbours', () => {
    const { context } = textRequestFor(
      kind,
      [
        { text: 'Open', note: undefined, place: 'menu.file.open' },
        { text: 'Close', note: 'a  button', place: 'dialog.close' },
        { text: 'It is late.', note: undefined, place: 'behind "Good evening."' },
        { text: 'Nothing', note: undefined },
      ],
      {},
    );
    expect(context?.split('\n')).toEqual([
      'A shop',
      '"Close": a button; dialog.close',
      '"Open": menu.file.open',
      '"It is late.": behind "Good evening."',
    ]);
  });

  test('never takes more room than is kept for it, and a note too long keeps no other one out', () => {
    const lines = [
      { text: 'Long', note: 'x'.repeat(10_000), place: undefined },
      ...Array.from({ length: 50 }, (_, n) => ({
        text: `Text ${n}`,
        note: undefined,
        place: `a.rather.long.path.of.keys.to.text.${n}.in.a.deep.file`,
      })),
    ];
    const { context = '' } = textRequestFor(kind, lines, {});
    expect(context).toContain('"Text 49": a.rather.long.path');
    expect(context).not.toContain('Long');
    expect(jsonBytes({ ...textRequestFor(kind, lines, {}), text: [] })).toBeLessThanOrEqual(
      requestBytes(kind),
    );
  });
});

test('a key goes along where it says more than its text, and a paragraph that is bought alone with the one before it', async () => {
  await using rig = await Rig.start({
    config: config('').replace('{locale}.arb', '{locale}.{json,md}'),
    files: { 'en.json': '{ "menu": { "open": "Open" } }', 'en.md': '# Boats\n\nFirst.\n' },
  });
  await rig.once();
  rig.write('en.md', '# Boats\n\nSecond.\n');
  expect(await rig.once()).toMatchObject({ requests: 1 });
  const sent = rig.sandbox.counters().operations['POST /v2/translate']?.context_characters;
  expect(sent).toBe('"Open": menu.open'.length + '"Second.": behind "Boats"'.length);
});
