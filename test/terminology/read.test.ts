import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allSteps } from '../../src/clock.ts';
import type { LanguageTag } from '../../src/language.ts';
import { pairName, termEntriesIn, tsvOf } from '../../src/segments/dictionary.ts';
import { readGlossary } from '../../src/terminology/read.ts';
import { languagesTable, pairTable, rowText } from '../../src/terminology/write.ts';

const EN = 'en' as LanguageTag;
const DE = 'de' as LanguageTag;
const FR = 'fr' as LanguageTag;

function read(content: string | Uint8Array, targets = [DE], file = 'terms.csv') {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return readGlossary([{ file, bytes, expected: { source: EN, targets } }]);
}

function shown(reading: ReturnType<typeof read>): Record<string, Record<string, string>> {
  return Object.fromEntries(
    reading.dictionaries.map((each) => [pairName(each), Object.fromEntries(each.entries)]),
  );
}

function faults(reading: ReturnType<typeof read>): string[] {
  return reading.faults.map(({ file, line, message }) => `${file}:${line} ${message}`);
}

test('two columns are phrases of the one pair that the project has', () => {
  expect(shown(read('cart,Warenkorb\nchart,Diagramm\n'))).toEqual({
    'en-de': { cart: 'Warenkorb', chart: 'Diagramm' },
  });
});

test.each([
  ['a heading of words', 'Source,Target\ncart,Warenkorb'],
  ['a heading of codes', 'en,de\ncart,Warenkorb'],
  ['a heading of languages by name', 'English,German\ncart,Warenkorb'],
  ['a byte order mark and CRLF', '\uFEFFen,de\r\ncart,Warenkorb\r\n'],
  ['everything in quotes', '"cart","Warenkorb"\n'],
  ['codes behind the phrases', 'cart,Warenkorb,en,de'],
  ['codes of variants and a relevance', 'cart,Warenkorb,en-US,de-AT,1'],
  ['semicolons', 'en;de\ncart;Warenkorb'],
  ['tabs', 'en\tde\ncart\tWarenkorb'],
  ['blank lines and blanks around phrases', '\n cart , Warenkorb \n\n'],
])('%s may be there', (_, text) => {
  expect(shown(read(text))).toEqual({ 'en-de': { cart: 'Warenkorb' } });
});

test('quotes hold commas and doubled quotes', () => {
  expect(shown(read('"a, ""b""","c, d"\n'))).toEqual({ 'en-de': { 'a, "b"': 'c, d' } });
});

test.each(['utf-16le', 'utf-16be'] as const)(
  'a file in %s is read, with a byte order mark or without',
  (encoding) => {
    for (const mark of ['\uFEFF', '']) {
      const bytes = Buffer.from(`${mark}en,de\nsize,Größe\n`, 'utf16le');
      expect(shown(read(encoding === 'utf-16be' ? bytes.swap16() : bytes))).toEqual({
        'en-de': { size: 'Größe' },
      });
    }
  },
);

test('bytes that are not Unicode are reported', () => {
  expect(faults(read(Buffer.from('size,Gr\xf6\xdfe\n', 'latin1')))).toEqual([
    'terms.csv:1 is no UTF-8, and no UTF-16 either',
  ]);
});

test('a column per language makes a dictionary each; an empty cell is a term that a language lacks', () => {
  expect(
    shown(read('en,de,fr,note\ncart,Warenkorb,panier,shop\nchart,Diagramm,,\n', [DE, FR])),
  ).toEqual({
    'en-de': { cart: 'Warenkorb', chart: 'Diagramm' },
    'en-fr': { cart: 'panier' },
  });
});

test('rows of pairs that the project does not translate are left out and counted', () => {
  const reading = read('cart,Warenkorb,en,de\ncart,carro,en,es\nWagen,car,de,en\n');
  expect(shown(reading)).toEqual({ 'en-de': { cart: 'Warenkorb' } });
  expect(reading.skipped).toEqual([{ file: 'terms.csv', line: 2, rows: 2 }]);
  expect(reading.faults).toEqual([]);
});

test.each([
  ['cat,Katze,en,de\ndog,Hund,en,de\n', { cat: 'Katze', dog: 'Hund' }],
  ['ID,ID,en,de\ncar,Auto,en,de\n', { ID: 'ID', car: 'Auto' }],
  ['sun,Sonne,en,de', { sun: 'Sonne' }],
  ['cat,Katze,en\ndog,Hund', { cat: 'Katze', dog: 'Hund' }],
  ['cat,Katze,en,de\nperro,chien,es,fr\n', { cat: 'Katze' }],
  ['no,en,es,fr\ncar,Auto,en,de\n', { car: 'Auto' }],
  ['no,is,en,de,1\nit,es,en,de,2', { no: 'is', it: 'es' }],
  ['cat,Katze,en,de,high\nsun,Sonne,en,de,low', { cat: 'Katze', sun: 'Sonne' }],
  ['cat,Katze,en,de,0.5\nsun,Sonne,en,de,0.7', { cat: 'Katze', sun: 'Sonne' }],
  ['cat,Katze,en,de,high', { cat: 'Katze' }],
])('terms that look like languages are terms where codes follow them: %j', (text, terms) => {
  const reading = read(text);
  expect(shown(reading)).toEqual({ 'en-de': terms });
  expect(reading.faults).toEqual([]);
});

test.each([
  ['es,de,en\ncarro,Wagen,car'],
  ['note,de,en,fr\nshop,Wagen,car,voiture'],
  ['es,it,en,de\nno,Nein,no,Nein\nx,y,car,Wagen'],
  ['en,de,fr,es,it\ncar,Wagen,voiture,coche,auto'],
  ['fr,es,en,de,it\nvoiture,coche,car,Wagen,auto\nsoleil,sol,sun,Sonne,sole'],
  ['fr,es,en,de,it,pt\nvoiture,coche,car,Wagen,auto,carro\nsoleil,sol,sun,Sonne,sole,sol'],
])('the source may be in any column of a heading: %j', (text) => {
  expect(shown(read(text))['en-de']).toMatchObject({ car: 'Wagen' });
});

test('a first row that may be a heading or a term is refused with both meanings, and no term is read', () => {
  const reading = read('no,it,en,de\n');
  expect(reading.dictionaries).toEqual([]);
  expect(faults(reading)).toEqual([
    'terms.csv:1 "no,it,en,de" can be a heading with a column per language, or the term "no" = "it" with the codes en and de: for a heading put a row of terms under it, for terms put a first row such as "source,target" above it',
  ]);
  expect(shown(read('source,target\nno,it,en,de\n'))).toEqual({ 'en-de': { no: 'it' } });
});

test.each([
  ['en,fr\ncat,chat\n', 'fr'],
  ['en,car\nsun,Sonne\n', 'car'],
])(
  'two columns of languages without one that is asked for are refused with both meanings: %j',
  (text, other) => {
    const reading = read(text);
    expect(reading.dictionaries).toEqual([]);
    expect(faults(reading)).toEqual([
      `terms.csv:1 "en,${other}" can be a heading without a column for de, or the term "en" = "${other}": for a heading add that column, for terms put a first row such as "source,target" above it`,
    ]);
  },
);

test('rows below a heading of an unused language are left out and counted', () => {
  const reading = read('en,fr,it\ncat,chat,gatto\n');
  expect(reading).toMatchObject({ dictionaries: [], faults: [] });
  expect(reading.skipped).toEqual([{ file: 'terms.csv', line: 2, rows: 1 }]);
});

test('a heading that has a language of one project is a heading for all projects', () => {
  const file = 'terms.csv';
  const bytes = Buffer.from('en,fr\ncat,chat\n');
  const reading = readGlossary([
    { file, bytes, expected: { source: EN, targets: [DE] } },
    { file, bytes, expected: { source: EN, targets: [FR] } },
  ]);
  expect(shown(reading)).toEqual({ 'en-fr': { cat: 'chat' } });
  expect(reading).toMatchObject({ faults: [], skipped: [] });
});

test('a row that one project leaves out and another takes is not left out', () => {
  const bytes = Buffer.from('cart,Warenkorb,en,de\nWagen,car,de,en\nWagen,coche,de,es\n');
  const file = 'terms.csv';
  const reading = readGlossary([
    { file, bytes, expected: { source: EN, targets: [DE] } },
    { file, bytes, expected: { source: DE, targets: [EN] } },
  ]);
  expect(shown(reading)).toEqual({ 'en-de': { cart: 'Warenkorb' }, 'de-en': { Wagen: 'car' } });
  expect(reading.skipped).toEqual([{ file, line: 3, rows: 1 }]);
});

test('all faults are reported together, each with file and line', () => {
  const text = [
    'cart,Warenkorb',
    'cart,Wagen',
    ',leer',
    'empty,',
    `long,${'ä'.repeat(513)}`,
    '"two\nlines",zwei',
    'tab\u0007,x',
    'a,b,c,d,e,f',
    'odd,x,en,??',
  ].join('\n');
  expect(faults(read(text))).toEqual([
    'terms.csv:2 "cart" is already in line 1',
    'terms.csv:3 the source phrase is empty',
    'terms.csv:4 the target phrase is empty',
    'terms.csv:5 the target phrase has 1026 bytes, the limit is 1024',
    'terms.csv:6 the source phrase holds a control character or line break (U+000A)',
    'terms.csv:8 the source phrase holds a control character or line break (U+0007)',
    expect.stringMatching(/^terms\.csv:9 has 6 columns: expected source,target/),
    'terms.csv:10 "??" is no language code',
  ]);
});

test.each([
  [
    'another separator',
    'en,de\ncart;Warenkorb\n',
    'has one column, and the heading has 2: columns are separated by ",", not by ";"',
  ],
  [
    'another separator behind good rows',
    'en;de\ncat;Katze\ncart\tWarenkorb\n',
    'has one column, and the heading has 2: columns are separated by ";", not by a tab',
  ],
  [
    'another separator and a phrase with the one of the heading',
    'en,de,fr\ncart;Wagen, groß;panier\n',
    'has 2 columns, and the heading has 3: columns are separated by ",", not by ";"',
  ],
  [
    'one column',
    'en,de\ncart = Warenkorb\n',
    'has one column, and the heading has 2: columns are separated by ","',
  ],
  [
    'more columns',
    'en,de\nHello, dear,Hallo\n',
    'has 3 columns, and the heading has 2: write a phrase with "," between quotes',
  ],
  [
    'more columns in a TSV',
    'en\tde\ncart\tWarenkorb\tshop\n',
    'has 3 columns, and the heading has 2: a phrase cannot have a tab',
  ],
])('a row of %s than the heading has is an error with its line: %j', (_, text, message) => {
  const reading = read(text);
  const line = text.trimEnd().split('\n').length;
  expect(faults(reading)).toEqual([`terms.csv:${line} ${message}`]);
});

test.each([
  ['"cart"x,Warenkorb\n', 'x'],
  ['"cart" or "trolley",Warenkorb\n', 'or "trolley"'],
  ['cart,"Waren"korb\n', 'korb'],
  ['source,target\ncart, "Waren"korb\n', 'korb'],
  ['en,de\ncart,Wagen,"a "note""\n', 'note""'],
  ['"en"s,de\ncart,Wagen\n', 's'],
])('text behind a closing quote is an error with its line: %j', (text, behind) => {
  const line = text.split('\n').findIndex((each) => each.includes('"')) + 1;
  expect(faults(read(text))).toContain(
    `terms.csv:${line} has "${behind}" behind a closing quote: write a quote in a phrase twice, as in "a ""b"""`,
  );
});

test('blanks before an opening quote are blanks around the phrase', () => {
  expect(shown(read('cart, "Wagen, groß" \n'))).toEqual({ 'en-de': { cart: 'Wagen, groß' } });
});

test('phrases without a heading, in rows of another separator than the first, are told what separates', () => {
  expect(faults(read('cart,Wagen\nsail;Segel\n'))).toEqual([
    expect.stringMatching(/^terms\.csv:2 has one column: columns are separated by ",", not by ";"/),
  ]);
});

test('a line that begins with # and has no separator is a comment, above a heading too', () => {
  const reading = read('# Shop\nen;de\n#\ncart;Warenkorb\n');
  expect(reading.faults).toEqual([]);
  expect(shown(reading)).toEqual({ 'en-de': { cart: 'Warenkorb' } });
  expect(shown(read('cart,Warenkorb\n# Shop\n#1,Nr. 1\n'))).toEqual({
    'en-de': { cart: 'Warenkorb', '#1': 'Nr. 1' },
  });
  expect(faults(read('en,de\n#1;Nr. 1\n'))).toHaveLength(1);
});

test('empty columns at the end of a row, and columns that a row does not have, are empty cells', () => {
  const reading = read('en,de,fr,note\ncart,Warenkorb,,,,\nsail,Segel\n', [DE, FR]);
  expect(reading.faults).toEqual([]);
  expect(shown(reading)).toEqual({ 'en-de': { cart: 'Warenkorb', sail: 'Segel' } });
});

test('a quote that is never closed is reported with the line where it begins', () => {
  expect(faults(read('a,b\n"c,d\ne,f\n'))).toEqual([
    'terms.csv:2 a quote that begins here is never closed',
  ]);
});

test('two columns for variants of one language are an error that names both', () => {
  expect(faults(read('en,pt-BR,pt-PT\na,b,c\n', ['pt' as LanguageTag]))).toEqual([
    expect.stringContaining('pt-BR and pt-PT are variants of pt'),
  ]);
});

test('a row that does not say its language is an error where the project has several', () => {
  expect(faults(read('cart,Warenkorb\n', [DE, FR]))[0]).toMatch(
    /^terms\.csv:1 does not say its language/,
  );
});

test('a file of more than 10 MiB is reported with the line at which the limit is exceeded', () => {
  const row = (n: number) => `${n}${'x'.repeat(500)},${'y'.repeat(500)}\n`;
  const text = Array.from({ length: 11_000 }, (_, n) => row(n)).join('');
  expect(faults(read(text))).toEqual([
    expect.stringMatching(/^terms\.csv:\d{5} the glossary has more than 10485760 bytes/),
  ]);
});

test('binary data and bytes that are not Unicode are reported as such', () => {
  expect(faults(read(Buffer.from([0x61, 0x2c, 0xe4, 0x0a])))[0]).toMatch(/^terms\.csv:1 /);
});

test('a TSV knows tabs and no quotes', () => {
  expect(shown(read('5" disk\t5"-Diskette\n', [DE], 'terms.tsv'))).toEqual({
    'en-de': { '5" disk': '5"-Diskette' },
  });
});

test.each([
  ['2', 'martif', 'termEntry', 'langSet', 'tig'],
  ['3', 'tbx', 'conceptEntry', 'langSec', 'termSec'],
])(
  'TBX-Basic version %s: the first term of the target for every term of the source',
  (...names) => {
    const [, root, concept, language, group] = names;
    const term = (text: string) => `<${group}><term>${text}</term></${group}>`;
    const text = `<?xml version="1.0"?>
<!DOCTYPE martif SYSTEM "TBXcoreStructV02.dtd">
<${root}><text><body><${concept} id="1">
<${language} xml:lang="en-US">${term('cart &amp; bag')}${term('trolley')}</${language}>
<${language} xml:lang="de">${term('Warenkorb')}${term('Wagen')}</${language}>
</${concept}></body></text></${root}>`;
    expect(shown(read(text, [DE], 'terms.tbx'))).toEqual({
      'en-de': { 'cart & bag': 'Warenkorb', trolley: 'Warenkorb' },
    });
  },
);

test('a TBX that is no XML is a fault with its line', () => {
  expect(faults(read('<martif>\n<text>', [DE], 'terms.tbx'))).toEqual([
    'terms.tbx:2 <text> is never closed',
  ]);
});

const phrase = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .map((text) => text.trim())
  .filter(
    (text) => text !== '' && !/[\p{Cc}\u2028\u2029\uFEFF]/u.test(text) && text.isWellFormed(),
  );
const entries = fc.uniqueArray(fc.tuple(phrase, phrase), {
  selector: ([source]) => source,
  minLength: 1,
});

test('terms that are pulled into a file are read back as the same terms', () => {
  fc.assert(
    fc.property(entries, entries, (german, french) => {
      const dictionaries = [
        { source: EN, target: DE, entries: new Map(german) },
        { source: EN, target: FR, entries: new Map(french) },
      ];
      expect(shown(read(languagesTable(EN, dictionaries, 'csv'), [DE, FR]))).toEqual({
        'en-de': Object.fromEntries(german),
        'en-fr': Object.fromEntries(french),
      });
      expect(shown(read(`en,de\n${pairTable(new Map(german), 'csv')}`))).toEqual({
        'en-de': Object.fromEntries(german),
      });
    }),
    { numRuns: 50 },
  );
});

const term = fc.oneof(
  fc.constantFrom('en', 'de', 'cat', 'car', 'sun', 'ID', 'German', 'no'),
  phrase,
);
const terms = fc.uniqueArray(fc.tuple(term, term), {
  selector: ([source]) => source,
  minLength: 1,
});

test('terms with their codes are read one by one, or the file is refused: none is lost', () => {
  fc.assert(
    fc.property(terms, (pairs) => {
      const text = pairs.map((cells) => rowText([...cells, 'en', 'de'], ',')).join('\n');
      const reading = read(text);
      if (reading.faults.length > 0) expect(pairs.length).toBe(1);
      else expect(shown(reading)).toEqual({ 'en-de': Object.fromEntries(pairs) });
    }),
  );
});

test('entries survive the form in which the API takes and gives them', () => {
  fc.assert(
    fc.property(entries, (pairs) => {
      expect([...allSteps(termEntriesIn(tsvOf(pairs)))]).toEqual(pairs);
    }),
    { numRuns: 50 },
  );
});

const SEPARATORS = [',', ';', '\t'] as const;
type Wrap = 'plain' | 'quoted' | 'with text behind it' | 'blank behind it';

/** A row as somebody writes it: its cells are unique words, so that none can be lost unseen. */
const someRow = fc.record({
  cells: fc.array(
    fc.constantFrom<Wrap>('plain', 'plain', 'quoted', 'with text behind it', 'blank behind it'),
    {
      minLength: 1,
      maxLength: 4,
    },
  ),
  separator: fc.constantFrom(...SEPARATORS),
  emptyCells: fc.nat(1),
});

function cellOf(word: string, wrap: Wrap): string {
  switch (wrap) {
    case 'plain':
      return word;
    case 'quoted':
      return `"${word}"`;
    case 'with text behind it':
      return `"${word}"x`;
    case 'blank behind it':
      return ` "${word}" `;
  }
}

test('a row is a term where its columns are those of the heading, and an error with its line where not', () => {
  const headings = fc.constantFrom(['en', 'de'], ['source', 'target']);
  const comma = fc.constantFrom(',', ';');
  fc.assert(
    fc.property(headings, comma, fc.array(someRow, { maxLength: 6 }), (heading, ours, rows) => {
      const lines = rows.map(({ cells, separator, emptyCells }, at) => {
        const texts = cells.map((wrap, nth) => cellOf(`w${at}c${nth}`, wrap));
        return [
          ...texts,
          ...Array.from({ length: cells.length === 1 ? 0 : emptyCells }, () => ''),
        ].join(separator);
      });
      const reading = read([heading.join(ours), ...lines].join('\n'));
      const isSound = ({ cells, separator }: (typeof rows)[number]) =>
        separator === ours && cells.length === 2 && !cells.includes('with text behind it');
      const terms = rows.flatMap((row, at) => (isSound(row) ? [[`w${at}c0`, `w${at}c1`]] : []));
      const wrong = rows.flatMap((row, at) => (isSound(row) ? [] : [at + 2]));
      expect(Object.entries(shown(reading)['en-de'] ?? {})).toEqual(terms);
      expect(reading.faults.map(({ line }) => line).sort((a, b) => a - b)).toEqual(wrong);
    }),
    { numRuns: 500 },
  );
});
