/** A block that moves while its text changes takes along what a person made of it: title, kind, attributes, marks. */
import { expect, test } from 'vitest';
import { TextJobs } from '../text-jobs.ts';

const page = (...blocks: readonly string[]) => `${blocks.join('\n\n')}\n`;

async function changed(name: string, pages: Record<'before' | 'own' | 'source', string>) {
  const [from, to] = [`docs/en/${name}`, `docs/de/${name}`];
  const files = { [from]: pages.before, [to]: pages.own };
  const jobs = await TextJobs.of('{ from: "docs/{locale}/*.{md,mdx}" }', files, 'de');
  expect(await jobs.run(from)).toMatchObject({ bought: [], isWritten: false });
  await jobs.write(from, pages.source);
  const { bought, state } = await jobs.run(from);
  const now = await jobs.read(to);
  expect(await jobs.run(from)).toMatchObject({ bought: [], isWritten: false });
  return { now, bought, state: state.kind };
}

const MOVED: readonly (readonly [name: string, block: string, own: string])[] = [
  [
    'a.md',
    '> [!NOTE]\n> First words in it.\n>\n> Second words in it.',
    '> [!NOTE] Eigener Titel\n> Erste Worte darin.\n>\n> Zweite Worte darin.',
  ],
  [
    'a.md',
    ':::note\nFirst words in it.\n\nSecond words in it.\n:::',
    ':::note[Eigener Titel]\nErste Worte darin.\n\nZweite Worte darin.\n:::',
  ],
  ['a.md', '::: tip\nFirst words in it.\n:::', '::: tip Eigener Titel\nErste Worte darin.\n:::'],
  [
    'a.md',
    '!!! note\n    First words in it.\n\n    Second words in it.',
    '!!! note "Eigener Titel"\n    Erste Worte darin.\n\n    Zweite Worte darin.',
  ],
  [
    'a.md',
    '!!! note\n    First words in it.',
    '!!! danger "Eigener Titel"\n    Erste Worte darin.',
  ],
  [
    'a.md',
    '> First words in it.\n>\n> Second words in it.',
    '>  Erste Worte darin.\n>\n>  Zweite Worte darin.',
  ],
  [
    'a.md',
    '- First words in it.\n- Second words in it.',
    '*   Erste Worte darin.\n*   Zweite Worte darin.',
  ],
  [
    'a.mdx',
    '<Aside>\n\nFirst words in it.\n\n</Aside>',
    '<Aside title="Eigener Titel" type="danger">\n\nErste Worte darin.\n\n</Aside>',
  ],
  [
    'a.md',
    '<div class="x">\n\nFirst words in it.\n\n</div>',
    '<div class="y" lang="de">\n\nErste Worte darin.\n\n</div>',
  ],
  [
    'a.md',
    '> [!NOTE]\n> - First words in it.\n>\n> - Second words in it.',
    '> [!NOTE] Eigener Titel\n> - Erste Worte darin.\n>\n> - Zweite Worte darin.',
  ],
];

test.each(MOVED)('in %s: %j', async (name, block, own) => {
  const above = ['# Guide', 'Intro here.'];
  const below = ['## Part', 'Middle words here.', 'The end.'];
  const edited = (text: string) => text.replace('First words in it', 'First of all words in it');
  expect(
    await changed(name, {
      before: page(...above, block, ...below),
      own: page('# Anleitung', 'Vorwort.', own, '## Teil', 'Mittlere Worte.', 'Das Ende.'),
      source: page(...above, ...below, edited(block)),
    }),
  ).toEqual({
    now: page(
      ...['# Anleitung', 'Vorwort.', '## Teil', 'Mittlere Worte.', 'Das Ende.'],
      own.replace('Erste Worte darin', 'Firstä ofä allä wordsä inä itä'),
    ),
    bought: ['First of all words in it.'],
    state: 'done',
  });
});

test('a heading that gets new words together with the item above it stays a heading', async () => {
  const before = page(
    '# Guide',
    '- This part every until.\n- It with opens project and it are read someone memory project a so own.',
    '  ```sh\n  run 314\n  ```',
    '## Any server names',
    'The end.',
  );
  const own = page(
    '# Anleitung',
    '-   Dein wenn speicher.\n-   Behaelt namen einstellung also.',
    '    ```sh\n    run 314\n    ```',
    '## Geteilt ihn von',
    'Das Ende.',
  );
  const source = before
    .replace(/It with opens.*/, 'Every outside `code_5245` are its memory!')
    .replace('Any server names', 'Starts own opens so machines own and the!');
  const { now, bought } = await changed('a.md', { before, own, source });
  expect(bought).toHaveLength(2);
  expect(now).toBe(
    own
      .replace('Behaelt namen einstellung also.', 'Everyä outsideä `code_5245` areä itsä memoryä!')
      .replace('Geteilt ihn von', 'Startsä ownä opensä soä machinesä ownä andä theä!'),
  );
});
