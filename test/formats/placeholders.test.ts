/** Which placeholders stay out of the service's reach: those of each text, among those that its format allows. */
import { describe, expect, it } from 'vitest';
import { DEFAULT_POLICIES } from '../../src/config/policies.ts';
import type { LanguageTag } from '../../src/language.ts';
import { checkTranslation } from '../../src/segments/inline/check.ts';
import { TextJobs } from '../text-jobs.ts';

const GERMAN = 'de' as LanguageTag;

const ALL = `Hi {{a}} %1$s %@ %(n)s \${b} %{c} {d} %name% or so`;

describe('a text keeps all its placeholders, whatever the others of its file have', () => {
  const other = 'See {{x}} $t(y) now';
  const json = JSON.stringify({ a: other, b: ALL });
  const xml = (open: string, middle: string, close: string) =>
    `<${open}a">${middle.replace('*', other)}</${close}>\n<${open}b">${middle.replace('*', ALL)}</${close}>\n`;
  const value = '<value>*</value>';

  it.each([
    ['en.json', json],
    ['en.json5', json],
    ['en.yml', `a: "${other}"\nb: "${ALL}"\n`],
    ['en/config.yml', `en:\n  a: "${other}"\n  b: "${ALL}"\n  c: "%{name}"\n`],
    ['en.toml', `a = "${other}"\nb = "${ALL}"\n`],
    ['en.ini', `a = ${other}\nb = ${ALL}\n`],
    ['en.js', `export default { a: '${other}', b: '${ALL}' };\n`],
    ['en.php', `<?php\nreturn ['a' => '${other}', 'b' => '${ALL}'];\n`],
    ['en.properties', `a=${other}\nb=${ALL}\n`],
    ['en.strings', `"a" = "${other}";\n"b" = "${ALL}";\n`],
    ['en/strings.xml', `<resources>\n${xml('string name="', '*', 'string')}</resources>\n`],
    ['en.resx', `<root>\n${xml('data name="', value, 'data')}</root>\n`],
    ['en.pot', `msgid "${other}"\nmsgstr ""\n\n#, c-format\nmsgid "${ALL}"\nmsgstr ""\n`],
  ])('%s', async (file, text) => {
    const route = `{ from: "${file}", to: "{locale}/{name}.{ext}", lane: text }`;
    const jobs = await TextJobs.of(route, { [file]: text });
    const { sent, state } = await jobs.run(file);
    expect(state).toMatchObject({ kind: 'done' });
    expect(sent.find((each) => each.startsWith('Hi'))).toBe(
      `Hi ${Array.from({ length: 8 }, (_, id) => `<x id="${id}"/>`).join(' ')} or so`,
    );
  });
});

describe('a ">" in a quoted value of a tag does not end the tag', () => {
  const link = `See <a title="a > b" href='x'>the page</a> now`;
  const xml = link.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const quoted = JSON.stringify(link);

  it.each([
    ['en.json', `{ "a": ${quoted} }`],
    ['en.json5', `{ a: ${quoted} }`],
    ['en.xcstrings', `{ "sourceLanguage": "en", "strings": { ${quoted}: {} }, "version": "1.0" }`],
    ['en.yml', `a: ${quoted}\n`],
    ['en.toml', `a = ${quoted}\n`],
    ['en.ini', `a = ${link}\n`],
    ['en.js', `export default { a: ${quoted} };\n`],
    ['en.php', `<?php\nreturn ["a" => ${quoted}];\n`],
    ['en.properties', `a=${link}\n`],
    ['en.strings', `"a" = ${quoted};\n`],
    ['en.ftl', `a = ${link}\n`],
    ['en.pot', `msgid ${quoted}\nmsgstr ""\n`],
    ['en.txt', `${link}\n`],
    ['en/strings.xml', `<resources><string name="a">${link}</string></resources>\n`],
    [
      'en/cdata/strings.xml',
      `<resources><string name="a"><![CDATA[${link}]]></string></resources>`,
    ],
    ['en.resx', `<root><data name="a"><value>${xml}</value></data></root>\n`],
    [
      'en.ts',
      `<!DOCTYPE TS>\n<TS version="2.1" language="en"><context><name>C</name><message><source>${xml}</source><translation type="unfinished"></translation></message></context></TS>\n`,
    ],
    [
      'en.xliff',
      `<xliff version="1.2"><file source-language="en" target-language="de" datatype="plaintext" original="a"><body><trans-unit id="a"><source>${xml}</source></trans-unit></body></file></xliff>\n`,
    ],
    // An apostrophe before ">" quotes in ICU messages.
    ['en.arb', `{ "@@locale": "en", "a": ${quoted.replaceAll("'", '\\"')} }`],
    ['en.mdx', `${link}\n`],
    ['en.html', `<p>${link}</p>\n`],
  ])('%s', async (file, text) => {
    const to = file.endsWith('.xcstrings') ? file : '{locale}/{name}.{ext}';
    const route = `{ from: "${file}", to: "${to}", lane: text }`;
    const jobs = await TextJobs.of(route, { [file]: text });
    const { sent, state } = await jobs.run(file);
    expect(state).toMatchObject({ kind: 'done' });
    expect(sent).toEqual(['See <g id="0">the page</g> now']);
  });

  it('en.md, where a tag is one token', async () => {
    const jobs = await TextJobs.of('{ from: "en.md", to: "{locale}.md" }', {
      'en.md': `${link}\n`,
    });
    const { sent, state } = await jobs.run('en.md');
    expect(state).toMatchObject({ kind: 'done' });
    expect(sent).toEqual(['See <x id="0"/>the page<x id="1"/> now']);
  });

  it.each([
    '<a title="{n} > 1">{n, plural, one {one page} other {many pages}}</a>',
    '<a title="1 > {n}">{n, plural, one {one page} other {many pages}}</a>',
  ])('in an ICU message with an argument in the tag: %s', async (text) => {
    const jobs = await TextJobs.of('{ from: "{locale}.json" }', {
      'en.json': JSON.stringify({ a: text }),
    });
    expect((await jobs.run('en.json')).sent).toEqual([
      '<x id="0"/>one page<x id="1"/>',
      '<x id="0"/>many pages<x id="1"/>',
    ]);
  });
});

it('a Laravel argument may change its case, and is none outside of Laravel', async () => {
  const text = 'The :attribute field, :Name';
  const jobs = await TextJobs.of('{ from: "{locale}/**/*.json" }', {
    'en/lang/en.json': JSON.stringify({ a: text }),
    'en/app.json': JSON.stringify({ a: text }),
  });
  const sentFrom = async (file: string) => (await jobs.run(file)).sent;
  expect(await sentFrom('en/lang/en.json')).toEqual(['The <x id="0"/> field, <x id="1"/>']);
  expect(await sentFrom('en/app.json')).toEqual([text]);
  const check = (target: string) =>
    checkTranslation(
      { source: { parts: [text], syntax: 'laravel' }, target: [target], language: GERMAN },
      DEFAULT_POLICIES.checks,
    ).map(({ message }) => message);
  expect(check('Feld :Attribute, :NAME')).toEqual([]);
  expect(check('Feld :attribut, :name')).toEqual([
    ':attribute is missing',
    ':attribut is not in the source',
  ]);
});

it('a placeholder in the text of an ICU message is out of reach, and missed when it is gone', async () => {
  const text = '{n, plural, one {%s saw # file} other {%s saw # files}}';
  const jobs = await TextJobs.of('{ from: "{locale}.json" }', {
    'en.json': JSON.stringify({ a: text }),
  });
  expect((await jobs.run('en.json')).sent).toEqual([
    '<x id="0"/> saw 1 file',
    '<x id="0"/> saw 2 files',
  ]);
  const findings = checkTranslation(
    {
      source: { parts: [text], syntax: 'icu' },
      target: ['{n, plural, one {%d sah # Datei} other {%d sah # Dateien}}'],
      language: GERMAN,
    },
    DEFAULT_POLICIES.checks,
  );
  expect(findings.map(({ message }) => message)).toEqual([
    '%s is missing',
    '%d is not in the source',
  ]);
});

it.each([
  ['en.ini', 'a = Resolution %1x%2\n'],
  ['en.json', '{ "a": "Resolution %1x%2" }'],
  ['en.properties', 'a=Resolution %1x%2\n'],
  ['en.pot', 'msgid "Resolution %1x%2"\nmsgstr ""\n'],
])('numbered places stay out of reach, with a letter behind them too: %s', async (file, text) => {
  const jobs = await TextJobs.of(`{ from: "${file}", to: "{locale}/{name}.{ext}", lane: text }`, {
    [file]: text,
  });
  expect((await jobs.run(file)).sent).toEqual(['Resolution <x id="0"/>x<x id="1"/>']);
});
