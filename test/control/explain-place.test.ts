/** `explain --at FILE:LINE`: the text at a line, in keyed files, in running text, and in files that hold all languages. */
import { expect, test } from 'vitest';
import type { ExplainReport } from '../../src/control/explain-report.ts';
import { Rig } from '../rig.ts';

const CONFIG = `
projects:
  app:
    source: en
    targets: [de]
    routes:
      - { from: "l/{locale}.{json,yaml,properties,ftl,po}" }
      - { from: "values/strings.xml", to: "values-{android}/strings.xml" }
      - { from: "docs/{locale}/*.md" }
      - { from: "Localizable.xcstrings" }
`;

const FILES = {
  'l/en.json':
    '{\n  "hello": "Hello",\n  "nav": {\n    "home": "Home",\n    "away": "Away"\n  }\n}\n',
  'l/en.yaml': 'en:\n  bye: Bye\n  long: |\n    One line\n    and another\n',
  'l/en.properties': '# for the button\nsave = Save\n',
  'l/en.ftl': 'open = Open\nclose = Close it\n',
  'l/en.po': 'msgid ""\nmsgstr "Language: en\\n"\n\nmsgid "Paper"\nmsgstr "Paper"\n',
  'values/strings.xml': '<resources>\n  <string name="title">Title</string>\n</resources>\n',
  'docs/en/a.md': '# Welcome\n\nA first sentence\nover two lines.\n\n- One item\n',
  'Localizable.xcstrings': JSON.stringify(
    { sourceLanguage: 'en', version: '1.0', strings: { Tea: {} } },
    null,
    2,
  ),
};

test('the text at a line of a target is explained, in every kind of text file', async () => {
  await using rig = await Rig.start({ config: CONFIG, files: FILES });
  expect((await rig.once()).code).toBe(0);
  const at = async (file: string, wanted: string) => {
    const line =
      rig
        .read(file)
        .split('\n')
        .findIndex((each) => each.includes(wanted)) + 1;
    expect(line, `${wanted} in\n${rig.read(file)}`).toBeGreaterThan(0);
    const { stdout, stderr } = await rig.run('explain', '--at', `${file}:${line}`, '--json');
    expect(stdout, stderr).not.toBe('');
    const { segment } = JSON.parse(stdout) as ExplainReport;
    return { key: segment?.key, source: segment?.source, origin: segment?.origin };
  };
  const made = { origin: 'machine' };
  expect(await at('l/de.json', '"home"')).toEqual({ key: 'nav.home', source: 'Home', ...made });
  expect(await at('l/de.yaml', 'bye:')).toMatchObject({ source: 'Bye', ...made });
  expect(await at('l/de.yaml', ' ~~~]')).toMatchObject({ source: 'One line\nand another\n' });
  expect(await at('l/de.properties', 'save')).toEqual({ key: 'save', source: 'Save', ...made });
  expect(await at('l/de.ftl', 'close')).toEqual({ key: 'close', source: 'Close it', ...made });
  expect(await at('l/de.po', 'msgid "Paper"')).toMatchObject({ source: 'Paper', ...made });
  expect(await at('values-de/strings.xml', 'title')).toMatchObject({ key: 'title', ...made });
  expect(await at('docs/de/a.md', 'ƒīřşŧ')).toMatchObject({
    key: 'line 3 of the source',
    source: expect.stringContaining('A first sentence'),
    ...made,
  });
  expect(await at('docs/de/a.md', '- ')).toMatchObject({ source: 'One item' });
  expect(await at('Localizable.xcstrings', '"value"')).toMatchObject({ source: 'Tea', ...made });
  // The answer about a source, for all its languages.
  expect(await at('l/en.json', '"away"')).toEqual({
    ...{ key: 'nav.away', source: 'Away', origin: 'none' },
  });
});

test('a line without a text names the nearest one, and a malformed place is explained', async () => {
  await using rig = await Rig.start({ config: CONFIG, files: { 'l/en.json': FILES['l/en.json'] } });
  await rig.once();
  const none = await rig.run('explain', '--at', 'l/de.json:7');
  expect(none).toMatchObject({ code: 64 });
  expect(none.stderr).toContain('dragoman knows no text at l/de.json:7');
  expect(none.stderr).toContain('the nearest one is at line 5');
  expect(await rig.run('explain', '--at', 'l/de.json')).toMatchObject({
    code: 64,
    stderr: expect.stringContaining('FILE:LINE'),
  });
  expect((await rig.run('explain', '--at', 'dragoman.yaml:1')).code).toBe(64);
  rig.write('l/de.json', rig.read('l/de.json').replace(/"home": "[^"]*"/, '"home": "Daheim"'));
  const edited = await rig.run('explain', '--at', 'l/de.json:4:7');
  expect(edited.stdout).toContain('Daheim');
  expect(edited.stdout).toMatch(/^by +human$/m);
});
