/** Empty values in a target: they get a text if the source has words; everywhere else they are a person's choice. */
import { describe, expect, it } from 'vitest';
import { TextJobs } from '../text-jobs.ts';

/** How a format writes entries. */
interface Sample {
  /** With the language as its name or folder. */
  readonly path: (code: string) => string;
  /** `source` matters if both sides are in one file. */
  readonly make: (entries: readonly Entry[]) => string;
  readonly write: (text: string) => string;
  /** Ways to write a key without a text. */
  readonly empty: readonly string[];
  /** White space as a value, where it is not written as other texts are. */
  readonly blank?: string;
  readonly isBilingual?: true;
  readonly to?: string;
  readonly settings?: string;
}

interface Entry {
  readonly key: string;
  readonly source: string;
  /** The value in the file. */
  readonly value: string;
}

const lines = (line: (entry: Entry) => string) => (entries: readonly Entry[]) =>
  entries.map((entry) => `${line(entry)}\n`).join('');
const within =
  (open: string, line: (entry: Entry) => string, close: string) => (entries: readonly Entry[]) =>
    `${open}\n${lines(line)(entries)}${close}\n`;
const members = (line: (entry: Entry) => string) => (entries: readonly Entry[]) =>
  `{\n${entries.map((entry) => `  ${line(entry)}`).join(',\n')}\n}\n`;

const json = members(({ key, value }) => `"${key}": ${value}`);
const quoted = (text: string) => `"${text}"`;
const tagged = (name: string) => (text: string) => `<${name}>${text}</${name}>`;

const SAMPLES: Readonly<Record<string, Sample>> = {
  json: { path: (code) => `${code}.json`, make: json, write: quoted, empty: ['""', 'null'] },
  jsonc: { path: (code) => `${code}.jsonc`, make: json, write: quoted, empty: ['""', 'null'] },
  json5: { path: (code) => `${code}.json5`, make: json, write: quoted, empty: ["''", 'null'] },
  arb: { path: (code) => `app_${code}.arb`, make: json, write: quoted, empty: ['""', 'null'] },
  yaml: {
    path: (code) => `${code}.yml`,
    make: lines(({ key, value }) => `${key}:${value === '' ? '' : ` ${value}`}`),
    write: quoted,
    empty: ['""', "''", '', 'null', '~', '# ours', '""  # ours'],
  },
  rails: {
    path: (code) => `config/${code}.yml`,
    make: within('xx:', ({ key, value }) => `  ${key}:${value === '' ? '' : ` ${value}`}`, ''),
    write: quoted,
    empty: ['""', '', '~'],
  },
  'yaml in braces': {
    path: (code) => `${code}.yaml`,
    make: (entries) => `{ ${entries.map(({ key, value }) => `${key}: ${value}`).join(', ')} }\n`,
    write: quoted,
    empty: ['""', '', 'null'],
  },
  toml: {
    path: (code) => `${code}.toml`,
    make: lines(({ key, value }) => `${key} = ${value}`),
    write: quoted,
    empty: ['""', "''"],
  },
  php: {
    path: (code) => `${code}.php`,
    make: within('<?php\nreturn [', ({ key, value }) => `  '${key}' => ${value},`, '];'),
    write: (text) => `'${text}'`,
    empty: ["''", '""', 'null', 'NULL'],
  },
  js: {
    path: (code) => `${code}.js`,
    make: within('export default {', ({ key, value }) => `  ${key}: ${value},`, '};'),
    write: (text) => `'${text}'`,
    empty: ["''", '``', 'null', 'undefined'],
  },
  ini: {
    path: (code) => `${code}.ini`,
    make: lines(({ key, value }) => `${key}=${value}`),
    write: quoted,
    empty: ['""', ''],
  },
  properties: {
    path: (code) => `app_${code}.properties`,
    make: lines(({ key, value }) => `${key}${value}`),
    write: (text) => `=${text}`,
    empty: ['', '=', ' : '],
    blank: '=\\ ',
  },
  strings: {
    path: (code) => `${code}.lproj/a.strings`,
    make: lines(({ key, value }) => `"${key}"${value};`),
    write: (text) => ` = "${text}"`,
    empty: [' = ""', ''],
  },
  stringsdict: {
    path: (code) => `${code}.lproj/a.stringsdict`,
    make: within(
      '<plist version="1.0">\n<dict>',
      ({ key, value }) =>
        `<key>${key}</key><dict><key>NSStringVariableWidthRuleType</key><dict><key>1</key>${value}</dict></dict>`,
      '</dict>\n</plist>',
    ),
    write: tagged('string'),
    empty: ['<string></string>', '<string/>', '<string />'],
  },
  android: {
    path: (code) => `${code}/strings.xml`,
    make: within(
      '<resources>',
      ({ key, value }) => `  <string name="${key}"${value}`,
      '</resources>',
    ),
    write: (text) => `>${text}</string>`,
    empty: ['></string>', '/>', ' />', '>""</string>', '><![CDATA[]]></string>'],
  },
  resx: {
    path: (code) => `App.${code}.resx`,
    make: within('<root>', ({ key, value }) => `  <data name="${key}">${value}</data>`, '</root>'),
    write: tagged('value'),
    empty: ['<value></value>', '<value/>', ''],
  },
  xcstrings: {
    path: () => 'App.xcstrings',
    make: (entries) =>
      `${JSON.stringify({
        sourceLanguage: 'en',
        strings: Object.fromEntries(
          entries.map(({ key, source, value }) => [
            key,
            {
              localizations: {
                ...JSON.parse(value),
                en: { stringUnit: { state: 'translated', value: source } },
              },
            },
          ]),
        ),
        version: '1.0',
      })}\n`,
    write: (text) => JSON.stringify({ de: { stringUnit: { state: 'needs_review', value: text } } }),
    empty: ['{ "de": { "stringUnit": { "state": "new", "value": "" } } }'],
    isBilingual: true,
  },
  po: {
    path: (code) => `${code}.po`,
    make: (entries) =>
      entries.map(({ source, value }) => `msgid "${source}"\nmsgstr ${value}\n`).join('\n'),
    write: quoted,
    empty: ['""', '""\n""'],
    isBilingual: true,
  },
  qt: {
    path: (code) => `app_${code}.ts`,
    make: within(
      '<TS version="2.1"><context><name>c</name>',
      ({ source, value }) => `<message><source>${source}</source>${value}</message>`,
      '</context></TS>',
    ),
    write: (text) => `<translation type="unfinished">${text}</translation>`,
    empty: ['<translation type="unfinished"></translation>', '<translation type="unfinished"/>'],
    isBilingual: true,
  },
  xliff: {
    path: (code) => `app.${code}.xlf`,
    make: within(
      '<xliff version="1.2"><file original="a"><body>',
      ({ key, source, value }) =>
        `<trans-unit id="${key}"><source>${source}</source>${value}</trans-unit>`,
      '</body></file></xliff>',
    ),
    write: (text) => `<target state="needs-review-translation">${text}</target>`,
    empty: ['<target></target>', '<target/>', ''],
    isBilingual: true,
  },
  csv: {
    path: (code) => `${code}.csv`,
    make: (entries) => `id,text\n${lines(({ key, value }) => `${key}${value}`)(entries)}`,
    write: (text) => `,"${text}"`,
    empty: [',""', ',', ''],
    settings: ', columns: { key: id, source: text }',
  },
};

function jobsOf({ path, settings = '' }: Sample, files: Readonly<Record<string, string>>) {
  const isShared = path('en') === path('de');
  const to = isShared ? '' : `, to: "${path('{locale}')}"`;
  return TextJobs.of(`{ from: "${path('en')}"${to}, lane: text${settings} }`, files);
}

const ONE: Omit<Entry, 'value'> = { key: 'alpha', source: 'One' };
const SIGN: Omit<Entry, 'value'> = { key: 'beta', source: '...' };
const TWO: Omit<Entry, 'value'> = { key: 'gamma', source: 'Two' };

/** How often the first entry is there: by its key, or by its source text. */
function entriesIn(text: string): number {
  return text.match(/alpha|\bOne\b(?!ä)/g)?.length ?? 0;
}

/** From the second entry on. */
function behindFirst(text: string): string {
  return text.slice(text.includes(SIGN.key) ? text.indexOf(SIGN.key) : text.indexOf(SIGN.source));
}

describe.each(Object.entries(SAMPLES))('%s', (name, sample) => {
  const { path, make, write, empty, isBilingual } = sample;
  const spelled = (text: string, code: string) =>
    name === 'rails' ? text.replace('xx:', `${code}:`) : text;
  const english = spelled(
    make(
      [ONE, SIGN, TWO].map((entry) => ({
        ...entry,
        value: write(isBilingual ? '' : entry.source),
      })),
    ),
    'en',
  );
  // If both sides are in one file, a text without a translation has an empty one.
  const none = name === 'xcstrings' ? '{}' : write('');
  const german = (values: readonly string[]) => {
    const entries = [ONE, SIGN, TWO].map((entry, index) => ({
      ...entry,
      value: values[index] ?? none,
    }));
    return spelled(make(isBilingual ? entries : entries.slice(0, values.length)), 'de');
  };
  const files = (target: string) =>
    path('en') === path('de')
      ? { [path('de')]: target }
      : { [path('en')]: english, [path('de')]: target };

  it.each(empty)(
    '%j is filled where the source has words, and stays where it has none',
    async (value) => {
      const target = german([value, value, write('Zwei')]);
      const jobs = await jobsOf(sample, files(target));
      const { bought, state } = await jobs.run(path('en'));
      expect({ bought, state }).toMatchObject({ bought: ['One'], state: { kind: 'done' } });
      const text = (await jobs.read(path('de'))).replace('\\u00e4', 'ä');
      expect(text).toContain('Oneä');
      expect(entriesIn(text)).toBe(entriesIn(target));
      expect(text.endsWith(behindFirst(target))).toBe(true);
      expect(await jobs.run(path('en'))).toMatchObject({ bought: [], isWritten: false });
    },
  );

  it('white space alone stays', async () => {
    const blank = sample.blank ?? write(' ');
    const target = german([blank, blank, write('Zwei')]);
    const jobs = await jobsOf(sample, files(target));
    expect(await jobs.run(path('en'))).toMatchObject({ bought: [], isWritten: false });
    expect(await jobs.read(path('de'))).toBe(target);
  });

  it('a text that a person emptied stays empty, and waits for a person when its source changes', async () => {
    const jobs = await jobsOf(sample, files(german([write('Eins'), write('...')])));
    await jobs.run(path('en'));
    const written = await jobs.read(path('de'));
    const emptied = written.replace(/Two(?:ä|\\u00e4)/, '');
    await jobs.write(path('de'), emptied);
    for (const _ of [1, 2]) {
      expect(await jobs.run(path('en'))).toMatchObject({ bought: [], isWritten: false });
      expect(await jobs.read(path('de'))).toBe(emptied);
    }
  });
});

describe('nothing where the source has a group', () => {
  it.each([
    [
      'json',
      '{\n  "g": {\n    "x": "One",\n    "l": ["Two"]\n  },\n  "b": "Three"\n}\n',
      '{\n  "g": null,\n  "b": "Drei"\n}\n',
      '{\n  "g": {\n    "x": "Oneä",\n    "l": [\n      "Twoä"\n    ]\n  },\n  "b": "Drei"\n}\n',
    ],
    ['json', '{ "g": ["One", "Two"] }', '{ "g": ["Eins", null] }', '{ "g": ["Eins", "Twoä"] }'],
    ['json', '{ "g": { "x": "One" } }', '{ "g": null }', '{ "g": {"x": "Oneä"} }'],
    [
      'yml',
      'g:\n  x: One\n  l:\n    - Two\nb: Three\n',
      'g: ~ # ours\nb: Drei\n',
      'g: # ours\n  x: Oneä\n  l:\n    - Twoä\nb: Drei\n',
    ],
    ['yml', 'g:\n  x: One\n', 'g:\n', 'g:\n  x: Oneä\n'],
    ['yml', 'g:\n  - One\nb: Two\n', 'g:\nb: Zwei\n', 'g:\n  - Oneä\nb: Zwei\n'],
    ['yml', 'g: { x: One }\n', '{ g: null }\n', '{ g: {x: Oneä} }\n'],
    [
      'php',
      "<?php\nreturn [\n    'g' => ['x' => 'One'],\n];\n",
      "<?php\nreturn [\n    'g' => null,\n];\n",
      "<?php\nreturn [\n    'g' => [\n        'x' => 'Oneä'\n    ],\n];\n",
    ],
    [
      'js',
      "export default { g: { x: 'One' }, b: 'Two' };\n",
      "export default { g: undefined, b: 'Zwei' };\n",
      "export default { g: {x: 'Oneä'}, b: 'Zwei' };\n",
    ],
  ])('%s: %j over %j', async (extension, source, target, wanted) => {
    const route = `{ from: "en.${extension}", to: "{locale}.${extension}", lane: text }`;
    const jobs = await TextJobs.of(route, {
      [`en.${extension}`]: source,
      [`de.${extension}`]: target,
    });
    expect(await jobs.run(`en.${extension}`)).toMatchObject({ state: { kind: 'done' } });
    expect(await jobs.read(`de.${extension}`)).toBe(wanted);
    expect(await jobs.run(`en.${extension}`)).toMatchObject({ bought: [], isWritten: false });
  });

  it('Android: plurals and an array without an item get theirs at their place', async () => {
    const source =
      '<resources>\n    <plurals name="p">\n        <item quantity="other">%d files</item>\n    </plurals>\n    <string-array name="l">\n        <item>One</item>\n    </string-array>\n    <string name="s">Two</string>\n</resources>\n';
    const jobs = await TextJobs.of(
      '{ from: en/strings.xml, to: "{locale}/strings.xml" }',
      {
        'en/strings.xml': source,
        'ja/strings.xml':
          '<resources>\n    <plurals name="p"/>\n    <string-array name="l"></string-array>\n    <string name="s">Ni</string>\n</resources>\n',
      },
      'ja',
    );
    expect(await jobs.run('en/strings.xml', 'ja')).toMatchObject({ state: { kind: 'done' } });
    expect(await jobs.read('ja/strings.xml')).toBe(
      source.replace('files', 'filesä').replace('One', 'Oneä').replace('Two', 'Ni'),
    );
  });
});

it('an empty text that an earlier version adopted stays empty, and is bought when its source changes', async () => {
  const jobs = await TextJobs.of('{ from: "{locale}.json" }', {
    'en.json': '{ "a": "One" }',
    'de.json': '{ "a": null }',
  });
  const record = {
    id: 'a',
    source: 'One',
    target: [{ raw: 'null' }],
    origin: 'adopted',
    state: 'ok',
  } as const;
  await jobs.remember('en.json', 'de', [record]);
  expect(await jobs.run('en.json')).toMatchObject({ bought: [], isWritten: false });
  await jobs.write('en.json', '{ "a": "Two" }');
  expect(await jobs.run('en.json')).toMatchObject({ bought: ['Two'] });
  expect(await jobs.read('de.json')).toBe('{ "a": "Twoä" }');
});

it.each([
  ['yml', 'a: ","\nb: Two\n', 'a: " "\nb: Zwei\n', 'a: "_"\nb: Two\n'],
  ['yml', 'a: "."\nb: Two\n', 'a: ""\nb: Zwei\n', 'a: "-"\nb: Two\n'],
  [
    'json',
    '{ "a": " - ", "b": "Two" }',
    '{ "a": " · ", "b": "Zwei" }',
    '{ "a": " / ", "b": "Two" }',
  ],
])(
  'what stands where the source has no letters stays when the source changes: %s %j',
  async (extension, source, target, changed) => {
    const jobs = await TextJobs.of(`{ from: "{locale}.${extension}" }`, {
      [`en.${extension}`]: source,
      [`de.${extension}`]: target,
    });
    await jobs.run(`en.${extension}`);
    await jobs.write(`en.${extension}`, changed);
    expect(await jobs.run(`en.${extension}`)).toMatchObject({ bought: [], isWritten: false });
    expect(await jobs.read(`de.${extension}`)).toBe(target);
  },
);

it('a translation does not stay where the text gave way to a number: the reader would see the old words', async () => {
  const jobs = await TextJobs.of('{ from: "{locale}.json" }', {
    'en.json': '{ "a": "Call us", "b": "Two" }',
    'de.json': '{ "a": "Rufen Sie uns an", "b": "Zwei" }',
  });
  await jobs.run('en.json');
  await jobs.write('en.json', '{ "a": "+1 555 0100", "b": "Two" }');
  await jobs.run('en.json');
  expect(await jobs.read('de.json')).toBe('{ "a": "+1 555 0100", "b": "Zwei" }');
});

describe('XLIFF: a target that says it is not translated, and equals its source', () => {
  const version1 = (targets: readonly string[]) =>
    `<xliff version="1.2"><file source-language="en" target-language="de" datatype="plaintext" original="x"><body>\n${[
      'One',
      'Two',
    ]
      .map(
        (text, index) =>
          `<trans-unit id="${text}"><source>${text}</source>${targets[index]}</trans-unit>\n`,
      )
      .join('')}</body></file></xliff>\n`;
  const version2 = (first: string) =>
    `<xliff version="2.0" srcLang="en" trgLang="de"><file id="f"><unit id="u">\n${first}\n</unit></file></xliff>\n`;
  const reviewed = 'state="needs-review-translation"';

  it.each([
    [
      version1(['', '']),
      version1([
        '<target state="new">One</target>',
        '<target state="needs-translation">Zwei</target>',
      ]),
      version1([
        `<target ${reviewed}>Oneä</target>`,
        '<target state="needs-translation">Zwei</target>',
      ]),
    ],
    [
      version1(['', '']),
      version1(['<target state="needs-translation">One</target>', '<target>Two</target>']),
      version1([`<target ${reviewed}>Oneä</target>`, '<target>Two</target>']),
    ],
    [
      version2('<segment><source>One</source></segment>'),
      version2('<segment state="initial"><source>One</source><target>One</target></segment>'),
      version2('<segment state="translated"><source>One</source><target>Oneä</target></segment>'),
    ],
  ])('waits for a translation', async (source, target, wanted) => {
    const route = '{ from: "m.en.xlf", to: "m.{locale}.xlf" }';
    const jobs = await TextJobs.of(route, { 'm.en.xlf': source, 'm.de.xlf': target });
    expect(await jobs.run('m.en.xlf')).toMatchObject({ bought: ['One'] });
    expect(await jobs.read('m.de.xlf')).toBe(wanted);
    expect(await jobs.run('m.en.xlf')).toMatchObject({ bought: [], isWritten: false });
  });

  it('stays where an earlier version adopted it', async () => {
    const target = version1(['<target state="new">One</target>', '<target>Zwei</target>']);
    const route = '{ from: "m.en.xlf", to: "m.{locale}.xlf" }';
    const jobs = await TextJobs.of(route, { 'm.en.xlf': version1(['', '']), 'm.de.xlf': target });
    const adopted = { origin: 'adopted', state: 'ok' } as const;
    await jobs.remember('m.en.xlf', 'de', [
      { id: 'One', source: 'One', target: ['One'], ...adopted },
      { id: 'Two', source: 'Two', target: ['Zwei'], ...adopted },
    ]);
    expect(await jobs.run('m.en.xlf')).toMatchObject({ bought: [], isWritten: false });
  });
});
