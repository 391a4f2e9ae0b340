/** Everything that is not a segment is merged line by line: people's lines stay, untouched lines follow the source. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type FramePiece,
  packFrame,
  pieceKey,
  unpackFrame,
} from '../../../src/segments/frame/frame.ts';
import { type FrameChoice, mergeFrames } from '../../../src/segments/frame/merge.ts';

/** `§a` on a line of its own is the segment a; all else are lines of the frame. */
function pieces(text: string): FramePiece[] {
  return (text.match(/§\w+|[^§\n]*\n|[^§\n]+/g) ?? []).map((part) =>
    part.startsWith('§') ? { kind: 'segment', id: part.slice(1) } : { kind: 'line', text: part },
  );
}

function shown(list: readonly FramePiece[]): string {
  return list.map((piece) => (piece.kind === 'line' ? piece.text : `§${piece.id}`)).join('');
}

interface Case {
  readonly before?: string;
  readonly source: string;
  readonly target: string;
  readonly choice?: FrameChoice;
  readonly absent?: readonly string[];
  readonly keepsOrder?: true;
}

function run({ before, source, target, choice, absent, keepsOrder }: Case) {
  const merged = mergeFrames({
    before: before === undefined ? undefined : pieces(before).map(pieceKey),
    source: pieces(source),
    target: pieces(target),
    absent: new Set(absent),
    ...(keepsOrder && { keepsOrder }),
    decide: () => choice ?? 'open',
  });
  return { ...merged, text: shown(merged.pieces.map(({ piece }) => piece)) };
}

const PAGE = '# §a\n\n§b\n\n```\n// start here\nrun()\n```\n\n§c\n';

test("at first contact the target's frame stays, whatever it holds", () => {
  const target = '## §a\n\n\n§b\n\n```\n// commencez ici\nrun()\n```\n<!-- moi -->\n\n§c';
  expect(run({ source: PAGE, target })).toMatchObject({ text: target, conflicts: [] });
});

test('lines that nobody changed follow the source, beside lines that a person changed', () => {
  const source = PAGE.replace('run()', 'run(1)');
  const target = PAGE.replace('start here', 'commencez ici');
  expect(run({ before: PAGE, source, target }).conflicts).toHaveLength(1);
  const apart = PAGE.replace('run()\n', '\nrun(1)\n');
  const before = PAGE.replace('run()\n', '\nrun()\n');
  const theirs = before.replace('start here', 'commencez ici');
  expect(run({ before, source: apart, target: theirs })).toMatchObject({
    text: apart.replace('start here', 'commencez ici'),
    conflicts: [],
  });
});

test('a frame that both sides changed is a conflict with both versions, until a person decides', () => {
  const source = PAGE.replace('start here', 'begin here');
  const target = PAGE.replace('start here', 'commencez ici');
  const open = run({ before: PAGE, source, target });
  expect(open.text).toBe(target);
  expect(open.conflicts).toEqual([{ source: '// begin here\n', target: '// commencez ici\n' }]);
  expect(open.seen).toEqual(pieces(PAGE).map(pieceKey));
  expect(run({ before: PAGE, source, target, choice: 'human' })).toMatchObject({
    text: target,
    conflicts: [],
    seen: pieces(source).map(pieceKey),
  });
  expect(run({ before: PAGE, source, target, choice: 'machine' }).text).toBe(source);
  expect(run({ before: PAGE, source, target, choice: { text: '// ici\n' } }).text).toBe(
    PAGE.replace('start here', 'ici'),
  );
});

test('a new paragraph goes in with its code, where the target has the rest in its own words', () => {
  const source = PAGE.replace('§c\n', '§n\n\n```\nnew()\n```\n\n§c\n');
  const target = PAGE.replace('start here', 'commencez ici');
  const wanted = source.replace('start here', 'commencez ici');
  expect(run({ source, target }).text).toBe(wanted);
  expect(run({ before: PAGE, source, target }).text).toBe(wanted);
});

test('a new paragraph does not bring lines that a person took out of the code behind it', () => {
  const source = '§a\n\n§b\n\n```\none();\ntwo();\n\nthree();\n```\n\n§c\n';
  const target = '§a\n\n```\none();\n\nthree();\n```\n\n§c\n';
  expect(run({ source, target }).text).toBe(target.replace('§a\n', '§a\n\n§b\n'));
});

test('a paragraph of the source and one of a person at the same position are both kept', () => {
  const source = '§a\n\n§n\n\n§b\n';
  expect(run({ before: '§a\n\n§b\n', source, target: '§a\n\nExtra\n\n§b\n' }).text).toBe(
    '§a\n\nExtra\n\n§n\n\n§b\n',
  );
  expect(run({ before: '§a\n', source: '§a\n\n§n\n', target: '§a\n\nExtra\n' }).text).toBe(
    '§a\n\nExtra\n\n§n\n',
  );
  expect(run({ before: '§a\n', source: '§a\n\n§n\n', target: '§a' }).text).toBe('§a\n\n§n\n');
});

test('a new paragraph beside one that only the target has keeps its empty line', () => {
  const target = '§a\n\nUn paragraphe\n\n§d\n';
  const before = '§a\n\n§b\n\n§c\n\n§d\n';
  const first = run({ before, source: '§a\n\n§n\n\n§c\n\n§d\n', target, absent: ['c'] });
  expect(first.text).toBe('§a\n\nUn paragraphe\n\n§n\n\n§d\n');
  const second = run({ before, source: '§a\n\n§b\n\n§n\n\n§d\n', target, absent: ['b'] });
  expect(second.text).toBe('§a\n\nUn paragraphe\n\n§n\n\n§d\n');
});

test('a new paragraph is put before the line that a person changed, where the source has it before that line', () => {
  const before = '§a\n\nimport x\n\n§b\n';
  const source = '§a\n\n§n\n===\n\nimport x\n\n§b\n';
  const { text } = run({ before, source, target: '§a\n\nimport y\n\n§b\n' });
  expect(text).toBe('§a\n\n§n\n===\n\nimport y\n\n§b\n');
});

test('a new paragraph is put between two lines that a person changed, where the source has it there', () => {
  const source = '§a\n\n```ts one\n\n§n\n\n```ts two\n\n§b\n';
  const target = '§a\n\n```ts\n\n```js\n\n§b\n';
  const before = '§a\n\n```ts one\n\n```ts two\n\n§b\n';
  for (const known of [{ before }, {}]) {
    const { text } = run({ ...known, source, target });
    expect(text).toBe('§a\n\n```ts\n\n§n\n\n```js\n\n§b\n');
  }
});

test('a new paragraph goes behind the lines that a person put under the one before it, with its code', () => {
  const before = '1. §a\n1. §b\n';
  const source = '1. §a\n\n1. §n\n\n  ```\n  code\n  ```\n\n1. §b\n';
  const target = '1. §a\n\n  ```\n  moi\n  ```\n2. §b\n';
  const { text } = run({ before, source, target });
  expect(text).toMatch(/moi\n {2}```\n\n?1\. §n\n\n {2}```\n {2}code\n {2}```\n\n2\. §b\n$/);
});

test('a new text in the middle of a line goes before the rest that a person changed', () => {
  const { text } = run({
    before: '<ul><li>§a</li></ul>\n',
    source: '<ul><li>§a</li><li>§n</li></ul>\n',
    target: '<ul><li>§a</ul>\n',
  });
  expect(text).toBe('<ul><li>§a</li><li>§n</ul>\n');
});

test('a new heading before one whose marks a person changed gets a line of its own', () => {
  const text = run({ before: '# §h\n', source: '# §n\n\n# §h\n', target: '## §h\n' }).text;
  expect(text).toBe('# §n\n\n## §h\n');
});

test('a row goes into a table that a person laid out', () => {
  const before = '| §a | §b |\n| - | - |\n| §c | §d |\n';
  const target = '| §a  |  §b |\n|:--|--:|\n| §c  |  §d |\n';
  const text = run({ before, source: `${before}| §e | §f |\n`, target }).text;
  expect(text).toBe(`${target}| §e | §f |\n`);
});

test('a new item of a list gets the mark that the list has in the target', () => {
  const before = '§a\n\n- §b\n- §c\n';
  const target = '§a\n\n* §b\n* §c\n';
  for (const at of ['- §b\n', '- §c\n']) {
    for (const source of [
      before.replace(at, `- §n\n- §m\n${at}`),
      before.replace(at, `${at}- §n\n- §m\n`),
    ]) {
      expect(run({ before, source, target }).text).toBe(source.replaceAll('- ', '* '));
      expect(run({ source, target }).text).toBe(source.replaceAll('- ', '* '));
    }
  }
  expect(run({ before: '§a\n', source: '§a\n\n- §b\n', target: '§a\n' }).text).toBe('§a\n\n- §b\n');
});

test('a paragraph that is removed from the source is removed from the target, with its gap', () => {
  const source = '# §a\n\n§c\n';
  const before = '# §a\n\n§b\n\n§c\n';
  const target = '## §a\n\n§b\n\n<!-- moi -->\n\n§c\n';
  expect(run({ before, source, target }).text).toBe('## §a\n\n<!-- moi -->\n\n§c\n');
  expect(run({ source, target: before }).text).toBe(source);
});

test('a paragraph that a person took out stays out, and comes back when it is new again', () => {
  const target = '# §a\n\n```\n// start here\nrun()\n```\n\n§c\n';
  expect(run({ before: PAGE, source: PAGE, target }).text).toBe(target);
  const before = PAGE.replace('§b', '');
  expect(run({ before, source: PAGE, target }).text).toContain('§b\n');
});

test('a paragraph that moved in the source moves in the target; one that a person moved stays there', () => {
  const before = '§a\n\n§b\n\n§c\n';
  const moved = '§c\n\n§a\n\n§b\n';
  expect(run({ before, source: moved, target: before }).text.trim()).toBe(moved.trim());
  expect(run({ before, source: before, target: moved }).text).toBe(moved);
});

test('a frame that was stored is read back', () => {
  const keys = pieces(PAGE).map(pieceKey);
  expect(unpackFrame(packFrame(keys), ['a', 'b', 'c'])).toEqual(keys);
  expect(unpackFrame(packFrame(keys), ['a'])).toBeUndefined();
});

const line = fc.constantFrom('\n', 'x\n', 'y\n', '```\n', '- ', '> z\n');
const page = fc
  .tuple(
    fc.array(line, { maxLength: 6 }),
    fc.uniqueArray(fc.constantFrom(...'abcdef'), { maxLength: 6 }),
  )
  .chain(([lines, ids]) =>
    fc.shuffledSubarray(
      [
        ...lines.map((text, at) => [at, text] as const),
        ...ids.map((id) => [9, `§${id}\n`] as const),
      ],
      {
        minLength: lines.length + ids.length,
      },
    ),
  )
  .map((parts) => parts.map(([, text]) => text).join(''));

test('a target whose source stays is not changed, whatever a person made of it', () => {
  fc.assert(
    fc.property(page, page, (source, target) => {
      const ids = new Set(pieces(source).map(pieceKey));
      const theirs = pieces(target).filter(
        (piece) => piece.kind === 'line' || ids.has(pieceKey(piece)),
      );
      const merged = mergeFrames({
        before: pieces(source).map(pieceKey),
        source: pieces(source),
        target: theirs,
        decide: () => 'open',
      });
      expect(merged.pieces.map(({ piece }) => piece)).toEqual(theirs);
    }),
    { numRuns: 500 },
  );
});

test('a target that nobody touched becomes what its source became', () => {
  fc.assert(
    fc.property(page, page, (before, source) => {
      expect(run({ before, source, target: before }).text).toBe(source);
    }),
    { numRuns: 500 },
  );
});

test('each paragraph of the source occurs at most once, and no paragraph of the target is lost', () => {
  fc.assert(
    fc.property(fc.option(page, { nil: undefined }), page, page, (before, source, target) => {
      const wanted = pieces(source)
        .filter(({ kind }) => kind === 'segment')
        .map(pieceKey);
      const text = run({ ...(before === undefined ? {} : { before }), source, target }).text;
      const found = pieces(text)
        .filter(({ kind }) => kind === 'segment')
        .map(pieceKey);
      expect(new Set(found).size).toBe(found.length);
      expect(found.filter((key) => !wanted.includes(key))).toEqual([]);
      if (before !== undefined) return;
      // After first contact, the target has everything that the source has.
      expect(new Set(found)).toEqual(new Set(wanted));
    }),
    { numRuns: 1000 },
  );
});

test('a paragraph that moves beside one that only the target has keeps its empty line', () => {
  const before = '§a\n\n-\n\n§b\n\n§c\n\n+\n';
  const target = '§a\n\n-\n\n§b\n\nmine\n\n+\n';
  const source = '§c\n\n-\n\n§b\n\n§a\n\n+\n';
  const { text } = run({ before, source, target, absent: ['c'] });
  expect(text).toBe('-\n\n§b\n\nmine\n\n§a\n\n+\n');
});

test('where paragraphs stay, lines follow the source, and lines that it moved do not', () => {
  const before = '§a\n\n```\none()\n```\n\n§b\n\n```\ntwo()\n```\n\n§c\n\n§d\n';
  const source = '§c\n\n```\none(1)\n```\n\n§b\n\n```\ntwo()\nthree()\n```\n\n§a\n\n§d\n';
  const edited = (text: string) =>
    text.replace('one()', 'one(1)').replace('two()', 'two()\nthree()');
  const stays = { before, source, keepsOrder: true } as const;
  expect(run({ ...stays, target: before })).toMatchObject({ text: edited(before), conflicts: [] });
  const theirs = before.replace('one()', 'eins()');
  const open = run({ ...stays, target: theirs });
  expect(open.text).toBe(edited(theirs));
  expect(open.conflicts).toEqual([{ source: 'one(1)\n', target: 'eins()\n' }]);
  expect(open.seen).toEqual(pieces(source.replace('one(1)', 'one()')).map(pieceKey));
  const swapped = before.replace('one()', '-').replace('two()', 'one()').replace('-', 'two()');
  expect(run({ ...stays, source: swapped, target: before }).text).toBe(before);
  expect(run({ ...stays, source: before, target: theirs }).text).toBe(theirs);
});

test('lines that a person wrote beside a text stay beside it, when the source has new paragraphs there', () => {
  const list = '<dt>§a</dt>\n<dd>§b</dd>\n\n<dt>§c</dt>\n<dd>§d</dd>\n';
  const end = '</dl>\n<p>§e</p>\n';
  const head = `<h3>§c</h3>\n<dd>§d</dd>\n${end}`;
  expect(run({ source: list + end, target: head }).text).toBe(
    `<dt>§a</dt>\n<dd>§b</dd>\n\n${head}`,
  );
  const dd = `<dd>§c</dd>\n<dd>§d</dd>\n${end}`;
  expect(run({ source: list + end, target: dd }).text).toBe(`<dt>§a</dt>\n<dd>§b</dd>\n\n${dd}`);
  const tail = '<p>§a</p>\n';
  const source = '<dd>§a</dd>\n\n<dt>§b</dt>\n<p>§c</p>\n';
  expect(run({ source, target: tail }).text).toBe(`${tail}\n<dt>§b</dt>\n<p>§c</p>\n`);
  expect(run({ source: '- [ ] §a\n- [ ] §b\n', target: '- [x] §b\n' }).text).toBe(
    '- [ ] §a\n- [x] §b\n',
  );
});

test('a mark beside a text that nobody changed follows the source, also beside a new paragraph', () => {
  const before = '<p>§a</p>\n';
  const source = '<p>§a<br></p>\n<p>§b</p>\n';
  expect(run({ before, source, target: before }).text).toBe(source);
});

const tags = fc.array(fc.constantFrom('dt', 'dd', 'p', 'h3'), { minLength: 6, maxLength: 6 });
const markup = (ids: readonly string[], names: readonly string[]) =>
  ids.map((id, at) => `<${names[at]}>§${id}</${names[at]}>\n`);

test('at first contact the tags beside a text of a person stay beside it', () => {
  const ids = [...'abcdef'];
  const theirs = fc.subarray(ids, { minLength: 1 });
  fc.assert(
    fc.property(theirs, tags, tags, (some, names, others) => {
      const source = markup(ids, names);
      const target = markup(some, others);
      const merged = run({ source: source.join(''), target: target.join('') }).text;
      const wanted = source.map((line, at) => target[some.indexOf(ids[at] ?? '')] ?? line);
      expect(merged.split('\n').toSorted()).toEqual(wanted.join('').split('\n').toSorted());
    }),
    { numRuns: 2000 },
  );
});

test('at first contact a new paragraph takes none of the empty lines that a person wrote', () => {
  const source = '§a\n</dd>\n\n<dd>§n\n</dd>\n\n<dt>§b\n';
  for (const count of [1, 2, 3, 4]) {
    const gap = '\n'.repeat(count);
    const { text } = run({ source, target: `§a\n</dd>\n${gap}<dt>§b\n` });
    const behind = '\n'.repeat(Math.max(1, count - 1));
    expect(text).toBe(`§a\n</dd>\n\n<dd>§n\n</dd>\n${behind}<dt>§b\n`);
  }
  expect(run({ source: '§a\n\n§n\n§b\n', target: '§a\n\n§b\n' }).text).toBe('§a\n\n§n\n§b\n');
  expect(run({ source: '§a\n§n\n\n§b\n', target: '§a\n\n§b\n' }).text).toBe('§a\n§n\n\n§b\n');
  expect(run({ source: '§a\n§n\n§b\n', target: '§a\n\n§b\n' }).text).toMatch(
    /^§a\n(?:\n§n|§n\n)\n§b\n$/,
  );
});

/** Each line with the number of empty lines before it; undefined: the end of the page. */
function linesOf(page: string): { readonly line: string | undefined; readonly gap: number }[] {
  let gap = 0;
  const lines = page.split('\n').slice(0, -1);
  return [...lines, undefined].flatMap((line) => {
    if (line === '') {
      gap += 1;
      return [];
    }
    const found = { line, gap };
    gap = 0;
    return [found];
  });
}

/** Whether a page has all lines of a person in their order, with no fewer empty lines between any two of them. */
function hasLinesOf(person: string, page: string): boolean {
  const lines = linesOf(page);
  const gapBetween = (from: number, to: number) =>
    lines.slice(from + 1, to + 1).reduce((sum, { gap }) => sum + gap, 0);
  let reached = [-1];
  for (const { line, gap } of linesOf(person)) {
    reached = lines.flatMap((each, at) =>
      each.line === line && reached.some((from) => from < at && gapBetween(from, at) >= gap)
        ? [at]
        : [],
    );
  }
  return reached.length > 0;
}

test('at first contact every line of a person stays, in its order, with the empty lines before it', () => {
  const gaps = fc.array(fc.constantFrom('\n', '\n', 'x\n', '<hr>\n'), { maxLength: 4 });
  const parts = fc.array(fc.tuple(gaps, gaps, fc.boolean()), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(parts, (all) => {
      const source = all.map(([lines], at) => `${lines.join('')}§${at}\n`).join('');
      const target = all
        .map(([, lines, has], at) => lines.join('') + (has ? `§${at}\n` : ''))
        .join('');
      expect(hasLinesOf(target, run({ source, target }).text)).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

test('at first contact an empty line of a person is not the end of the line of a new paragraph', () => {
  const source = '§a\n\n\n§b\n<hr>\n§c\n§d\n';
  const { text } = run({ source, target: '\n\n\n§c\n' });
  expect(hasLinesOf('\n\n\n§c\n', text)).toBe(true);
});

test('at first contact lines above a paragraph stay there, where the source has such lines below it', () => {
  const source = '§a\n§b\n\n<hr>\n§c\n§d\n';
  const target = '\n\n<hr>\n§b\n§c\n';
  expect(run({ source, target }).text).toBe('\n\n<hr>\n§a\n§b\n§c\n§d\n');
});

test('at first contact a paragraph that a person moved takes no empty line of that person with it', () => {
  const source = '§a\n§b\nx\n§c\n';
  const target = '<hr>\n\n\n§c\n§b\n';
  expect(run({ source, target }).text).toBe('<hr>\n§a\n\n\n§c\n§b\n');
});

test('a paragraph that leaves from directly below another leaves the empty line behind it', () => {
  const page = '§a\n§b\n\n§c\n';
  expect(run({ source: page, target: page, absent: ['b'] }).text).toBe('§a\n\n§c\n');
});

test('the underline of a heading may have any length', () => {
  const before = '§a\n=====\n\n§b\n';
  const source = before.replace('=====', '=======');
  const target = before.replace('=====', '===');
  expect(run({ before, source, target })).toMatchObject({ text: target, conflicts: [] });
  expect(run({ before, source: source.replaceAll('=', '-'), target }).conflicts).toHaveLength(1);
  expect(run({ before, source, target: before }).text).toBe(source);
});
