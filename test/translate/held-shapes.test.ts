/** A message whose source gets another shape keeps its old one in the target while a text of the new one is held. */
import { expect, test } from 'vitest';
import { TextJobs } from '../text-jobs.ts';

interface Shapes {
  readonly from: string;
  readonly paths: readonly [source: string, target: string];
  readonly file: (message: string) => string;
  readonly text: (word: string) => string;
  /** The other shape, with two texts. */
  readonly group: (one: string, other: string) => string;
}

const JSON_FILE = {
  from: '"l/{locale}.json"',
  paths: ['l/en.json', 'l/pl.json'],
  file: (message: string) => `{\n  ${message},\n  "b": "Two"\n}\n`,
  text: (word: string) => `"a": "${word}"`,
} as const;

const FLUENT = {
  from: '"l/{locale}.ftl"',
  paths: ['l/en.ftl', 'l/pl.ftl'],
  file: (message: string) => `${message}\nb = Two\n`,
  text: (word: string) => `a = ${word}`,
} as const;

const ANDROID = {
  from: 'values/strings.xml, to: "values-{locale}/strings.xml"',
  paths: ['values/strings.xml', 'values-pl/strings.xml'],
  file: (message: string) =>
    `<resources>\n    ${message}\n    <string name="b">Two</string>\n</resources>\n`,
  text: (word: string) => `<string name="a">${word}</string>`,
} as const;

const YAML = {
  from: '"l/{locale}.yml"',
  paths: ['l/en.yml', 'l/pl.yml'],
  file: (message: string) => `${message}b: Two\n`,
  text: (word: string) => `a: ${word}\n`,
} as const;

const SHAPES: Readonly<Record<string, Shapes>> = {
  'json, a plural in a group': {
    ...JSON_FILE,
    group: (one, other) => `"a": { "one": "${one}", "other": "${other}" }`,
  },
  'json, a plural with suffixes': {
    ...JSON_FILE,
    group: (one, other) => `"a_one": "${one}",\n  "a_other": "${other}"`,
  },
  'json, a list': { ...JSON_FILE, group: (one, other) => `"a": ["${one}", "${other}"]` },
  'json, a group': {
    ...JSON_FILE,
    group: (one, other) => `"a": { "x": "${one}", "y": { "z": "${other}" } }`,
  },
  'Fluent, a plural': {
    ...FLUENT,
    group: (one, other) => `a = { $n ->\n    [one] ${one}\n   *[other] ${other}\n }`,
  },
  'Fluent, attributes': {
    ...FLUENT,
    group: (one, other) => `a =\n    .label = ${one}\n    .title = ${other}`,
  },
  'Fluent, a term with variants': {
    ...FLUENT,
    text: (word) => `-a = ${word}`,
    group: (one, other) => `-a = { $case ->\n    [upper] ${one}\n   *[lower] ${other}\n }`,
  },
  yaml: { ...YAML, group: (one, other) => `a:\n  one: ${one}\n  other: ${other}\n` },
  'yaml, a list': { ...YAML, group: (one, other) => `a:\n  - ${one}\n  - ${other}\n` },
  toml: {
    from: '"l/{locale}.toml"',
    paths: ['l/en.toml', 'l/pl.toml'],
    file: (message) => `b = "Two"\n${message}\n`,
    text: (word) => `a = "${word}"`,
    group: (one, other) => `[a]\none = "${one}"\nother = "${other}"`,
  },
  php: {
    from: '"l/{locale}.php"',
    paths: ['l/en.php', 'l/pl.php'],
    file: (message) => `<?php\nreturn [\n    ${message},\n    'b' => 'Two',\n];\n`,
    text: (word) => `'a' => '${word}'`,
    group: (one, other) => `'a' => ['x' => '${one}', 'y' => '${other}']`,
  },
  'Android, a plural': {
    ...ANDROID,
    group: (one, other) =>
      `<plurals name="a">\n        <item quantity="one">${one}</item>\n        <item quantity="other">${other}</item>\n    </plurals>`,
  },
  'Android, an array': {
    ...ANDROID,
    group: (one, other) =>
      `<string-array name="a">\n        <item>${one}</item>\n        <item>${other}</item>\n    </string-array>`,
  },
};

const CHANGES = Object.entries(SHAPES).flatMap(([name, shapes]) => [
  { name, way: 'text to group', shapes },
  { name, way: 'group to text', shapes },
]);

const messages = ({ text, group }: Shapes, way: string) => {
  const old = [text('Old words'), group('Old word', 'Old words')];
  const now = [text('New words'), group('New word', 'New words')];
  return way === 'text to group' ? ([old[0], now[1]] as const) : ([old[1], now[0]] as const);
};

test.each(CHANGES)(
  '$name, $way: the old texts leave the target only with the new ones',
  async ({ way, shapes }) => {
    const { from, file } = shapes;
    const [source, target] = shapes.paths;
    const [old = '', now = ''] = messages(shapes, way);
    const jobs = await TextJobs.of(`{ from: ${from}, lane: text }`, { [source]: file(old) }, 'pl');
    await jobs.run(source, 'pl');
    const before = await jobs.read(target);
    await jobs.write(source, file(now).replace('Two', 'Three'));
    for (const refused of [/New/, /New words/]) {
      jobs.refused = refused;
      const held = await jobs.run(source, 'pl', { retryHeld: true });
      expect(held.state).toMatchObject({ kind: 'held', hold: { kind: 'damaged-segments' } });
      expect(await jobs.read(target)).toBe(before.replace('Twoä', 'Threeä'));
      const again = await jobs.run(source, 'pl');
      expect(again).toMatchObject({ bought: [], isWritten: false, state: { kind: 'held' } });
    }
    jobs.refused = undefined;
    const retried = await jobs.run(source, 'pl', { retryHeld: true });
    expect(retried).toMatchObject({ isWritten: true, state: { kind: 'done' } });
    const fresh = await TextJobs.of(`{ from: ${from}, lane: text }`, { [source]: file(now) }, 'pl');
    await fresh.run(source, 'pl');
    const after = await jobs.read(target);
    expect(after).not.toContain('Old');
    expect(words(after)).toEqual(words((await fresh.read(target)).replace('Twoä', 'Threeä')));
    expect(await jobs.run(source, 'pl')).toMatchObject({ bought: [], isWritten: false });
  },
);

const words = (text: string) => (text.match(/\p{L}+ä/gu) ?? []).sort();

const catalog = (variations: object, pl = '') =>
  `{\n  "sourceLanguage" : "en",\n  "strings" : {\n    "a" : { "localizations" : { "en" : ${JSON.stringify({ variations })}${pl} } }\n  },\n  "version" : "1.0"\n}\n`;
const unit = (value: string) => ({ stringUnit: { state: 'translated', value } });
const FORMS = { one: 'S', few: 'S', many: 'S', other: 'S' };

test.each([
  {
    name: 'json, a plural to a list',
    ...{ route: '{ from: "l/{locale}.json" }', paths: ['l/en.json', 'l/pl.json'] },
    old: ['{ "a": { "one": "Word", "other": "Words" } }\n', `{ "a": ${JSON.stringify(FORMS)} }\n`],
    now: ['{ "a": ["New word", "New words"] }\n', `{ "a": ${JSON.stringify(FORMS)} }\n`],
  },
  {
    name: 'yaml, a list to a plural',
    ...{ route: '{ from: "l/{locale}.yml" }', paths: ['l/en.yml', 'l/pl.yml'] },
    old: ['a:\n  - Word\n  - Words\n', 'a:\n  - Stare\n  - Starsze\n'],
    now: ['a:\n  one: New word\n  other: New words\n', 'a:\n  - Stare\n  - Starsze\n'],
  },
  {
    name: 'a string catalog, a plural to texts for devices',
    ...{ route: '{ from: L.xcstrings, to: L.xcstrings }', paths: ['L.xcstrings', 'L.xcstrings'] },
    ...((pl) => ({
      old: Array(2).fill(catalog({ plural: { one: unit('Word'), other: unit('Words') } }, pl)),
      now: Array(2).fill(
        catalog({ device: { mac: unit('New word'), other: unit('New words') } }, pl),
      ),
    }))(
      `, "pl" : { "variations" : { "plural" : { "one" : ${JSON.stringify(unit('S'))}, "few" : ${JSON.stringify(unit('S'))}, "many" : ${JSON.stringify(unit('S'))}, "other" : ${JSON.stringify(unit('S'))} } } }`,
    ),
  },
])(
  '$name: the old texts stay while a new one is held',
  async ({ route, paths: [from = '', to = ''], old, now }) => {
    const jobs = await TextJobs.of(route, { [to]: old[1], [from]: old[0] }, 'pl');
    await jobs.run(from, 'pl');
    jobs.refused = /New words/;
    await jobs.write(from, now[0]);
    expect(await jobs.run(from, 'pl')).toMatchObject({ state: { kind: 'held' } });
    expect(await jobs.read(to)).toBe(now[1]);
    jobs.refused = undefined;
    const { state } = await jobs.run(from, 'pl', { retryHeld: true });
    expect(state).toMatchObject({ kind: 'done' });
    expect(words(await jobs.read(to)).length).toBeGreaterThan(3);
  },
);
