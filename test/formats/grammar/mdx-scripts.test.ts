/** What the parser of MDX gets of JavaScript. */
import { Parser } from 'acorn';
import jsx from 'acorn-jsx';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { manyBracesIn, SCRIPTS } from '../../../src/formats/grammar/mdx-scripts.ts';

const OPTIONS = { ecmaVersion: 2024, sourceType: 'module' } as const;

function outcome(read: () => unknown): { readonly fault?: string; readonly isOpen?: boolean } {
  try {
    read();
    return {};
  } catch (error) {
    const { message, raisedAt } = error as { message: string; raisedAt: number };
    return { fault: message, isOpen: raisedAt > 0 };
  }
}

const PIECES = [
  '{',
  '}',
  '[',
  ']',
  '(',
  ')',
  '"a{"',
  "'}'",
  '"',
  'a',
  ' ',
  ',',
  ':',
  '/',
  '<b>',
  '`',
  '\n',
  '...',
];

test('an expression that lacks closing brackets for its parser lacks them for Acorn, too', () => {
  const expression = fc.array(fc.constantFrom(...PIECES), { maxLength: 14 });
  const script = Parser.extend(jsx());
  fc.assert(
    fc.property(fc.array(expression, { minLength: 1, maxLength: 4 }), (pieces) => {
      let text = '';
      for (const more of pieces) {
        text += more.join('');
        const ours = outcome(() => SCRIPTS.parseExpressionAt(text, 0, OPTIONS));
        const acorns = outcome(() => {
          const { end } = script.parseExpressionAt(text, 0, OPTIONS);
          if (text.slice(end).trim() !== '') throw new SyntaxError('Unexpected content');
        });
        if (ours.fault === 'more is missing') expect(acorns.fault).toBeDefined();
        else if (ours.fault !== undefined) expect(ours).toEqual(acorns);
      }
    }),
    { numRuns: 2000 },
  );
});

test('the parser of MDX sees statements and not what is in them', () => {
  const seen = (text: string) => JSON.parse(JSON.stringify(SCRIPTS.parse(text, OPTIONS).body));
  expect(seen('export const a = [{ b: 1 }, { b: 2 }];\n// c\nimport x from "y";')).toEqual([
    expect.not.objectContaining({ declaration: expect.anything() }),
    expect.not.objectContaining({ source: expect.anything() }),
  ]);
  const [names, imported] = SCRIPTS.parse('var a,b\nimport c from "d"', OPTIONS).body;
  expect([names?.type, imported?.type, imported?.start]).toEqual([
    'VariableDeclaration',
    'ImportDeclaration',
    8,
  ]);
  expect(imported).toMatchObject({ specifiers: [{ local: { name: 'c' } }] });
});

test('braces are counted in the expression that they are in, before the page is parsed', () => {
  const rows = (count: number) => `Hello\n\n<Table rows={[\n${"{a: 'x'},\n".repeat(count)}]} />\n`;
  expect(manyBracesIn(rows(3000))).toBeUndefined();
  expect(manyBracesIn(rows(3001))).toMatchObject({ offset: 19 });
  expect(manyBracesIn(rows(1_000_000))).toMatchObject({ offset: 19 });
  expect(manyBracesIn('{a} '.repeat(4000))).toBeUndefined();
  expect(manyBracesIn(`\\{ ${'{a} '.repeat(4000)}`)).toBeUndefined();
  expect(manyBracesIn(`${'{"}" + \'{\'} '.repeat(4000)}`)).toBeUndefined();
  expect(manyBracesIn(`a { b\n\n${'`c`{d} '.repeat(4000)}`)).toBeUndefined();
});
