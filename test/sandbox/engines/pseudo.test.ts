import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LanguageTag } from '../../../src/language.ts';
import type { EngineRecipe } from '../../../src/sandbox/engine.ts';
import { pseudo, undoPseudo } from '../../../src/sandbox/engines/pseudo.ts';

const recipe = (target: string, more: Partial<EngineRecipe> = {}): EngineRecipe => ({
  source: 'en' as LanguageTag,
  target: target as LanguageTag,
  marks: [],
  ...more,
});

test('a Latin language gets accents, more length and its code', () => {
  expect(pseudo('Save file', recipe('de'))).toBe('[de Şȧṽḗ ƒīŀḗ ~~]');
});

test('placeholders, tags, entities, ICU messages and addresses stay as they are', () => {
  const kept = [
    '{name}',
    '{{count}}',
    '#{user}',
    '%1$s',
    '%(n)d',
    '<b class="x">',
    '</b>',
    '&amp;',
    '{n, plural, one {# item} other {# items}}',
    'https://example.org/a?b=c',
    'a.b@example.org',
    '$t(common.ok)',
  ];
  for (const each of kept) {
    expect(pseudo(`word ${each} word`, recipe('fr'))).toContain(` ${each} `);
  }
});

test('a text without letters of its own comes back unchanged', () => {
  for (const text of ['', ' \n', '123', '{name}', '<br/>', 'https://example.org/x', '%d %%']) {
    expect(pseudo(text, recipe('de'))).toBe(text);
  }
});

test('white space and tags at the edges stay outside the frame', () => {
  expect(pseudo('\n<p>Hi <b>you</b></p> ', recipe('de'))).toMatch(/^\n<p>\[de .*\]<\/b><\/p> $/u);
});

test('Arabic and Hebrew are isolated from right to left', () => {
  expect(pseudo('Hi', recipe('he'))).toBe('[he \u2067Ħī\u2069 ~]');
  expect(pseudo('Hi', recipe('ar'))).toContain('\u2067');
});

test('Chinese, Japanese and Korean are full width', () => {
  for (const lang of ['ja', 'ko', 'zh-Hans']) {
    expect(pseudo('Hi', recipe(lang))).toBe(`[${lang} Ｈｉ ~]`);
  }
});

test('glossary terms are in the answer as whole words, the longest first', () => {
  const terms = new Map([
    ['account', 'Konto'],
    ['account manager', 'Betreuer'],
  ]);
  const text = 'The account manager opens an account for accountants';
  const answer = pseudo(text, recipe('de', { terms }));
  expect(answer).toContain('‹Betreuer›');
  expect(answer).toContain('‹Konto›');
  expect(answer).not.toContain('‹Konto›ȧ');
  expect(undoPseudo(answer, terms)).toBe(text);
});

test('the frame shows what was applied', () => {
  expect(pseudo('Hi', recipe('de', { marks: ['more', 'style-1a2b3c4d.2'] }))).toBe(
    '[de·more·style-1a2b3c4d.2 Ħī ~]',
  );
});

test('the content of ignored tags stays as it is', () => {
  expect(pseudo('a <x>key</x> b', recipe('de', { ignoreTags: ['x'] }))).toContain('<x>key</x>');
});

const targets = fc.constantFrom('de', 'pt-BR', 'es-419', 'ja', 'zh-Hant', 'ar', 'he', 'ko');

test('every text can be had back, whatever characters it holds', () => {
  const awkward = fc.constantFrom(
    ...['ȧ', 'Ｈ', '\u2060', '\u2067', '\u2069', '‹', '›', '[de ', ' ~~]', ' ~', ']', '[', '<b>'],
    ...['</b>', '{', '}', '{n}', '%s', '&amp;', 'https://x.org ', '\n', ' ', 'é', 'word', '<', '>'],
  );
  const text = fc
    .array(fc.oneof(awkward, fc.string({ unit: 'grapheme', maxLength: 8 })), { maxLength: 12 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, targets, (source, target) => {
      expect(undoPseudo(pseudo(source, recipe(target, { marks: ['less'] })))).toBe(source);
    }),
    { numRuns: 1500 },
  );
});

test('texts that try regular expressions hard are answered quickly', () => {
  const n = 60_000;
  const nasty = [
    'a',
    'a.',
    '%0',
    '0',
    '&a',
    '{',
    '<',
    '{a',
    '<a ',
    '&',
    '%',
    '] ',
    ' ~',
    '\u2060',
    'a@',
    '\\{{{',
    '‹',
  ];
  for (const part of nasty) {
    const text = `x%${part.repeat(n / part.length)}y`;
    expect(undoPseudo(pseudo(text, recipe('de'))) === text).toBe(true);
  }
});
