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

test('what a person translated is taken from the obsolete entry, and only a guess is bought', async () => {
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
