import { expect, test } from 'vitest';
import { YamlText } from '../../src/config/yaml-text.ts';

function faultsIn(text: string): string[] {
  const { faults } = new YamlText(text, { file: 'dragoman.yaml', rewrite: (value) => value });
  return faults.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

test.each([
  ['a: [b }]', '1:7 a "[" is not closed by a "]" before this, or its lines are not indented'],
  ['a: {b ]', '1:7 a "{" is not closed by a "}" before this, or its lines are not indented'],
  ['a: "x', '1:6 a quote is not closed'],
  [
    'a: b: c',
    '1:4 a line can have one setting; put a text with such characters between quotes, such as ": "',
  ],
  ['a:\n\t- b', '2:1 a line must be indented with spaces, not with tabs'],
  ['a: *x', '1:1 the alias *x has no anchor &x before it'],
  ['- a\nb: 1', '2:1 this does not belong here; put a text with such characters between quotes'],
  ['a: |x\n b', '1:5 behind "|" or ">" the text begins in the next line'],
  ['? a\nb', '2:1 a ":" is missing behind a name'],
  [
    'a: @b',
    '1:4 a text cannot begin with this character; put a text with such characters between quotes',
  ],
  ['a:\n  b: 1\n c: 2', '3:1 the lines of one block must begin in the same column'],
])('the fault of %j is said in plain words with its place', (text, fault) => {
  expect(faultsIn(text)[0]).toBe(fault);
});

test.each([
  ...[
    'a: [1,,2]',
    'a: !!foo x',
    '%YAML 3\n---\na',
    'a: "\\q"',
    "a: 'x\ny",
    '{a',
    'a: &',
    '<<: 1',
    'a: {- b}',
  ],
  ...[
    'a: !!map []',
    'a: &x &y 1',
    'a: !x !y 1',
    'a: &x *y',
    '[a\n: b]',
    'a: [\nb: c\n]',
    '"a"b: 1',
    'a: #\n- b: [#',
  ],
  ...['locales: [from: x/{locale}/x.json }]', 'a: [{ from: locales/{locale}/x.json }]'],
])('no word of the library is in the faults of %j', (text) => {
  for (const fault of faultsIn(text)) {
    expect(fault).not.toMatch(
      /token|flow|collection|scalar|node|implicit|mapping|directive|resolve/i,
    );
  }
});
