/** A key moves into another group of its file: a person's entry keeps its spelling and its comments. */
import { expect, test } from 'vitest';
import { TextJobs } from '../text-jobs.ts';

/** Source, the source after the move, the target, the target after it. */
const FORMATS: Readonly<Record<string, readonly [string, string, string, string]>> = {
  yml: [
    'menu:\n  open: Open\n  save: Save\nform:\n  send: Send\n',
    'menu:\n  open: Open\nform:\n  send: Send\n  save: Save\n',
    'menu:\n  open: Auf\n  # von Eva\n  save: "Sichern" # kurz\nform:\n  send: Los\n',
    'menu:\n  open: Auf\nform:\n  send: Los\n  # von Eva\n  save: "Sichern" # kurz\n',
  ],
  'block.yml': [
    'menu:\n  open: Open\n  save: Save it\nform:\n  more:\n    send: Send\n',
    'menu:\n  open: Open\nform:\n  more:\n    send: Send\n    save: Save it\n',
    'menu:\n  open: Auf\n  # von Eva\n  save: >-\n    Sichern\n    und fort\nform:\n  more:\n    send: Los\n',
    'menu:\n  open: Auf\nform:\n  more:\n    send: Los\n    # von Eva\n    save: >-\n      Sichern\n      und fort\n',
  ],
  json5: [
    "{\n  menu: {\n    open: 'Open',\n    save: 'Save',\n  },\n  form: {\n    send: 'Send'\n  },\n}\n",
    "{\n  menu: {\n    open: 'Open',\n  },\n  form: {\n    send: 'Send',\n    save: 'Save'\n  },\n}\n",
    '{\n  menu: {\n    open: \'Auf\',\n    /*\n     * von Eva\n     */\n    "save": "Sichern", // kurz\n  },\n  form: {\n    send: \'Los\'\n  },\n}\n',
    '{\n  menu: {\n    open: \'Auf\',\n  },\n  form: {\n    send: \'Los\',\n    /*\n     * von Eva\n     */\n    "save": "Sichern" // kurz\n  },\n}\n',
  ],
  toml: [
    '[menu]\nopen = "Open"\nsave = "Save"\n\n[form]\nsend = "Send"\n',
    '[menu]\nopen = "Open"\n\n[form]\nsend = "Send"\nsave = "Save"\n',
    '[menu]\nopen = "Auf"\n# von Eva\nsave   = \'Sichern\' # kurz\n\n[form]\nsend = "Los"\n',
    '[menu]\nopen = "Auf"\n\n[form]\nsend = "Los"\n# von Eva\nsave   = \'Sichern\' # kurz\n',
  ],
  ini: [
    '[menu]\nopen=Open\nsave=Save\n\n[form]\nsend=Send\n',
    '[menu]\nopen=Open\n\n[form]\nsend=Send\nsave=Save\n',
    '[menu]\nopen=Auf\n; von Eva\nsave = "Sichern" ; kurz\n\n[form]\nsend=Los\n',
    '[menu]\nopen=Auf\n\n[form]\nsend=Los\n; von Eva\nsave = "Sichern" ; kurz\n',
  ],
  php: [
    "<?php\nreturn [\n  'menu' => [\n    'open' => 'Open',\n    'save' => 'Save',\n  ],\n  'form' => [\n    'send' => 'Send',\n  ],\n];\n",
    "<?php\nreturn [\n  'menu' => [\n    'open' => 'Open',\n  ],\n  'form' => [\n    'send' => 'Send',\n    'save' => 'Save',\n  ],\n];\n",
    "<?php\nreturn [\n  'menu' => [\n    'open' => 'Auf',\n    # von Eva\n    'save'   => \"Sichern\", // kurz\n  ],\n  'form' => [\n    'send' => 'Los',\n  ],\n];\n",
    "<?php\nreturn [\n  'menu' => [\n    'open' => 'Auf',\n  ],\n  'form' => [\n    'send' => 'Los',\n    # von Eva\n    'save'   => \"Sichern\", // kurz\n  ],\n];\n",
  ],
  js: [
    "export default {\n  menu: {\n    open: 'Open',\n    save: 'Save',\n  },\n  form: {\n    send: 'Send',\n  },\n};\n",
    "export default {\n  menu: {\n    open: 'Open',\n  },\n  form: {\n    send: 'Send',\n    save: 'Save',\n  },\n};\n",
    "export default {\n  menu: {\n    open: 'Auf',\n    // von Eva\n    save: `Sichern`, /* kurz */\n  },\n  form: {\n    send: 'Los',\n  },\n};\n",
    "export default {\n  menu: {\n    open: 'Auf',\n  },\n  form: {\n    send: 'Los',\n    // von Eva\n    save: `Sichern`, /* kurz */\n  },\n};\n",
  ],
};

const lines = (text: string, end: string) => text.replaceAll('\n', end);

test.each(
  Object.entries(FORMATS).flatMap(([extension, files]) => [
    [extension, '\n', files] as const,
    [extension, '\r\n', files] as const,
  ]),
)('%s with the line end %j', async (extension, end, [source, moved, target, after]) => {
  const jobs = await TextJobs.of(`{ from: "l/{locale}.${extension}", lane: text }`, {
    [`l/en.${extension}`]: source,
    [`l/de.${extension}`]: lines(target, end),
  });
  await jobs.run(`l/en.${extension}`);
  await jobs.write(`l/en.${extension}`, moved);
  expect(await jobs.run(`l/en.${extension}`)).toMatchObject({ bought: [] });
  expect(await jobs.read(`l/de.${extension}`)).toBe(lines(after, end));
  expect(await jobs.run(`l/en.${extension}`)).toMatchObject({ isWritten: false });
});

test('the last entry of a group, with a new name, brings its comments; those of its group go', async () => {
  const jobs = await TextJobs.of('{ from: "l/{locale}.yml" }', {
    'l/en.yml': 'menu:\n  open: Open\nform:\n  send: Send\n',
    'l/de.yml': 'menu:\n  open: Auf\n# Formular\nform:\n  # von Eva\n  send: "Los" # kurz\n',
  });
  await jobs.run('l/en.yml');
  await jobs.write('l/en.yml', 'menu:\n  open: Open\n  submit: Send\n');
  expect(await jobs.run('l/en.yml')).toMatchObject({ bought: [] });
  expect(await jobs.read('l/de.yml')).toMatch(
    /^menu:\n {2}open: Auf\n {2}# von Eva\n {2}submit: ["']?Los["']? # kurz\n$/,
  );
});
