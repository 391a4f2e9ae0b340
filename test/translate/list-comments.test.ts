/** An element of a list goes to its new place as a person wrote it: with its comments, its quotes and its shape. */
import { expect, test } from 'vitest';
import { TextJobs } from '../text-jobs.ts';

const YAML_EN = ['- One', '- q: Two\n    a: Two more', '- Three'];
const YAML_DE = [
  "# first\n  - 'Eins'",
  '# second\n  - q: Zwei # q\n    # about a\n    a: "Noch zwei"',
  '# third\n  - >-\n    Drei # d',
];
const JSON5_EN = ['"One"', '{ q: "Two", a: ["Two more"] }', '"Three"'];
const JSON5_DE = [
  "// first\n    'Eins',",
  '// second\n    {q: "Zwei" /* q */, a: [\n      // a\n      "Noch zwei"]},',
  '"Drei", // d',
];
const PHP_EN = ["'One'", "['q' => 'Two', 'a' => 'Two more']", "'Three'"];
const PHP_DE = ['/* 1 */ "Eins",', "['q' => 'Zwei', // q\n 'a' => 'Noch zwei'],", "'Drei', // d"];

const TOML_EN = ['"One"', '{ q = "Two", a = "Two more" }', '"Three"'];
const TOML_DE = [
  "# first\n    'Eins',",
  '{ a = "Noch zwei", q = "Zwei" }, # second',
  '# third\n    "Drei", # d',
];
const TABLES_EN = [
  'q = "One"',
  'q = "Two"\n[faq.more]\na = "Two more"',
  'q = "Three"\na = "Three more"',
];
const TABLES_DE = [
  "# first\n[[faq]] # one\nq = 'Eins' # q",
  '[[faq]]\nq = "Zwei"\n# about a\n[faq.more]\na = "Noch zwei"',
  '# third\n[[faq]]\n# more\na = "Noch drei"\nq = "Drei" # d',
];

const ANDROID_EN = ['One', 'Two', 'Three'].map((text) => `<item>${text}</item>`);
const ANDROID_DE = [
  '<!-- first -->\n        <item>"Ein  Eintrag"</item>',
  "<item><![CDATA[Zwei & mehr\\'s]]></item> <!-- second -->",
  '<!-- third -->\n        <!-- d -->\n        <item>Drei</item>',
];

const yaml = (parts: readonly string[]) =>
  `faq:\n${parts.map((each) => `  ${each}\n`).join('')}z: Z\n`;
const json5 = (parts: readonly string[]) =>
  `{\n  faq: [${parts.map((each) => `\n    ${each}`).join('')}\n  ],\n}\n`;
const php = (parts: readonly string[]) =>
  `<?php\nreturn [\n  'faq' => [${parts.map((each) => `\n    ${each}`).join('')}\n  ],\n];\n`;
const toml = (parts: readonly string[]) =>
  `faq = [${parts.map((each) => `\n    ${each}`).join('')}\n]\n[more]\nz = 1\n`;
const tables = (parts: readonly string[]) => `y = 1\n\n${parts.join('\n\n')}\n\n[more]\nz = 1\n`;
const android = (parts: readonly string[]) =>
  `<resources>\n    <string-array name="faq">${parts.map((each) => `\n        ${each}`).join('')}\n    </string-array>\n    <string name="z">1</string>\n</resources>\n`;
const withHeaders = (parts: readonly string[]) => tables(parts.map((each) => `[[faq]]\n${each}`));
const withCommas = (write: (parts: readonly string[]) => string) => (parts: readonly string[]) =>
  write(parts.map((each) => `${each},`));

interface Kind {
  readonly path: string;
  readonly en: readonly string[];
  readonly de: readonly string[];
  readonly source: (parts: readonly string[]) => string;
  readonly target: (parts: readonly string[]) => string;
  /** New elements: each in the form of the source, and in the form that is written into the target. */
  readonly added: readonly (readonly [string, string])[];
}

const KINDS: Kind[] = [
  {
    path: 'yml',
    ...{ en: YAML_EN, de: YAML_DE, source: yaml, target: yaml },
    added: [
      ['- New', '- Newä'],
      ['- q: New\n    b: More', '- q: Newä\n    b: Moreä'],
    ],
  },
  {
    path: 'json5',
    ...{ en: JSON5_EN, de: JSON5_DE, source: withCommas(json5), target: json5 },
    added: [
      ['"New"', "'Newä',"],
      ['{ q: "New" }', "{\n      q: 'Newä'\n    },"],
    ],
  },
  {
    path: 'php',
    ...{ en: PHP_EN, de: PHP_DE, source: withCommas(php), target: php },
    added: [
      ["'New'", '"Newä",'],
      ["['q' => 'New']", '[\n      \'q\' => "Newä"\n    ],'],
    ],
  },
  {
    path: 'toml',
    ...{ en: TOML_EN, de: TOML_DE, source: withCommas(toml), target: toml },
    added: [
      ['"New"', '"Newä",'],
      ['{ q = "New", b = "More" }', '{ q = "Newä", b = "Moreä" },'],
    ],
  },
  {
    path: 'toml',
    ...{ en: TABLES_EN, de: TABLES_DE, source: withHeaders, target: tables },
    added: [
      ['q = "New"', '[[faq]]\nq = "Newä"'],
      ['q = "New"\nb = "More"', '[[faq]]\nq = "Newä"\nb = "Moreä"'],
    ],
  },
  {
    path: 'xml',
    ...{ en: ANDROID_EN, de: ANDROID_DE, source: android, target: android },
    added: [
      ['<item>New</item>', '<item>Newä</item>'],
      ['<item><![CDATA[New]]></item>', '<item><![CDATA[Newä]]></item>'],
    ],
  },
];

/** Indexes of elements; `0+` and `1+` are the new ones. */
const ORDERS = [
  '2 1 0',
  '1 2',
  '0 2',
  '0+ 0 1 2',
  '0 1+ 1 2',
  '2 0+ 0',
  '1 0 2 1+',
  '0 1 2 0+',
  '1',
];

test.each(KINDS.flatMap((kind) => ORDERS.map((order) => [kind.path, order, kind] as const)))(
  'in %s, in the order %s',
  async (path, order, { en, de, source, target, added }) => {
    const [EN, DE] = [`l/en.${path}`, `l/de.${path}`];
    const jobs = await TextJobs.of(`{ from: "l/{locale}.${path}", lane: text }`, {
      [EN]: source(en),
      [DE]: target(de).replace('z: Z', 'z: Ä'),
    });
    expect((await jobs.run(EN)).isWritten).toBe(false);
    const steps = order.split(' ');
    const pick = (own: readonly string[], side: 0 | 1) =>
      steps.map(
        (step) =>
          (step.endsWith('+') ? added[Number.parseInt(step, 10)]?.[side] : own[Number(step)]) ?? '',
      );
    await jobs.write(EN, source(pick(en, 0)));
    const { bought } = await jobs.run(EN);
    expect(bought.filter((text) => !/^(?:New|More)$/.test(text))).toEqual([]);
    expect(await jobs.read(DE)).toBe(target(pick(de, 1)).replace('z: Z', 'z: Ä'));
    expect(await jobs.run(EN)).toMatchObject({ bought: [], isWritten: false });
  },
);

const LINES: readonly [
  path: string,
  source: (texts: readonly string[]) => string,
  start: string,
  target: string,
][] = [
  [
    'json',
    (texts) => `{"list": ${JSON.stringify(texts)}}\n`,
    '{ "list": [ ',
    '"Eins", "Zwei",\n\t\t"Drei" ] }\n',
  ],
  [
    'toml',
    (texts) => `list = ${JSON.stringify(texts)}\n`,
    'list = [ ',
    '"Eins", "Zwei",\n  "Drei" ]\n',
  ],
  [
    'yml',
    (texts) => `list: ${JSON.stringify(texts)}\n`,
    'list: [ ',
    '"Eins", "Zwei",\n  "Drei" ]\n',
  ],
];

test.each(LINES)(
  'in %s, a line break that a person put into a list stays before its element',
  async (path, source, start, target) => {
    const [EN, DE] = [`l/en.${path}`, `l/de.${path}`];
    const jobs = await TextJobs.of(`{ from: "l/{locale}.${path}", lane: text }`, {
      [EN]: source(['One', 'Two', 'Three']),
      [DE]: start + target,
    });
    await jobs.run(EN);
    await jobs.write(EN, source(['New', 'One', 'Two', 'Three']));
    await jobs.run(EN);
    expect(await jobs.read(DE)).toBe(`${start}"Newä", ${target}`);
    await jobs.write(EN, source(['Two', 'Three']));
    await jobs.run(EN);
    expect(await jobs.read(DE)).toBe(start + target.replace('"Eins", ', ''));
  },
);

test('a comment at the end of a line hides no element that moves behind it', async () => {
  const jobs = await TextJobs.of('{ from: "l/{locale}.json5" }', {
    'l/en.json5': '{ list: ["One", "Two", "Three"] }\n',
    'l/de.json5': "{ list: [\"Eins\", // e\n  'Zwei', 'Drei'] }\n",
  });
  await jobs.run('l/en.json5');
  await jobs.write('l/en.json5', '{ list: ["One", "Three"] }\n');
  await jobs.run('l/en.json5');
  expect(await jobs.read('l/de.json5')).toBe('{ list: ["Eins", // e\n  \'Drei\'] }\n');
});

test('in a string array, comments apart from all items stay when the item below them leaves', async () => {
  const array = (...lines: string[]) =>
    `<resources>\n  <string-array name="a">\n${lines.map((line) => line && `    ${line}`).join('\n')}\n  </string-array>\n</resources>\n`;
  const item = (text: string) => `<item>${text}</item>`;
  const jobs = await TextJobs.of('{ from: "values/x.xml", to: "values-{locale}/x.xml" }', {
    'values/x.xml': array(...['One', 'Two', 'Three', 'Four'].map(item)),
    'values-de/x.xml': array(
      item('Eins'),
      '',
      '<!-- Rest -->',
      '',
      item('Zwei'),
      item('Drei'),
      item('"Vier"'),
    ),
  });
  await jobs.run('values/x.xml');
  await jobs.write('values/x.xml', array(...['One', 'Three', 'Four'].map(item)));
  await jobs.run('values/x.xml');
  expect(await jobs.read('values-de/x.xml')).toBe(
    array(item('Eins'), '', '<!-- Rest -->', '', item('Drei'), item('"Vier"')),
  );
});
