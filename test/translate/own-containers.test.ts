/** Lists of a person with other marks and indents than those of the source. Each text stays at its level, and no list is cut in two. */
import { fromMarkdown } from 'mdast-util-from-markdown';
import { expect, test } from 'vitest';
import { Seeded } from '../seeded.ts';
import { TextJobs } from '../text-jobs.ts';

const ROUTE = '{ from: "docs/{locale}/*.{md,mdx}" }';
const SOURCE = 'docs/en/a.md';
const TARGET = 'docs/de/a.md';

const page = (...blocks: readonly string[]) => `${blocks.join('\n\n')}\n`;

const UNFIT: readonly (readonly [why: string, before: string, after: string, own: string])[] = [
  [
    'a second paragraph of an item with a wider mark',
    page('# Guide', '- One para.\n\n  More of one.\n\n- Two para.', 'The end.'),
    page('# Guide', '- One para.\n\n  More of one.\n\n  Even more.\n\n- Two para.', 'The end.'),
    page('# Kopf', '-   Ein Absatz.\n\n    Mehr von eins.\n\n-   Zwei Absatz.', 'Das Ende.'),
  ],
  [
    'an inner item above deeper ones',
    page('# Guide', '- Top one\n  - Inner one\n  - Inner two\n- Top two', 'The end.'),
    page(
      '# Guide',
      '- Top one\n  - Inner one\n  - Inner new\n  - Inner two\n- Top two',
      'The end.',
    ),
    page('# Kopf', '* Oben eins\n    * Innen eins\n    * Innen zwei\n* Oben zwei', 'Das Ende.'),
  ],
  [
    'an inner item below deeper ones',
    page('# Guide', '- Top one\n  - Inner one\n  - Inner two\n- Top two', 'The end.'),
    page(
      '# Guide',
      '- Top one\n  - Inner one\n  - Inner two\n  - Inner new\n- Top two',
      'The end.',
    ),
    page(
      '# Kopf',
      '*   Oben eins\n    -   Innen eins\n    -   Innen zwei\n*   Oben zwei',
      'Das Ende.',
    ),
  ],
];

test.each(UNFIT)('no text changes its level by a new text: %s', async (_, before, after, own) => {
  const jobs = await TextJobs.of(ROUTE, { [SOURCE]: before, [TARGET]: own }, 'de');
  await jobs.run(SOURCE);
  const levels = levelsIn(own);
  await jobs.write(SOURCE, after);
  const { bought } = await jobs.run(SOURCE);
  const now = await jobs.read(TARGET);
  expect(levelsIn(now), now).toMatchObject(levels);
  if (bought.length === 0) expect(now).toBe(own);
});

/** The level of each text: how many lists are around it. */
function levelsIn(text: string): Record<string, number> {
  const levels: Record<string, number> = {};
  for (const { words, lists } of textsIn(text)) levels[words] = lists.length;
  return levels;
}

interface TextInLists {
  readonly words: string;
  /** The lists around it, the outermost first: where each begins. */
  readonly lists: readonly number[];
}

function textsIn(text: string): TextInLists[] {
  const found: TextInLists[] = [];
  const visit = (node: ReturnType<typeof fromMarkdown> | TreeNode, lists: readonly number[]) => {
    const start = node.position?.start.offset ?? 0;
    const inside = node.type === 'list' ? [...lists, start] : lists;
    if (node.type === 'paragraph' || node.type === 'heading') {
      found.push({ words: text.slice(start, node.position?.end.offset), lists });
    } else if ('children' in node) for (const child of node.children) visit(child, inside);
  };
  visit(fromMarkdown(text), []);
  return found;
}

type TreeNode = ReturnType<typeof fromMarkdown>['children'][number];

/** An item of a random list: its number is its name in every language. */
interface Item {
  readonly number: number;
  readonly items: readonly Item[];
}

interface Style {
  readonly word: string;
  readonly mark: string;
  readonly indent: number;
}

const linesOf = (items: readonly Item[], style: Style, depth = 0): string[] =>
  items.flatMap(({ number, items: inner }) => [
    `${' '.repeat(depth * style.indent)}${style.mark}${style.word} ${number}.`,
    ...linesOf(inner, style, depth + 1),
  ]);

const STYLES: readonly Omit<Style, 'word'>[] = [
  { mark: '* ', indent: 2 },
  { mark: '* ', indent: 4 },
  { mark: '-   ', indent: 4 },
  { mark: '+  ', indent: 3 },
];

/** The numbers of all items, with the number of the item around each. */
const parentsOf = (items: readonly Item[], parent = 0): [number, number][] =>
  items.flatMap((item) => [
    [item.number, parent] as [number, number],
    ...parentsOf(item.items, item.number),
  ]);

/** The items of a page as a reader of Markdown sees them: the item around each is the last one above with one list fewer. */
function parentsIn(text: string): [number, number][] {
  const path: number[] = [];
  return textsIn(text).flatMap(({ words, lists }) => {
    const number = Number(/\d+/.exec(words)?.[0] ?? 0);
    if (number === 0) return [];
    path.length = Math.max(0, lists.length - 1);
    const parent = path.at(-1) ?? 0;
    path.push(number);
    return [[number, parent] as [number, number]];
  });
}

function withNewItem(items: readonly Item[], number: number, random: Seeded): readonly Item[] {
  const at = random.below(items.length + 1);
  const into = items[at];
  if (into === undefined || random.isOneIn(2)) return items.toSpliced(at, 0, { number, items: [] });
  return items.with(at, { ...into, items: withNewItem(into.items, number, random) });
}

test.each(Array.from({ length: 30 }, (_, seed) => seed))(
  "law: a person's items stay at their places in a random list, and new ones get those of the source, seed %i",
  async (seed) => {
    const random = new Seeded(seed);
    const own = { ...random.pick(STYLES), word: 'Punkt' };
    let next = 1;
    let items: readonly Item[] = [];
    for (; next <= 8; next += 1) items = withNewItem(items, next, random);
    const wrap = (list: readonly string[], [head, end]: readonly [string, string]) =>
      page(`# ${head}`, list.join('\n'), end);
    const source = () =>
      wrap(linesOf(items, { mark: '- ', indent: 2, word: 'Item' }), ['Guide', 'The end.']);
    const target = wrap(linesOf(items, own), ['Kopf', 'Das Ende.']);
    const jobs = await TextJobs.of(ROUTE, { [SOURCE]: source(), [TARGET]: target }, 'de');
    expect(await jobs.run(SOURCE)).toMatchObject({ bought: [], isWritten: false });
    for (let edit = 0; edit < 3; edit += 1, next += 1) {
      items = withNewItem(items, next, random);
      await jobs.write(SOURCE, source());
      await jobs.run(SOURCE);
      const now = await jobs.read(TARGET);
      const found = new Map(parentsIn(now));
      const wanted = parentsOf(items).filter(([number]) => found.has(number));
      expect([...found], now).toEqual(wanted);
      for (let old = 1; old <= 8; old += 1) expect(found.has(old), now).toBe(true);
    }
  },
);
