/** Resource files of platforms, end to end: the paths of their targets, their plural forms, and the bill of a change. */
import { describe, expect, it } from 'vitest';
import { Rig } from '../rig.ts';

const config = (routes: string, targets = 'de') => `
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [${targets}]
    routes:
${routes}`;

describe('Android', () => {
  const source = (title: string) => `<resources>
    <string name="app_name" translatable="false">Dragon</string>
    <!-- Shown on top -->
    <string name="title">${title}</string>
    <string name="hello">Hello <xliff:g id="name">%1$s</xliff:g>, it\\'s <b>late</b></string>
    <plurals name="files">
        <item quantity="one">%d file</item>
        <item quantity="other">%d files</item>
    </plurals>
</resources>
`;
  const routes =
    '      - { from: res/values/strings.xml, to: "res/values-{android}/strings.xml" }\n';

  it('every language gets its folder and its plural forms, and one changed string bills only it', async () => {
    await using rig = await Rig.start({
      config: config(routes, 'pl, pt-BR, ja'),
      files: { 'res/values/strings.xml': source('Files') },
    });
    const first = await rig.once();
    expect(first).toMatchObject({ delivered: 3, held: [], failed: [] });
    const polish = rig.read('res/values-pl/strings.xml');
    expect(polish.match(/quantity="(\w+)"/g)).toEqual([
      'quantity="one"',
      'quantity="few"',
      'quantity="many"',
      'quantity="other"',
    ]);
    expect(polish).toContain('<xliff:g id="name">%1$s</xliff:g>');
    expect(polish).not.toContain('app_name');
    expect(rig.exists('res/values-pt-rBR/strings.xml')).toBe(true);
    expect(rig.read('res/values-ja/strings.xml').match(/quantity=/g)).toHaveLength(1);
    expect(await rig.once()).toMatchObject({ requests: 0, billed_characters: 0 });
    rig.write('res/values/strings.xml', source('Your files'));
    expect((await rig.once()).billed_characters).toBe('Your files'.length * 3);
  });
});

describe('Apple', () => {
  const routes =
    '      - { from: "{locale}.lproj/*.strings*", to: "{apple}.lproj/{name}.{ext}" }\n';
  const strings = '/* Title */\n"title" = "Settings";\n"count" = "%1$@ of %2$d";\n';

  it('UTF-16 stays UTF-16, and what a translator wrote is adopted', async () => {
    await using rig = await Rig.start({
      config: config(routes, 'de, zh-Hans'),
      files: {
        'en.lproj/Localizable.strings': Buffer.from(`\uFEFF${strings}`, 'utf16le'),
        'de.lproj/Localizable.strings': '"title" = "Einstellungen";\n',
      },
    });
    expect(await rig.once()).toMatchObject({ delivered: 2, held: [], failed: [] });
    const german = rig.read('de.lproj/Localizable.strings');
    expect(german).toMatch(/^"title" = "Einstellungen";\n"count" = ".*%1\$@.*%2\$d.*";\n$/);
    const chinese = Buffer.from(rig.read('zh-Hans.lproj/Localizable.strings'), 'utf8');
    expect(chinese.length).toBeGreaterThan(0);
    expect((await rig.once()).requests).toBe(0);
  });
});

describe('gettext', () => {
  const pot = (greeting: string) => `msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\n"

#, c-format
msgid "%d file"
msgid_plural "%d files"
msgstr[0] ""
msgstr[1] ""

msgid "${greeting}"
msgstr ""
`;
  const routes = '      - { from: po/app.pot, to: "po/{locale_underscore}.po" }\n';

  it('a template fills the files of its languages, with as many forms as each counts', async () => {
    await using rig = await Rig.start({
      config: config(routes, 'ru, ja, ar'),
      files: {
        'po/app.pot': pot('Hello'),
        'po/ru.po': `msgid ""\nmsgstr "Plural-Forms: nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);\\n"\n\nmsgid "Hello"\nmsgstr "Привет"\n`,
      },
    });
    expect(await rig.once()).toMatchObject({ delivered: 3, held: [], failed: [] });
    expect(rig.read('po/ru.po')).toContain('msgstr "Привет"');
    expect(rig.read('po/ru.po').match(/^msgstr\[\d\] ".*%d.*"$/gm)).toHaveLength(3);
    expect(rig.read('po/ja.po').match(/^msgstr\[\d\]/gm)).toHaveLength(1);
    expect(rig.read('po/ar.po').match(/^msgstr\[\d\]/gm)).toHaveLength(6);
    expect((await rig.once()).requests).toBe(0);
    rig.write('po/app.pot', pot('Hello there'));
    expect((await rig.once()).billed_characters).toBe('Hello there'.length * 3);
    expect(rig.read('po/ru.po')).toContain('\n#~ msgid "Hello"\n#~ msgstr "Привет"\n');
  });

  it("a source language's own file gives its texts", async () => {
    await using rig = await Rig.start({
      config: config('      - { from: "po/{locale}.po" }\n'),
      files: { 'po/en.po': 'msgid "greeting"\nmsgstr "Good morning"\n' },
    });
    expect(await rig.once()).toMatchObject({
      delivered: 1,
      billed_characters: 'Good morning'.length,
    });
    expect(rig.read('po/de.po')).toContain('msgid "greeting"\n');
  });
});

describe('CSV', () => {
  const routes = `      - from: texts.csv
        columns: { key: id, source: en, targets: { de: de, fr: fr, ja: ja } }
`;

  it('every language gets its column in the one file', async () => {
    await using rig = await Rig.start({
      config: config(routes, 'de, fr, ja'),
      files: { 'texts.csv': 'id,en,de,fr,ja\na,Hello,Hallo,,\nb,"Good, bye",,,\n' },
    });
    const run = await rig.once();
    expect(run).toMatchObject({ held: [], failed: [] });
    expect(run.billed_characters).toBe('Good, bye'.length * 3 + 'Hello'.length * 2);
    const rows = rig.read('texts.csv').split('\n');
    expect(rows[1]).toMatch(/^a,Hello,Hallo,[^,]+,[^,]+$/);
    expect(rows[2]).toMatch(/^b,"Good, bye",("[^"]+"|[^,]+),("[^"]+"|[^,]+),("[^"]+"|[^,]+)$/);
    expect(await rig.once()).toMatchObject({ requests: 0, billed_characters: 0 });
    rig.write('texts.csv', rig.read('texts.csv').replace('a,Hello', 'a,Hello you'));
    expect((await rig.once()).billed_characters).toBe('Hello you'.length * 3);
  });

  it('eight languages at once write one file without losing a cell', async () => {
    const languages = ['de', 'fr', 'ja', 'pl', 'it', 'es', 'nl', 'sv'];
    await using rig = await Rig.start({
      config: config(
        `      - { from: texts.csv, columns: { key: id, source: en, targets: { ${languages.map((code) => `${code}: ${code}`).join(', ')} } } }\n`,
        languages.join(', '),
      ),
      files: { 'texts.csv': `id,en,${languages.join(',')}\na,Hello${','.repeat(8)}\n` },
    });
    const run = await rig.once();
    expect(run).toMatchObject({ failed: [], held: [], billed_characters: 8 * 'Hello'.length });
    expect(rig.read('texts.csv').split('\n')[1]?.split(',')).not.toContain('');
    expect(await rig.once()).toMatchObject({ requests: 0, billed_characters: 0 });
  });

  it('a file for every language is written by its text column', async () => {
    await using rig = await Rig.start({
      config: config(
        '      - from: "csv/{locale}.csv"\n        columns: { key: id, source: text }\n',
      ),
      files: { 'csv/en.csv': 'id,text\na,Hello\n' },
    });
    expect(await rig.once()).toMatchObject({ delivered: 1, failed: [] });
    expect(rig.read('csv/de.csv')).toMatch(/^id,text\na,(?!Hello).+\n$/);
  });
});

describe('XLIFF', () => {
  const unit = (id: string, source: string, target = '') =>
    `    <trans-unit id="${id}">\n      <source>${source}</source>\n${target}    </trans-unit>\n`;
  const file = (units: string) =>
    `<xliff version="1.2">\n  <file original="a" source-language="en">\n   <body>\n${units}   </body>\n  </file>\n</xliff>\n`;
  const routes = '      - { from: messages.xlf, to: "messages.{locale}.xlf", lane: text }\n';

  it('existing targets are adopted, final ones are never changed, and a changed source bills only itself', async () => {
    await using rig = await Rig.start({
      config: config(routes),
      files: {
        'messages.xlf': file(unit('a', 'Hello') + unit('b', 'Done') + unit('c', 'Final word')),
        'messages.de.xlf': file(
          unit('a', 'Hello', '      <target>Servus</target>\n') +
            unit('c', 'Final', '      <target state="final">Schluss</target>\n'),
        ),
      },
    });
    expect(await rig.once()).toMatchObject({ delivered: 1, billed_characters: 'Done'.length });
    expect(rig.read('messages.de.xlf')).toMatch(
      /Servus[\s\S]*needs-review-translation[\s\S]*Schluss/,
    );
    rig.write(
      'messages.xlf',
      file(unit('a', 'Hello you') + unit('b', 'Done') + unit('c', 'Final word')),
    );
    expect((await rig.once()).billed_characters).toBe('Hello you'.length);
    expect(rig.read('messages.de.xlf')).toContain('<source>Hello you</source>');
    expect(rig.read('messages.de.xlf')).toContain('Schluss');
    expect((await rig.once()).requests).toBe(0);
  });
});
