import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  apiCode,
  baseLanguage,
  inEnglish,
  type LanguageTag,
  languageName,
  languagesNamed,
  parseLanguage,
  sameLanguage,
  sourceCode,
  spellLanguage,
  targetCode,
} from '../src/language.ts';

function tag(code: string): LanguageTag {
  const parsed = parseLanguage(code);
  if (parsed === undefined) throw new Error(`${code} is no language code`);
  return parsed;
}

describe('a language code', () => {
  test.each([
    ['DE', 'de'],
    ['pt_br', 'pt-BR'],
    ['zh-hans', 'zh-Hans'],
    ['ZH_HANT_HK', 'zh-Hant-HK'],
    ['es-419', 'es-419'],
    [' fr-ca ', 'fr-CA'],
    ['iw', 'he'],
  ])('%j is read as %s', (code, expected) => {
    expect(parseLanguage(code)).toBe(expected);
  });

  test.each(['', 'e', 'german language', 'de-', '-de', 'de--CH', '12', 'de/fr', '../de'])(
    '%j is none',
    (code) => {
      expect(parseLanguage(code)).toBeUndefined();
    },
  );

  test('has a name when Unicode knows it', () => {
    expect(languageName(tag('pt-BR'))).toBe('Brazilian Portuguese');
    expect(languageName(tag('ed'))).toBeUndefined();
    expect(languageName(tag('de-XX'))).toBeUndefined();
    // Extensions (RFC 5646, 2.2.6 and 2.2.7) are not part of a language's name.
    expect(languageName(tag('de-x-formal'))).toBeUndefined();
    expect(languageName(tag('category_y_sub_sunana'))).toBeUndefined();
  });
});

describe('the API hears', () => {
  test.each([
    ['de', 'de'],
    ['de-DE', 'de'],
    ['de-AT', 'de'],
    ['de-CH', 'de-CH'],
    ['en', 'en-US'],
    ['en-GB', 'en-GB'],
    ['en-AU', 'en-GB'],
    ['pt', 'pt-BR'],
    ['pt-PT', 'pt-PT'],
    ['pt-AO', 'pt-PT'],
    ['es', 'es'],
    ['es-ES', 'es'],
    ['es-MX', 'es-419'],
    ['es-419', 'es-419'],
    ['fr-CA', 'fr-CA'],
    ['fr-BE', 'fr'],
    ['zh', 'zh'],
    ['zh-CN', 'zh-Hans'],
    ['zh-TW', 'zh-Hant'],
    ['zh-HK', 'zh-Hant'],
    ['zh-Hant-HK', 'zh-Hant'],
    ['no', 'nb'],
    ['nb-NO', 'nb'],
    ['sr-Latn', 'sr-Latn'],
    ['ja-JP', 'ja'],
  ])('the target %s as %s', (code, expected) => {
    expect(targetCode(tag(code))).toBe(expected);
  });

  test('sources without their variant', () => {
    expect(['en-US', 'zh-Hans', 'pt-BR', 'no'].map((code) => sourceCode(tag(code)))).toEqual([
      'en',
      'zh',
      'pt',
      'nb',
    ]);
  });

  test('upper case in v2 and BCP 47 casing in v3', () => {
    expect(apiCode(tag('zh-Hans'), 'v2')).toBe('ZH-HANS');
    expect(apiCode(tag('zh-Hans'), 'v3')).toBe('zh-Hans');
  });
});

describe('two tags are one language', () => {
  test.each([
    ['en', 'en-GB', true],
    ['pt-BR', 'pt-PT', true],
    ['no', 'nb', true],
    ['nb', 'nn', false],
    ['de', 'nl', false],
  ])('%s and %s: %s', (a, b, same) => {
    expect(sameLanguage(tag(a), tag(b))).toBe(same);
  });
});

describe('file names spell', () => {
  test.each([
    ['de', { locale: 'de', lang: 'de', region: '', android: 'de', apple: 'de' }],
    ['pt-BR', { lang: 'pt', region: 'BR', locale_underscore: 'pt_BR', android: 'pt-rBR' }],
    ['zh-Hans', { lang: 'zh', locale_underscore: 'zh_Hans', android: 'b+zh+Hans' }],
    ['zh-CN', { android: 'zh-rCN', apple: 'zh-Hans', locale: 'zh-CN' }],
    ['zh-TW', { android: 'zh-rTW', apple: 'zh-Hant' }],
    ['zh-HK', { android: 'zh-rHK', apple: 'zh-HK' }],
    ['es-419', { region: '419', android: 'b+es+419', apple: 'es-419' }],
    ['he', { android: 'iw', apple: 'he' }],
    ['id', { android: 'in', locale: 'id' }],
    ['no', { android: 'no', apple: 'nb' }],
    ['de-CH', { android: 'de-rCH', locale_underscore: 'de_CH' }],
  ])('%s as its platforms do', (code, expected) => {
    expect(spellLanguage(tag(code))).toMatchObject(expected);
  });

  test('the locale as the config says', () => {
    expect(spellLanguage(tag('pt-BR'), 'brazil').locale).toBe('brazil');
  });

  test('different tags differently', () => {
    const codes = fc.constantFrom(
      'de',
      'de-CH',
      'zh',
      'zh-Hans',
      'zh-Hant',
      'pt-BR',
      'pt-PT',
      'es-419',
    );
    fc.assert(
      fc.property(codes, codes, (a, b) => {
        const [left, right] = [spellLanguage(tag(a)), spellLanguage(tag(b))];
        for (const token of ['locale', 'locale_underscore', 'android'] as const) {
          expect(left[token] === right[token]).toBe(a === b);
        }
      }),
    );
  });
});

test('reading a tag again changes nothing, and its base is its own base', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 12 }), (code) => {
      const parsed = parseLanguage(code);
      if (parsed === undefined) return;
      expect(parseLanguage(parsed)).toBe(parsed);
      expect(baseLanguage(baseLanguage(parsed))).toBe(baseLanguage(parsed));
    }),
    { numRuns: 500 },
  );
  expect(baseLanguage(tag('no'))).toBe('nb');
});

test.each([
  ['de-DE', 'de', ['de']],
  ['de_DE.UTF-8', 'de', ['de']],
  ['de-AT', 'de', ['de']],
  ['de', 'de-DE', ['de-DE']],
  ['pt', 'pt-PT', ['pt-PT']],
  ['pt', 'pt-PT pt-BR', ['pt-BR']],
  ['en', 'en-GB en-AU', ['en-GB', 'en-AU']],
  ['en-NZ', 'en-GB en-AU', ['en-GB', 'en-AU']],
  ['de-DE', 'de de-AT', ['de']],
  ['zh-CN', 'zh-Hans zh-Hant', ['zh-Hans']],
  ['zh-TW', 'zh-Hans zh-Hant', ['zh-Hant']],
  ['no-NO', 'nb', ['nb']],
  ['iw-IL', 'he', ['he']],
  ['sr@latin', 'sr sr-Latn', ['sr-Latn']],
  ['es-ES', 'es', ['es']],
  // Another language, another variant to the service, or another script.
  ['fr', 'de', []],
  ['nn', 'nb', []],
  ['es-MX', 'es', []],
  ['pt-PT', 'pt-BR', []],
  ['en-GB', 'en-US', []],
  ['de-CH', 'de', []],
  ['zh', 'zh-Hant', []],
  ['sr', 'sr-Latn', []],
  ['ca-valencia', 'ca', []],
  ['de@formal', 'de', []],
  ['not a code', 'de', []],
])('%s names of %s: %j', (code, among, found) => {
  expect(languagesNamed(code, among.split(' '))).toEqual(found);
});

test('a whole number is written as Intl writes it in English', () => {
  fc.assert(
    fc.property(fc.oneof(fc.maxSafeNat(), fc.nat(20_000)), (amount) => {
      expect(inEnglish(amount)).toBe(amount.toLocaleString('en-US'));
    }),
  );
});
