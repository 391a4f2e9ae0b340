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

const yaml = (parts: readonly string[]) =>
  `faq:\n${parts.map((each) => `  ${each}\n`).join('')}z: Z\n`;
const json5 = (parts: readonly string[]) =>
  `{\n  faq: [${parts.map((each) => `\n    ${each}`).join('')}\n  ],\n}\n`;
const php = (parts: readonly string[]) =>
  `<?php\nreturn [\n  'faq' => [${parts.map((each) => `\n    ${each}`).join('')}\n  ],\n];\n`;
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
];

/** Indexes of elements; `0+` and `1+` are the new ones. */
const ORDERS = ['2 1 0', '1 2', '0 2', '0+ 0 1 2', '0 1+ 1 2', '2 0+ 0', '1 0 2 1+', '1'];

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
