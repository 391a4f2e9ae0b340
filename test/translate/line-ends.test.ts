/** A bought text with several lines gets the line ends of the file that it is put into. */
import { expect, test } from 'vitest';
import { TextJobs } from '../text-jobs.ts';

const CSV = 'columns: { key: id, source: text }, ';
const VALUE = (entries: string) => `<root>\n${entries}</root>\n`;
const DATA = (id: string, text: string) =>
  `  <data name="${id}" xml:space="preserve">\n    <value>${text}</value>\n  </data>\n`;

test.each<
  [
    file: string,
    entry: (id: string, text: string) => string,
    more?: string,
    whole?: (e: string) => string,
  ]
>([
  ['en.csv', (id, text) => `${id},"${text}"\n`, CSV, (e) => `id,text\n${e}`],
  ['en.tsv', (id, text) => `${id}\t"${text}"\n`, CSV, (e) => `id\ttext\n${e}`],
  ['en.strings', (id, text) => `"${id}" = "${text}";\n`],
  ['en.toml', (id, text) => `${id} = """\n${text}"""\n`],
  ['en.yml', (id, text) => `${id}: |-\n  ${text.replace('\n', '\n  ')}\n`],
  ['en.json5', (id, text) => `  ${id}: "${text.replace('\n', '\\n')}",\n`, '', (e) => `{\n${e}}\n`],
  ['en.js', (id, text) => `  ${id}: \`${text}\`,\n`, '', (e) => `export default {\n${e}};\n`],
  ['en.php', (id, text) => `  '${id}' => '${text}',\n`, '', (e) => `<?php\nreturn [\n${e}];\n`],
  ['en.php', (id, text) => `  '${id}' => "${text}",\n`, '', (e) => `<?php\nreturn [\n${e}];\n`],
  ['en.ftl', (id, text) => `${id} =\n    ${text.replace('\n', '\n    ')}\n`],
  ['en.resx', DATA, '', VALUE],
  [
    'en/strings.xml',
    (id, text) => `  <string name="${id}">"${text}"</string>\n`,
    '',
    (e) => `<resources>\n${e}</resources>\n`,
  ],
  [
    'en.stringsdict',
    (id, text) =>
      `  <key>${id}</key>\n  <dict>\n    <key>NSStringLocalizedFormatKey</key>\n    <string>${text}</string>\n  </dict>\n`,
    '',
    (e) =>
      `<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0">\n<dict>\n${e}</dict>\n</plist>\n`,
  ],
  ['en.properties', (id, text) => `${id}=${text.replace('\n', '\\n\\\n  ')}\n`],
])('%s', async (file, entry, more = '', whole = (entries) => entries) => {
  const source = (b: string) =>
    whole(entry('a', 'First\nline') + entry('b', b) + entry('c', 'Third\nline'));
  const name = file.replace('en/', '');
  const target = `de/${name}`;
  const jobs = await TextJobs.of(`{ from: "${file}", to: "{locale}/${name}", ${more}lane: text }`, {
    [file]: source('Second\nline'),
    [target]: whole(entry('a', 'Erste\nZeile') + entry('b', 'Zweite\nZeile')).replaceAll(
      '\n',
      '\r\n',
    ),
  });
  await jobs.run(file);
  await jobs.write(file, source('Second\nother line'));
  expect((await jobs.run(file)).bought.length).toBe(1);
  const written = await jobs.read(target);
  expect(written).not.toMatch(/[^\r]\n/);
  expect(written).not.toMatch(/\\r|&#13;|&#xD;/i);
  const again = await jobs.run(file);
  expect(again).toMatchObject({ bought: [], isWritten: false, state: { kind: 'done' } });
  await jobs.write(file, source('Second\nlast line'));
  expect(await jobs.run(file)).toMatchObject({
    bought: [expect.stringMatching(/^Second\s+last line$/)],
    state: { kind: 'done' },
  });
});
