/** A gettext message that left the source and comes back has its translation again: the target kept it as an obsolete entry. */
import { expect, test } from 'vitest';
import { billed } from '../counts.ts';
import { Rig } from '../rig.ts';

const CONFIG = `
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de]
    routes:
      - { from: "po/app.pot", to: "po/{locale}.po" }
`;
const HEADER = `msgid ""
msgstr ""
"Language: de\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"
`;
const SOURCE = `${HEADER}
msgid "Open"
msgstr ""

msgid "Close"
msgstr ""

msgctxt "menu"
msgid "%d file"
msgid_plural "%d files"
msgstr[0] ""
msgstr[1] ""

msgid "Guess"
msgstr ""
`;
const TARGET = `${HEADER}
msgid "Open"
msgstr "Öffnen"

#~ msgid "Close"
#~ msgstr "Schließen"

#~ msgctxt "menu"
#~ msgid "%d file"
#~ msgid_plural "%d files"
#~ msgstr[0] "%d Datei"
#~ msgstr[1] "%d Dateien"

#, fuzzy
#~ msgid "Guess"
#~ msgstr "Vermutlich"
`;

test('the translation of a person is taken from the obsolete entry, and only a guess is bought', async () => {
  await using rig = await Rig.start({
    config: CONFIG,
    files: { 'po/app.pot': SOURCE, 'po/de.po': TARGET },
  });
  expect(await rig.once()).toMatchObject({ code: 0 });
  const target = rig.read('po/de.po');
  expect(target).toContain('\nmsgid "Close"\nmsgstr "Schließen"\n');
  expect(target).toContain(
    'msgid_plural "%d files"\nmsgstr[0] "%d Datei"\nmsgstr[1] "%d Dateien"\n',
  );
  expect(target).not.toContain('#~');
  expect(target).not.toContain('Vermutlich');
  expect(billed(rig)).toBe('Guess'.length);
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  expect(rig.read('po/de.po')).toBe(target);
});

const entry = (id: string, text: string) => `\nmsgid "${id}"\nmsgstr "${text}"\n`;

test('the translation of a person stays as an obsolete entry when its message is edited, and comes back with it; a machine translation does not', async () => {
  const source = (...ids: readonly string[]) => HEADER + ids.map((id) => entry(id, '')).join('');
  await using rig = await Rig.start({
    config: CONFIG,
    files: {
      'po/app.pot': source('Open', 'Save file', 'Print', 'Quit'),
      'po/de.po': HEADER + entry('Open', 'Öffnen') + entry('Save file', 'Sichern'),
    },
  });
  await rig.once();
  rig.write(
    'po/de.po',
    rig.read('po/de.po').replace(/(msgid "Print"\nmsgstr) ".*"/, '$1 "Drucken"'),
  );
  rig.write('po/app.pot', source('Open', 'Save the file'));
  expect(await rig.once()).toMatchObject({ code: 0 });
  const edited = rig.read('po/de.po');
  expect(edited).toContain('\n#~ msgid "Save file"\n#~ msgstr "Sichern"\n');
  expect(edited).toContain('\n#~ msgid "Print"\n#~ msgstr "Drucken"\n');
  expect(edited).not.toContain('Quit');
  const before = billed(rig);
  rig.write('po/app.pot', source('Open', 'Save file', 'Print'));
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  const back = rig.read('po/de.po');
  expect(back).toContain('\nmsgid "Save file"\nmsgstr "Sichern"\n');
  expect(back).toContain('\nmsgid "Print"\nmsgstr "Drucken"\n');
  expect(back).not.toContain('#~');
  expect(billed(rig)).toBe(before);
});

test('in Qt files, the translation of a removed message is kept as vanished, and is finished again when the message comes back', async () => {
  const message = (source: string, translation: string) =>
    `    <message>\n        <source>${source}</source>\n        <translation${translation}</translation>\n    </message>\n`;
  const file = (...messages: readonly string[]) =>
    `<!DOCTYPE TS>\n<TS version="2.1">\n<context>\n    <name>Main</name>\n${messages.join('')}</context>\n</TS>\n`;
  const open = ' type="unfinished">';
  const config = CONFIG.replace(/- \{.*\}/, '- { from: "i18n/app_{locale}.ts", lane: text }');
  const mine = file(message('Open', '>Auf'), message('Save file', '>Sichern'));
  await using rig = await Rig.start({
    config,
    files: {
      'i18n/app_en.ts': file(message('Open', open), message('Save file', open)),
      'i18n/app_de.ts': mine,
    },
  });
  await rig.once();
  rig.write('i18n/app_en.ts', file(message('Open', open), message('Save all', open)));
  await rig.once();
  expect(rig.read('i18n/app_de.ts')).toContain(message('Save file', ' type="vanished">Sichern'));
  const before = billed(rig);
  expect(before).toBe('Save all'.length);
  rig.write('i18n/app_en.ts', file(message('Open', open), message('Save file', open)));
  expect(await rig.once()).toMatchObject({ code: 0, requests: 0 });
  expect(rig.read('i18n/app_de.ts')).toBe(mine);
  expect(billed(rig)).toBe(before);
});
