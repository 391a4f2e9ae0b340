/** Rows for terms: appended to the glossary file as it is, each is read back as that very term. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LanguageTag } from '../../src/language.ts';
import { appendTerms, type NewRow, type NewTerm } from '../../src/terminology/append.ts';
import { readGlossary } from '../../src/terminology/read.ts';
import type { Expected } from '../../src/terminology/table.ts';

const [EN, DE, FR] = ['en', 'de', 'fr'] as LanguageTag[] as [LanguageTag, LanguageTag, LanguageTag];
const GERMAN: readonly Expected[] = [{ source: EN, targets: [DE] }];
const BOTH: readonly Expected[] = [{ source: EN, targets: [DE, FR] }];

interface Given {
  readonly file?: string;
  readonly expected?: readonly Expected[];
  readonly terms?: readonly NewTerm[];
}

const term = (source: string, target: string, language = DE): NewTerm => ({
  ...{ source: EN, target: language, phrases: [source, target] },
});
const CART = [term('cart', 'Warenkorb')];

function appended(content: string | Uint8Array, given: Given = {}) {
  const { file = 'terms.csv', expected = GERMAN, terms = CART } = given;
  const bytes = Buffer.from(content);
  const readers = expected.map((each) => ({ file, bytes, expected: each }));
  const { rows, isOpen } = appendTerms({ readers, terms });
  const lines = rows.flatMap((row) => ('row' in row ? [`${row.row}\n`] : []));
  const after = Buffer.concat([bytes, Buffer.from((isOpen ? '\n' : '') + lines.join(''))]);
  const read = readGlossary(readers.map((reader) => ({ ...reader, bytes: after })));
  return { rows, isOpen, read, before: readGlossary(readers) };
}

const rowsOf = (content: string | Uint8Array, given?: Given) => appended(content, given).rows;

test.each([
  ['', 'terms.csv', GERMAN, 'cart,Warenkorb'],
  ['', 'terms.tsv', GERMAN, 'cart\tWarenkorb'],
  ['', 'terms.csv', BOTH, 'cart,Warenkorb,en,de'],
  ['# Shop\n', 'terms.csv', GERMAN, 'cart,Warenkorb'],
  ['manual;Handbuch\n', 'terms.csv', GERMAN, 'cart;Warenkorb'],
  ['manual,Handbuch,en,de\n', 'terms.csv', GERMAN, 'cart,Warenkorb,en,de'],
  ['en,de,note\nmanual,Handbuch,x\n', 'terms.csv', BOTH, 'cart,Warenkorb'],
  ['en,fr,de\nmanual,manuel,Handbuch\n', 'terms.csv', BOTH, 'cart,,Warenkorb'],
  // The term has a row, which a row for another language alone does not repeat.
  ['en,fr,de\ncart,panier,\n', 'terms.csv', BOTH, 'cart,,Warenkorb'],
  ['cart,panier,en,fr\n', 'terms.csv', BOTH, 'cart,Warenkorb,en,de'],
])(
  'the row for the file %j (%s) has its columns and its separator',
  (content, file, expected, row) => {
    expect(rowsOf(content, { file, expected })).toEqual([{ row }]);
  },
);

test.each([
  ['en,fr\nmanual,manuel\n', BOTH, 'the first row of the file has no column for de: add one'],
  ['a,b\na,c\n', GERMAN, 'the file has faults: mend them first'],
  [
    Buffer.from('\uFEFFa,b\n', 'utf16le'),
    GERMAN,
    'the file is in utf-16le: add the term in an editor',
  ],
  ['', [{ source: FR, targets: [DE] }], 'the glossary has no file for this language'],
])('the file %j gets no row, and the reason is told', (content, expected, obstacle) => {
  expect(rowsOf(content, { expected })).toEqual([{ obstacle }]);
});

test('the translation that the file has for the term is told', () => {
  expect(rowsOf('cart,Wagen\n')).toEqual([{ standing: 'Wagen' }]);
  expect(rowsOf('cart,Wagen', { expected: BOTH, terms: [term('cart', 'panier', FR)] })).toEqual([
    { obstacle: 'the file has faults: mend them first' },
  ]);
});

test('a termbase gets no row', () => {
  const [row] = rowsOf('', { file: 'terms.tbx' });
  expect(row).toMatchObject({ obstacle: expect.stringContaining('termbase') });
});

test('a row that the file would read as a heading is none', () => {
  const [row] = rowsOf('', { terms: [term('term', 'Translation')] });
  expect(row).toMatchObject({ obstacle: expect.stringContaining('differently') });
  expect(rowsOf('x,y\n', { terms: [term('term', 'Translation')] })).toEqual([
    { row: 'term,Translation' },
  ]);
});

test('a term that two variants of a language suggest gets one row', () => {
  const [first, second] = rowsOf('', { terms: [...CART, ...CART] });
  expect(first).toEqual({ row: 'cart,Warenkorb' });
  expect(second).toEqual({ obstacle: 'a row above has "cart" already' });
});

test('rows come after a line break where the last line of the file has no end', () => {
  expect(appended('manual,Handbuch').isOpen).toBe(true);
  for (const whole of ['', 'manual,Handbuch\n', 'manual,Handbuch\r\n', 'manual,Handbuch\r'])
    expect(appended(whole).isOpen).toBe(false);
});

const CELL = fc.oneof(
  fc.constantFrom('cart', 'Wagen', 'car', 'en', 'de', 'fr', 'term', 'source', 'translation', ''),
  fc.constantFrom('# Shop', '1,000 items', 'a;b', 'צה"ל', '"', 'a\tb', 'a\nb', ' a ', "l'été"),
  fc.string({ maxLength: 6 }),
);
const LINE = fc.oneof(
  fc
    .array(CELL, { minLength: 1, maxLength: 5 })
    .chain((cells) =>
      fc
        .tuple(fc.constantFrom(',', ';', '\t'), fc.boolean())
        .map(([separator, isQuoted]) =>
          cells
            .map((cell) => (isQuoted ? `"${cell.replaceAll('"', '""')}"` : cell))
            .join(separator),
        ),
    ),
  fc.constantFrom('en,de', 'de;en;fr', 'source,target', 'a,b', 'a;b', 'a,b,en,de', '# x', ''),
);
const FILE = fc
  .tuple(fc.array(LINE, { maxLength: 4 }), fc.constantFrom('\n', '\r\n', '\r'), fc.boolean())
  .map(([lines, end, isOpen]) => lines.join(end) + (isOpen ? '' : end));
const TERMS = fc.array(
  fc.tuple(CELL, CELL, fc.constantFrom(DE, FR)).map((given) => term(...given)),
  { minLength: 1, maxLength: 4 },
);

test('every row, appended to any file with the rows before it, is read back as its term, and all else stays', () => {
  let given = 0;
  fc.assert(
    fc.property(
      FILE,
      TERMS,
      fc.constantFrom(GERMAN, BOTH, [...GERMAN, { source: FR, targets: [DE] }]),
      fc.constantFrom('terms.csv', 'terms.tsv'),
      (content, terms, expected, file) => {
        const { rows, read, before } = appended(content, { terms, expected, file });
        const added = terms.filter((_, at) => hasRow(rows[at]));
        given += added.length;
        if (added.length === 0) return;
        expect(read.faults).toEqual(before.faults);
        expect(entriesOf(read)).toEqual(
          [
            ...entriesOf(before),
            ...added.map(({ source, target, phrases }) => [source, target, ...phrases].join('\t')),
          ].toSorted(),
        );
      },
    ),
    { numRuns: 2000 },
  );
  expect(given).toBeGreaterThan(500);
});

function hasRow(row: NewRow | undefined): boolean {
  return row !== undefined && 'row' in row;
}

function entriesOf({ dictionaries }: ReturnType<typeof readGlossary>): string[] {
  return dictionaries
    .flatMap(({ source, target, entries }) =>
      [...entries].map(([phrase, translation]) => [source, target, phrase, translation].join('\t')),
    )
    .toSorted();
}
