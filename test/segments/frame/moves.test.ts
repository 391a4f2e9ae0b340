/** Where texts change places in the source, a person's page follows with the signs, lines and gaps that the person wrote. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type FramePiece, pieceKey } from '../../../src/segments/frame/frame.ts';
import { mergeFrames } from '../../../src/segments/frame/merge.ts';

/** `§a` is the segment a; all else are lines of the frame. */
function pieces(text: string): FramePiece[] {
  return (text.match(/§\w+|[^§\n]*\n|[^§\n]+/g) ?? []).map((part) =>
    part.startsWith('§') ? { kind: 'segment', id: part.slice(1) } : { kind: 'line', text: part },
  );
}

function merged(before: string, source: string, target: string): string {
  const { pieces: now } = mergeFrames({
    before: pieces(before).map(pieceKey),
    source: pieces(source),
    target: pieces(target),
    decide: () => 'open',
  });
  return now.map(({ piece }) => (piece.kind === 'line' ? piece.text : `§${piece.id}`)).join('');
}

/** A way to write a page with a list and sections. */
interface Style {
  readonly mark: (nth: number) => string;
  readonly isLoose: boolean;
  readonly heading: (id: string) => string;
  readonly belowHeading: string;
  readonly betweenSections: string;
  readonly note: string;
}

interface Order {
  readonly items: readonly string[];
  readonly sections: readonly string[];
}

function page(style: Style, { items, sections }: Order): string {
  const list = items.map((id, nth) => `${style.mark(nth)}§${id}`);
  const body = sections.map((id) => {
    const note = id === 's1' ? style.note : '';
    return `${style.heading(`h${id}`)}${style.belowHeading}${note}§${id}\n\n\`\`\`\n${id}()\n\`\`\`\n`;
  });
  return [
    '# §top\n\n',
    list.join(style.isLoose ? '\n\n' : '\n'),
    `\n${style.betweenSections}`,
    body.join(style.betweenSections),
    `${style.betweenSections}§end\n`,
  ].join('');
}

const LISTS: readonly ((nth: number) => string)[] = [
  () => '- ',
  () => '* ',
  () => '+   ',
  () => '  - ',
  () => '- [ ] ',
  () => '* [x] ',
  () => '> - ',
  () => '1. ',
  (nth) => `${nth + 1}. `,
  (nth) => `${nth + 1}.  `,
  (nth) => `${nth + 1}) `,
  (nth) => ` ${nth + 3}. `,
];

const HEADINGS: readonly ((id: string) => string)[] = [
  (id) => `## §${id}\n`,
  (id) => `### §${id}\n`,
  (id) => `## §${id} ##\n`,
  (id) => `## §${id} {#${id}}\n`,
  (id) => `§${id}\n----\n`,
];

const styles = fc.record<Style>({
  mark: fc.constantFrom(...LISTS),
  isLoose: fc.boolean(),
  heading: fc.constantFrom(...HEADINGS),
  belowHeading: fc.constantFrom('', '\n', '\n\n'),
  betweenSections: fc.constantFrom('\n', '\n\n'),
  note: fc.constantFrom('', '<!-- note -->\n'),
});

const [items, sections] = [
  ['i1', 'i2', 'i3', 'i4'],
  ['s1', 's2', 's3'],
];

const orders = fc.record<Order>({
  items: fc.shuffledSubarray(items, { minLength: items.length }),
  sections: fc.shuffledSubarray(sections, { minLength: sections.length }),
});

test('items and sections follow the source with the signs and gaps of the person', () => {
  fc.assert(
    fc.property(styles, styles, orders, (theirs, own, order) => {
      const source = { ...theirs, note: '' };
      const then = { items, sections };
      expect(merged(page(source, then), page(source, order), page(own, then))).toBe(
        page(own, order),
      );
    }),
    { numRuns: 400, seed: 14 },
  );
});

test('boxes that a person gave a title of their own move as wholes', () => {
  const note = ':::note\n§n\n:::\n';
  const info = ':::info\n§i\n:::\n';
  const own = info.replace(':::info', ':::info Eigener Titel');
  const [head, end] = ['# §top\n\n', '\n§end\n'];
  const before = `${head}${note}\n${info}${end}`;
  const source = `${head}${info}\n${note}${end}`;
  expect(merged(before, source, `${head}${note}\n${own}${end}`)).toBe(
    `${head}${own}\n${note}${end}`,
  );
});

test('elements with the same opening and closing lines change places as wholes', () => {
  const box = (id: string) => `<details>\n<summary>§t${id}</summary>\n\n§${id}\n\n</details>\n`;
  const before = `§top\n\n${box('a')}\n${box('b')}\n§end\n`;
  const source = `§top\n\n${box('b')}\n${box('a')}\n§end\n`;
  const own = (text: string) => text.replaceAll('<details>', '<details open>');
  expect(merged(before, source, before)).toBe(source);
  expect(merged(before, source, own(before))).toBe(own(source));
});

test('a new item gets the mark and the number of the list that a person wrote', () => {
  const list = (mark: (nth: number) => string, ids: readonly string[]) =>
    `§top\n\n${ids.map((id, nth) => `${mark(nth)}§${id}\n`).join('')}\n§end\n`;
  const before = list((nth) => `${nth + 1}. `, ['a', 'b', 'c']);
  for (const at of [0, 1, 2, 3]) {
    const ids = ['a', 'b', 'c'].toSpliced(at, 0, 'new');
    for (const mark of [LISTS[9], LISTS[10], LISTS[7], LISTS[8]]) {
      const own = mark ?? (() => '');
      const source = list((nth) => `${nth + 1}. `, ids);
      expect(merged(before, source, list(own, ['a', 'b', 'c']))).toBe(list(own, ids));
    }
  }
});

const NEW_ITEMS: readonly (readonly [
  name: string,
  before: string,
  source: string,
  own: string,
  now: string,
])[] = [
  [
    'below items of another level',
    '- §a\n  - §b\n- §c\n',
    '- §a\n  - §b\n- §new\n- §c\n',
    '* §a\n  + §b\n* §c\n',
    '* §a\n  + §b\n* §new\n* §c\n',
  ],
  [
    'below a paragraph of an item',
    '- §a\n\n  §b\n\n- §c\n',
    '- §a\n\n  §b\n\n- §new\n\n- §c\n',
    '* §a\n\n  §b\n\n* §c\n',
    '* §a\n\n  §b\n\n* §new\n\n* §c\n',
  ],
  [
    'that is a task',
    '- [ ] §a\n',
    '- [ ] §a\n- [ ] §new\n',
    '* [x] §a\n',
    '* [x] §a\n* [ ] §new\n',
  ],
  [
    'that is a task with a number',
    '1. [ ] §a\n2. [ ] §b\n',
    '1. [ ] §a\n2. [ ] §new\n3. [ ] §b\n',
    '1) [x] §a\n2) [x] §b\n',
    '1) [x] §a\n2) [ ] §new\n3) [x] §b\n',
  ],
  [
    'in a list inside a list with numbers',
    '1. - §a\n   - §b\n',
    '1. - §a\n   - §new\n   - §b\n',
    '1. * §a\n   * §b\n',
    '1. * §a\n   * §new\n   * §b\n',
  ],
  [
    'with wide marks',
    '- §a\n- §b\n',
    '- §a\n- §new\n- §b\n',
    '*   §a\n*   §b\n',
    '*   §a\n*   §new\n*   §b\n',
  ],
];

test.each(NEW_ITEMS)(
  'a new item gets the mark of its own list: one %s',
  (_, before, source, own, now) => {
    const page = (list: string) => `§top\n\n${list}\n§end\n`;
    expect(merged(page(before), page(source), page(own))).toBe(page(now));
  },
);

test('the kind of a box that a person changed moves with its box', () => {
  const page = (...blocks: readonly string[]) => `§top\n\n${blocks.join('\n\n')}\n\n§end\n`;
  const [a, b] = ['> [!NOTE]\n> §a', '> [!TIP]\n> §b'];
  const [own, other] = ['> [!IMPORTANT]\n> §a', '> [!CAUTION]\n> §b'];
  expect(merged(page(a, b), page(b, a), page(own, other))).toBe(page(other, own));
});

test('the length of the underline of a heading in a quote is no conflict', () => {
  const page = (line: string) => `> §a\n> ${line}\n>\n> §b\n`;
  const { conflicts, pieces: now } = mergeFrames({
    before: pieces(page('---')).map(pieceKey),
    source: pieces(page('-----')),
    target: pieces(page('--------')),
    decide: () => 'open',
  });
  expect(conflicts).toEqual([]);
  expect(now.map(({ piece }) => piece)).toEqual(pieces(page('--------')));
});

const REMOVED: readonly (readonly [before: string, source: string, own: string, now: string])[] = [
  ['1. §a\n2. §b\n3. §c\n', '1. §a\n2. §c\n', '1) §a\n2) §b\n3) §c\n', '1) §a\n2) §c\n'],
  ['1. §a\n2. §b\n3. §c\n', '1. §b\n2. §c\n', '3) §a\n4) §b\n5) §c\n', '3) §b\n4) §c\n'],
  ['1. §a\n2. §b\n3. §c\n', '1. §a\n2. §c\n', '2) §a\n4) §b\n9) §c\n', '2) §a\n9) §c\n'],
  [
    '1. §a\n2. §b\n3. §c\n',
    '1. §a\n\n§new\n\n2. §b\n3. §c\n',
    '1) §a\n2) §b\n3) §c\n',
    '1) §a\n\n§new\n\n2) §b\n3) §c\n',
  ],
];

test.each(REMOVED)(
  'a list is counted as before without an item: %j',
  (before, source, own, now) => {
    const page = (list: string) => `§top\n\n${list}\n§end\n`;
    expect(merged(page(before), page(source), page(own))).toBe(page(now));
  },
);

const INDENTED: readonly (readonly [before: string, source: string, own: string, now: string])[] = [
  [
    '- §a\n\n  §b\n\n§end\n',
    '- §a\n\n  §b\n\n  §new\n\n§end\n',
    '-   §a\n\n    §b\n\n§end\n',
    '-   §a\n\n    §b\n\n    §new\n\n§end\n',
  ],
  [
    '- §a\n  - §b\n  - §c\n- §d\n',
    '- §a\n  - §b\n  - §new\n  - §c\n- §d\n',
    '* §a\n    * §b\n    * §c\n* §d\n',
    '* §a\n    * §b\n    * §new\n    * §c\n* §d\n',
  ],
  [
    '- §a\n  - §b\n- §d\n',
    '- §a\n  - §b\n  - §new\n- §d\n',
    '*   §a\n    -   §b\n*   §d\n',
    '*   §a\n    -   §b\n    -   §new\n*   §d\n',
  ],
  [
    '> - §a\n> - §d\n',
    '> - §a\n>   - §new\n> - §d\n',
    '> *   §a\n> *   §d\n',
    '> *   §a\n>     *   §new\n> *   §d\n',
  ],
  [
    '- §a\n\n  ```\n  old()\n  ```\n\n- §d\n',
    '- §a\n\n  ```\n  now()\n  ```\n\n- §d\n',
    '*\t§a\n\n\t```\n\told()\n\t```\n\n*\t§d\n',
    '*\t§a\n\n\t```\n    now()\n\t```\n\n*\t§d\n',
  ],
];

test.each(INDENTED)(
  'what is new in an item is indented as the person does: %j',
  (before, source, own, now) => {
    expect(merged(before, source, own)).toBe(now);
  },
);
