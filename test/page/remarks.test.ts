/** The remarks of the page about a translation while somebody types it. */
import { expect, test } from 'vitest';
import { DEFAULT_POLICIES } from '../../src/config/policies.ts';
import type { Part, PlaceholderSyntax } from '../../src/format.ts';
import { remarksOnTypedText } from '../../src/page/client/remarks.ts';

const CHECKS = DEFAULT_POLICIES.checks;

interface Typed {
  readonly syntax?: PlaceholderSyntax;
  readonly parts?: readonly Part[];
  readonly language?: string;
  readonly maxLength?: number;
}

function typed(source: string, draft: string, more: Typed = {}): readonly string[] {
  const { syntax = 'generic', language = 'de', parts, maxLength } = more;
  const check = { syntax, ...(parts && { parts }) };
  const text = { source, check, ...(maxLength !== undefined && { max_length: maxLength }) };
  return remarksOnTypedText(draft, { text, language, checks: CHECKS });
}

test('a missing or additional placeholder or tag is reported', () => {
  expect(typed('Hi {name}', 'Hallo {name}')).toEqual([]);
  expect(typed('Hi {name}', 'Hallo')).toEqual(['{name} is missing']);
  expect(typed('Hi {name}', 'Hallo {name} {nmae}')).toEqual(['{nmae} is not in the source']);
  const parts: Part[] = ['Press ', { raw: '`x`' }];
  expect(typed('Press `x`', 'Drücke', { syntax: 'markup', parts })).toEqual(['`x` is missing']);
  expect(typed('Press `x`', 'Drücke `x`', { syntax: 'markup', parts })).toEqual([]);
});

test('a sound ICU message is no fault, and a branch that misses something is', () => {
  const source = '{n, plural, one {# file} other {# files}}';
  const russian = '{n, plural, one {# файл} few {# файла} many {# файлов} other {# файла}}';
  expect(typed(source, russian, { language: 'ru' })).toEqual([]);
  expect(typed(source, russian.replace('few {# ', 'few {'), { language: 'ru' })).toEqual([
    '{n} is missing in the branch "few"',
  ]);
  expect(typed(source, '{n, plural, one {', { language: 'ru' })).toEqual([
    'it is no ICU message any more',
  ]);
});

test('a text that is too long is reported with its length', () => {
  expect(typed('Buy', 'Kaufen', { maxLength: 5 })).toEqual(['6 characters, at most 5 fit']);
  expect(typed('Buy', '', { maxLength: 5 })).toEqual([]);
});
