import { expect, test } from 'vitest';
import { styleCatalogue } from '../../src/terminology/load-styles.ts';
import { readStyle } from '../../src/terminology/style-read.ts';
import {
  type CurrentStyle,
  describeStyleDiff,
  styleStepsFor,
} from '../../src/terminology/style-steps.ts';

const catalogue = await styleCatalogue();
const read = (text: string) => readStyle(text, 'style.yaml', catalogue);
const lines = (faults: ReturnType<typeof read>['faults']) =>
  faults.map(({ line, column, path, message }) => `${line}:${column} ${path} ${message}`);

test('a list is read with its rules and instructions', () => {
  const { content, faults, warnings } = read(`
name: shop
language: de
configured_rules:
  punctuation: { apostrophe: use_straight_apostrophes }
custom_instructions:
  - { label: Tone, prompt: Be brief, source_language: en }
`);
  expect([faults, warnings]).toEqual([[], []]);
  expect(content).toEqual({
    name: 'shop',
    language: 'de',
    configured_rules: { punctuation: { apostrophe: 'use_straight_apostrophes' } },
    custom_instructions: [{ label: 'Tone', prompt: 'Be brief', source_language: 'en' }],
  });
});

test('limits are checked with line and column', () => {
  const { content, faults } = read(`name: ${'n'.repeat(1025)}
language: pl
custom_instructions:
  - { label: ${'l'.repeat(101)}, prompt: "" }
  - { label: ok, promt: x }
`);
  expect(content).toBeUndefined();
  expect(lines(faults)).toEqual([
    '1:7 name has more than 1024 characters',
    expect.stringMatching(/^2:11 language expected de \| en .*found "pl"/),
    '4:14 custom_instructions.0.label has more than 100 characters',
    expect.stringMatching(/^4:\d+ custom_instructions\.0\.prompt must not be empty/),
    expect.stringMatching(/^5:\d+ custom_instructions\.1.* /),
    expect.stringMatching(
      /^5:\d+ custom_instructions\.1\.promt unknown setting; did you mean "prompt"/,
    ),
  ]);
  const many = Array.from({ length: 201 }, (_, n) => `  - { label: l${n}, prompt: p }`).join('\n');
  const { faults: tooMany } = read(`name: a\nlanguage: de\ncustom_instructions:\n${many}\n`);
  expect(lines(tooMany)).toEqual([expect.stringContaining('at most 200 instructions')]);
});

test('rules that the catalogue does not have are warnings: the service decides', () => {
  const { content, warnings } = read(`
name: shop
language: de
configured_rules:
  punctation: { apostrophe: x }
  punctuation: { apostrofe: x, apostrophe: use_straight_apostrophe }
`);
  expect(content).toBeDefined();
  expect(lines(warnings)).toEqual([
    '5:3 configured_rules.punctation unknown category; did you mean "punctuation"?',
    '6:18 configured_rules.punctuation.apostrofe unknown rule; did you mean "apostrophe"?',
    expect.stringMatching(
      /apostrophe unknown option "use_straight_apostrophe"; did you mean "use_straight/,
    ),
  ]);
});

const wanted = {
  name: 'shop',
  language: 'de',
  configured_rules: { punctuation: { apostrophe: 'a' } },
  custom_instructions: [{ label: 'Tone', prompt: 'Be brief' }],
};
const current: CurrentStyle = {
  ...wanted,
  custom_instructions: [{ id: '1', label: 'Tone', prompt: 'Be brief' }],
};
const kinds = (there: CurrentStyle | undefined, edits: 'in place' | 'none' = 'none') =>
  styleStepsFor(wanted, there, edits).map(({ kind }) => kind);

test('the fewest calls: nothing, a name, the rules, one more instruction', () => {
  expect(kinds(current)).toEqual([]);
  expect(kinds(undefined)).toEqual(['create']);
  expect(kinds({ ...current, name: 'old' })).toEqual(['rename']);
  expect(kinds({ ...current, configured_rules: {} })).toEqual(['rules']);
  expect(kinds({ ...current, custom_instructions: [] })).toEqual(['add']);
});

test('a changed or vanished instruction needs a new list, unless the deployment can edit it', () => {
  const changed = { ...current, custom_instructions: [{ id: '1', label: 'Tone', prompt: 'x' }] };
  const more = {
    ...current,
    custom_instructions: [...current.custom_instructions, { id: '2', label: 'b', prompt: 'c' }],
  };
  expect(kinds(changed)).toEqual(['replace']);
  expect(kinds(more)).toEqual(['replace']);
  expect(kinds(changed, 'in place')).toEqual(['edit']);
  expect(kinds(more, 'in place')).toEqual(['remove']);
  expect(kinds({ ...current, language: 'fr' }, 'in place')).toEqual(['replace']);
});

test('differences are described in lines for people', () => {
  expect(describeStyleDiff(wanted, undefined)).toEqual(['is not on the service yet']);
  expect(
    describeStyleDiff(wanted, {
      ...current,
      name: 'old',
      configured_rules: { punctuation: { apostrophe: 'b', comma: 'c' } },
      custom_instructions: [{ id: '1', label: 'Tone', prompt: 'x' }],
    }),
  ).toEqual([
    'is named "old" on the service',
    '~ punctuation.apostrophe: b -> a',
    '- punctuation.comma: c',
    '~ instruction "Tone"',
  ]);
});
