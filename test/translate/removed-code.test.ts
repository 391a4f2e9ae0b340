/** Code and images below a text that leaves its source leave the page too, however far a person indents them. */
import { expect, test } from 'vitest';
import { TextJobs } from '../text-jobs.ts';

const ROUTE = '{ from: "docs/{locale}/*.md" }';
const [SOURCE, TARGET] = ['docs/en/a.md', 'docs/de/a.md'];
const page = (...blocks: readonly string[]) => `${blocks.join('\n\n')}\n`;

const REMOVED: readonly (readonly [
  name: string,
  before: readonly string[],
  own: readonly string[],
  source: readonly string[],
  now: readonly string[],
])[] = [
  [
    'a list',
    ['# Head', '1. Do this at once.', '   ```sh\n   run 1\n   ```', '2. Do that.', 'The end.'],
    ['# Kopf', '1.  Tu dies sofort.', '    ```sh\n    run 1\n    ```', '2.  Tu das.', 'Das Ende.'],
    ['# Head', 'The end.'],
    ['# Kopf', 'Das Ende.'],
  ],
  [
    'the first item',
    ['# Head', '1. Do this at once.', '   ```sh\n   run 1\n   ```', '2. Do that.', 'The end.'],
    ['# Kopf', '1.  Tu dies sofort.', '    ```sh\n    run 1\n    ```', '2.  Tu das.', 'Das Ende.'],
    ['# Head', '1. Do that.', 'The end.'],
    ['# Kopf', '1.  Tu das.', 'Das Ende.'],
  ],
  [
    'an item with an image',
    ['# Head', '- One thing.', '  ![](/a.png)', '- Another thing.', 'The end.'],
    ['# Kopf', '-   Eine Sache.', '    ![](/a.png)', '-   Andere Sache.', 'Das Ende.'],
    ['# Head', '- Another thing.', 'The end.'],
    ['# Kopf', '-   Andere Sache.', 'Das Ende.'],
  ],
  [
    'the first item of a list in a list',
    ['# Head', '1. Top one.\n   1. Inner one.\n   2. Inner two.\n2. Top two.', 'The end.'],
    [
      '# Kopf',
      '1)  Oben eins.\n    1)  Innen eins.\n    2)  Innen zwei.\n2)  Oben zwei.',
      'Das Ende.',
    ],
    ['# Head', '1. Top one.\n   1. Inner two.\n2. Top two.', 'The end.'],
    ['# Kopf', '1)  Oben eins.\n    1)  Innen zwei.\n2)  Oben zwei.', 'Das Ende.'],
  ],
  [
    'a heading that a person underlined, and its words',
    ['# Head', 'Words.', '## Old part', 'Old words.', '## New part', 'The end.'],
    ['# Kopf', 'Worte.', 'Alter Teil\n---', 'Alte Worte.', 'Neuer Teil\n---', 'Das Ende.'],
    ['# Head', 'Words.', '## New part', 'The end.'],
    ['# Kopf', 'Worte.', 'Neuer Teil\n---', 'Das Ende.'],
  ],
  [
    'a heading that a person underlined, and its code',
    ['# Head', 'Words.', '## Old part', '```sh\nb --now\n```', '## New part', 'The end.'],
    [
      '# Kopf',
      'Worte.',
      'Alter Teil\n----------',
      '```sh\nb --now\n```',
      '## Neuer Teil',
      'Das Ende.',
    ],
    ['# Head', 'Words.', '## New part', 'The end.'],
    ['# Kopf', 'Worte.', '## Neuer Teil', 'Das Ende.'],
  ],
];

test.each(REMOVED)('%s', async (_, before, own, source, now) => {
  const jobs = await TextJobs.of(
    ROUTE,
    { [SOURCE]: page(...before), [TARGET]: page(...own) },
    'de',
  );
  expect(await jobs.run(SOURCE)).toMatchObject({ bought: [], isWritten: false });
  await jobs.write(SOURCE, page(...source));
  expect(await jobs.run(SOURCE)).toMatchObject({ bought: [] });
  expect(await jobs.read(TARGET)).toBe(page(...now));
  expect(await jobs.run(SOURCE)).toMatchObject({ bought: [], isWritten: false });
});

const OWN_CODE: readonly (readonly [name: string, block: string, own: string])[] = [
  [
    'a section',
    '## Old part\n\n```sh\nb --now # go\n```',
    '## Alter Teil\n\n```sh\nb --now # los\n```',
  ],
  [
    'a box',
    ':::tip\n\nTip text.\n\n```sh\nrun 1\n```\n\n:::',
    ':::tip Eigen\n\nTipptext.\n\n```sh\nrun 1 # hier\n```\n\n:::',
  ],
];

const MORE = '```sh\nmore\n```';

test.each(OWN_CODE)(
  'code of a person that is left of %s is a conflict that stays',
  async (_, block, own) => {
    const files = {
      [SOURCE]: page('# Head', 'Words.', block, '## New part', MORE, 'The end.'),
      [TARGET]: page('# Kopf', 'Worte.', own, '## Neuer Teil', MORE, 'Das Ende.'),
    };
    const jobs = await TextJobs.of(ROUTE, files, 'de');
    expect(await jobs.run(SOURCE)).toMatchObject({ bought: [], isWritten: false });
    await jobs.write(SOURCE, page('# Head', 'Words.', '## New part', MORE, 'The end.'));
    const conflict = { bought: [], state: { kind: 'held', hold: { kind: 'conflict' } } };
    expect(await jobs.run(SOURCE)).toMatchObject(conflict);
    const now = await jobs.read(TARGET);
    expect(now).toMatch(/# los|# hier/);
    for (let runs = 0; runs < 2; runs += 1)
      expect(await jobs.run(SOURCE)).toMatchObject({ ...conflict, isWritten: false });
    expect(await jobs.read(TARGET)).toBe(now);
  },
);
