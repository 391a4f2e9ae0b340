/** A message that gets another shape keeps the comments that a person wrote at its key. */
import { expect, test } from 'vitest';
import { TextJobs } from '../text-jobs.ts';

interface Shape {
  readonly from: string;
  readonly paths: readonly [source: string, target: string];
  readonly file: (message: string) => string;
  readonly text: readonly [source: string, target: string];
  readonly group: readonly [source: string, target: string];
  /** How the key begins in both shapes, behind the comments. */
  readonly starts: readonly [text: string, group: string];
}

const ANDROID = (message: string) =>
  `<resources>\n    <string name="z">Zero</string>\n    ${message}\n</resources>\n`;

const SHAPES: Readonly<Record<string, Shape>> = {
  yaml: {
    from: '"l/{locale}.yml"',
    paths: ['l/en.yml', 'l/pl.yml'],
    file: (message) => `z: Zero\n${message}\n`,
    text: ['a: Words', '# moje\n\n# uwagi\na: Stare # koniec'],
    group: [
      'a:\n  one: Word\n  other: Words',
      '# moje\n\n# uwagi\na:\n  # x\n  one: Stare\n  other: Stare',
    ],
    starts: ['# uwagi\na: ', '# uwagi\n# koniec\na:\n'],
  },
  toml: {
    from: '"l/{locale}.toml"',
    paths: ['l/en.toml', 'l/pl.toml'],
    file: (message) => `z = "Zero"\n\n${message}\n`,
    text: ['a = "Words"', '# moje\n# uwagi\na = "Stare" # koniec'],
    group: ['[a]\none = "Word"\nother = "Words"', '# moje\n# uwagi\n[a]\none = "S"\nother = "S"'],
    starts: ['# moje\n# uwagi\na = ', '# moje\n# uwagi\n# koniec\n[a]\n'],
  },
  php: {
    from: '"l/{locale}.php"',
    paths: ['l/en.php', 'l/pl.php'],
    file: (message) => `<?php\nreturn [\n    'z' => 'Zero',\n    ${message},\n];\n`,
    text: ["'a' => 'Words'", "// moje\n    'a' => 'Stare'"],
    group: [
      "'a' => ['x' => 'Word', 'y' => 'Words']",
      "// moje\n    'a' => ['x' => 'S', 'y' => 'S']",
    ],
    starts: ["    // moje\n    'a' => '", "    // moje\n    'a' => [\n"],
  },
  javascript: {
    from: '"l/{locale}.js"',
    paths: ['l/en.js', 'l/pl.js'],
    file: (message) => `export default {\n  z: 'Zero',\n  ${message},\n};\n`,
    text: ["a: 'Words'", "/* moje\n   uwagi */\n  a: 'Stare'"],
    group: [
      "a: { one: 'Word', other: 'Words' }",
      "/* moje\n   uwagi */\n  a: {\n    one: 'S',\n    other: 'S',\n  }",
    ],
    starts: ["  /* moje\n   uwagi */\n  a: '", '  /* moje\n   uwagi */\n  a: {\n'],
  },
  'json with comments, suffixes': {
    from: '"l/{locale}.jsonc"',
    paths: ['l/en.jsonc', 'l/pl.jsonc'],
    file: (message) => `{\n  "z": "Zero",\n  ${message}\n}\n`,
    text: ['"a": "Words"', '// moje\n  "a": "Stare"'],
    group: ['"a_one": "Word",\n  "a_other": "Words"', '// moje\n  "a_one": "S",\n  "a_other": "S"'],
    starts: ['  // moje\n  "a": ', '  // moje\n  "a_one": '],
  },
  Fluent: {
    from: '"l/{locale}.ftl"',
    paths: ['l/en.ftl', 'l/pl.ftl'],
    file: (message) => `z = Zero\n\n${message}\n`,
    text: ['a = Words', '# moje\n# uwagi\na = Stare'],
    group: [
      'a = { $n ->\n    [one] Word\n   *[other] Words\n }',
      '# moje\n# uwagi\na = { $n ->\n    [one] S\n   *[other] S\n }',
    ],
    starts: ['# moje\n# uwagi\na = Cards', '# moje\n# uwagi\na = { $n ->\n'],
  },
  Android: {
    from: 'values/strings.xml, to: "values-{locale}/strings.xml"',
    paths: ['values/strings.xml', 'values-pl/strings.xml'],
    file: ANDROID,
    text: ['<string name="a">Words</string>', '<!-- moje -->\n    <string name="a">Stare</string>'],
    group: [
      '<plurals name="a">\n        <item quantity="one">Word</item>\n        <item quantity="other">Words</item>\n    </plurals>',
      '<!-- moje -->\n    <plurals name="a">\n        <item quantity="one">S</item>\n        <item quantity="other">S</item>\n    </plurals>',
    ],
    starts: [
      '    <!-- moje -->\n    <string name="a">',
      '    <!-- moje -->\n    <plurals name="a">\n',
    ],
  },
};

const CHANGES = Object.entries(SHAPES).flatMap(([name, shape]) => [
  { name, way: 'text to group', shape, old: shape.text, now: shape.group, start: shape.starts[1] },
  { name, way: 'group to text', shape, old: shape.group, now: shape.text, start: shape.starts[0] },
]);

test.each(CHANGES)(
  '$name, $way: the comments of a person stay at the key',
  async ({ shape: { from, paths, file }, old, now, start }) => {
    const [source, target] = paths;
    const files = { [source]: file(old[0]), [target]: file(old[1]) };
    const jobs = await TextJobs.of(`{ from: ${from}, lane: text }`, files, 'pl');
    await jobs.run(source, 'pl');
    await jobs.write(source, file(now[0].replaceAll('Word', 'Card')));
    expect(await jobs.run(source, 'pl')).toMatchObject({ state: { kind: 'done' } });
    expect(await jobs.read(target)).toContain(start);
    expect(await jobs.run(source, 'pl')).toMatchObject({ bought: [], isWritten: false });
  },
);
