/** Documents and resource files end to end: written files, untouched files, and the bill of a change. */
import { describe, expect, it } from 'vitest';
import { Rig } from '../rig.ts';

const config = (route: string, targets = 'de') => `
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [${targets}]
    routes:
      - ${route}
`;

describe('Markdown', () => {
  const route = '{ from: "docs/{locale}/**/*.md" }';
  const page = (second: string) =>
    `---\ntitle: The title\nslug: kept\n---\n\n# Heading\n\nFirst *paragraph*.\n\n${second}\n\n\`\`\`\ncode\n\`\`\`\n`;

  it('code and settings stay, and one edited paragraph bills one paragraph', async () => {
    await using rig = await Rig.start({
      config: config(route),
      files: { 'docs/en/a.md': page('Second text.') },
    });
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 1 });
    const first = rig.read('docs/de/a.md');
    expect(first).toContain('slug: kept\n');
    expect(first).toContain('```\ncode\n```\n');
    expect(first).not.toContain('Second text.');
    rig.write('docs/en/a.md', page('Another text.'));
    expect((await rig.once()).billed_characters).toBe('Another text.'.length);
    expect(await rig.once()).toMatchObject({ requests: 0, billed_characters: 0 });
  });

  it('a page without a text is copied as it is, and stays so', async () => {
    const route = '{ from: "docs/{locale}/**/*.{md,mdx,html,txt}", lane: text }';
    const pages = {
      'docs/en/code.md': '```sh\nnpm start\n```\n',
      'docs/en/image.mdx': '<Gallery />\n',
      'docs/en/rule.html': '<hr>\n',
      'docs/en/blank.txt': '\n',
    };
    await using rig = await Rig.start({ config: config(route), files: pages });
    const run = await rig.once();
    expect(run).toMatchObject({ code: 0, delivered: 4, billed_characters: 0, requests: 0 });
    for (const [path, text] of Object.entries(pages)) {
      expect(rig.read(path.replace('/en/', '/de/'))).toBe(text);
    }
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 0, requests: 0 });
    rig.write('docs/en/code.md', '```sh\nnpm stop\n```\n');
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 1, requests: 0 });
    expect(rig.read('docs/de/code.md')).toContain('npm stop');
  });

  it('a text that would not be read back as it was written is held alone; the rest of the page is delivered', async () => {
    // micromark finds no address behind an open bracket, and finds it once the bracket is escaped.
    await using rig = await Rig.start({
      config: config(route),
      files: { 'docs/en/a.md': 'Good text.\n\nSee [ this http://a.b now\n' },
    });
    expect(await rig.once()).toMatchObject({ code: 2, held: [{ language: 'de' }], failed: [] });
    const written = rig.read('docs/de/a.md');
    expect(written).not.toContain('Good text.');
    expect(written).toContain('See [ this http://a.b now\n');
  });
});

describe('keys', () => {
  it('patterns name flat keys with dots and nested keys alike', async () => {
    await using rig = await Rig.start({
      config: config(
        '{ from: "locales/{locale}/*.json", keys: { ignore: ["debug.*"], lock: ["brand.name"] } }',
      ),
      files: {
        'locales/en/flat.json': '{ "debug.x": "Trace", "brand.name": "Dragon", "a": "Text" }\n',
        'locales/en/deep.json':
          '{ "debug": { "x": "Trace" }, "brand": { "name": "Dragon" }, "a": "Text" }\n',
      },
    });
    expect(await rig.once()).toMatchObject({ code: 0, billed_characters: 'Text'.length });
    expect(Object.keys(rig.json('locales/de/flat.json'))).toEqual(['brand.name', 'a']);
    expect(rig.json('locales/de/deep.json')).toMatchObject({ brand: { name: 'Dragon' } });
    expect(rig.json('locales/de/deep.json')).not.toHaveProperty('debug');
  });
});

describe('Rails', () => {
  it('the root key follows the language, and a new key goes to its place beside what people wrote', async () => {
    await using rig = await Rig.start({
      config: config('{ from: "config/locales/en.yml", to: "config/locales/{locale}.yml" }', 'pl'),
      files: {
        'config/locales/en.yml':
          'en:\n  hello: "Hello %{name}"\n  items:\n    one: One item\n    other: "%{count} items"\n',
      },
    });
    expect(await rig.once()).toMatchObject({ code: 0 });
    const first = rig.read('config/locales/pl.yml');
    expect(first).toMatch(/^pl:\n {2}hello: ".*%\{name\}/);
    expect(first.match(/^ {4}\w+(?=:)/gm)).toEqual(['    one', '    few', '    many', '    other']);
    rig.write('config/locales/pl.yml', first.replace(/hello: .*/, 'hello: "Cześć %{name}" # ours'));
    rig.write('config/locales/en.yml', `${rig.read('config/locales/en.yml')}  bye: Goodbye\n`);
    expect((await rig.once()).billed_characters).toBe('Goodbye'.length);
    const second = rig.read('config/locales/pl.yml');
    expect(second).toContain('hello: "Cześć %{name}" # ours\n');
    expect(second.split('\n').at(-2)).toMatch(/^ {2}bye: /);
  });
});

describe('string catalogs', () => {
  it('the catalog is source and target of all languages', async () => {
    const catalog =
      '{\n  "sourceLanguage" : "en",\n  "strings" : {\n    "Hello" : {\n\n    }\n  },\n  "version" : "1.0"\n}\n';
    await using rig = await Rig.start({
      config: config(
        '{ from: "App/Localizable.xcstrings", to: "App/Localizable.xcstrings" }',
        'de, fr',
      ),
      files: { 'App/Localizable.xcstrings': catalog },
    });
    expect(await rig.once()).toMatchObject({ failed: [], held: [] });
    const { strings } = rig.json('App/Localizable.xcstrings') as {
      strings: { Hello: { localizations: object } };
    };
    expect(new Set(Object.keys(strings.Hello.localizations))).toEqual(new Set(['de', 'fr']));
    expect(await rig.once()).toMatchObject({ billed_characters: 0 });
  });
});

describe('files that are their own source', () => {
  const route = (from: string) => `{ from: "${from}", embedded_source: true }`;
  const header = (language: string) =>
    `msgid ""\nmsgstr ""\n"Language: ${language}\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n`;

  it('catalogs without a template: only the texts that each lacks are bought, and the next run has nothing to do', async () => {
    await using rig = await Rig.start({
      config: config(route('po/{locale_underscore}.po'), 'de, pt-BR'),
      folders: 'as given',
      files: {
        'po/de.po': `${header('de')}\nmsgid "Open"\nmsgstr "Öffnen"\n\nmsgid "Close"\nmsgstr ""\n`,
        'po/pt_BR.po': `${header('pt_BR')}\nmsgid "Open"\nmsgstr ""\n\n#, fuzzy\nmsgid "Close"\nmsgstr "Abrir"\n`,
      },
    });
    expect(await rig.once()).toMatchObject({
      code: 0,
      billed_characters: 'Close'.length + 'Open'.length + 'Close'.length,
    });
    expect(rig.read('po/de.po')).toContain('msgid "Open"\nmsgstr "Öffnen"\n');
    expect(rig.read('po/de.po')).not.toMatch(/msgid "Close"\nmsgstr ""/);
    expect(rig.read('po/pt_BR.po')).not.toContain('fuzzy');
    expect(await rig.once()).toMatchObject({ code: 0, requests: 0, billed_characters: 0 });
    rig.write('po/de.po', `${rig.read('po/de.po')}\nmsgid "Save"\nmsgstr ""\n`);
    expect(await rig.once()).toMatchObject({ code: 0, billed_characters: 'Save'.length });
  });

  it('Qt: a language without a file ends with 1 and says who makes it', async () => {
    const ts = (text: string) =>
      `<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n<TS version="2.1" language="de">\n<context>\n    <name>Main</name>\n    <message>\n        <source>Open</source>\n        <translation${text}\n    </message>\n</context>\n</TS>\n`;
    await using rig = await Rig.start({
      config: config(route('translations/app_{locale_underscore}.ts'), 'de, fr'),
      folders: 'as given',
      files: { 'translations/app_de.ts': ts(' type="unfinished"></translation>') },
    });
    const report = await rig.once();
    expect(report).toMatchObject({ code: 1, billed_characters: 'Open'.length });
    expect(JSON.stringify(report)).toContain('lupdate');
    expect(rig.read('translations/app_de.ts')).toMatch(/<translation type="unfinished">.+</);
    const check = await rig.run('check');
    expect(check.stdout).toContain('translations/app_fr.ts');
  });
});
