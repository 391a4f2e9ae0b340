/** Boxes to which a person gave titles, blank lines or kinds of their own: whatever the source changes, each is opened once and closed once. */
import { expect, test } from 'vitest';
import { Seeded } from '../seeded.ts';
import { TextJobs } from '../text-jobs.ts';

const ROUTE = '{ from: "docs/{locale}/*.md" }';
const SOURCE = 'docs/en/a.md';
const TARGET = 'docs/de/a.md';

const page = (...blocks: readonly string[]) => `${blocks.join('\n\n')}\n`;
const around = ([head, last]: readonly [string, string], ...blocks: readonly string[]) =>
  page(`# ${head}`, ...blocks, last);
const english = (...blocks: readonly string[]) => around(['Head', 'The end.'], ...blocks);
const german = (...blocks: readonly string[]) => around(['Kopf', 'Das Ende.'], ...blocks);

async function changed(
  pages: readonly [source: string, target: string],
  ...sources: readonly string[]
) {
  const [source, target] = pages;
  const jobs = await TextJobs.of(ROUTE, { [SOURCE]: source, [TARGET]: target }, 'de');
  expect(await jobs.run(SOURCE)).toMatchObject({ bought: [], isWritten: false });
  const bought: string[] = [];
  for (const next of sources) {
    await jobs.write(SOURCE, next);
    bought.push(...(await jobs.run(SOURCE)).bought);
  }
  const now = await jobs.read(TARGET);
  expect(await jobs.run(SOURCE)).toMatchObject({ bought: [], isWritten: false });
  return { now, bought };
}

const DROPPED: readonly (readonly [titled: string, untitled: string, own: string, now: string])[] =
  [
    [
      '::: warning Beware\nText.\n:::',
      '::: warning\nText.\n:::',
      '::: warning Achtung\n\nEin Hinweis.\n\n:::',
      '::: warning\n\nEin Hinweis.\n\n:::',
    ],
    [
      ':::warning[Beware]\n\nText.\n\n:::',
      ':::warning\n\nText.\n\n:::',
      '::: warning Achtung\nEin Hinweis.\n:::',
      '::: warning\nEin Hinweis.\n:::',
    ],
    [
      ':::warning[Beware]{.wide}\nText.\n:::',
      ':::warning{.wide}\nText.\n:::',
      ':::warning[Achtung]{.wide}\n\nEin Hinweis.\n\n:::',
      ':::warning{.wide}\n\nEin Hinweis.\n\n:::',
    ],
    [
      '!!! warning "Beware"\n    Text.',
      '!!! warning\n    Text.',
      '!!! warning "Achtung"\n\n    Ein Hinweis.',
      '!!! warning\n\n    Ein Hinweis.',
    ],
    [
      '> [!WARNING] Beware\n> Text.',
      '> [!WARNING]\n> Text.',
      '> [!WARNING] Achtung\n>\n> Ein Hinweis.',
      '> [!WARNING]\n>\n> Ein Hinweis.',
    ],
  ];

test.each(DROPPED)('a dropped title leaves the box: %j', async (titled, untitled, own, now) => {
  const pages = [english(titled), german(own)] as const;
  expect(await changed(pages, english(untitled))).toEqual({ now: german(now), bought: [] });
});

const ADDED: readonly (readonly [untitled: string, titled: string, own: string])[] = [
  [
    '::: warning\nText.\n:::',
    '::: warning Beware\nText.\n:::',
    '::: warning Achtung\nEin Hinweis.\n:::',
  ],
  [
    '::: warning\nText.\n:::',
    '::: warning Beware\nText.\n:::',
    ':::warning[Achtung]\n\nEin Hinweis.\n\n:::',
  ],
  [
    '!!! warning\n    Text.',
    '!!! warning "Beware"\n    Text.',
    '!!! warning "Achtung"\n    Ein Hinweis.',
  ],
  ['> [!WARNING]\n> Text.', '> [!WARNING] Beware\n> Text.', '> [!WARNING] Achtung\n> Ein Hinweis.'],
];

test.each(ADDED)(
  "a title of a person is the translation of the source's later one: %j",
  async (...box) => {
    const [untitled, titled, own] = box;
    const pages = [english(untitled), german(own)] as const;
    expect(await changed(pages, english(titled))).toEqual({ now: german(own), bought: [] });
  },
);

test('a title goes to its line, also where a person has blank lines below it', async () => {
  for (const [untitled, titled, own, now] of [
    ['::: tip\nText.\n:::', '::: tip One\nText.\n:::', '::: tip\n\nEins.\n\n:::', '::: tip Oneä'],
    [':::note\nText.\n:::', ':::note[One]\nText.\n:::', ':::note\n\nEins.\n\n:::', ':::note[Oneä]'],
    [
      '!!! note\n    Text.',
      '!!! note "One"\n    Text.',
      '!!! note\n\n    Eins.',
      '!!! note "Oneä"',
    ],
  ] as const) {
    const pages = [english(untitled), german(own)] as const;
    expect(await changed(pages, english(titled))).toEqual({
      now: german(own.replace(/^.*/, now)),
      bought: ['One'],
    });
  }
});

const MOVED: readonly (readonly [sources: readonly string[], own: readonly string[]])[] = [
  [
    ['!!! warning\n    No title here.', '??? tip "Collapsed"\n    Inside it.'],
    ['!!! warning "Warnung"\n    Kein Titel hier.', '???+ tip "Eingeklappt"\n    Darin.'],
  ],
  [
    [':::info\nBox.\n:::', 'A paragraph of words.'],
    [':::info Eigener Titel\nKasten.\n:::', 'Ein Absatz mit Worten.'],
  ],
  [
    ['<details>\n\nHidden words.\n\n</details>', ':::info\nBox.\n:::'],
    ['<details>\n\nVerborgene Worte.\n\n</details>', ':::info Eigener Titel\nKasten.\n:::'],
  ],
  [
    ['> [!NOTE]\n> A box.', '::: tip\nAnother box.\n:::'],
    ['> [!NOTE] Eigenes\n> Ein Kasten.', '::: tip Auch eigenes\nNoch ein Kasten.\n:::'],
  ],
];

test.each(MOVED)('a box with a title of a person moves as a whole: %j', async (sources, own) => {
  const pages = [english(...sources), german(...own)] as const;
  expect(await changed(pages, english(...sources.toReversed()))).toEqual({
    now: german(...own.toReversed()),
    bought: [],
  });
});

test('a box leaves a page with its line, whatever blank lines and title it has there', async () => {
  const pages = [
    english('::: tip Title\nText.\n:::', 'Words.', '!!! note\n    More.', 'Again.'),
    german(
      '::: tip Titel\n\nText hier.\n\n:::',
      'Worte.',
      '!!! note "Eigen"\n    Mehr.',
      'Wieder.',
    ),
  ] as const;
  expect(await changed(pages, english('Words.', 'Again.'))).toEqual({
    now: german('Worte.', 'Wieder.'),
    bought: [],
  });
});

interface RandomBox {
  readonly name: number;
  /** Undefined: a paragraph. */
  readonly kind: 'colons' | 'label' | 'indented' | 'alert' | undefined;
  readonly title: boolean;
  readonly ownTitle: boolean;
  readonly hasGaps: boolean;
}

const WORDS = ['river', 'market', 'window', 'garden', 'letter', 'engine', 'forest', 'bridge'];
const WORTE = ['Fluss', 'Markt', 'Fenster', 'Garten', 'Brief', 'Motor', 'Wald', 'Brücke'];

function sourceBlock({ name, kind, title }: RandomBox): string {
  const word = WORDS[name] ?? '';
  return block(kind, title ? `About the ${word}` : '', `Here is the ${word} number ${name}.`, '\n');
}

function ownBlock({ name, kind, title, ownTitle, hasGaps }: RandomBox): string {
  const word = WORTE[name] ?? '';
  const words = title || ownTitle ? `Vom ${word}` : '';
  return block(kind, words, `Hier ist ${word} Nummer ${name}.`, hasGaps ? '\n\n' : '\n');
}

function block(kind: RandomBox['kind'], title: string, text: string, gap: string): string {
  switch (kind) {
    case undefined:
      return text;
    case 'colons':
      return `${`::: tip ${title}`.trimEnd()}${gap}${text}${gap}:::`;
    case 'label':
      return `:::note${title && `[${title}]`}${gap}${text}${gap}:::`;
    case 'indented':
      return `${`!!! note ${title && `"${title}"`}`.trimEnd()}${gap}    ${text}`;
    case 'alert':
      return `${`> [!NOTE] ${title}`.trimEnd()}${gap.replaceAll('\n', '\n>').trimEnd()} ${text}`;
  }
}

/** What is wrong with the boxes of a page; the lines as a reader would see them. */
function faultsOf(text: string): string[] {
  let open = 0;
  const lines = text.split('\n').filter((line) => line.trim() !== '' && line.trim() !== '>');
  const faults = lines.flatMap((line, at) => {
    const next = lines[at + 1] ?? '';
    if (line === ':::') open -= 1;
    const isOpening = /^:::\s*\w/.test(line);
    if (isOpening) open += 1;
    const isDouble = open < 0 || open > 1;
    const isEmpty =
      (isOpening && next.startsWith(':::')) ||
      (line.startsWith('!!!') && !next.startsWith('    ')) ||
      (line.startsWith('> [!') && !next.startsWith('> '));
    return isDouble || isEmpty ? [line] : [];
  });
  return open === 0 ? faults : [...faults, 'not closed'];
}

function randomEdit(random: Seeded, boxes: readonly RandomBox[]): RandomBox[] {
  const at = random.below(boxes.length);
  const box = boxes[at];
  if (box === undefined) return [...boxes];
  switch (random.below(4)) {
    case 0:
      return boxes.with(at, { ...box, title: !box.title });
    case 1:
      return boxes.length < 3 ? [...boxes] : boxes.toSpliced(at, 1);
    case 2:
      return boxes.toSpliced(at, 1).toSpliced(random.below(boxes.length), 0, box);
    default:
      return boxes.toReversed();
  }
}

const KINDS = [undefined, 'colons', 'label', 'indented', 'alert'] as const;

test.each(Array.from({ length: 24 }, (_, seed) => seed))(
  'law: the boxes of a page stay whole, seed %i',
  async (seed) => {
    const random = new Seeded(seed);
    const chance = () => random.below(2) === 0;
    let boxes = Array.from({ length: 5 }, (_, name): RandomBox => {
      const kind = KINDS[random.below(KINDS.length)];
      const title = kind !== undefined && chance();
      return { name, kind, title, ownTitle: kind !== undefined && chance(), hasGaps: chance() };
    });
    const source = () => english(...boxes.map(sourceBlock));
    const own = german(...boxes.map(ownBlock));
    const jobs = await TextJobs.of(ROUTE, { [SOURCE]: source(), [TARGET]: own }, 'de');
    await jobs.run(SOURCE);
    for (let edit = 0; edit < 4; edit += 1) {
      boxes = randomEdit(random, boxes);
      await jobs.write(SOURCE, source());
      await jobs.run(SOURCE);
      const now = await jobs.read(TARGET);
      expect(faultsOf(now), now).toEqual([]);
    }
    expect(await jobs.run(SOURCE)).toMatchObject({ isWritten: false });
  },
);
