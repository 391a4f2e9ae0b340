/** Formats with states for texts: a machine's text asks for a review if the config wants one, until a reviewer has confirmed it. */
import { expect, test } from 'vitest';
import { billed } from '../counts.ts';
import { Rig } from '../rig.ts';

const CONFIG = `
lock: dragoman.lock
defaults: { settle_ms: 0, review: { want: [machine], languages: [de] } }
projects:
  app:
    source: en
    targets: [de, fr]
    routes:
      - { from: "po/app.pot", to: "po/{locale}.po" }
      - { from: "qt/app_{locale}.ts" }
      - { from: "xliff/{locale}.xlf" }
      - { from: "ios/App.xcstrings" }
`;
const HEADER = `msgid ""
msgstr ""
"Language: de\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"
`;
const WANTED = '# dragoman: needs review';
const POT = `${HEADER.replace(': de', ': ')}
#: a.c:1
msgid "Open"
msgstr ""

msgid "Close"
msgstr ""

#, c-format
msgid "%d file"
msgid_plural "%d files"
msgstr[0] ""
msgstr[1] ""

msgid "Save"
msgstr ""
`;
const GERMAN = `${HEADER}
# Anna: as in the menu
#: a.c:1
msgid "Open"
msgstr "Öffnen"

# Ben: check this
msgid "Save"
msgstr ""
`;
const ts = (language: string) => `<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="${language}">
<context>
    <name>Main</name>
    <message>
        <source>Quit the program</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
`;
const XLIFF = `<?xml version="1.0" encoding="UTF-8"?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
  <file original="app" source-language="en" datatype="plaintext">
    <body>
      <trans-unit id="quit">
        <source>Quit the program</source>
      </trans-unit>
    </body>
  </file>
</xliff>
`;
const CATALOG = `{
  "sourceLanguage" : "en",
  "strings" : {
    "quit" : {
      "localizations" : {
        "en" : { "stringUnit" : { "state" : "translated", "value" : "Quit the program" } }
      }
    }
  },
  "version" : "1.0"
}
`;

function start(): Promise<Rig> {
  return Rig.start({
    config: CONFIG,
    files: {
      'po/app.pot': POT,
      'po/de.po': GERMAN,
      'qt/app_en.ts': ts('en'),
      'xliff/en.xlf': XLIFF,
      'ios/App.xcstrings': CATALOG,
    },
  });
}

const german = (rig: Rig) => ({
  po: rig.read('po/de.po'),
  qt: rig.read('qt/app_de.ts'),
  xliff: rig.read('xliff/de.xlf'),
  catalog: (rig.json('ios/App.xcstrings') as { strings: { quit: { localizations: object } } })
    .strings.quit.localizations,
});

/** XLIFF 1.2 with the approval of its unit. */
const approved = (xliff: string) =>
  xliff
    .replace('needs-review-translation', 'translated')
    .replace('<trans-unit id="quit">', '<trans-unit id="quit" approved="yes">');

test('machine texts ask for a review, a review ends the request, taking the review back asks again, and marks of people stay', async () => {
  await using rig = await start();
  expect(await rig.once()).toMatchObject({ code: 0 });
  const made = german(rig);
  expect(made.po.match(new RegExp(WANTED, 'g'))).toHaveLength(3);
  expect(made.po).toContain('# Anna: as in the menu\n#: a.c:1\nmsgid "Open"\nmsgstr "Öffnen"');
  expect(made.po).toContain(`${WANTED}\n# Ben: check this\nmsgid "Save"\nmsgstr "`);
  expect(made.po).toContain(`${WANTED}\n#, c-format\nmsgid "%d file"`);
  expect(made.qt).toContain('<translation type="unfinished">');
  expect(made.xliff).toContain('state="needs-review-translation"');
  expect(made.catalog).toMatchObject({ de: { stringUnit: { state: 'needs_review' } } });
  expect(rig.read('po/fr.po')).not.toContain('dragoman');
  const before = billed(rig);
  const written = rig.modified('po/de.po');
  expect(await rig.once()).toMatchObject({ code: 0 });
  expect(rig.modified('po/de.po')).toBe(written);

  expect(await rig.run('review', 'export', '--language', 'de', '-o', 'de.xlf')).toMatchObject({
    code: 0,
  });
  const back = await rig.run('review', 'import', 'de.xlf', '--as', 'reviewed');
  expect(back).toMatchObject({ code: 0, stdout: expect.stringContaining('7 reviewed') });
  const reviewed = german(rig);
  expect(reviewed.po).toBe(made.po.replaceAll(`${WANTED}\n`, ''));
  expect(reviewed.qt).toBe(made.qt.replace(' type="unfinished"', ''));
  expect(reviewed.xliff).toBe(approved(made.xliff));
  expect(reviewed.catalog).toMatchObject({ de: { stringUnit: { state: 'translated' } } });
  expect(await rig.once()).toMatchObject({ code: 0 });
  expect(german(rig)).toEqual(reviewed);

  expect(await rig.run('undo', '--yes')).toMatchObject({ code: 0 });
  expect(german(rig)).toEqual(made);
  expect(await rig.once()).toMatchObject({ code: 0 });
  expect(german(rig)).toEqual(made);
  expect(billed(rig)).toBe(before);
});

test('the review request of an edited message does not become the comment of a person', async () => {
  await using rig = await start();
  expect(await rig.once()).toMatchObject({ code: 0 });
  rig.write('po/app.pot', POT.replace('"Close"', '"Close it"'));
  expect(await rig.once()).toMatchObject({ code: 0 });
  const { po } = german(rig);
  expect(po.match(new RegExp(WANTED, 'g'))).toHaveLength(3);
  expect(po).toContain(`${WANTED}\nmsgid "Close it"`);
  expect(po).not.toContain('"Close"');
});

test('review mark also changes the state in the file, and undo takes each mark back, with the lock', async () => {
  await using rig = await start();
  expect(await rig.once()).toMatchObject({ code: 0 });
  const before = billed(rig);
  const lock = () => rig.read('dragoman.lock/app/de');
  const made = { ...german(rig), lock: lock() };
  const targets = ['po/de.po', 'qt/app_de.ts', 'xliff/de.xlf', 'ios/App.xcstrings'];
  const all = async (...more: string[]) => {
    for (const target of targets) {
      const marked = await rig.run('review', 'mark', target, ...more);
      expect(marked).toMatchObject({ code: 0, stdout: expect.stringMatching(/texts? marked/) });
    }
  };
  await all('--reviewed', '--language', 'de');
  const reviewed = { ...german(rig), lock: lock() };
  expect(reviewed.po).toBe(made.po.replaceAll(`${WANTED}\n`, ''));
  expect(reviewed.qt).toBe(made.qt.replace(' type="unfinished"', ''));
  expect(reviewed.xliff).toBe(approved(made.xliff));
  expect(reviewed.catalog).toMatchObject({ de: { stringUnit: { state: 'translated' } } });
  expect(reviewed.lock.match(/\+$/gm)).toHaveLength(8);
  expect(await rig.once()).toMatchObject({ code: 0 });
  expect({ ...german(rig), lock: lock() }).toEqual(reviewed);

  await all('--wanted', '--language', 'de');
  expect(german(rig)).toMatchObject({ qt: made.qt, xliff: made.xliff, catalog: made.catalog });
  expect(german(rig).po.match(new RegExp(WANTED, 'g'))).toHaveLength(4);
  expect(lock()).not.toMatch(/\+$/m);
  for (const _ of targets) expect(await rig.run('undo', '--yes')).toMatchObject({ code: 0 });
  expect({ ...german(rig), lock: lock() }).toEqual(reviewed);
  for (const _ of targets) expect(await rig.run('undo', '--yes')).toMatchObject({ code: 0 });
  expect({ ...german(rig), lock: lock() }).toEqual(made);
  expect(await rig.once()).toMatchObject({ code: 0 });
  expect({ ...german(rig), lock: lock() }).toEqual(made);
  expect(billed(rig)).toBe(before);
});

test('XLIFF 2 has a state for a text that a person has reviewed', async () => {
  const source = `<?xml version="1.0" encoding="UTF-8"?>
<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" trgLang="de">
  <file id="app">
    <unit id="quit"><segment><source>Quit the program</source></segment></unit>
    <unit id="open"><segment><source>Open the file</source></segment></unit>
  </file>
</xliff>
`;
  await using rig = await Rig.start({
    config: `${CONFIG.slice(0, CONFIG.indexOf('    routes:'))}    routes: [{ from: "{locale}.xlf" }]\n`,
    files: { 'en.xlf': source },
  });
  expect(await rig.once()).toMatchObject({ code: 0 });
  const made = rig.read('de.xlf');
  expect(made.match(/state="translated"/g)).toHaveLength(2);
  const mark = async (...word: string[]) =>
    expect(await rig.run('review', 'mark', 'de.xlf', 'quit', ...word)).toMatchObject({ code: 0 });
  await mark('--reviewed');
  const reviewed = rig.read('de.xlf');
  expect(reviewed).toBe(made.replace('state="translated"', 'state="reviewed"'));
  expect(await rig.once()).toMatchObject({ code: 0 });
  expect(rig.read('de.xlf')).toBe(reviewed);
  await mark('--wanted');
  expect(rig.read('de.xlf')).toBe(made);
  for (const text of [reviewed, made]) {
    expect(await rig.run('undo', '--yes')).toMatchObject({ code: 0 });
    expect(rig.read('de.xlf')).toBe(text);
  }
});

test('a text with a finding can be marked, and explain names who did it', async () => {
  await using rig = await Rig.start({
    config: `${CONFIG.slice(0, CONFIG.indexOf('    routes:'))}    routes: [{ from: "{locale}.json" }]\n`,
    files: { 'en.json': '{"a": "Hello {name}"}', 'de.json': '{"a": "Hallo"}' },
  });
  await rig.once();
  expect(await rig.run('review', 'mark', 'de.json', 'a', '--wanted')).toMatchObject({ code: 0 });
  expect(rig.read('dragoman.lock/app/de')).toMatch(/\?$/m);
  expect(await rig.run('review', 'mark', 'de.json', 'a', '--reviewed')).toMatchObject({ code: 0 });
  expect(rig.read('dragoman.lock/app/de')).toMatch(/\+$/m);
  expect((await rig.run('explain', 'de.json', 'a')).stdout).toMatch(/, mark\)/);
  expect(rig.read('de.json')).toBe('{"a": "Hallo"}');
});

const DE_XLIFF = 'xliff/de.xlf';
const XLIFF_CONFIG = (more = '') =>
  `${CONFIG.slice(0, CONFIG.indexOf('    routes:'))}    routes: [{ from: "xliff/{locale}.xlf" }]\n${more}`;

test.each(['conflict', 'overwrite'])(
  'a source that changes after an approval in XLIFF makes the text stale, and the approval goes with the text (human_edits: %s)',
  async (policy) => {
    await using rig = await Rig.start({
      config: XLIFF_CONFIG(`    human_edits: ${policy}\n`),
      files: { 'xliff/en.xlf': XLIFF },
    });
    expect(await rig.once()).toMatchObject({ code: 0 });
    const made = rig.read(DE_XLIFF);
    const mark = ['review', 'mark', 'xliff/de.xlf', 'quit'];
    expect(await rig.run(...mark, '--reviewed')).toMatchObject({ code: 0 });
    expect(rig.read(DE_XLIFF)).toBe(approved(made));
    expect(await rig.run(...mark, '--wanted')).toMatchObject({ code: 0 });
    expect(rig.read(DE_XLIFF)).toBe(made);
    expect(await rig.run(...mark, '--reviewed')).toMatchObject({ code: 0 });
    const before = billed(rig);
    expect(await rig.once()).toMatchObject({ code: 0 });
    expect(rig.read(DE_XLIFF)).toBe(approved(made));
    expect(billed(rig)).toBe(before);

    rig.write('xliff/en.xlf', XLIFF.replace('Quit the program', 'Leave the program'));
    const states = async () => {
      const { stdout } = await rig.run(
        'review',
        'list',
        'xliff/de.xlf',
        '--language',
        'de',
        '--json',
      );
      const { files } = JSON.parse(stdout) as { files: { texts: { state: string }[] }[] };
      return files.flatMap(({ texts }) => texts.map(({ state }) => state));
    };
    expect(await states()).toEqual(['stale']);
    expect(await rig.once()).toMatchObject({ code: policy === 'conflict' ? 2 : 0 });
    if (policy === 'conflict') {
      expect(rig.read(DE_XLIFF)).toBe(approved(made));
      expect(await states()).toEqual(['stale']);
      return;
    }
    expect(rig.read(DE_XLIFF)).not.toContain('approved');
    expect(rig.read(DE_XLIFF)).toContain('state="needs-review-translation"');
    expect(await states()).toEqual(['unreviewed']);
  },
);

test('a text that another tool approved stays as it is, and is stale when its source changes', async () => {
  const agency = XLIFF.replace('<trans-unit id="quit">', '<trans-unit id="quit" approved="yes">');
  const target = agency.replace('</source>', '</source>\n        <target>Ende</target>');
  await using rig = await Rig.start({
    config: XLIFF_CONFIG(),
    files: { 'xliff/en.xlf': XLIFF, 'xliff/de.xlf': target },
  });
  await rig.once();
  expect(rig.read(DE_XLIFF)).toBe(target);
  expect((await rig.run('review', 'list', '--language', 'de')).stdout).not.toContain('Ende');
  rig.write('xliff/en.xlf', XLIFF.replace('Quit the program', 'Leave the program'));
  await rig.once();
  expect(rig.read(DE_XLIFF)).toBe(target);
  const list = await rig.run('review', 'list', '--language', 'de');
  expect(list.stdout).toContain('quit (stale): Leave the program -> Ende');
  const marked = await rig.run('review', 'mark', 'xliff/de.xlf', 'quit', '--reviewed');
  expect(marked).toMatchObject({ code: 1, stderr: expect.stringContaining('its source changed') });
});
