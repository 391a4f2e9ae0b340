/** The source replaces a block by one of another kind, with new words. No bought text stands in the old block. */
import { expect, test } from 'vitest';
import { TextJobs } from '../text-jobs.ts';

const ROUTE = '{ from: "docs/{locale}/*.md" }';
const SOURCE = 'docs/en/a.md';
const TARGET = 'docs/de/a.md';

const page = (...blocks: readonly string[]) => `${blocks.join('\n\n')}\n`;

interface Replaced {
  readonly before: string;
  readonly own: string;
  readonly after: string;
  readonly wanted: string;
}

const REPLACED: Readonly<Record<string, Replaced>> = {
  'a list with other bullets, by a heading and a paragraph': {
    before: page('# Head', '## Someone', 'Work reads them.', '- Machines keep it.\n- It starts.'),
    own: page('# Kopf', '## Jemand', 'Arbeit liest.', '*   Maschinen halten.\n*   Es startet.'),
    after: page('# Head', 'Work reads them.', '## Keeps read', 'Any more before.'),
    wanted: page('# Kopf', 'Arbeit liest.', '## Keepsä readä', 'Anyä moreä beforeä.'),
  },
  'boxes and a list with code, by an element': {
    before: page(
      '# Head',
      '## Outside please',
      '::: tip Someone change\nOf your part.\n\nAre because.\n:::',
      'Setting every.',
      '::: warning The machines\n1. Memory a machine.\n\n   ```sh\n   run 912\n   ```\n\n2. Between any.\n:::',
    ),
    own: page(
      '# Kopf',
      '## Bitte aussen',
      '::: tip Jemand tauscht\nVon deinem Teil.\n\nSind weil.\n:::',
      'Jede setzen.',
      '::: warning Die Maschinen\n1. Speicher eins.\n\n   ```sh\n   run 912\n   ```\n\n2. Zwischen allen.\n:::',
    ),
    after: page(
      '# Head',
      '## Names outside',
      '<details>\n<summary>Because shared</summary>',
      'When this is any project.',
      '</details>',
    ),
    wanted: page(
      '# Kopf',
      '## Namesä outsideä',
      '<details>\n<summary>Becauseä sharedä</summary>',
      'Whenä thisä isä anyä projectä.',
      '</details>',
    ),
  },
};

test.each(Object.entries(REPLACED))('%s', async (_, { before, own, after, wanted }) => {
  const jobs = await TextJobs.of(ROUTE, { [SOURCE]: before, [TARGET]: own }, 'de');
  expect(await jobs.run(SOURCE)).toMatchObject({ bought: [], isWritten: false });
  await jobs.write(SOURCE, after);
  await jobs.run(SOURCE);
  expect(await jobs.read(TARGET)).toBe(wanted);
  expect(await jobs.run(SOURCE)).toMatchObject({ bought: [], isWritten: false });
});

test.each([
  ['a box', '::: note Between when\nSo it cares.\n:::', ':::: note Bis wenn\nEs sorgt.\n::::'],
  ['a quote', '> Between when.\n>\n> So it cares.', '>   Bis wenn.\n>\n>   Es sorgt.'],
])('no new item of a list gets the place of a text in %s', async (_, block, own) => {
  const files = {
    [SOURCE]: page('# Head', block, 'The end.'),
    [TARGET]: page('# Kopf', own, 'Das Ende.'),
  };
  const jobs = await TextJobs.of(ROUTE, files, 'de');
  await jobs.run(SOURCE);
  await jobs.write(SOURCE, page('# Head', '- This one machine\n- Project you', 'The end.'));
  await jobs.run(SOURCE);
  const lines = (await jobs.read(TARGET)).split('\n');
  const placed = lines.filter((line) => /machineä|Projectä/.test(line));
  expect(placed.filter((line) => !line.startsWith('- '))).toEqual([]);
});
