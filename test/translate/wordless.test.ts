/** Values without words that a person left out of a translation: null, empty texts, numbers, signs, lists of them. */
import { expect, test } from 'vitest';
import { TextJobs } from '../text-jobs.ts';

/** Sources with values that say nothing or have no letter; translations without them. */
const FILES: readonly [name: string, extension: string, source: string, target: string][] = [
  [
    'json',
    'json',
    '{\n  "a": "One text",\n  "n": null,\n  "e": "",\n  "f": true,\n  "x": 3,\n  "l": [],\n  "o": {},\n  "s": "--",\n  "t": [null, "Two texts", ""]\n}\n',
    '{\n  "a": "Un texte",\n  "t": [null, "Deux textes", ""]\n}\n',
  ],
  [
    'arb',
    'arb',
    '{\n  "@@locale": "en",\n  "a": "One text",\n  "n": null,\n  "e": "",\n  "s": "--"\n}\n',
    '{\n  "@@locale": "fr",\n  "a": "Un texte"\n}\n',
  ],
  [
    'yaml',
    'yml',
    'a: One text\nn: null\nm: ~\nk:\ne: ""\nf: true\nx: 3\nl: []\no: {}\ns: "--"\nd: 2020-01-01\nw: " "\n',
    'a: Un texte\n',
  ],
  [
    'rails',
    'yml',
    'en:\n  a: One text\n  n: null\n  m: ~\n  k:\n  e: ""\n  f: true\n  p: 3\n  delimiter: ","\n  order: [ :year, :month ]\n',
    'fr:\n  a: Un texte\n',
  ],
  [
    'js',
    'js',
    'export default {\n  a: "One text",\n  n: null,\n  e: "",\n  f: true,\n  x: 3,\n  l: [],\n  o: {},\n  s: "--",\n  u: undefined,\n};\n',
    'export default {\n  a: "Un texte",\n};\n',
  ],
  [
    'ts',
    'ts',
    'export default {\n  a: "One text",\n  n: null,\n  e: "",\n  f: true,\n  x: 3,\n  s: "--",\n};\n',
    'export default {\n  a: "Un texte",\n};\n',
  ],
  [
    'php',
    'php',
    "<?php\nreturn [\n  'a' => 'One text',\n  'n' => null,\n  'e' => '',\n  'f' => true,\n  'x' => 3,\n  's' => '--',\n  'l' => [],\n];\n",
    "<?php\nreturn [\n  'a' => 'Un texte',\n];\n",
  ],
  [
    'toml',
    'toml',
    'a = "One text"\ne = ""\nf = true\nx = 3\ns = "--"\nl = []\n',
    'a = "Un texte"\n',
  ],
  ['ini', 'ini', 'a = One text\ne =\nx = 3\ns = --\n', 'a = Un texte\n'],
  ['properties', 'properties', 'a = One text\ne =\nn\nx = 3\ns = --\n', 'a = Un texte\n'],
  ['ftl', 'ftl', 'a = One text\ns = --\nx = 3\ne = { "" }\n', 'a = Un texte\n'],
  [
    'strings',
    'strings',
    '"a" = "One text";\n"e" = "";\n"s" = "--";\n"x" = "3";\n',
    '"a" = "Un texte";\n',
  ],
  [
    'android',
    'xml',
    '<resources>\n  <string name="a">One text</string>\n  <string name="e"></string>\n  <string name="n"/>\n  <string name="s">--</string>\n  <string name="x">3</string>\n  <string name="t" translatable="false">Key</string>\n  <integer name="i">3</integer>\n</resources>\n',
    '<resources>\n  <string name="a">Un texte</string>\n</resources>\n',
  ],
  [
    'resx',
    'resx',
    '<root>\n  <data name="a"><value>One text</value></data>\n  <data name="e"><value></value></data>\n  <data name="n"><value/></data>\n  <data name="s"><value>--</value></data>\n  <data name="x"><value>3</value></data>\n</root>\n',
    '<root>\n  <data name="a"><value>Un texte</value></data>\n</root>\n',
  ],
  [
    'po',
    'po',
    'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "One text"\nmsgstr ""\n\nmsgid "--"\nmsgstr ""\n\nmsgid "3"\nmsgstr ""\n',
    'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "One text"\nmsgstr "Un texte"\n',
  ],
  [
    'xliff',
    'xlf',
    '<?xml version="1.0"?>\n<xliff version="1.2"><file source-language="en" target-language="fr" datatype="plaintext" original="x"><body>\n<trans-unit id="a"><source>One text</source></trans-unit>\n<trans-unit id="s"><source>--</source></trans-unit>\n<trans-unit id="e"><source></source></trans-unit>\n</body></file></xliff>\n',
    '<?xml version="1.0"?>\n<xliff version="1.2"><file source-language="en" target-language="fr" datatype="plaintext" original="x"><body>\n<trans-unit id="a"><source>One text</source><target>Un texte</target></trans-unit>\n</body></file></xliff>\n',
  ],
  [
    'qt',
    'ts',
    '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n<TS version="2.1" language="en">\n<context><name>C</name>\n<message><source>One text</source><translation type="unfinished"></translation></message>\n<message><source>--</source><translation type="unfinished"></translation></message>\n</context>\n</TS>\n',
    '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n<TS version="2.1" language="fr">\n<context><name>C</name>\n<message><source>One text</source><translation>Un texte</translation></message>\n</context>\n</TS>\n',
  ],
];
test.each(FILES)(
  '%s: at first contact with nothing to buy the target keeps every byte',
  async (_, extension, source, target) => {
    const [path, there] = [`l/en/f.${extension}`, `l/fr/f.${extension}`];
    const jobs = await TextJobs.of(
      `{ from: "l/{locale}/f.${extension}", lane: text }`,
      { [path]: source, [there]: target },
      'fr',
    );
    const nothing = { bought: [], isWritten: false, state: { kind: 'done' } };
    expect(await jobs.run(path, 'fr')).toMatchObject(nothing);
    expect(await jobs.run(path, 'fr')).toMatchObject(nothing);
    await jobs.write(path, source.replace('One text', 'One line'));
    expect(await jobs.run(path, 'fr')).toMatchObject({ bought: ['One line'] });
    expect(await jobs.run(path, 'fr')).toMatchObject(nothing);
    if (!/po|xlf|ts/.test(extension)) {
      const after = (await jobs.read(there)).replaceAll('\\u00e4', 'ä');
      expect(after).toBe(target.replace('Un texte', 'Oneä lineä'));
    }
  },
);

const JSON_FILES = {
  'l/en.json': '{ "a": "One text", "n": 1 }',
  'l/fr.json': '{ "a": "Un texte" }',
};
const ROUTE = '{ from: "l/{locale}.json", lane: text }';

test('a value without words that was left out goes in when its source changes', async () => {
  const jobs = await TextJobs.of(ROUTE, JSON_FILES, 'fr');
  await jobs.run('l/en.json', 'fr');
  await jobs.write('l/en.json', '{ "a": "One text", "n": 2, "m": 3 }');
  await jobs.run('l/en.json', 'fr');
  expect(JSON.parse(await jobs.read('l/fr.json'))).toEqual({ a: 'Un texte', n: 2, m: 3 });
});

test('a value without words is a text when it gets words', async () => {
  const jobs = await TextJobs.of(ROUTE, JSON_FILES, 'fr');
  await jobs.run('l/en.json', 'fr');
  await jobs.write('l/en.json', '{ "a": "One text", "n": "New words" }');
  expect(await jobs.run('l/en.json', 'fr')).toMatchObject({ bought: ['New words'] });
});

test('values without words go into a list together with the texts beside them', async () => {
  const jobs = await TextJobs.of(
    ROUTE,
    {
      'l/en.json': '{ "a": "One text", "l": [null, "Two texts", 3] }',
      'l/fr.json': '{ "a": "Un texte" }',
    },
    'fr',
  );
  expect(await jobs.run('l/en.json', 'fr')).toMatchObject({
    bought: ['Two texts'],
    state: { kind: 'done' },
  });
  expect(JSON.parse(await jobs.read('l/fr.json'))).toEqual({
    a: 'Un texte',
    l: [null, 'Twoä textsä', 3],
  });
});

test('a locked text goes into a translation that lacks it', async () => {
  const jobs = await TextJobs.of(
    '{ from: "l/{locale}.json", lane: text, keys: { lock: [brand] } }',
    { 'l/en.json': '{ "a": "One text", "brand": "Brand" }', 'l/fr.json': '{ "a": "Un texte" }' },
    'fr',
  );
  await jobs.run('l/en.json', 'fr');
  expect(JSON.parse(await jobs.read('l/fr.json'))).toEqual({ a: 'Un texte', brand: 'Brand' });
});

test('a new Fluent message is written with its value without words, and stays out with it', async () => {
  const en = 'a = ×\n    .aria-label = Dismiss it\n\nb = Text\n\nc = ×\n    .sign = !\n';
  const jobs = await TextJobs.of('{ from: "{locale}.ftl", lane: text }', {
    'en.ftl': en,
    'de.ftl': 'b = Texte\n',
  });
  const { bought, state } = await jobs.run('en.ftl');
  expect(bought).toEqual(['Dismiss it']);
  expect(state.kind).toBe('done');
  expect(await jobs.read('de.ftl')).toBe('a = ×\n    .aria-label = Dismissä itä\nb = Texte\n');
  expect(await jobs.run('en.ftl')).toMatchObject({ bought: [], isWritten: false });
});

test('a new Fluent sentence around a choice is written with its pieces without words', async () => {
  const en =
    'a = Text\n\nb = Edit { $n ->\n    [one] one string\n   *[other] all strings\n} <glyph></glyph>\n';
  const jobs = await TextJobs.of('{ from: "{locale}.ftl", lane: text }', {
    'en.ftl': en,
    'de.ftl': 'a = Texte\n',
  });
  const { bought, state } = await jobs.run('en.ftl');
  expect(state.kind).toBe('done');
  expect(bought).toHaveLength(3);
  expect(await jobs.read('de.ftl')).toMatch(/\} <glyph><\/glyph>\n$/);
  expect(await jobs.run('en.ftl')).toMatchObject({ bought: [], isWritten: false });
});
