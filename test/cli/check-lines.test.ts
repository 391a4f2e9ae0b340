import { expect, test } from 'vitest';
import type { TargetFinding } from '../../src/cli/check/targets.ts';
import { checkLines } from '../../src/cli/check.ts';
import type { LanguageTag } from '../../src/language.ts';

const of = (language: string, name: string, about: string, line = 1): TargetFinding => ({
  ...{
    file: '/repo/App.xcstrings',
    line,
    column: 1,
    severity: 'hold',
    message: `${name}: ${about}`,
  },
  language: language as LanguageTag,
  text: { name, about },
});

const many = (count: number, make: (n: number) => TargetFinding) =>
  Array.from({ length: count }, (_, n) => make(n));

test('each language of a file has its own count, and findings about few texts are shown for each text', () => {
  const findings = [
    ...many(5, (n) => of('de', `k${n}`, 'missing', n + 2)),
    ...many(1200, (n) => of('fr', `k${n}`, 'missing')),
    of('de', 'a', '{name} is missing'),
  ];
  expect(checkLines(findings, '/repo')).toEqual([
    'App.xcstrings:2:1 5 texts in de: missing: k0, k1, k2 …; --verbose lists them',
    'App.xcstrings:1:1 a: {name} is missing',
    'App.xcstrings:1:1 1,200 texts in fr: missing: k0, k1, k2 …; --verbose lists them',
  ]);
});

test('a name or a text with line ends or reversed letters cannot look like other findings', () => {
  const file = '/repo/nl\nx\u202e.json';
  const finding = { ...of('de', 'a\nb', 'missing'), file };
  expect(checkLines([finding], '/repo')).toEqual(['nl\\nx\\u202e.json:1:1 a\\nb: missing']);
  const five = many(5, (n) => ({ ...of('de', `k\n${n}`, 'missing'), file }));
  expect(checkLines(five, '/repo')).toEqual([
    'nl\\nx\\u202e.json:1:1 5 texts in de: missing: k\\n0, k\\n1, k\\n2 …; --verbose lists them',
  ]);
});

test('many different findings of one file end with a count of the rest', () => {
  const lines = checkLines(
    many(50, (n) => of('de', `k${n}`, `{v${n}} is missing`, n + 1)),
    '/repo',
  );
  expect(lines).toHaveLength(11);
  expect(lines.at(-1)).toBe(
    'App.xcstrings:11:1 40 more findings from here on; --verbose lists them',
  );
});

test('a fault that is not of one text is always on a line of its own', () => {
  const faults = many(20, (n) => ({
    ...{ file: '/repo/dragoman.yaml', line: n + 1, column: 1, severity: 'hold' as const },
    message: `route ${n} finds nothing`,
  }));
  expect(checkLines(faults, '/repo')).toHaveLength(20);
});
