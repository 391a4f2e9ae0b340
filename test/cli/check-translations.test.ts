/** `check` of existing translations: every fault that a translation can have, with file and line. */
import { describe, expect, test } from 'vitest';
import { Rig } from '../rig.ts';

const config = (route: string, more = '') => `defaults: { settle_ms: 0${more} }
projects:
  app:
    source: en
    targets: [pl]
    routes:
      - ${route}
`;

interface CheckJson {
  readonly faults: readonly Finding[];
  readonly warnings: readonly Finding[];
}

interface Finding {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

async function check(rig: Rig, ...args: string[]) {
  const { code, stdout } = await rig.run('check', '--json', ...args);
  const { faults, warnings } = JSON.parse(stdout) as CheckJson;
  const told = ({ file, line, message }: Finding) =>
    `${file.replace(`${rig.root}/`, '')}:${line} ${message}`;
  return { code, faults: faults.map(told), warnings: warnings.map(told) };
}

const json = (texts: object) => `${JSON.stringify(texts, null, 2)}\n`;

test('a paragraph of a person whose source has another destination is stale, not missing', async () => {
  await using rig = await Rig.start({
    config: config('{ from: "en/*.md", to: "{locale}/{name}.md" }'),
    files: { 'en/a.md': 'Read [the guide](/a) now.\n' },
  });
  rig.write('pl/a.md', 'Czytaj [przewodnik](/a) teraz.\n');
  await rig.once();
  rig.write('en/a.md', 'Read [the guide](/b) now.\n');
  const { faults, warnings } = await check(rig);
  expect([...faults, ...warnings]).toEqual([
    expect.stringMatching(/^pl\/a\.md:1 .* stale: its source changed/),
  ]);
  await rig.once();
  expect(rig.read('pl/a.md')).toBe('Czytaj [przewodnik](/b) teraz.\n');
});

test('findings come in the order of the files, also after a large one that takes longest', async () => {
  const texts = (language: string, keys: number) =>
    json(
      Object.fromEntries(Array.from({ length: keys }, (_, n) => [`k${n}`, `Hello ${language}`])),
    );
  // The first one is read on a thread.
  const names = Array.from({ length: 40 }, (_, n) => `${n + 10}.json`);
  const files = names.flatMap((name, nth): [string, string][] => {
    const keys = nth === 0 ? 5000 : 1;
    const source = texts('there', keys).replace('Hello there', 'Hello {name}');
    return [
      [`en/${name}`, source],
      [`pl/${name}`, texts('tam', keys)],
    ];
  });
  await using rig = await Rig.start({
    config: config('{ from: "{locale}/*.json" }'),
    files: Object.fromEntries(files),
  });
  const { faults, warnings } = await check(rig);
  const found = [...faults, ...warnings].filter((line) => line.includes('{name}'));
  expect(found.map((line) => line.split(':')[0])).toEqual(names.map((name) => `pl/${name}`));
});

describe('a subtitle target that a run holds is a fault, also without a lock', () => {
  const cue = (nth: number, text: string, from = nth) =>
    `${nth}\n00:00:0${from},000 --> 00:00:0${from},900\n${text}\n\n`;
  const SOURCE = cue(1, 'Hello there') + cue(2, 'Good bye');

  test.each([
    ['that is none', 'a: text\n', /^pl\/a\.srt:1 no line says when a subtitle is shown/],
    [
      'with other times',
      cue(4, 'Jeden') + cue(5, 'Dwa') + cue(6, 'Trzy'),
      /^pl\/a\.srt:1 .*has 3 subtitles, its source 2/,
    ],
  ])('%s', async (_, target, said) => {
    await using rig = await Rig.start({
      config: config('{ from: "{locale}/*.srt" }'),
      files: { 'en/a.srt': SOURCE, 'pl/a.srt': target },
    });
    const { held } = await rig.once();
    expect(held).toHaveLength(1);
    expect(await check(rig)).toEqual({
      code: 1,
      faults: [expect.stringMatching(said)],
      warnings: [],
    });
  });

  test('with two cues at one time, as a merge leaves them', async () => {
    await using rig = await Rig.start({
      config: config('{ from: "{locale}/*.srt" }'),
      files: { 'en/a.srt': SOURCE, 'pl/a.srt': cue(1, 'Halo') + cue(2, 'Pa') },
    });
    await rig.once();
    rig.write('pl/a.srt', cue(1, 'Halo') + cue(1, 'Witaj') + cue(2, 'Pa'));
    const { held } = await rig.once();
    expect(held).toHaveLength(1);
    expect(await check(rig)).toEqual({
      code: 1,
      faults: [expect.stringContaining('shown at the same time')],
      warnings: [],
    });
  });

  test('a translation whose cues fit is checked without a finding', async () => {
    await using rig = await Rig.start({
      config: config('{ from: "{locale}/*.srt" }'),
      files: { 'en/a.srt': SOURCE, 'pl/a.srt': cue(1, 'Halo') + cue(2, 'Pa') },
    });
    const { code, stdout } = await rig.run('check');
    expect([code, stdout]).toEqual([0, '1 source, 1 translation checked: 0 faults, 0 warnings.\n']);
  });
});

test('check lists what is missing, stale, orphaned, damaged, too long and untranslated', async () => {
  await using rig = await Rig.start({
    config: config('{ from: "{locale}.json", keys: { max_length: { button: 12 } } }'),
    files: {
      'en.json': json({
        title: 'Title',
        changed: 'Before',
        hello: 'Hello {name}',
        button: 'Press',
        whole: 'A whole sentence that stayed',
        gone: 'Goes away',
      }),
    },
  });
  await rig.once();
  expect(await check(rig)).toEqual({ code: 0, faults: [], warnings: [] });
  rig.write(
    'en.json',
    json({
      title: 'Title',
      changed: 'After',
      hello: 'Hello {name}',
      button: 'Press',
      whole: 'A whole sentence that stayed',
      added: 'Added',
    }),
  );
  const { changed } = rig.json('pl.json');
  rig.write(
    'pl.json',
    json({
      changed,
      hello: 'Cześć {imię}',
      button: 'Naciśnij teraz',
      whole: 'A whole sentence that stayed',
      gone: 'Odchodzi',
      theirs: 'Nikogo',
    }),
  );
  expect(await check(rig)).toEqual({
    code: 1,
    faults: [
      'pl.json:1 title: missing',
      'pl.json:2 changed: stale: its source changed since it was translated',
      'pl.json:3 hello: {name} is missing',
      'pl.json:3 hello: {imię} is not in the source',
      'pl.json:5 added: missing',
    ],
    warnings: [
      'pl.json:4 button: 14 characters, at most 12 fit',
      'pl.json:5 whole: untranslated: it equals its source',
      'pl.json:6 gone: orphaned: its source is gone',
      'pl.json:7 theirs: orphaned: its source is gone',
    ],
  });
});

test('the version of the machine beside the document of a person is not orphaned, unless its document is', async () => {
  await using rig = await Rig.start({
    config: config('{ from: "{locale}/*.txt", lane: document }'),
    files: { 'en/a.txt': 'Hello', 'pl/a.txt': 'Cześć', 'pl/a.machine.txt': 'Witaj' },
  });
  expect(await check(rig)).toEqual({ code: 0, faults: [], warnings: [] });
  rig.remove('en/a.txt');
  rig.write('en/b.txt', 'Bye');
  rig.write('pl/b.txt', 'Pa');
  const { warnings } = await check(rig);
  expect(warnings.map((line) => line.split(':')[0])).toEqual(['pl/a.machine.txt', 'pl/a.txt']);
});

test('check names both lines of a key that occurs twice, in sources and in targets', async () => {
  await using rig = await Rig.start({
    config: config('{ from: "{locale}.{json,yml}" }'),
    files: {
      'en.json': '{\n  "a": "One",\n  "a": "Two"\n}\n',
      'pl.json': '{\n  "a": "Jeden",\n  "a": "Dwa"\n}\n',
      'en.yml': 'a: One\nb: Two\na: Three\n',
    },
  });
  expect(await check(rig)).toMatchObject({
    code: 1,
    faults: ['en.yml:3 the key "a" is in line 1 already'],
    warnings: expect.arrayContaining([
      'en.json:3 the key "a" is in lines 2 and 3; readers take the one in line 3',
      'pl.json:3 the key "a" is in lines 2 and 3; readers take the one in line 3',
    ]),
  });
});

test('check distinguishes an empty value that waits from one that a person emptied, and asks for none where the source has no words', async () => {
  await using rig = await Rig.start({
    config: config('{ from: "{locale}.json" }'),
    files: {
      'en.json': json({ filled: 'One', waits: 'Two', nothing: 'Three', blank: 'Four', sign: ',' }),
      'pl.json': json({ filled: 'Jeden', waits: '', nothing: null, blank: ' ', sign: '' }),
    },
  });
  expect(await check(rig)).toMatchObject({
    faults: [
      'pl.json:3 waits: missing',
      'pl.json:4 nothing: missing',
      'pl.json:5 blank: the translation is empty',
    ],
    warnings: [],
  });
  await rig.once();
  rig.write('pl.json', json({ ...rig.json('pl.json'), waits: '' }));
  expect(await check(rig)).toMatchObject({
    faults: ['pl.json:5 blank: the translation is empty'],
    warnings: ['pl.json:3 waits: empty: a person emptied it'],
  });
});

test('check lists an edit of a person whose source then changed', async () => {
  await using rig = await Rig.start({
    config: config('{ from: "{locale}.json" }'),
    files: { 'en.json': json({ a: 'Before' }) },
  });
  await rig.once();
  rig.write('pl.json', json({ a: 'Moje' }));
  rig.write('en.json', json({ a: 'After' }));
  expect(await check(rig)).toMatchObject({
    code: 1,
    faults: [
      'pl.json:2 a: stale: its source changed since it was translated, and a person had edited it',
    ],
  });
});

test('untranslated texts fail where config says so', async () => {
  await using rig = await Rig.start({
    config: config('{ from: "{locale}.json" }', ', checks: { untranslated: hold }'),
    files: {
      'en.json': json({ a: 'A whole sentence that stayed' }),
      'pl.json': json({ a: 'A whole sentence that stayed' }),
    },
  });
  expect(await check(rig)).toEqual({
    code: 1,
    faults: ['pl.json:2 a: untranslated: it equals its source'],
    warnings: [],
  });
});

test('check names sources that cannot be read, once, and files that are missing or have lost their source', async () => {
  await using rig = await Rig.start({
    config: config('{ from: "en/*.json", to: "{locale}/{name}.json" }'),
    files: {
      'en/broken.json': '{\n  "a": "Text"\n  "b": 1\n}\n',
      'en/new.json': json({ a: 'Text' }),
      'pl/broken.json': json({ a: 'Tekst' }),
      'pl/old.json': json({ a: 'Tekst' }),
    },
  });
  const { code, faults, warnings } = await check(rig);
  expect(code).toBe(1);
  expect(faults).toEqual([expect.stringMatching(/^en\/broken\.json:3 /)]);
  expect(warnings).toEqual([
    'pl/old.json:1 orphaned: its source en/old.json is gone',
    'pl/new.json:1 missing: en/new.json in Polish',
  ]);
  expect(await check(rig, 'en/new.json')).toMatchObject({ code: 0, faults: [] });
});

test('a project that was never translated is reported in one line', async () => {
  const files = Array.from({ length: 12 }, (_, n) => [`en/${n}.json`, json({ a: 'Text' })]);
  await using rig = await Rig.start({
    config: config('{ from: "{locale}/*.json" }'),
    files: Object.fromEntries(files),
  });
  const { code, warnings } = await check(rig);
  expect(code).toBe(0);
  expect(warnings).toEqual([
    expect.stringMatching(/^pl\/\d+\.json:1 missing, with 11 other Polish files$/),
  ]);
});

test('a null in the place of a group waits for its texts, and numbers of a person are no damage', async () => {
  await using rig = await Rig.start({
    config: config('{ from: "{locale}.json" }'),
    files: {
      'en.json': json({ size: 5, wide: true, title: 'Title', group: { x: 'Inner text' } }),
      'pl.json': json({ size: 6, wide: false, title: 'Tytuł', group: null }),
    },
  });
  const { faults, warnings } = await check(rig);
  expect({ faults, warnings }).toEqual({ faults: ['pl.json:4 group.x: missing'], warnings: [] });
  await rig.once();
  expect(await check(rig)).toEqual({ code: 0, faults: [], warnings: [] });
});

describe('plural forms', () => {
  test.each([
    {
      format: 'Android',
      route: '{ from: res/values/strings.xml, to: "res/values-{android}/strings.xml" }',
      source: 'res/values/strings.xml',
      target: 'res/values-pl/strings.xml',
      english: `<resources>
  <plurals name="files">
    <item quantity="one">%d file</item>
    <item quantity="other">%d files</item>
  </plurals>
</resources>
`,
      polish: `<resources>
  <plurals name="files">
    <item quantity="zero">%d x</item>
    <item quantity="one">%d plik</item>
    <item quantity="many">%d plików</item>
    <item quantity="other">%d pliku</item>
  </plurals>
  <plurals name="gone"><item quantity="one">x</item><item quantity="other">y</item></plurals>
</resources>
`,
      faults: [/files.*the plural form "few" is missing, which Polish needs$/],
      warnings: [
        /files.*the plural form "zero" is none of Polish$/,
        /gone\.one: orphaned: its source is gone$/,
        /gone\.other: orphaned: its source is gone$/,
      ],
    },
    {
      format: 'gettext',
      route: '{ from: app.pot, to: "{locale}.po" }',
      source: 'app.pot',
      target: 'pl.po',
      english: `msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\n"

msgid "%d file"
msgid_plural "%d files"
msgstr[0] ""
msgstr[1] ""
`,
      polish: `msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Language: pl\\n"
"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);\\n"

msgid "%d file"
msgid_plural "%d files"
msgstr[0] "%d plik"
msgstr[1] ""
msgstr[2] "%d plików"
`,
      faults: [/^pl\.po:\d+ .*the plural form .* is missing, which Polish needs$/],
      warnings: [],
    },
  ])('of $format', async ({ route, source, target, english, polish, faults, warnings }) => {
    await using rig = await Rig.start({
      config: config(route),
      files: { [source]: english, [target]: polish },
    });
    const found = await check(rig);
    expect(found.faults).toEqual(faults.map((pattern) => expect.stringMatching(pattern)));
    expect(found.warnings).toEqual(warnings.map((pattern) => expect.stringMatching(pattern)));
    expect(found.code).toBe(1);
  });
});

test('check names paragraphs by their first words, and pages of another structure as a whole', async () => {
  await using rig = await Rig.start({
    config: config('{ from: "{locale}/*.md" }'),
    files: {
      'en/a.md': '# Title\n\nRead the [manual](/manual) first.\n',
      'pl/a.md': '# Tytuł\n\nNajpierw przeczytaj instrukcję.\n',
      'en/b.md': 'One.\n\nTwo.\n',
      'pl/b.md': 'Jeden.\n',
    },
  });
  const { code, faults } = await check(rig);
  expect(code).toBe(1);
  expect(faults[0]).toMatch(/^pl\/a\.md:3 "Najpierw przeczytaj instrukcję\.": .* is missing$/);
  expect(faults.at(-1)).toBe('pl/b.md:1 not built like its source: 1 texts, its source has 2');
});

describe('what is missing and damaged', () => {
  const cases: readonly (readonly [string, string, string, string, string])[] = [
    [
      'yaml',
      '{ from: "{locale}.yml" }',
      'en:\n  a: One %{x}\n  b: Two\n',
      'pl:\n  a: Raz\n',
      'yml',
    ],
    [
      'properties',
      '{ from: "{locale}.properties" }',
      'a=One {0}\nb=Two\n',
      'a=Raz\n',
      'properties',
    ],
    [
      'strings',
      '{ from: "{locale}.strings" }',
      '"a" = "One %@";\n"b" = "Two";\n',
      '"a" = "Raz";\n',
      'strings',
    ],
    [
      'arb',
      '{ from: "{locale}.arb" }',
      json({ a: 'One {x}', b: 'Two' }),
      json({ a: 'Raz' }),
      'arb',
    ],
    ['fluent', '{ from: "{locale}.ftl" }', 'a = One { $x }\nb = Two\n', 'a = Raz\n', 'ftl'],
    [
      'resx',
      '{ from: "{locale}.resx" }',
      '<root>\n  <data name="a"><value>One {0}</value></data>\n  <data name="b"><value>Two</value></data>\n</root>\n',
      '<root>\n  <data name="a"><value>Raz</value></data>\n</root>\n',
      'resx',
    ],
    [
      'toml',
      '{ from: "{locale}.toml", lane: text }',
      'a = "One {x}"\nb = "Two"\n',
      'a = "Raz"\n',
      'toml',
    ],
    ['ini', '{ from: "{locale}.ini", lane: text }', 'a = One {x}\nb = Two\n', 'a = Raz\n', 'ini'],
    [
      'php',
      '{ from: "{locale}.php", lane: text }',
      "<?php\nreturn [\n  'a' => 'One {x}',\n  'b' => 'Two',\n];\n",
      "<?php\nreturn [\n  'a' => 'Raz',\n];\n",
      'php',
    ],
    [
      'js',
      '{ from: "{locale}.js", lane: text }',
      "export default {\n  a: 'One {x}',\n  b: 'Two',\n};\n",
      "export default {\n  a: 'Raz',\n};\n",
      'js',
    ],
  ];

  test.each(cases)('in %s', async (_, route, english, polish, extension) => {
    await using rig = await Rig.start({
      config: config(route),
      files: { [`en.${extension}`]: english, [`pl.${extension}`]: polish },
    });
    const { code, faults } = await check(rig);
    expect(code).toBe(1);
    expect(faults).toEqual([
      expect.stringMatching(new RegExp(`^pl\\.${extension}:\\d+ .*\\ba: .* is missing$`)),
      expect.stringMatching(new RegExp(`^pl\\.${extension}:\\d+ .*\\bb: missing$`)),
    ]);
  });
});

test('check and plan list what of a source stays as it is', async () => {
  await using rig = await Rig.start({
    config: `defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [pl]
    routes:
      - { from: "en/*.{php,js,ini,html,ftl}", to: "{locale}/{name}.{ext}", lane: text }
`,
    files: {
      'en/a.php':
        "<?php return [\n 'a' => 'A text',\n 'b' => <<<X\nA heredoc\nX,\n 'c' => 'one ' . 'two',\n 'd' => 5 + 1,\n];\n",
      'en/b.js': 'export default {\n  a: "A text",\n  b: "files: " + n,\n  c: import("x"),\n};\n',
      'en/c.ini': 'a = A text\n  goes on\n\n; remark\nb = B\n',
      'en/d.html': '<p>See <a href="x" title="A title">this</a> page.</p>\n',
      'en/e.ftl': 'a = A text\nno fluent here\n',
    },
  });
  const { stderr } = await rig.run('plan');
  expect(stderr).toContain('en/c.ini:2: a line without a key stays as it is');
  const { code, faults, warnings } = await check(rig);
  expect({ code, faults }).toEqual({ code: 0, faults: [] });
  expect(warnings.filter((line) => !line.includes('missing'))).toEqual([
    'en/a.php:3 a text with variables, of several pieces or over several lines stays as it is',
    'en/a.php:6 a text with variables, of several pieces or over several lines stays as it is',
    'en/b.js:3 a text with variables, of several pieces or over several lines stays as it is',
    'en/c.ini:2 a line without a key stays as it is; a text has only one line',
    'en/d.html:1 "A title" stays as it is: it is an attribute inside a sentence',
    'en/e.ftl:2 no Fluent; left as it is',
  ]);
});

test('a sentence that comes back unchanged is held where config says so, and bought once', async () => {
  const files = { 'en.json': json({ name: 'Dragoman', long: 'A whole sentence that stays' }) };
  const sandbox = { engine: 'echo' };
  await using rig = await Rig.start({
    config: config('{ from: "{locale}.json" }', ', checks: { untranslated: hold }'),
    files,
    sandbox,
  });
  const once = await rig.once();
  expect(once.held).toMatchObject([
    { language: 'pl', reason: expect.stringContaining('it equals its source') },
  ]);
  expect(rig.json('pl.json')).toEqual({ name: 'Dragoman' });
  expect((await rig.once()).billed_characters).toBe(0);
});

test('check names the language of a finding in a catalog that holds all languages', async () => {
  await using rig = await Rig.start({
    config: `
projects:
  app:
    source: en
    targets: [de, fr]
    routes: [{ from: Shop.xcstrings }]
`,
    files: {
      'Shop.xcstrings': JSON.stringify({
        sourceLanguage: 'en',
        strings: {
          Buy: { localizations: { de: { stringUnit: { state: 'translated', value: 'Kaufen' } } } },
        },
        version: '1.0',
      }),
    },
  });
  const { stdout } = await rig.run('check');
  expect(stdout).toContain('Shop.xcstrings:1:1 Buy: missing (fr)');
});

test('a target whose source the route leaves out is no orphan: another one writes it', async () => {
  await using rig = await Rig.start({
    config: config('{ from: "i18n/{locale}/**/*.json", exclude: ["i18n/en/pages/**"] }'),
    files: {
      'i18n/en/a.json': json({ a: 'Open' }),
      'i18n/pl/pages/b.json': json({ b: 'Zamknij' }),
    },
  });
  const { warnings } = await check(rig);
  expect(warnings).toEqual(['i18n/pl/a.json:1 missing: i18n/en/a.json in Polish']);
});

test('a source without a text needs no targets', async () => {
  await using rig = await Rig.start({
    config: config('{ from: "app/res/values/*.xml", to: "app/res/values-{android}/{name}.{ext}" }'),
    files: {
      'app/res/values/strings.xml':
        '<resources>\n  <string name="app_name" translatable="false">Ledger</string>\n</resources>\n',
    },
  });
  expect(await check(rig)).toEqual({ code: 0, faults: [], warnings: [] });
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  expect(rig.exists('app/res/values-pl/strings.xml')).toBe(false);
});
