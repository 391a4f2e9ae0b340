/** An entry of a target that holds no text for dragoman (a reference, a locked unit) is a person’s: nothing is added beside it. */
import { expect, test } from 'vitest';
import { TextJobs } from '../text-jobs.ts';

interface Case {
  readonly from: string;
  readonly paths: readonly [source: string, target: string];
  readonly source: (text: string) => string;
  readonly target: string;
  /** What a new translation replaces when the source changes. Absent: the entry cannot take a text, so it stays. */
  readonly replaced?: string;
}

const XLIFF = 'xmlns="urn:oasis:names:tc:xliff:document:1.2"';
const JSON_PATHS = ['l/en/a.json', 'l/de/a.json'] as const;

const CASES: Readonly<Record<string, Case>> = {
  'android, a reference': {
    from: 'res/values/strings.xml',
    paths: ['res/values/strings.xml', 'res/values-de/strings.xml'],
    source: (text) =>
      `<resources>\n    <string name="a">Apple</string>\n    <string name="b">${text}</string>\n</resources>\n`,
    target:
      '<resources>\n    <string name="a">Apfel</string>\n    <string name="b">@string/a</string>\n</resources>\n',
    replaced: '@string/a',
  },
  'android, a string that is not for translation': {
    from: 'res/values/strings.xml',
    paths: ['res/values/strings.xml', 'res/values-de/strings.xml'],
    source: (text) =>
      `<resources>\n    <string name="a">Apple</string>\n    <string name="b">${text}</string>\n</resources>\n`,
    target:
      '<resources>\n    <string name="b" translatable="false">Brot</string>\n    <string name="a">Apfel</string>\n</resources>\n',
  },
  'android, groups that are not for translation': {
    from: 'res/values/strings.xml',
    paths: ['res/values/strings.xml', 'res/values-de/strings.xml'],
    source: (text) =>
      `<resources>\n    <string name="a">Apple</string>\n    <plurals name="p">\n        <item quantity="one">${text}</item>\n        <item quantity="other">%d items</item>\n    </plurals>\n    <string-array name="l">\n        <item>First</item>\n    </string-array>\n</resources>\n`,
    target:
      '<resources>\n    <string name="a">Apfel</string>\n    <plurals name="p" translatable="false">\n        <item quantity="one">Ein Ding</item>\n        <item quantity="other">%d Dinge</item>\n    </plurals>\n    <string-array name="l" translatable="false">\n        <item>Erstes</item>\n    </string-array>\n</resources>\n',
  },
  resx: {
    from: 'l/{locale}/a.resx',
    paths: ['l/en/a.resx', 'l/de/a.resx'],
    source: (text) =>
      `<root>\n  <data name="a"><value>Apple</value></data>\n  <data name="b"><value>${text}</value></data>\n</root>\n`,
    target:
      '<root>\n  <data name="a"><value>Apfel</value></data>\n  <data name="b" type="System.Resources.ResXFileRef, System.Windows.Forms"><value>b.txt;System.String</value></data>\n</root>\n',
  },
  'xliff 1.2, in a group': {
    from: 'l/{locale}/a.xlf',
    paths: ['l/en/a.xlf', 'l/de/a.xlf'],
    source: (text) =>
      `<xliff version="1.2" ${XLIFF}><file source-language="en" original="x"><body>\n<trans-unit id="a"><source>Apple</source></trans-unit>\n<trans-unit id="b"><source>${text}</source></trans-unit>\n</body></file></xliff>\n`,
    target: `<xliff version="1.2" ${XLIFF}><file source-language="en" target-language="de" original="x"><body>\n<group id="g"><trans-unit id="b" translate="no"><source>Bread</source><target>Brot</target></trans-unit></group>\n<trans-unit id="a" translate="no"><source>Apple</source></trans-unit>\n</body></file></xliff>\n`,
  },
  'xliff 2.0': {
    from: 'l/{locale}/a.xlf',
    paths: ['l/en/a.xlf', 'l/de/a.xlf'],
    source: (text) =>
      `<xliff version="2.0" srcLang="en"><file id="f">\n<unit id="a"><segment><source>Apple</source></segment></unit>\n<unit id="b"><segment><source>${text}</source></segment></unit>\n</file></xliff>\n`,
    target:
      '<xliff version="2.0" srcLang="en" trgLang="de"><file id="f">\n<unit id="a"><segment><source>Apple</source><target>Apfel</target></segment></unit>\n<unit id="b" translate="no"><segment><source>Bread</source><target>Brot</target></segment></unit>\n</file></xliff>\n',
  },
  'ts, keys in brackets': {
    from: 'l/{locale}/a.ts',
    paths: ['l/en/a.ts', 'l/de/a.ts'],
    source: (text) => `export default { a: 'Apple', b: '${text}', g: { c: 'Cat' } };\n`,
    target: "export default { ['a']: 'Apfel', [`b`]: 'Brot', ['g']: { c: 'Katze' } };\n",
  },
  'json, a number and a boolean': {
    from: 'l/{locale}/a.json',
    paths: JSON_PATHS,
    source: (text) => `{\n  "a": "Apple",\n  "b": "${text}"\n}\n`,
    target: '{\n  "a": 1,\n  "b": false\n}\n',
  },
  'json, a list': {
    from: 'l/{locale}/a.json',
    paths: JSON_PATHS,
    source: (text) => `{\n  "a": "Apple",\n  "b": "${text}"\n}\n`,
    target: '{\n  "a": "Apfel",\n  "b": ["Brot", "Brote"]\n}\n',
  },
  'json, an empty group and an empty list': {
    from: 'l/{locale}/a.json',
    paths: JSON_PATHS,
    source: (text) => `{\n  "a": "Apple",\n  "b": "${text}"\n}\n`,
    target: '{\n  "a": {},\n  "b": []\n}\n',
  },
  'yaml, an empty group and an empty list': {
    from: 'l/{locale}/a.yml',
    paths: ['l/en/a.yml', 'l/de/a.yml'],
    source: (text) => `a: Apple\nb: ${text}\n`,
    target: 'a: {}\nb: []\n',
  },
  'yaml, numbers, tags and aliases': {
    from: 'l/{locale}/a.yml',
    paths: ['l/en/a.yml', 'l/de/a.yml'],
    source: (text) => `a: Apple\nb: ${text}\nc: Cat\nd: Dog\n`,
    target: 'a: &a 12\nb: *a\nc: !erb Katze\nd: !t [x, y]\n',
    replaced: '*a',
  },
  'toml, numbers, lists and tables': {
    from: 'l/{locale}/a.toml',
    paths: ['l/en/a.toml', 'l/de/a.toml'],
    source: (text) => `a = "Apple"\nb = "${text}"\nc = "Cat"\nd = "Dog"\n`,
    target: 'a = 1\nb = ["Brot"]\nc = {}\n\n[d]\n',
  },
  'php, expressions and an empty array': {
    from: 'l/{locale}/a.php',
    paths: ['l/en/a.php', 'l/de/a.php'],
    source: (text) =>
      `<?php\nreturn [\n  'a' => 'Apple',\n  'b' => '${text}',\n  'c' => 'Cat',\n];\n`,
    target: "<?php\nreturn [\n  'a' => APFEL,\n  'b' => [],\n  'c' => 'K' . 'atze',\n];\n",
  },
  'arb, no strings': {
    from: 'l/app_{locale}.arb',
    paths: ['l/app_en.arb', 'l/app_de.arb'],
    source: (text) => `{\n  "@@locale": "en",\n  "a": "Apple",\n  "b": "${text}"\n}\n`,
    target: '{\n  "@@locale": "de",\n  "a": 1,\n  "b": {}\n}\n',
  },
  'fluent, references': {
    from: 'l/{locale}/a.ftl',
    paths: ['l/en/a.ftl', 'l/de/a.ftl'],
    source: (text) => `a = Apple\nb = ${text}\n`,
    target: 'a = { -apfel }\nb = { a }\n-apfel = Apfel\n',
    replaced: '{ a }',
  },
};

test.each(Object.entries(CASES))(
  '%s: the key is the person’s, and nothing is added',
  async (_, it) => {
    const [source, target] = it.paths;
    const jobs = await TextJobs.of(
      source.startsWith('res/')
        ? `{ from: "res/values/strings.xml", to: "res/values-{android}/strings.xml" }`
        : `{ from: "${it.from}", lane: text }`,
      { [source]: it.source('Bread'), [target]: it.target },
    );
    const first = await jobs.run(source);
    expect.soft(await jobs.read(target)).toBe(it.target);
    expect.soft(first.bought).toEqual([]);
    await jobs.write(source, it.source('Bread rolls'));
    await jobs.run(source);
    expect(await jobs.read(target)).toBe(
      it.target.replace(it.replaced ?? '', it.replaced ? 'Breadä rollsä' : ''),
    );
  },
);

test('android: a string that the source did not give away before is the person’s also afterwards', async () => {
  const [source, target] = ['res/values/strings.xml', 'res/values-de/strings.xml'];
  const file = (name: string, text: string) =>
    `<resources>\n    <string name="a">${name}</string>\n    <string name="app"${text}</string>\n    <string name="r">@string/a</string>\n</resources>\n`;
  const german = file('Apfel', ' translatable="false">App');
  const jobs = await TextJobs.of(
    '{ from: "res/values/strings.xml", to: "res/values-{android}/strings.xml" }',
    { [source]: file('Apple', ' translatable="false">App'), [target]: german },
  );
  await jobs.run(source);
  await jobs.write(source, file('Apple', '>App').replace('@string/a', 'Refer to it'));
  expect(await jobs.run(source)).toMatchObject({ bought: [], isWritten: false });
  expect(await jobs.run(source)).toMatchObject({ bought: [], isWritten: false });
  expect(await jobs.read(target)).toBe(german);
});

test('a new first message of ARB is below the attributes of the person’s file', async () => {
  const files = {
    'l/app_en.arb': '{\n  "@@locale": "en",\n  "b": "Bread"\n}\n',
    'l/app_de.arb':
      '{\n  "@@locale": "de",\n  "@@author": "Anna",\n  "b": "Brot",\n  "@b": {}\n}\n',
  };
  const jobs = await TextJobs.of('{ from: "l/app_{locale}.arb" }', files);
  await jobs.run('l/app_en.arb');
  await jobs.write('l/app_en.arb', '{\n  "@@locale": "en",\n  "a": "Apple",\n  "b": "Bread"\n}\n');
  await jobs.run('l/app_en.arb');
  expect(await jobs.read('l/app_de.arb')).toBe(
    files['l/app_de.arb'].replace('  "b"', '  "a": "Appleä",\n  "b"'),
  );
});

test('texts of a map that a person merges in its place count as present', async () => {
  const source = 'group:\n  a: Apple\n  b: Bread\n';
  const target = 'group:\n  <<: &base\n    a: Apfel\n  b: Brot\n';
  const jobs = await TextJobs.of('{ from: "l/{locale}.yml" }', {
    'l/en.yml': source,
    'l/de.yml': target,
  });
  expect(await jobs.run('l/en.yml')).toMatchObject({ bought: [], isWritten: false });
  await jobs.write('l/en.yml', source.replace('Bread', 'Bread rolls'));
  expect(await jobs.run('l/en.yml')).toMatchObject({ bought: ['Bread rolls'] });
  expect(await jobs.read('l/de.yml')).toBe(target.replace('Brot', 'Breadä rollsä'));
});
