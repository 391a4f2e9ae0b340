/**
 * Keys that are renamed, in several formats. A translation moves along with all that its file says of it. When the text is edited, too, a
 * person's translation waits as a conflict. Texts that change their keys are not bought.
 */
import { expect, test } from 'vitest';
import { TextJobs } from '../text-jobs.ts';

/** By extension: a file with one entry. */
const FILES: Readonly<Record<string, (key: string, text: string) => string>> = {
  json: (key, text) => `{\n  "${key}": "${text}"\n}\n`,
  yml: (key, text) => `${key}: ${text}\n`,
  strings: (key, text) => `"${key}" = "${text}";\n`,
  ftl: (key, text) => `${key} = ${text}\n`,
  php: (key, text) => `<?php\nreturn ['${key}' => '${text}'];\n`,
  xml: (key, text) => `<resources>\n  <string name="${key}">${text}</string>\n</resources>\n`,
};

test.each(Object.entries(FILES))('%s', async (extension, file) => {
  const [from, to] = [`l/en.${extension}`, `l/de.${extension}`];
  const jobs = await TextJobs.of(`{ from: "l/{locale}.${extension}", lane: text }`, {
    [from]: file('one', 'Copy files to your computer'),
  });
  await jobs.run(from);
  const ours = await jobs.read(to);
  const jana = 'Von Jana übersetzt';
  const edited = ours.replace('Copyä filesä toä yourä computerä', jana);
  expect(edited).toContain(jana);
  await jobs.write(to, edited);
  await jobs.write(from, file('two', 'Copy files to your computers'));
  const { state, notes, bought } = await jobs.run(from);
  expect({ state, notes, bought }).toMatchObject({
    state: { kind: 'held', hold: { kind: 'conflict' } },
    notes: [],
    bought: ['Copy files to your computers'],
  });
  const after = await jobs.read(to);
  expect(after).toContain(jana);
  expect(after).toContain('two');
  expect(after).not.toMatch(/\bone\b/);
  expect(await jobs.run(from)).toMatchObject({ bought: [], isWritten: false });
});

/** By extension: a group with a description, which is ignored, and a message; with comments of a person. */
const GROUPS: Readonly<Record<string, (group: string, note: string, text: string) => string>> = {
  json: (group, note, text) =>
    `{\n  "${group}": {\n    "description": "${note}",\n    "message": "${text}"\n  }\n}\n`,
  yml: (group, note, text) =>
    `# of it\n${group}:\n  description: ${note} # why\n  # about it\n  message: ${text} # so\n`,
  toml: (group, note, text) =>
    `[${group}] # of it\ndescription = "${note}" # why\n# about it\nmessage = "${text}" # so\n`,
  php: (group, note, text) =>
    `<?php\nreturn [\n  '${group}' => [\n    'description' => '${note}', // why\n    'message' => '${text}', // so\n  ],\n];\n`,
  js: (group, note, text) =>
    `export default {\n  ${group}: {\n    description: '${note}', // why\n    message: '${text}', // so\n  },\n};\n`,
  properties: (group, note, text) =>
    `# why\n${group}.description=${note}\n# so\n${group}.message=${text}\n`,
};

test.each(Object.entries(GROUPS))(
  'a renamed group keeps its entries that are ignored: %s',
  async (extension, file) => {
    const [from, to] = [`l/en.${extension}`, `l/de.${extension}`];
    const route = `{ from: "l/{locale}.${extension}", lane: text, keys: { ignore: ["*.description"] } }`;
    const jobs = await TextJobs.of(route, {
      [from]: file('one', 'For the page', 'Copy files'),
      [to]: file('one', 'Eigener Hinweis', 'Dateien kopieren'),
    });
    expect(await jobs.run(from)).toMatchObject({ bought: [], isWritten: false });
    await jobs.write(from, file('two', 'For the page', 'Copy files'));
    expect((await jobs.run(from)).bought).toEqual([]);
    expect(await jobs.read(to)).toBe(file('two', 'Eigener Hinweis', 'Dateien kopieren'));
    expect(await jobs.run(from)).toMatchObject({ bought: [], isWritten: false });
  },
);

/** By extension: a group with a message, and in the target also an entry that only a person has; with comments. */
const OWN: Readonly<Record<string, (group: string, text: string, own: string) => string>> = {
  json: (group, text, own) =>
    `{\n  "${group}": {\n    "message": "${text}"${own && `,\n    "own": "${own}"`}\n  },\n  "last": "Last"\n}\n`,
  yml: (group, text, own) =>
    `# of it\n${group}:\n  # about it\n  message: ${text} # so\n${own && `  # mine\n  own: ${own}\n`}last: Last\n`,
  toml: (group, text, own) =>
    `last = "Last"\n[${group}] # of it\n# about it\nmessage = "${text}" # so\n${own && `# mine\nown = "${own}"\n`}`,
  ini: (group, text, own) =>
    `last = Last\n; of it\n[${group}]\n; about it\nmessage = ${text}\n\n${own && `; mine\nown=${own}\n`}[next]\nmore = More\n`,
  php: (group, text, own) =>
    `<?php\nreturn [\n  '${group}' => [\n    // about it\n    'message' => '${text}', // so\n${own && `    'own' => '${own}', // mine\n`}  ],\n  'last' => 'Last',\n];\n`,
  js: (group, text, own) =>
    `export default {\n  ${group}: {\n    // about it\n    message: '${text}', // so\n${own && `    own: '${own}', // mine\n`}  },\n  last: 'Last',\n};\n`,
};

test.each(Object.entries(OWN))(
  'a renamed group keeps its comments, and an entry that only a person has goes along: %s',
  async (extension, file) => {
    const [from, to] = [`l/en.${extension}`, `l/de.${extension}`];
    const jobs = await TextJobs.of(`{ from: "l/{locale}.${extension}", lane: text }`, {
      [from]: file('one', 'Copy files', ''),
      [to]: file('one', 'Dateien kopieren', 'Eigenes'),
    });
    expect(await jobs.run(from)).toMatchObject({ bought: [], isWritten: false });
    await jobs.write(from, file('two', 'Copy files', ''));
    expect((await jobs.run(from)).bought).toEqual([]);
    expect(await jobs.read(to)).toBe(file('two', 'Dateien kopieren', 'Eigenes'));
    expect(await jobs.run(from)).toMatchObject({ bought: [], isWritten: false });
  },
);

test.each([
  ['in another order', '"keep": "Save", "ok": "Save"', '"ok": "Speichern", "keep": "Sichern"'],
  ['without the first one', '"keep": "Save"', '"keep": "Sichern"'],
])(
  'keys with the same text keep their own translations in a renamed group, %s',
  async (_, now, then) => {
    const file = (group: string, entries: string) => `{\n  "${group}": { ${entries} }\n}\n`;
    const jobs = await TextJobs.of(
      '{ from: "l/{locale}.json" }',
      {
        'l/en.json': file('old', '"ok": "Save", "keep": "Save"'),
        'l/de.json': file('old', '"ok": "Speichern", "keep": "Sichern"'),
      },
      'de',
    );
    expect(await jobs.run('l/en.json')).toMatchObject({ bought: [], isWritten: false });
    await jobs.write('l/en.json', file('new', now));
    expect(await jobs.run('l/en.json')).toMatchObject({ bought: [] });
    expect(JSON.parse(await jobs.read('l/de.json'))).toEqual({ new: JSON.parse(`{ ${then} }`) });
  },
);

const unit1 = (id: string, target: string, attributes = '') =>
  `<xliff version="1.2"><file original="a" source-language="en" target-language="de" datatype="x"><body>\n  <trans-unit id="${id}"${attributes}><source>Copy files</source>${target}<note>mine</note></trans-unit>\n</body></file></xliff>\n`;
const unit2 = (id: string, target: string, attributes = '') =>
  `<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" trgLang="de"><file id="f">\n  <unit id="${id}"><segment${attributes}><source>Copy files</source>${target}</segment></unit>\n</file></xliff>\n`;

test.each([
  ['a final text of 1.2', unit1, '<target state="final">Kopieren</target>', ''],
  ['a signed-off text of 1.2', unit1, '<target state="signed-off">Kopieren</target>', ''],
  ['an approved text of 1.2', unit1, '<target>Kopieren</target>', ' approved="yes"'],
  ['a translated text of 1.2', unit1, '<target state="translated">Kopieren</target>', ''],
  ['a text of 1.2', unit1, '<target>Kopieren</target>', ''],
  ['a final text of 2.0', unit2, '<target>Kopieren</target>', ' state="final"'],
  ['a reviewed text of 2.0', unit2, '<target>Kopieren</target>', ' state="reviewed"'],
])('the file says the same of %s under its new key', async (_, unit, target, attributes) => {
  const [from, to] = ['l/en.xlf', 'l/de.xlf'];
  const jobs = await TextJobs.of('{ from: "l/{locale}.xlf", lane: text }', {
    [from]: unit('one', ''),
    [to]: unit('one', target, attributes),
  });
  expect(await jobs.run(from)).toMatchObject({ bought: [], isWritten: false });
  await jobs.write(from, unit('two', ''));
  expect((await jobs.run(from)).bought).toEqual([]);
  expect(await jobs.read(to)).toBe(unit('two', target, attributes));
  expect(await jobs.run(from)).toMatchObject({ bought: [], isWritten: false });
});

test.each(Object.entries(FILES).filter(([extension]) => !['php', 'xml'].includes(extension)))(
  'texts that change their keys in the source change them in the target: %s',
  async (extension, file) => {
    const [from, to] = [`l/en.${extension}`, `l/de.${extension}`];
    const both = (key: string, text: string) => {
      const [whole, other] = [file('one', key), file('two', text)];
      if (extension !== 'json') return whole + other;
      return whole.replace('\n}', `,${other.slice(1).replace('\n}\n', '')}\n}`);
    };
    const jobs = await TextJobs.of(`{ from: "l/{locale}.${extension}", lane: text }`, {
      [from]: both('Alpha words', 'Beta words'),
      [to]: both('Alphaworte', 'Betaworte'),
    });
    expect(await jobs.run(from)).toMatchObject({ bought: [], isWritten: false });
    await jobs.write(from, both('Beta words', 'Alpha words'));
    expect((await jobs.run(from)).bought).toEqual([]);
    expect(await jobs.read(to)).toBe(both('Betaworte', 'Alphaworte'));
    expect(await jobs.run(from)).toMatchObject({ bought: [], isWritten: false });
    await jobs.write(from, both('Gamma words', 'Beta words'));
    expect((await jobs.run(from)).bought).toEqual(['Gamma words']);
    expect(await jobs.read(to)).toBe(both('Gammaä wordsä', 'Betaworte'));
  },
);
