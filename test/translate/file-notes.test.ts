import { expect, test } from 'vitest';
import { TermIndex } from '../../src/segments/terms.ts';
import { termsMissing } from '../../src/translate/file-notes.ts';
import { TextJobs } from '../text-jobs.ts';

test('a term that many texts lack is one sentence, with the first of them', () => {
  const index = new TermIndex(
    new Map([
      ['cart', 'Warenkorb'],
      ['checkout', 'Kasse'],
    ]),
  );
  const text = { projectTerms: { terms: { index, version: '1' } } } as never;
  const lacking = Array.from({ length: 210 }, (_, nth) => {
    return { id: `k${nth}`, source: 'Your cart', target: 'Ihr Wagen' };
  });
  const other = { id: 'pay', source: 'Checkout', target: 'Bezahlen' };
  expect(termsMissing(text, [...lacking, other])).toEqual([
    'k0, k1, k2 and 207 more: the glossary says "Warenkorb" for "cart": it does not occur',
    'pay: the glossary says "Kasse" for "checkout": it does not occur',
  ]);
});

const removed = (source: string, texts: string) => [
  `${source} (de): translations of people are removed with their source texts: ${texts}; another file that gets such a text takes its translation along, and "dragoman undo" brings back what a run removed`,
];

test('translations of people that a run removes are named before it, with their texts; those of the machine are not', async () => {
  const jobs = await TextJobs.of('{ from: "l/{locale}.json" }', {
    'l/en.json': '{ "a": "One text", "b": "Two texts", "c": "Three texts", "d": "100%" }',
    'l/de.json': '{ "a": "Ein Text", "d": "100%" }',
  });
  await jobs.run('l/en.json');
  const bought = JSON.parse(await jobs.read('l/de.json')) as object;
  await jobs.write('l/de.json', JSON.stringify({ ...bought, b: 'Zwei Texte' }));
  await jobs.write('l/en.json', '{ "e": "Four boats", "d": "100%" }');
  const { notes } = await jobs.run('l/en.json');
  expect(notes).toEqual(removed('l/en.json', 'a "Ein Text", b "Zwei Texte"'));
  expect((await jobs.run('l/en.json')).notes).toEqual([]);
});

test('a paragraph of a person that a page loses is named; an entry that gettext files keep is not', async () => {
  const pages = await TextJobs.of('{ from: "l/{locale}.md" }', {
    'l/en.md': '# Boats\n\nOne text about boats.\n',
    'l/de.md': '# Boote\n\nEin Text über Boote.\n',
  });
  await pages.run('l/en.md');
  await pages.write('l/en.md', '# Boats\n');
  expect((await pages.run('l/en.md')).notes).toEqual(removed('l/en.md', '"Ein Text über Boote."'));
  const po = (...entries: string[]) =>
    ['msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n', ...entries].join('\n');
  const catalogs = await TextJobs.of('{ from: "l/app.pot", to: "l/{locale}.po" }', {
    'l/app.pot': po('msgid "One text"\nmsgstr ""\n', 'msgid "Two texts"\nmsgstr ""\n'),
    'l/de.po': po('msgid "One text"\nmsgstr "Ein Text"\n'),
  });
  await catalogs.run('l/app.pot');
  await catalogs.write('l/app.pot', po('msgid "Two texts"\nmsgstr ""\n'));
  expect((await catalogs.run('l/app.pot')).notes).toEqual([]);
});

const POLISH_FORMS: readonly [
  name: string,
  extension: string,
  one: string,
  forms: string,
  target: string,
][] = [
  [
    'numbered keys',
    'json',
    '{ "x": "Files", "y": "Kept text" }',
    '{ "x": { "0": "%{n} file", "1": "%{n} files" }, "y": "Kept text" }',
    '{ "x": { "0": "%{n} plik", "1": "%{n} pliki" }, "y": "Zostaje" }',
  ],
  [
    'keys with a category',
    'json',
    '{ "x": "Files", "y": "Kept text" }',
    '{ "x_one": "{{count}} file", "x_other": "{{count}} files", "y": "Kept text" }',
    '{ "x_one": "{{count}} plik", "x_few": "{{count}} pliki", "x_many": "{{count}} plików", "x_other": "{{count}} pliku", "y": "Zostaje" }',
  ],
  [
    'a select of Fluent',
    'ftl',
    'x = Files\ny = Kept text\n',
    'x = { $n ->\n    [one] One file\n   *[other] { $n } files\n}\ny = Kept text\n',
    'x = { $n ->\n    [one] Plik\n    [few] { $n } pliki\n   *[many] { $n } plików\n}\ny = Zostaje\n',
  ],
];

test.each(POLISH_FORMS)(
  'a text of a person that loses its plural forms, or gets them, is replaced and not named as removed: %s',
  async (_, extension, one, forms, target) => {
    const [source, polish] = [`l/en.${extension}`, `l/pl.${extension}`];
    const jobs = await TextJobs.of(`{ from: "l/{locale}.${extension}" }`, {
      [source]: forms,
      [polish]: target,
    });
    await jobs.run(source, 'pl');
    await jobs.write(source, one);
    expect((await jobs.run(source, 'pl')).notes).toEqual([]);
    const others = await TextJobs.of(`{ from: "l/{locale}.${extension}" }`, {
      [source]: one,
      [polish]: one.replace('Files', 'Pliki'),
    });
    await others.run(source, 'pl');
    await others.write(source, forms);
    expect((await others.run(source, 'pl')).notes).toEqual([]);
  },
);

test('a numbered text of a person that is gone beside others that stay is named', async () => {
  const jobs = await TextJobs.of('{ from: "l/{locale}.json" }', {
    'l/en.json': '{ "x": { "0": "One text", "1": "Two texts", "2": "Three texts" } }',
    'l/de.json': '{ "x": { "0": "Ein Text", "1": "Zwei Texte", "2": "Drei Texte" } }',
  });
  await jobs.run('l/en.json');
  await jobs.write('l/en.json', '{ "x": { "0": "One text", "1": "Two texts" } }');
  expect((await jobs.run('l/en.json')).notes).toEqual(removed('l/en.json', 'x.2 "Drei Texte"'));
});

const LISTS: readonly [extension: string, file: (texts: readonly string[]) => string][] = [
  ['json', (texts) => `{ "list": ${JSON.stringify(texts)} }`],
  ['yml', (texts) => `list:\n${texts.map((text) => `  - ${text}\n`).join('')}`],
  ['toml', (texts) => `list = ${JSON.stringify(texts)}\n`],
  ['php', (texts) => `<?php\nreturn ['list' => ${JSON.stringify(texts)}];\n`],
  [
    'xml',
    (texts) =>
      `<resources><string-array name="list">${texts.map((text) => `<item>${text}</item>`).join('')}</string-array></resources>`,
  ],
];

test.each(LISTS)(
  'the elements that leave a list are named, and no other one that has their number now: %s',
  async (extension, file) => {
    const [source, target] = [`l/en.${extension}`, `l/de.${extension}`];
    const jobs = await TextJobs.of(`{ from: "l/{locale}.${extension}", lane: text }`, {
      [source]: file(['First words', 'Second words', 'Third words', 'Fourth words']),
      [target]: file(['Erster', 'Zweiter', 'Dritter', 'Vierter']),
    });
    await jobs.run(source);
    await jobs.write(source, file(['Second words', 'Fourth words']));
    expect((await jobs.run(source)).notes).toEqual(
      removed(source, 'list[0] "Erster", list[2] "Dritter"'),
    );
    expect(await jobs.read(target)).toContain('Vierter');
    await jobs.write(source, file(['Fourth words', 'Fifth words', 'Sixth words']));
    expect((await jobs.run(source)).notes).toEqual(removed(source, 'list[0] "Zweiter"'));
    // An element that the machine wrote is not named.
    await jobs.write(source, file(['Fourth words', 'Sixth words']));
    expect((await jobs.run(source)).notes).toEqual([]);
  },
);
