/** Tables that people translated: a row moves, comes and goes with all its cells, and stays as they aligned it. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TextJobs } from '../text-jobs.ts';

async function adopted(name: string, en: string, de: string) {
  const [source, target] = [`docs/en/${name}`, `docs/de/${name}`];
  const files = { [source]: en, [target]: de };
  const jobs = await TextJobs.of('{ from: "docs/{locale}/*.{md,html}", lane: text }', files);
  const first = await jobs.run(source);
  expect([first.bought, first.isWritten]).toEqual([[], false]);
  return {
    first,
    change: async (now: string) => {
      await jobs.write(source, now);
      return await jobs.run(source);
    },
    edit: async (now: string) => await jobs.write(target, now),
    page: async () => await jobs.read(target),
  };
}

const FEATURES = {
  en: '# API\n\n| Feature | Free | Pro |\n| --- | --- | --- |\n| Backups | Yes | Yes |\n| Support | No | Yes |\n| Themes | No | Yes |\n',
  de: '# API\n\n| Funktion      | Gratis | Pro |\n| ------------- | ------ | --- |\n| Sicherungen   | Ja     | Ja  |\n| Unterstützung | Nein   | Ja  |\n| Designs       | Nein   | Ja  |\n',
};

const FIELDS = {
  en: '# API\n\n| Name | Type | Required | Description |\n| --- | --- | --- | --- |\n| `id` | string | Yes | The id |\n| `size` | number | No | The size |\n| `color` | string | No | The color |\n',
  de: '# API\n\n| Name    | Typ    | Pflicht | Beschreibung |\n| ------- | ------ | ------- | ------------ |\n| `id`    | string | Ja      | Die Kennung  |\n| `size`  | number | Nein    | Die Größe    |\n| `color` | string | Nein    | Die Farbe    |\n',
};

const OPTIONS = {
  en: '# CLI\n\n| Option | Default | Meaning |\n| --- | --- | --- |\n| `--prod` | off | Leave out |\n| `--yes` | off | Never ask |\n',
  de: '# CLI\n\n| Option | Vorgabe | Bedeutung |\n| --- | --- | --- |\n| `--prod` | aus | Weglassen |\n| `--yes` | aus (neu) | Nicht fragen |\n',
};

const line = (text: string, nth: number) => `${text.split('\n')[nth] ?? ''}\n`;

test('two rows change places together with the person’s cells and blanks', async () => {
  const { change, page } = await adopted('a.md', FEATURES.en, FEATURES.de);
  const swap = (text: string) =>
    text.replace(line(text, 5) + line(text, 6), line(text, 6) + line(text, 5));
  expect((await change(swap(FEATURES.en))).bought).toEqual([]);
  expect(await page()).toBe(swap(FEATURES.de));
});

test('a new row takes no cell of its neighbour', async () => {
  const { change, page } = await adopted('a.md', FIELDS.en, FIELDS.de);
  const row = '| `key` | string | Yes | The key |\n';
  const { bought } = await change(FIELDS.en.replace('| `id`', `${row}| \`id\``));
  expect(bought).toEqual(['string', 'Yes', 'The key']);
  const now = await page();
  expect(now.replace(line(now, 4), '')).toBe(FIELDS.de);
  expect(line(now, 4)).toMatch(/^\| `key` +\|[^|]*\|[^|]*\|[^|]*\|\n$/);
});

test.each([
  ['the first', 4],
  ['the last', 5],
])('%s row goes with its own cells', async (_, nth) => {
  const { change, page } = await adopted('a.md', OPTIONS.en, OPTIONS.de);
  expect((await change(OPTIONS.en.replace(line(OPTIONS.en, nth), ''))).bought).toEqual([]);
  expect(await page()).toBe(OPTIONS.de.replace(line(OPTIONS.de, nth), ''));
});

test('a row with a repeated cell is inserted beside the person’s rows', async () => {
  const { change, page } = await adopted('a.md', OPTIONS.en, OPTIONS.de);
  const row = '| `--dry` | off | Only show |\n';
  await change(OPTIONS.en.replace('| `--prod`', `${row}| \`--prod\``));
  const now = await page();
  expect(now.replace(line(now, 4), '')).toBe(OPTIONS.de);
});

test('code in a row that a person only aligned follows the source', async () => {
  const { change, page } = await adopted('a.md', FIELDS.en, FIELDS.de);
  expect((await change(FIELDS.en.replace('`id`', '`key`'))).bought).toEqual([]);
  expect(await page()).toBe(FIELDS.de.replace('`id` ', '`key`'));
});

test('a source that is only aligned in another way changes nothing', async () => {
  const { change, page } = await adopted('a.md', FIELDS.en, FIELDS.de);
  const aligned = FIELDS.en.replaceAll(' | ', '    | ').replaceAll('---', '------');
  expect(await change(aligned)).toMatchObject({ bought: [], isWritten: false });
  expect(await page()).toBe(FIELDS.de);
});

test('a status code without words of its own comes with its row', async () => {
  const en = 'Codes\n\n| Code | Meaning |\n| --- | --- |\n| 200 | OK |\n| 404 | Not there |\n';
  const de =
    'Codes\n\n| Code | Bedeutung |\n| ---- | --------- |\n| 200  | Gut       |\n| 404  | Nicht da  |\n';
  const { change, page } = await adopted('a.md', en, de);
  await change(en.replace('| 200', '| 100 | OK |\n| 200'));
  const now = await page();
  expect(line(now, 4)).toMatch(/^\| 100 +\|[^|]+\|\n$/);
  expect(now.replace(line(now, 4), '')).toBe(de);
});

test('a new column is in each row, or nowhere', async () => {
  const { change, page } = await adopted('a.md', FIELDS.en, FIELDS.de);
  const wider = FIELDS.en
    .replaceAll(' |\n', ' | more words |\n')
    .replace('| --- | more words |', '| --- | --- |');
  await change(wider);
  const rows = (await page()).split('\n').filter((each) => each.startsWith('|'));
  expect(new Set(rows.map((each) => each.split('|').length)).size).toBe(1);
  for (const word of ['Die Kennung', 'Die Größe', 'Die Farbe'])
    expect(await page()).toContain(word);
});

interface Row {
  readonly name: string;
  readonly code: string | undefined;
  readonly cells: readonly number[];
  /** The wording of the person. */
  readonly wording: number;
}

const WORDS = [
  'alder amber birch cedar coral dusk ember fern grove hazel ivory jade'.split(' '),
  'Erle Glut Birke Zeder Riff Abend Asche Farn Hain Hasel Elfenbein Jaspis'.split(' '),
] as const;
const REPEATED = [
  ['Yes', 'No', 'off', 'string'],
  ['Ja', 'Nein', 'aus', 'Text'],
] as const;

type Side = 0 | 1;

function cellsOf({ name, code, cells, wording }: Row, side: Side): string[] {
  const own = WORDS[side][Number(name)] ?? '';
  const note = side === 1 && wording > 0 ? ` (${'abc'[wording]})` : '';
  const repeated = cells.map((nth) => `${REPEATED[side][nth] ?? ''}${note}`);
  return [...(code === undefined ? [] : [`\`${code}\``]), own, ...repeated];
}

interface Layout {
  readonly kind: 'md' | 'html';
  /** Width of the columns of the person. */
  readonly width: number;
}

function rowText(row: Row, side: Side, { kind, width }: Layout): string {
  const cells = cellsOf(row, side);
  if (kind === 'html') {
    const indent = side === 1 ? ' '.repeat(width) : '';
    const inside = cells.map((cell) => `${indent}<td>${cell.replaceAll('`', '')}</td>\n`).join('');
    return `<tr>\n${inside}</tr>\n`;
  }
  return `|${cells.map((cell) => ` ${cell.padEnd(side === 1 ? width : 0)} |`).join('')}\n`;
}

function pageText(rows: readonly Row[], side: Side, layout: Layout): string {
  const body = rows.map((row) => rowText(row, side, layout)).join('');
  const [title, end] = [
    ['Some heading', 'The words behind it.'],
    ['Eine Überschrift', 'Die Worte dahinter.'],
  ][side] as [string, string];
  if (layout.kind === 'html') return `<h1>${title}</h1>\n<table>\n${body}</table>\n<p>${end}</p>\n`;
  const columns = rows[0] === undefined ? 0 : cellsOf(rows[0], side).length;
  const head = Array.from(
    { length: columns },
    (_, at) => ` ${side === 0 ? 'Col' : 'Spalte'} ${'abcdef'[at]}x |`,
  );
  const dashes = `|${` ${'-'.repeat(side === 1 ? width(layout) : 3)} |`.repeat(columns)}\n`;
  return `# ${title}\n\n|${head.join('')}\n${dashes}${body}\n${end}\n`;
}

const width = (layout: Layout) => Math.max(3, layout.width);

const table = fc
  .record({
    kind: fc.constantFrom('md' as const, 'html' as const),
    width: fc.nat(14),
    hasCode: fc.boolean(),
    columns: fc.integer({ min: 1, max: 3 }),
    names: fc.shuffledSubarray(
      WORDS[0].map((_, at) => String(at)),
      { minLength: 5, maxLength: 10 },
    ),
    cells: fc.array(fc.nat(3), { minLength: 30, maxLength: 30 }),
    wordings: fc.array(fc.nat(2), { minLength: 10, maxLength: 10 }),
  })
  .map(({ names, cells, wordings, hasCode, columns, ...layout }) => ({
    layout: layout as Layout,
    rows: names.map(
      (name, at): Row => ({
        name,
        code: hasCode && layout.kind === 'md' ? `--${WORDS[0][Number(name)]}` : undefined,
        cells: cells.slice(at * columns, (at + 1) * columns),
        wording: wordings[at] ?? 0,
      }),
    ),
  }));

describe('in tables with repeated cells, aligned in any way', () => {
  test('after rows moved, came and went, each untouched row is the person’s, and each new row has its cells', async () => {
    const work = fc.record({
      table,
      news: fc.nat(2),
      removals: fc.array(fc.nat(9), { maxLength: 2 }),
      swaps: fc.array(fc.tuple(fc.nat(9), fc.nat(9)), { maxLength: 1 }),
      at: fc.nat(9),
    });
    await fc.assert(
      fc.asyncProperty(work, async ({ table: { layout, rows }, news, removals, swaps, at }) => {
        const known = rows.slice(news);
        const name = `a.${layout.kind}`;
        const { change, page } = await adopted(
          name,
          pageText(known, 0, layout),
          pageText(known, 1, layout),
        );
        const now = known.filter((_, index) => !removals.includes(index));
        for (const [a, b] of swaps) {
          const [x, y] = [now[a % now.length], now[b % now.length]] as [Row, Row];
          [now[a % now.length], now[b % now.length]] = [y, x];
        }
        now.splice(at % (now.length + 1), 0, ...rows.slice(0, news));
        await change(pageText(now, 0, layout));
        const after = await page();
        const body = layout.kind === 'md' ? /^\|(?! Spalte| -).*\n/gm : /<tr>\n[\s\S]*?<\/tr>\n/g;
        const found = after.match(body) ?? [];
        expect(found).toHaveLength(now.length);
        for (const [index, row] of now.entries()) {
          if (known.includes(row)) expect(found[index]).toBe(rowText(row, 1, layout));
          else expect(shape(found[index] ?? '')).toBe(shape(rowText(row, 0, layout)));
        }
      }),
      { numRuns: 100 },
    );
  });
});

/** The signs of a row without its words. */
function shape(row: string): string {
  return row
    .replace(/\\./g, '')
    .replace(/[^|<>/\n]+/g, '.')
    .replace(/\.?\n\.?/g, '\n');
}
