/** A person's group where the source has one text, or a text where the source has a group. It stays, and nothing is written beside it. */
import { expect, test } from 'vitest';
import { TextJobs } from '../text-jobs.ts';

interface Case {
  readonly from: string;
  readonly paths: readonly [source: string, target: string];
  /** The source with its text and its group. */
  readonly source: (text: string, group: readonly [string, string]) => string;
  readonly target: string;
  /** The target's text and group after a change of their sources. */
  readonly after: string;
}

const CASES: Readonly<Record<string, Case>> = {
  'json, groups': {
    from: 'l/{locale}.json',
    paths: ['l/en.json', 'l/pl.json'],
    source: (text, [one, other]) =>
      `{\n  "a": "${text}",\n  "b": { "one": "${one}", "other": "${other}" },\n  "c": "Plain text"\n}\n`,
    target:
      '{\n  "a": { "one": "Jeden", "few": "Kilka", "many": "Wiele", "other": "Inne" },\n  "b": "Grupy: {{count}}",\n  "c": "Zwykły"\n}\n',
    after:
      '{\n  "a": "Newä textä {{count}}",\n  "b": {\n    "one": "{{count}} newä",\n    "few": "{{count}} newsä",\n    "many": "{{count}} newsä",\n    "other": "{{count}} newsä"\n  },\n  "c": "Zwykły"\n}\n',
  },
  'json, suffixes': {
    from: 'l/{locale}.json',
    paths: ['l/en.json', 'l/pl.json'],
    source: (_text, [one, other]) =>
      `{\n  "b_one": "${one}",\n  "b_other": "${other}",\n  "c": "Plain text"\n}\n`,
    target: '{\n  "b": "Grupy: {{count}}",\n  "c": "Zwykły"\n}\n',
    after:
      '{\n  "b_one": "{{count}} newä",\n  "b_few": "{{count}} newsä",\n  "b_many": "{{count}} newsä",\n  "b_other": "{{count}} newsä",\n  "c": "Zwykły"\n}\n',
  },
  yaml: {
    from: 'l/{locale}.yml',
    paths: ['l/en.yml', 'l/pl.yml'],
    source: (text, [one, other]) =>
      `en:\n  a: "${text}"\n  b:\n    one: "${one}"\n    other: "${other}"\n  c: Plain text\n`,
    target:
      'pl:\n  a:\n    one: Jeden # uwaga\n    few: Kilka\n    many: Wiele\n    other: Inne\n  b: "Grupy: {{count}}"\n  c: Zwykły\n',
    after:
      'pl:\n  a: "Newä textä {{count}}"\n  b:\n    one: "{{count}} newä"\n    few: "{{count}} newsä"\n    many: "{{count}} newsä"\n    other: "{{count}} newsä"\n  c: Zwykły\n',
  },
  toml: {
    from: 'l/{locale}.toml',
    paths: ['l/en.toml', 'l/pl.toml'],
    source: (text, [one, other]) =>
      `a = "${text}"\nc = "Plain text"\n\n[b]\none = "${one}"\nother = "${other}"\n`,
    target:
      'b = "Grupy: {{count}}"\nc = "Zwykły"\n\n[a]\none = "Jeden"\nfew = "Kilka"\nmany = "Wiele"\nother = "Inne"\n',
    after:
      'a = "Newä textä {{count}}"\nc = "Zwykły"\n\n[b]\none = "{{count}} newä"\nfew = "{{count}} newsä"\nmany = "{{count}} newsä"\nother = "{{count}} newsä"\n',
  },
  js: {
    from: 'l/{locale}.js',
    paths: ['l/en.js', 'l/pl.js'],
    source: (text, [one, other]) =>
      `export default {\n  a: '${text}',\n  b: { one: '${one}', other: '${other}' },\n  c: 'Plain text',\n};\n`,
    target:
      "export default {\n  a: { one: 'Jeden', few: 'Kilka', many: 'Wiele', other: 'Inne' },\n  b: 'Grupy: {{count}}',\n  c: 'Zwykły',\n};\n",
    after:
      "export default {\n  a: 'Newä textä {{count}}',\n  b: {\n    one: '{{count}} newä',\n    few: '{{count}} newsä',\n    many: '{{count}} newsä',\n    other: '{{count}} newsä'\n  },\n  c: 'Zwykły',\n};\n",
  },
  'json, numbers': {
    from: 'l/{locale}.json',
    paths: ['l/en.json', 'l/pl.json'],
    source: (text, [one, other]) =>
      `{\n  "a": "${text}",\n  "b": { "0": "${one}", "1": "${other}" },\n  "c": "Plain text"\n}\n`,
    target:
      '{\n  "a": { "0": "Jeden", "1": "Kilka", "2": "Wiele" },\n  "b": "Grupy: {{count}}",\n  "c": "Zwykły"\n}\n',
    after:
      '{\n  "a": "Newä textä {{count}}",\n  "b": {\n    "0": "{{count}} newä",\n    "1": "{{count}} newsä"\n  },\n  "c": "Zwykły"\n}\n',
  },
};

const FIRST = ['One text {{count}}', ['{{count}} one', '{{count}} ones']] as const;
const CHANGED = ['New text {{count}}', ['{{count}} new', '{{count}} news']] as const;

test.each(Object.entries(CASES))(
  '%s: a text that a person wrote keeps its own shape until its source changes',
  async (_, { from, paths: [path, there], source, target, after }) => {
    const route = `{ from: "${from}", lane: text }`;
    const jobs = await TextJobs.of(route, { [path]: source(...FIRST), [there]: target }, 'pl');
    const untouched = { bought: [], isWritten: false, state: { kind: 'done' } };
    expect(await jobs.run(path, 'pl')).toMatchObject(untouched);
    expect(await jobs.run(path, 'pl')).toMatchObject(untouched);
    await jobs.write(path, source(...FIRST).replace('Plain text', 'Simple words'));
    expect(await jobs.run(path, 'pl')).toMatchObject({ bought: ['Simple words'] });
    expect(await jobs.read(there)).toBe(target.replace('Zwykły', 'Simpleä wordsä'));
    await jobs.write(there, target);
    await jobs.write(path, source(...CHANGED));
    await jobs.run(path, 'pl');
    expect(await jobs.read(there)).toBe(after);
  },
);

test.each(Object.entries(CASES))(
  '%s: a text that a person edited waits beside the new texts of its source',
  async (_, { from, paths: [path, there], source, target }) => {
    const route = `{ from: "${from}", lane: text }`;
    const jobs = await TextJobs.of(route, { [path]: source(...FIRST), [there]: target }, 'pl');
    await jobs.run(path, 'pl');
    const edited = target.replace('Kilka', 'Parę').replace('Grupy', 'Zbiory');
    await jobs.write(there, edited);
    expect(await jobs.run(path, 'pl')).toMatchObject({ bought: [], isWritten: false });
    await jobs.write(path, source(...CHANGED));
    expect(await jobs.run(path, 'pl')).toMatchObject({ state: { kind: 'held' } });
    const now = await jobs.read(there);
    for (const own of ['Parę', 'Zbiory: {{count}}']) {
      expect(now.includes(own)).toBe(edited.includes(own));
    }
  },
);

test.each([
  ['json', '{\n  "a": "One text"\n}\n', '{\n  "a": { "x": "Un" }\n}\n'],
  ['yml', 'a: One text\n', '\na:\n  x: Un\n'],
  ['js', 'export default {\n  a: "One text",\n};\n', 'export default {\n  a: ["Un"],\n};\n'],
])(
  '%s: another group or list takes no text, and its line is named',
  async (extension, source, target) => {
    const [from, to] = [`l/en.${extension}`, `l/fr.${extension}`];
    const files = { [from]: source, [to]: target };
    const jobs = await TextJobs.of(`{ from: "l/{locale}.${extension}", lane: text }`, files, 'fr');
    const { bought, state } = await jobs.run(from, 'fr');
    expect(bought).toEqual([]);
    expect(JSON.stringify(state)).toContain(
      'line 2 of the target has a group where the source has a text',
    );
    expect(await jobs.read(to)).toBe(target);
  },
);

test('yaml: an alias, a value with a tag and what a map takes from another one count as texts', async () => {
  const source =
    'en:\n  a: One text\n  b: Two texts\n  c: Three texts\n  base:\n    x: Inner text\n  more:\n    x: Inner text\n    y: Other text\n  group:\n    x: Inner text\n';
  const target =
    'fr:\n  a: &x Un texte\n  b: *x\n  c: !mine Trois textes\n  base: &base\n    x: Texte\n  more:\n    <<: *base\n    y: Autre\n  group: *base\n';
  const route = '{ from: "l/{locale}.yml", lane: text }';
  const jobs = await TextJobs.of(route, { 'l/en.yml': source, 'l/fr.yml': target }, 'fr');
  const untouched = { bought: [], isWritten: false, state: { kind: 'done' } };
  expect(await jobs.run('l/en.yml', 'fr')).toMatchObject(untouched);
  expect(await jobs.run('l/en.yml', 'fr')).toMatchObject(untouched);
  await jobs.write('l/en.yml', source.replace('Two', 'New').replace('Three', 'Four'));
  const { bought, state } = await jobs.run('l/en.yml', 'fr');
  expect(bought).toEqual(['New texts']);
  expect(JSON.stringify(state)).toContain('at l/fr.yml:4');
  expect(await jobs.read('l/fr.yml')).toBe(target.replace('*x', 'Newä textsä'));
});

test('yaml: an alias that a person adds together with its source text stays', async () => {
  const route = '{ from: "l/{locale}.yml" }';
  const files = { 'l/en.yml': 'en:\n  a: One text\n', 'l/fr.yml': 'fr:\n  a: &x Un texte\n' };
  const jobs = await TextJobs.of(route, files, 'fr');
  await jobs.run('l/en.yml', 'fr');
  await jobs.write('l/en.yml', 'en:\n  a: One text\n  b: Two texts\n');
  await jobs.write('l/fr.yml', 'fr:\n  a: &x Un texte\n  b: *x\n');
  expect(await jobs.run('l/en.yml', 'fr')).toMatchObject({ bought: [], isWritten: false });
});

/** Expressions in the place of texts and groups: `a`, `b`, `c` and the group `d`. */
const EXPRESSIONS = {
  php: {
    route: '{ from: "l/{locale}.php", lane: text }',
    paths: ['l/en.php', 'l/fr.php'],
    source:
      "<?php\nreturn [\n    'a' => 'One text',\n    'b' => 'Two texts',\n    'c' => 'Three texts',\n    'e' => 'Last text',\n    'd' => ['x' => 'Inner text', 'y' => ['Element', 'Other']],\n];\n",
    target:
      "<?php\nreturn [\n    'a' => 'Un' . ' texte',\n    'b' => static function ($n) {\n        return 'Deux';\n    },\n    'c' => OTHER['c'],\n    'd' => words('d'),\n];\n",
    added: "    'e' => 'Lastä textä',\n    'd'",
  },
  typescript: {
    route: '{ from: "l/{locale}.ts", lane: text }',
    paths: ['l/en.ts', 'l/fr.ts'],
    source:
      "export default {\n  a: 'One text',\n  b: 'Two texts',\n  c: 'Three texts',\n  e: 'Last text',\n  d: { x: 'Inner text', y: ['Element', 'Other'] },\n};\n",
    target:
      "export default {\n  a: 'Un' + ' texte',\n  b(n) {\n    return 'Deux';\n  },\n  c,\n  d: words('d'),\n};\n",
    added: "  e: 'Lastä textä',\n  d:",
  },
} as const;

test.each(Object.entries(EXPRESSIONS))(
  '%s: an expression counts as the texts of its key, also when their source changes, which a person decides',
  async (_, { route, paths: [from, to], source, target, added }) => {
    const jobs = await TextJobs.of(route, { [from]: source, [to]: target }, 'fr');
    const first = await jobs.run(from, 'fr');
    expect(first).toMatchObject({ bought: ['Last text'], state: { kind: 'done' } });
    const after = target.replace(/ +'d'| +d:/, added);
    expect(await jobs.read(to)).toBe(after);
    expect(await jobs.run(from, 'fr')).toMatchObject({ bought: [], isWritten: false });
    await jobs.write(from, source.replace('Two texts', 'New texts'));
    const { bought, state } = await jobs.run(from, 'fr');
    expect(bought).toEqual(['New texts']);
    expect(state).toMatchObject({ kind: 'held', hold: { kind: 'conflict', keys: ['b'] } });
    expect(await jobs.read(to)).toBe(after);
  },
);

test.each([
  ['php', "<?php\nreturn ['a' => 'One text'];\n", "<?php\n\nreturn merge('x', ['b' => 'Deux']);\n"],
  ['ts', "export default { a: 'One text' };\n", "export default merge(x, { b: 'Deux' });\n"],
])(
  '%s: a file that makes its texts by a call takes no text, and its line is named',
  async (extension, source, target) => {
    const [from, to] = [`l/en.${extension}`, `l/fr.${extension}`];
    const route = `{ from: "l/{locale}.${extension}", lane: text }`;
    const jobs = await TextJobs.of(route, { [from]: source, [to]: target }, 'fr');
    const { bought, state } = await jobs.run(from, 'fr');
    expect(bought).toEqual([]);
    expect(JSON.stringify(state)).toContain('there is no literal that can take');
    expect(JSON.stringify(state)).toContain(
      `fr.${extension}:${target.split('\n').findIndex((line) => line.includes('merge')) + 1}`,
    );
    expect(await jobs.read(to)).toBe(target);
  },
);

test('yaml: a text of the source that takes the place of an alias is bought', async () => {
  const source = 'en:\n  a: &x One text\n  b: *x\n';
  const jobs = await TextJobs.of('{ from: "l/{locale}.yml" }', { 'l/en.yml': source }, 'fr');
  await jobs.run('l/en.yml', 'fr');
  await jobs.write('l/en.yml', source.replace('*x', 'Own text'));
  expect(await jobs.run('l/en.yml', 'fr')).toMatchObject({ bought: ['Own text'] });
  expect(await jobs.read('l/fr.yml')).toContain('  b: Ownä textä\n');
});

test('json: forms with suffixes do not count as a text, which a program without a number asks for', async () => {
  const jobs = await TextJobs.of(
    '{ from: "l/{locale}.json", lane: text }',
    {
      'l/en.json': '{\n  "share": "Share it"\n}\n',
      'l/pl.json': '{\n  "share_one": "Raz",\n  "share_other": "Razy"\n}\n',
    },
    'pl',
  );
  expect(await jobs.run('l/en.json', 'pl')).toMatchObject({ bought: ['Share it'] });
  expect(await jobs.read('l/pl.json')).toContain('"share_other": "Razy"');
});

test('xcstrings: variations count as one text, and one text as variations; a message has one of both', async () => {
  const unit = (value: string) => ({ stringUnit: { state: 'translated', value } });
  const plural = (forms: Record<string, string>) => ({
    variations: {
      plural: Object.fromEntries(Object.entries(forms).map(([form, text]) => [form, unit(text)])),
    },
  });
  const catalog = {
    sourceLanguage: 'en',
    strings: {
      a: {
        localizations: {
          en: unit('Text %d'),
          pl: plural({ one: 'Jeden %d', few: 'Kilka %d', many: 'Wiele %d', other: 'Inne %d' }),
        },
      },
      b: {
        localizations: { en: plural({ one: '%d one', other: '%d ones' }), pl: unit('Razem %d') },
      },
      c: {
        localizations: {
          en: unit('Tap'),
          pl: { variations: { device: { mac: unit('Kliknij'), other: unit('Dotknij') } } },
        },
      },
    },
    version: '1.0',
  };
  const text = `${JSON.stringify(catalog, undefined, 2)}\n`;
  const route = '{ from: "l/A.xcstrings", to: "l/A.xcstrings", lane: text }';
  const jobs = await TextJobs.of(route, { 'l/A.xcstrings': text }, 'pl');
  expect(await jobs.run('l/A.xcstrings', 'pl')).toMatchObject({
    bought: [],
    isWritten: false,
    state: { kind: 'done' },
  });
});
