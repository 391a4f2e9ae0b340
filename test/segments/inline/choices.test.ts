import { expect, test } from 'vitest';
import { DEFAULT_POLICIES } from '../../../src/config/policies.ts';
import { type LanguageTag, parseLanguage } from '../../../src/language.ts';
import { checkTranslation } from '../../../src/segments/inline/check.ts';
import { sentencesFor } from '../../../src/segments/sentences.ts';

const language = (tag: string) => parseLanguage(tag) as LanguageTag;
const { checks } = DEFAULT_POLICIES;

/** Every text bought comes back with its number, in capitals. */
function translated(text: string, tag: string) {
  const source = { parts: [text], syntax: 'laravel' } as const;
  const { texts, join } = sentencesFor(source, language(tag));
  const sent = texts.map(({ parts }) =>
    parts.map((part) => (typeof part === 'string' ? part : (part.sample ?? part.raw))).join(''),
  );
  const bought = join(
    texts.map(({ parts }) => ({
      kind: 'translated',
      parts: parts.map((part) => (typeof part === 'string' ? part.toUpperCase() : part)),
    })),
  );
  const target = bought.kind === 'translated' ? bought.parts : [];
  const checked = { source, target, language: language(tag) };
  return { sent, target: target.join(''), findings: checkTranslation(checked, checks) };
}

test('a singular and a plural become the forms that Laravel asks for in the language', () => {
  expect(translated('one apple|:count apples', 'pl')).toEqual({
    sent: ['one apple', '2 apples', '5 apples'],
    target: 'ONE APPLE|:count APPLES|:count APPLES',
    findings: [],
  });
  expect(translated('one apple|:count apples', 'ja')).toMatchObject({
    target: ':count APPLES',
    findings: [],
  });
  expect(translated('one apple|:count apples', 'de').target).toBe('ONE APPLE|:count APPLES');
});

test('choices with conditions keep them, and a title with a bar keeps its bar', () => {
  expect(translated('{0} None|[1,19] Some|[20,*] Many', 'pl')).toEqual({
    sent: ['None', 'Some', 'Many'],
    target: '{0} NONE|[1,19] SOME|[20,*] MANY',
    findings: [],
  });
  expect(translated('Home | About us', 'pl').target).toBe('HOME | ABOUT US');
});

test('a placeholder that a choice lost is found', () => {
  const source = { parts: ['one apple|:count apples'], syntax: 'laravel' } as const;
  const checked = { source, target: ['jedno|wiele|wiele'], language: language('pl') };
  expect(checkTranslation(checked, checks)).toMatchObject([
    { check: 'placeholders', message: ':count is missing' },
  ]);
});

test('a placeholder that one choice lost is found, and a choice for one number may lack the number', () => {
  const check = (text: string, target: string, tag = 'pl') =>
    checkTranslation(
      {
        source: { parts: [text], syntax: 'laravel' },
        target: [target],
        language: language(tag),
      },
      checks,
    )
      .filter(({ severity }) => severity === 'hold')
      .map(({ message }) => message);
  const apples = ':count apple of :name|:count apples of :name';
  expect(check(apples, 'jedno :name|:count :name|:count :name')).toEqual([]);
  expect(check(apples, 'jedno :name|:count :name|:count')).toEqual([':name is missing']);
  expect(check(apples, 'jedno :name|:name|:count :name')).toEqual([':count is missing']);
  expect(check(apples, 'одно :name|:count :name|:count :name', 'ru')).toEqual([
    ':count is missing',
  ]);
  expect(check(apples, ':count :name', 'ja')).toEqual([]);
  const ranges = '{0} None of :name|[1,19] :count of :name|[20,*] Many of :name';
  expect(check(ranges, '{0} Nic :name|[1,19] :count :name|[20,*] Dużo :name')).toEqual([]);
  expect(check(ranges, '{0} Nic :name|[1,19] Kilka :name|[20,*] Dużo')).toEqual([
    ':count is missing',
    ':name is missing',
  ]);
});
