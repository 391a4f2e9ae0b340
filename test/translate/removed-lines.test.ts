/**
 * Lines that are removed from a source, in pages that people have changed. After any edit of the page, such a line is removed from it or
 * reported.
 */
import { expect, test } from 'vitest';
import { TextJobs } from '../text-jobs.ts';

const page = (...blocks: readonly string[]) => `${blocks.join('\n\n')}\n`;
const code = (...lines: readonly string[]) => `\`\`\`sh\n${lines.join('\n')}\n\`\`\``;
const [TITLE, FIRST, SECOND] = ['# Title', 'First paragraph.', 'Second paragraph.'];
const [THIRD, NOTE, LINK] = ['Third paragraph.', '<!-- a note -->', '[y]: /en/y/'];
const CODE = code('run one', 'run two');
const SOURCE = page(TITLE, FIRST, CODE, SECOND, NOTE, THIRD, `[x]: /en/x/\n${LINK}`);

type Edit = (text: string) => string;

const swapped =
  (a: number, b: number): Edit =>
  (text) => {
    const blocks = text.trim().split('\n\n');
    const [one = '', two = ''] = [blocks[a], blocks[b]];
    return page(...blocks.with(a, two).with(b, one));
  };
const replaced =
  (old: string, now: string): Edit =>
  (text) =>
    text.replace(old, now);

const PERSON: Readonly<Record<string, Edit>> = {
  nothing: (text) => text,
  'paragraphs around code swapped': swapped(1, 3),
  'paragraphs far apart swapped': swapped(1, 5),
  'code moved': swapped(2, 3),
  'comment moved': swapped(4, 5),
  'a paragraph added behind code': replaced('```\n', '```\n\nEigener Satz.\n'),
  'code cut in two': replaced('run two', '```\n\nEigener Satz.\n\n```sh\nrun two'),
  'code edited': replaced('run two', 'run zwei'),
  'comment edited': replaced('a note', 'eine Notiz'),
  'link edited': replaced('/en/x/', '/de/x/'),
};
const LINKS = `[x]: /en/x/\n${LINK}`;
/** The new source, and words of the removed lines. */
const CHANGES: Readonly<Record<string, readonly [string, readonly string[]]>> = {
  'a code block': [page(TITLE, FIRST, SECOND, NOTE, THIRD, LINKS), ['run one', 'run two', 'zwei']],
  'a comment': [page(TITLE, FIRST, CODE, SECOND, THIRD, LINKS), ['a note', 'eine Notiz']],
  'a link': [page(TITLE, FIRST, CODE, SECOND, NOTE, THIRD, LINK), ['[x]']],
  'all links': [page(TITLE, FIRST, CODE, SECOND, NOTE, THIRD), ['[x]', '[y]']],
  'code and a paragraph': [page(TITLE, FIRST, NOTE, THIRD, LINKS), ['run one', 'run two', 'zwei']],
  'a line of code': [
    page(TITLE, FIRST, code('run one'), SECOND, NOTE, THIRD, LINKS),
    ['run two', 'zwei'],
  ],
};
const ROWS = Object.keys(PERSON).flatMap((person) =>
  Object.keys(CHANGES).map((change) => ({ person, change })),
);

test.each(ROWS)('$person, and $change leaves the source', async ({ person, change }) => {
  const jobs = await TextJobs.of('{ from: "d/{locale}.md" }', { 'd/en.md': SOURCE }, 'de');
  await jobs.run('d/en.md', 'de');
  await jobs.write('d/de.md', PERSON[person]?.(await jobs.read('d/de.md')) ?? '');
  await jobs.run('d/en.md', 'de');
  const [source = '', words = []] = CHANGES[change] ?? [];
  await jobs.write('d/en.md', source);
  const first = await jobs.run('d/en.md', 'de');
  const text = await jobs.read('d/de.md');
  const isLeft = words.some((word) => text.includes(word));
  expect(first.state.kind).toBe(isLeft ? 'held' : 'done');
  const again = await jobs.run('d/en.md', 'de');
  expect(again).toMatchObject({ bought: [], isWritten: false, state: { kind: first.state.kind } });
  expect(await jobs.read('d/de.md')).toBe(text);
});

test.each(['machine', 'human'] as const)(
  'a decision for the %s ends the conflict',
  async (choice) => {
    const jobs = await TextJobs.of('{ from: "d/{locale}.md" }', { 'd/en.md': SOURCE }, 'de');
    await jobs.run('d/en.md', 'de');
    await jobs.write('d/de.md', swapped(2, 3)(await jobs.read('d/de.md')));
    await jobs.run('d/en.md', 'de');
    await jobs.write('d/en.md', page(TITLE, FIRST, SECOND, NOTE, THIRD, LINKS));
    const { state } = await jobs.run('d/en.md', 'de');
    const [key = ''] = 'hold' in state && 'keys' in state.hold ? state.hold.keys : [];
    const choices = new Map([[key, choice]]);
    expect(await jobs.run('d/en.md', 'de', { choices })).toMatchObject({ state: { kind: 'done' } });
    expect((await jobs.read('d/de.md')).includes('run one')).toBe(choice === 'human');
    expect(await jobs.run('d/en.md', 'de')).toMatchObject({ bought: [], isWritten: false });
  },
);

const card = (title: string, text: string, icon: string) =>
  `\t<Card title="${title}" icon="${icon}">\n\t\t${text}\n\t</Card>\n`;
const CARDS_EN = [
  card('Update it', 'Edit the page.', 'pencil'),
  card('Add some content', 'Make a new file.', 'add'),
  card('Read the docs', 'Learn it in the docs.', 'book'),
];
const CARDS_DE = [
  card('Ändern', 'Bearbeite die Seite.', 'pencil'),
  card('Neuer Inhalt', 'Lege eine Datei an.', 'add'),
  card('Lesen', 'Lerne es aus den Dokumenten.', 'book'),
];
const grid = (title: string, cards: readonly string[]) =>
  `# ${title}\n\n<Grid stagger>\n${cards.join('')}</Grid>\n`;
const PERSONS_CARD: Readonly<Record<string, Edit>> = {
  'attributes in another order': replaced(
    'title="Neuer Inhalt" icon="add"',
    'icon="add" title="Neuer Inhalt"',
  ),
  'another attribute': replaced('icon="add"', 'icon="add" wide'),
  'another icon': replaced('icon="add"', 'icon="plus"'),
};

async function cardsOf(edit: Edit): Promise<{ readonly jobs: TextJobs; readonly page: string }> {
  const page = grid('Der Titel', CARDS_DE.map(edit));
  const files = { 'd/en.mdx': grid('The title', CARDS_EN), 'd/de.mdx': page };
  const jobs = await TextJobs.of('{ from: "d/{locale}.mdx" }', files, 'de');
  expect(await jobs.run('d/en.mdx')).toMatchObject({ bought: [], isWritten: false });
  return { jobs, page };
}

test.each(
  Object.keys(PERSONS_CARD).flatMap((person) =>
    [CARDS_EN.toSpliced(1, 1), CARDS_EN.toSpliced(1, 2), CARDS_EN.toSpliced(0, 2)].map((left) => ({
      person,
      left,
    })),
  ),
)('a component with $person leaves with its texts', async ({ person, left }) => {
  const edit = PERSONS_CARD[person] ?? ((text) => text);
  const { jobs } = await cardsOf(edit);
  await jobs.write('d/en.mdx', grid('The title', left));
  expect(await jobs.run('d/en.mdx')).toMatchObject({ bought: [], state: { kind: 'done' } });
  const now = left.map((each) => edit(CARDS_DE[CARDS_EN.indexOf(each)] ?? ''));
  expect(await jobs.read('d/de.mdx')).toBe(grid('Der Titel', now));
  expect(await jobs.run('d/en.mdx')).toMatchObject({ bought: [], isWritten: false });
});

test('a component that cannot leave without a fault in the page stays with its texts, as a conflict until a person removes it', async () => {
  const { jobs, page } = await cardsOf(replaced('\n\t\tLege', '\n\t\t<Badge />\n\n\t\tLege'));
  await jobs.write('d/en.mdx', grid('A new title', CARDS_EN.toSpliced(1, 1)));
  expect(await jobs.run('d/en.mdx')).toMatchObject({
    bought: ['A new title'],
    state: { kind: 'held' },
  });
  const now = page.replace('Der Titel', 'Aä newä titleä');
  expect(await jobs.read('d/de.mdx')).toBe(now);
  expect(await jobs.run('d/en.mdx')).toMatchObject({ isWritten: false, state: { kind: 'held' } });
  await jobs.write('d/en.mdx', grid('A newer title', CARDS_EN.toSpliced(1, 1)));
  expect(await jobs.run('d/en.mdx')).toMatchObject({ state: { kind: 'held' } });
  const later = (await jobs.read('d/de.mdx')).split(/(?=\t<Card)/);
  await jobs.write('d/de.mdx', later.toSpliced(2, 1).join(''));
  expect(await jobs.run('d/en.mdx')).toMatchObject({ bought: [], state: { kind: 'done' } });
});
