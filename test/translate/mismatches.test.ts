/** One text that does not fit the target holds that text alone, in every format, and is not paid for. */
import { expect, test } from 'vitest';
import { withoutMisfits } from '../../src/translate/misfits.ts';
import { TextJobs } from '../text-jobs.ts';

const J = (o: unknown) => `${JSON.stringify(o, null, 2)}\n`;
const po = (body: string, lang = 'en') =>
  `msgid ""\nmsgstr ""\n"Language: ${lang}\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n${body}`;
const android = (body: string) =>
  `<?xml version="1.0" encoding="utf-8"?>\n<resources>\n${body}</resources>\n`;
const qt = (lang: string, body: string) =>
  `<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n<TS version="2.1" language="${lang}">\n<context>\n    <name>Main</name>\n${body}</context>\n</TS>\n`;
const xlf = (body: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">\n  <file original="a" source-language="en" target-language="de" datatype="plaintext">\n    <body>\n${body}    </body>\n  </file>\n</xliff>\n`;
const sd = (body: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0">\n<dict>\n${body}</dict>\n</plist>\n`;
const sdPlural = (key: string, one: string, other: string) =>
  `	<key>${key}</key>\n	<dict>\n		<key>NSStringLocalizedFormatKey</key>\n		<string>%#@n@</string>\n		<key>n</key>\n		<dict>\n			<key>NSStringFormatSpecTypeKey</key>\n			<string>NSStringPluralRuleType</string>\n			<key>NSStringFormatValueTypeKey</key>\n			<string>d</string>\n			<key>one</key>\n			<string>${one}</string>\n			<key>other</key>\n			<string>${other}</string>\n		</dict>\n	</dict>\n`;
const FILES: readonly [name: string, from: string, path: string, source: string, target: string][] =
  [
    [
      'json group/string',
      'l/{locale}.json',
      'l/en.json',
      J({ a: { b: 'One text', c: 'Two texts' }, z: 'New one' }),
      J({ a: 'Ein Text' }),
    ],
    [
      'json string/group',
      'l/{locale}.json',
      'l/en.json',
      J({ a: 'One text', z: 'New one' }),
      J({ a: { b: 'Ein Text' } }),
    ],
    [
      'json list/string',
      'l/{locale}.json',
      'l/en.json',
      J({ a: ['One text', 'Two texts'], z: 'New one' }),
      J({ a: 'Ein Text' }),
    ],
    [
      'json list with a separator/string',
      'l/{locale}.json',
      'l/en.json',
      J({ w: ['Mo', 'Tu'], a: [', ', ' and '], z: 'New one' }),
      J({ w: ['Ein Text', 'Di'], a: 'Ein Text' }),
    ],
    [
      'php list with a separator/string',
      'l/{locale}/a.php',
      'l/en/a.php',
      "<?php\nreturn [\n  'a' => [', ', ' and '],\n  'z' => 'New one',\n];\n",
      "<?php\nreturn [\n  'a' => 'Ein Text',\n];\n",
    ],
    [
      'json string/list',
      'l/{locale}.json',
      'l/en.json',
      J({ a: 'One text', z: 'New one' }),
      J({ a: ['Ein Text', 'Zwei'] }),
    ],
    [
      'json list/object',
      'l/{locale}.json',
      'l/en.json',
      J({ a: ['One text', 'Two texts'], z: 'New one' }),
      J({ a: { x: 'Ein Text' } }),
    ],
    [
      'json longer list of objects',
      'l/{locale}.json',
      'l/en.json',
      J({ a: [{ t: 'One text' }, { t: 'Two texts' }], z: 'New one' }),
      J({ a: ['Ein Text'] }),
    ],
    [
      'json number',
      'l/{locale}.json',
      'l/en.json',
      J({ a: 'One text', z: 'New one' }),
      J({ a: 5 }),
    ],
    [
      'json bool parent',
      'l/{locale}.json',
      'l/en.json',
      J({ a: { b: 'One text' }, z: 'New one' }),
      J({ a: false }),
    ],
    [
      'yaml group/string',
      'l/{locale}.yml',
      'l/en.yml',
      'en:\n  a:\n    b: One text\n  z: New one\n',
      'de:\n  a: Ein Text\n',
    ],
    [
      'yaml string/group',
      'l/{locale}.yml',
      'l/en.yml',
      'en:\n  a: One text\n  z: New one\n',
      'de:\n  a:\n    b: Ein Text\n',
    ],
    [
      'yaml list/string',
      'l/{locale}.yml',
      'l/en.yml',
      'a:\n  - One text\n  - Two texts\nz: New one\n',
      'a: Ein Text\n',
    ],
    [
      'yaml alias',
      'l/{locale}.yml',
      'l/en.yml',
      'a:\n  b: One text\nz: New one\n',
      'x: &x\n  c: Ein Text\na: *x\n',
    ],
    [
      'yaml flow',
      'l/{locale}.yml',
      'l/en.yml',
      'a:\n  b: One text\n  c: Two texts\nz: New one\n',
      'a: { b: Ein Text }\n',
    ],
    [
      'toml group/string',
      'l/{locale}.toml',
      'l/en.toml',
      'z = "New one"\n[a]\nb = "One text"\n',
      'a = "Ein Text"\n',
    ],
    [
      'toml string/group',
      'l/{locale}.toml',
      'l/en.toml',
      'a = "One text"\nz = "New one"\n',
      '[a]\nb = "Ein Text"\n',
    ],
    [
      'toml list',
      'l/{locale}.toml',
      'l/en.toml',
      'z = "New one"\na = ["One text", "Two texts"]\n',
      'a = ["Ein Text"]\n',
    ],
    [
      'toml tables',
      'l/{locale}.toml',
      'l/en.toml',
      'z = "New one"\n[[a]]\nt = "One text"\n[[a]]\nt = "Two texts"\n',
      '[[a]]\nt = "Ein Text"\n',
    ],
    [
      'php group/string',
      'l/{locale}/a.php',
      'l/en/a.php',
      "<?php\nreturn [\n  'a' => ['b' => 'One text'],\n  'z' => 'New one',\n];\n",
      "<?php\nreturn [\n  'a' => 'Ein Text',\n];\n",
    ],
    [
      'php string/group',
      'l/{locale}/a.php',
      'l/en/a.php',
      "<?php\nreturn [\n  'a' => 'One text',\n  'z' => 'New one',\n];\n",
      "<?php\nreturn [\n  'a' => ['b' => 'Ein Text'],\n];\n",
    ],
    [
      'php call',
      'l/{locale}/a.php',
      'l/en/a.php',
      "<?php\nreturn [\n  'a' => ['b' => 'One text'],\n  'z' => 'New one',\n];\n",
      "<?php\nreturn [\n  'a' => foo('Ein Text'),\n];\n",
    ],
    [
      'php short and long',
      'l/{locale}/a.php',
      'l/en/a.php',
      "<?php\nreturn [\n  'a' => ['b' => 'One text', 'c' => 'Two texts'],\n  'z' => 'New one',\n];\n",
      "<?php\nreturn array(\n  'a' => array('b' => 'Ein Text'),\n);\n",
    ],
    [
      'js group/string',
      'l/{locale}.js',
      'l/en.js',
      "export default {\n  a: { b: 'One text' },\n  z: 'New one',\n};\n",
      "export default {\n  a: 'Ein Text',\n};\n",
    ],
    [
      'js string/call',
      'l/{locale}.ts',
      'l/en.ts',
      "export default {\n  a: { b: 'One text' },\n  z: 'New one',\n};\n",
      "export default {\n  a: load('x'),\n};\n",
    ],
    [
      'js function',
      'l/{locale}.ts',
      'l/en.ts',
      "export default {\n  a: 'One text',\n  z: 'New one',\n};\n",
      "export default {\n  a: (n) => n + 'Ein Text',\n};\n",
    ],
    [
      'js spread',
      'l/{locale}.ts',
      'l/en.ts',
      "export default {\n  a: { b: 'One text' },\n  z: 'New one',\n};\n",
      'export default {\n  ...base,\n  a: { ...base.a },\n};\n',
    ],
    [
      'po plural/singular',
      'l/{locale}.po',
      'l/en.po',
      po(
        'msgid "One text"\nmsgid_plural "Many texts"\nmsgstr[0] ""\nmsgstr[1] ""\n\nmsgid "New one"\nmsgstr ""\n',
      ),
      po('msgid "One text"\nmsgstr "Ein Text"\n', 'de'),
    ],
    [
      'po singular/plural',
      'l/{locale}.po',
      'l/en.po',
      po('msgid "One text"\nmsgstr ""\n\nmsgid "New one"\nmsgstr ""\n'),
      po(
        'msgid "One text"\nmsgid_plural "Many texts"\nmsgstr[0] "Ein Text"\nmsgstr[1] "Viele Texte"\n',
        'de',
      ),
    ],
    [
      'po other plural id',
      'l/{locale}.po',
      'l/en.po',
      po(
        'msgid "One text"\nmsgid_plural "Many texts"\nmsgstr[0] ""\nmsgstr[1] ""\n\nmsgid "New one"\nmsgstr ""\n',
      ),
      po('msgid "One text"\nmsgid_plural "Texts"\nmsgstr[0] "Ein Text"\nmsgstr[1] "Texte"\n', 'de'),
    ],
    [
      'po fewer forms',
      'l/{locale}.po',
      'l/en.po',
      po(
        'msgid "One text"\nmsgid_plural "Many texts"\nmsgstr[0] ""\nmsgstr[1] ""\n\nmsgid "New one"\nmsgstr ""\n',
      ),
      po('msgid "One text"\nmsgid_plural "Many texts"\nmsgstr[0] "Ein Text"\n', 'de'),
    ],
    [
      'android plurals/string',
      'res/values-{locale}/s.xml',
      'res/values-en/s.xml',
      android(
        '    <plurals name="a">\n        <item quantity="one">One text</item>\n        <item quantity="other">Many texts</item>\n    </plurals>\n    <string name="z">New one</string>\n',
      ),
      android('    <string name="a">Ein Text</string>\n'),
    ],
    [
      'android string/plurals',
      'res/values-{locale}/s.xml',
      'res/values-en/s.xml',
      android('    <string name="a">One text</string>\n    <string name="z">New one</string>\n'),
      android(
        '    <plurals name="a">\n        <item quantity="one">Ein Text</item>\n        <item quantity="other">Texte</item>\n    </plurals>\n',
      ),
    ],
    [
      'android array/string',
      'res/values-{locale}/s.xml',
      'res/values-en/s.xml',
      android(
        '    <string-array name="a">\n        <item>One text</item>\n        <item>Two texts</item>\n    </string-array>\n    <string name="z">New one</string>\n',
      ),
      android('    <string name="a">Ein Text</string>\n'),
    ],
    [
      'android shorter array',
      'res/values-{locale}/s.xml',
      'res/values-en/s.xml',
      android(
        '    <string-array name="a">\n        <item>One text</item>\n        <item>Two texts</item>\n    </string-array>\n    <string name="z">New one</string>\n',
      ),
      android('    <string-array name="a">\n        <item>Ein Text</item>\n    </string-array>\n'),
    ],
    [
      'qt numerus/plain',
      'l/a_{locale}.ts',
      'l/a_en.ts',
      qt(
        'en',
        '    <message numerus="yes">\n        <source>%n text(s)</source>\n        <translation type="unfinished"><numerusform></numerusform></translation>\n    </message>\n    <message>\n        <source>New one</source>\n        <translation type="unfinished"></translation>\n    </message>\n',
      ),
      qt(
        'de',
        '    <message>\n        <source>%n text(s)</source>\n        <translation>Texte</translation>\n    </message>\n',
      ),
    ],
    [
      'qt plain/numerus',
      'l/a_{locale}.ts',
      'l/a_en.ts',
      qt(
        'en',
        '    <message>\n        <source>%n text(s)</source>\n        <translation type="unfinished"></translation>\n    </message>\n    <message>\n        <source>New one</source>\n        <translation type="unfinished"></translation>\n    </message>\n',
      ),
      qt(
        'de',
        '    <message numerus="yes">\n        <source>%n text(s)</source>\n        <translation><numerusform>Ein Text</numerusform><numerusform>%n Texte</numerusform></translation>\n    </message>\n',
      ),
    ],
    [
      'xliff other tags',
      'l/{locale}.xlf',
      'l/en.xlf',
      xlf(
        '      <trans-unit id="a">\n        <source>One <g id="1">text</g></source>\n      </trans-unit>\n      <trans-unit id="z">\n        <source>New one</source>\n      </trans-unit>\n',
      ),
      xlf(
        '      <trans-unit id="a">\n        <source>One text</source>\n        <target>Ein Text</target>\n      </trans-unit>\n',
      ),
    ],
    [
      'stringsdict/plain',
      'l/{locale}.stringsdict',
      'l/en.stringsdict',
      sd(sdPlural('a', 'One text', 'Many texts') + sdPlural('z', 'New one', 'New ones')),
      sd('	<key>a</key>\n	<string>Ein Text</string>\n'),
    ],
    [
      'xcstrings plural/plain',
      'l/L.xcstrings',
      'l/L.xcstrings',
      J({
        sourceLanguage: 'en',
        strings: {
          a: {
            localizations: {
              en: {
                variations: {
                  plural: {
                    one: { stringUnit: { state: 'translated', value: 'One text' } },
                    other: { stringUnit: { state: 'translated', value: 'Many texts' } },
                  },
                },
              },
              de: { stringUnit: { state: 'translated', value: 'Ein Text' } },
            },
          },
          z: { localizations: { en: { stringUnit: { state: 'translated', value: 'New one' } } } },
        },
        version: '1.0',
      }),
      '',
    ],
    [
      'xcstrings plain/plural',
      'l/L.xcstrings',
      'l/L.xcstrings',
      J({
        sourceLanguage: 'en',
        strings: {
          a: {
            localizations: {
              en: { stringUnit: { state: 'translated', value: 'One text' } },
              de: {
                variations: {
                  plural: { other: { stringUnit: { state: 'translated', value: 'Texte' } } },
                },
              },
            },
          },
          z: { localizations: { en: { stringUnit: { state: 'translated', value: 'New one' } } } },
        },
        version: '1.0',
      }),
      '',
    ],
    [
      'arb icu/plain',
      'l/app_{locale}.arb',
      'l/app_en.arb',
      J({ '@@locale': 'en', a: '{n, plural, one{One text} other{Many texts}}', z: 'New one' }),
      J({ '@@locale': 'de', a: 'Ein Text' }),
    ],
    [
      'ftl select/plain',
      'l/{locale}.ftl',
      'l/en.ftl',
      'a = { $n ->\n    [one] One text\n   *[other] Many texts\n}\nz = New one\n',
      'a = Ein Text\n',
    ],
    [
      'ftl plain/select',
      'l/{locale}.ftl',
      'l/en.ftl',
      'a = One text\nz = New one\n',
      'a = { $n ->\n    [one] Ein Text\n   *[other] Texte\n}\n',
    ],
    [
      'ftl attributes',
      'l/{locale}.ftl',
      'l/en.ftl',
      'a =\n    .label = One text\n    .title = Two texts\nz = New one\n',
      'a = Ein Text\n',
    ],
    [
      'ftl value and attributes',
      'l/{locale}.ftl',
      'l/en.ftl',
      'a = One text\n    .title = Two texts\nz = New one\n',
      'a =\n    .title = Zwei\n',
    ],
    [
      'ftl term select',
      'l/{locale}.ftl',
      'l/en.ftl',
      'a = { $x ->\n    [m] One text\n    [f] Two texts\n   *[o] Three texts\n}\nz = New one\n',
      'a = { $x ->\n    [m] Ein Text\n   *[q] Texte\n}\n',
    ],
    [
      'properties',
      'l/a_{locale}.properties',
      'l/a_en.properties',
      'a.b=One text\nz=New one\n',
      'a=Ein Text\n',
    ],
    ['ini', 'l/{locale}.ini', 'l/en.ini', '[s]\na=One text\n[t]\nz=New one\n', 'a=Ein Text\n'],
    [
      'resx',
      'l/a.{locale}.resx',
      'l/a.en.resx',
      '<root>\n  <data name="a" xml:space="preserve">\n    <value>One text</value>\n  </data>\n  <data name="z" xml:space="preserve">\n    <value>New one</value>\n  </data>\n</root>\n',
      '<root>\n  <data name="a" type="System.Int32">\n    <value>5</value>\n  </data>\n</root>\n',
    ],
    [
      'strings',
      'l/{locale}.strings',
      'l/en.strings',
      '"a" = "One text";\n"z" = "New one";\n',
      '"a" = "Ein Text";\n',
    ],
    [
      'rails plural',
      'l/{locale}.yml',
      'l/en.yml',
      'en:\n  a:\n    one: One text\n    other: Many texts\n  z: New one\n',
      'de:\n  a: Ein Text\n',
    ],
    [
      'json plural dot',
      'l/{locale}.json',
      'l/en.json',
      J({ a: { one: 'One text', other: 'Many texts' }, z: 'New one' }),
      J({ a: 'Ein Text' }),
    ],
  ];

/** In each, `a` is built otherwise in the target, and the target lacks the text "New one". */
test.each(FILES)(
  '%s: the rest of the file goes on, and nothing of it is lost',
  async (_, from, path, source, target) => {
    const isShared = target === '';
    const there = isShared ? path : path.replace('en', 'de');
    const jobs = await TextJobs.of(
      `{ from: "${from}", lane: text }`,
      { [path]: source, ...(isShared ? {} : { [there]: target }) },
      'de',
    );
    const first = await jobs.run(path);
    expect(first.bought).toContain('New one');
    const after = await jobs.read(there);
    expect(after).toMatch(/New(?:ä|\\u00e4) one/);
    const held = first.state.kind === 'held' && first.state.hold.kind === 'damaged-segments';
    const problems =
      held && first.state.hold.kind === 'damaged-segments' ? first.state.hold.problems : [];
    // A held text was not paid for.
    for (const { message } of problems) expect(message).toContain('the target cannot take it');
    for (const line of isShared ? [] : theirLines(target)) expect(after).toContain(line);
    expect(await jobs.run(path)).toMatchObject({
      bought: [],
      isWritten: false,
      state: { kind: first.state.kind },
    });
  },
);

/** The lines that a person wrote, without the comma and brackets that a further entry moves. */
function theirLines(target: string): string[] {
  const lines = target.split('\n').map((line) => line.trim().replace(/[\s,{}()[\]]+$/, ''));
  return lines.filter((line) => /Ein Text|Texte|Zwei/.test(line));
}

test('one misfit of many texts is found, and all others go in', () => {
  const all = Array.from({ length: 100 }, (_, index) => `${index}`);
  let tries = 0;
  const fit = withoutMisfits(all, (left) => {
    tries += 1;
    return left.has('37') ? 'made' : undefined;
  });
  expect(fit).toEqual({ made: 'made', left: new Set(['37']), untried: new Set() });
  expect(tries).toBeLessThan(20);
  expect(withoutMisfits(all, () => undefined)).toBeUndefined();
});

test('none of too many misfits is written, and texts that were not tried alone are named separately', () => {
  const all = Array.from({ length: 100 }, (_, index) => `${index}`);
  const isMisfit = (id: string) => Number(id) % 3 === 0;
  const fit = withoutMisfits(all, (left) =>
    all.every((id) => left.has(id) || !isMisfit(id)) ? 'made' : undefined,
  );
  const { left, untried } = fit ?? { left: new Set<string>(), untried: new Set<string>() };
  expect(all.filter((id) => isMisfit(id) && !left.has(id))).toEqual([]);
  expect([...left].filter((id) => !isMisfit(id) && !untried.has(id))).toEqual([]);
  expect(left.size).toBeLessThan(100);
});

test('a misfit is described in plain words, with its line and that of the target', async () => {
  const jobs = await TextJobs.of('{ from: "l/{locale}.yml", lane: text }', {
    'l/en.yml': 'a: One text\nb:\n  c: Two texts\n',
    'l/de.yml': 'a: Ein Text\nb: Zwei\n',
  });
  const { state } = await jobs.run('l/en.yml', 'de');
  const problems = state.kind === 'held' && 'problems' in state.hold ? state.hold.problems : [];
  const said = problems.map(({ message }) => message).join();
  expect(said).toContain('line 3 of the source');
  expect(said).toContain('line 2 of the target has a text');
});
