/** Files that are source and translation at once. What a person says of a text stays in the lock until a job has looked at it. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Team } from '../../team.ts';

const LOCK = 'dragoman.lock/app/de';

interface OneFile {
  readonly path: string;
  readonly route: string;
  readonly content: string;
  /** Adds a text that has to be bought. */
  readonly grown: (content: string) => string;
}

const catalog = (keys: readonly string[]) =>
  `${JSON.stringify(
    {
      sourceLanguage: 'en',
      strings: Object.fromEntries(keys.map((key) => [key, {}])),
      version: '1.0',
    },
    null,
    2,
  ).replaceAll('":', '" :')}\n`;
const table = (delimiter: string) => ({
  route: `columns: { key: id, source: en, targets: { de: de, fr: fr }${delimiter === '\t' ? ', delimiter: "\\t"' : ''} }`,
  content: [
    ['id', 'en', 'de', 'fr'],
    ['open', 'Open the file', '', ''],
    ['quit', 'Quit now', '', ''],
  ]
    .map((row) => `${row.join(delimiter)}\n`)
    .join(''),
  grown: (content: string) => `${content}${['more', 'More files', '', ''].join(delimiter)}\n`,
});
const PO = `msgid ""
msgstr ""
"Language: de\\n"
"Content-Type: text/plain; charset=UTF-8\\n"

msgid "Open the file"
msgstr ""

msgid "Quit now"
msgstr ""
`;
const message = (text: string) =>
  `    <message>\n        <source>${text}</source>\n        <translation type="unfinished"></translation>\n    </message>\n`;
const unit = (id: string, text: string) =>
  `      <trans-unit id="${id}">\n        <source>${text}</source>\n      </trans-unit>\n`;

const FILES: readonly OneFile[] = [
  {
    path: 'App.xcstrings',
    route: '',
    content: catalog(['Open the file', 'Quit now']),
    grown: (content) => content.replace('"strings" : {', '"strings" : {\n    "More files" : {},'),
  },
  { path: 'texts.csv', ...table(',') },
  { path: 'texts.tsv', ...table('\t') },
  {
    path: 'po/de.po',
    route: 'embedded_source: true',
    content: PO,
    grown: (content) => `${content}\nmsgid "More files"\nmsgstr ""\n`,
  },
  {
    path: 'qt/app_de.ts',
    route: 'embedded_source: true',
    content: `<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n<TS version="2.1" language="de">\n<context>\n    <name>Main</name>\n${message('Open the file')}${message('Quit now')}</context>\n</TS>\n`,
    grown: (content) => content.replace('</context>', `${message('More files')}</context>`),
  },
  {
    path: 'xliff/de.xlf',
    route: 'embedded_source: true',
    content: `<?xml version="1.0" encoding="UTF-8"?>\n<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">\n  <file original="app" source-language="en" target-language="de" datatype="plaintext">\n    <body>\n${unit('open', 'Open the file')}${unit('quit', 'Quit now')}    </body>\n  </file>\n</xliff>\n`,
    grown: (content) => content.replace('    </body>', `${unit('more', 'More files')}    </body>`),
  },
];

test.each(FILES)(
  'a reviewed text of a person in $path stays reviewed in the lock while no job has looked at it',
  async ({ path, route, content, grown }) => {
    const from = path.replace(/\bde\b|(?<=_)de/, '{locale}');
    const config = `defaults: { settle_ms: 0, review: { want: [machine] } }
projects:
  app:
    source: en
    targets: ${route.startsWith('embedded') ? '[de]' : '[de, fr]'}
    routes: [{ from: "${from}"${route === '' ? '' : `, ${route}`} }]`;
    const { first } = await Team.start(config, { [path]: content });
    expect(await first.run('once')).toMatchObject({ code: 0 });
    await first.run('review', 'export', '--language', 'de', '--format', 'csv', '-o', 'de.csv');
    const sheet = await readFile(join(first.root, 'de.csv'), 'utf8');
    const edited = sheet.replace(/(?<=reviewed,Quit now,)("[^"]*"|[^,]*)/, 'Jetzt beenden');
    expect(edited).not.toBe(sheet);
    await writeFile(join(first.root, 'de.csv'), edited);
    const back = await first.run('review', 'import', 'de.csv', '--as', 'reviewed');
    expect(back).toMatchObject({ code: 0 });
    const said = (await first.read(LOCK)).match(/ [hm]\+$/gm);
    expect(said).toEqual(expect.arrayContaining([' h+', ' m+']));
    await first.write({ [path]: grown(await first.read(path)) });
    // The new text is not bought: no job looks at the file.
    expect(await first.run('lock')).toMatchObject({ requests: 0 });
    expect((await first.read(LOCK)).match(/ [hm]\+$/gm)).toEqual(said);
    expect(await first.run('once')).toMatchObject({ code: 0 });
    const lock = await first.read(LOCK);
    expect(lock.match(/ [hm]\+$/gm)).toEqual(said);
    expect(lock.match(/ m\?$/gm)).toHaveLength(1);
    expect(await first.run('once')).toMatchObject({ code: 0, requests: 0 });
    expect(await first.read(LOCK)).toBe(lock);
  },
);

const inEnglish = (text: string) => ({
  localizations: { en: { stringUnit: { state: 'translated', value: text } } },
});

test.each([
  {
    path: 'App.xcstrings',
    route: '',
    content: `${JSON.stringify({ sourceLanguage: 'en', strings: { open: inEnglish('Open the file'), quit: inEnglish('Quit now') }, version: '1.0' }, null, 2)}\n`,
  },
  { path: 'texts.csv', ...table(',') },
])(
  'an editor that had $path open while a job wrote there brings the text of the machine back with a newer source: it is no edit of a person',
  async ({ path, route, content }) => {
    const config = `defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de, fr]
    routes: [{ from: "${path}"${route === '' ? '' : `, ${route}`} }]`;
    const { first } = await Team.start(config, { [path]: content });
    expect(await first.run('once')).toMatchObject({ code: 0 });
    const opened = await first.read(path);
    await first.write({ [path]: opened.replace('Quit now', 'Quit it') });
    expect(await first.run('once')).toMatchObject({ code: 0 });
    const saved = opened.replace('Quit now', 'Quit at once');
    await first.write({ [path]: saved });
    const after = await first.run('once');
    expect(after, after.out).toMatchObject({ code: 0, texts: 2 });
    const [was = '', is = ''] = [saved, await first.read(path)].map(
      (text) => text.match(/\[de [^\]]*\]/gu)?.[1],
    );
    expect(is).toMatch(/^\[de /);
    expect(is).not.toBe(was);
    expect(await first.read(LOCK)).not.toMatch(/ h/);
  },
);
