/** Each branch of a translated ICU message holds what the matching branch of its source does. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DEFAULT_POLICIES } from '../../../src/config/policies.ts';
import { partsText } from '../../../src/format.ts';
import { type LanguageTag, parseLanguage } from '../../../src/language.ts';
import { checkTranslation } from '../../../src/segments/inline/check.ts';
import { splitIcu } from '../../../src/segments/inline/icu.ts';

const CHECKS = { ...DEFAULT_POLICIES.checks, length: 'off', untranslated: 'off' } as const;
const tag = (code: string) => parseLanguage(code) as LanguageTag;

function held(source: string, target: string, code = 'de'): string[] {
  const checked = {
    source: { parts: [source], syntax: 'icu' as const },
    target: [target],
    language: tag(code),
  };
  return checkTranslation(checked, CHECKS)
    .filter(({ severity }) => severity === 'hold')
    .map(({ message }) => message);
}

const FILES = '{n, plural, one {# file of {name}} other {# files of {name}}}';

test('a placeholder, a number or a tag that one branch lost is named with its branch', () => {
  expect(held(FILES, '{n, plural, one {# Datei von {name}} other {# Dateien von {name}}}')).toEqual(
    [],
  );
  expect(held(FILES, '{n, plural, one {# Datei von {name}} other {# Dateien}}')).toEqual([
    '{name} is missing in the branch "other"',
  ]);
  expect(held(FILES, '{n, plural, one {# Datei von {name}} other {Dateien von {name}}}')).toEqual([
    '{n} is missing in the branch "other"',
  ]);
  const bold = '{sex, select, male {<b>His</b> box} other {<b>Their</b> box}}';
  expect(held(bold, '{sex, select, male {Seine Kiste} other {<b>Ihre</b> Kiste}}')).toEqual([
    '<b> is missing in the branch "male"',
    '</b> is missing in the branch "male"',
  ]);
  expect(held('{n, plural, one {%s saw #} other {%s saw #}}', '{n, plural, other {#}}')).toEqual([
    '%s is missing',
  ]);
  expect(
    held('{n, plural, other {{{a}} saw #}}', '{n, plural, one {{{a}} sah #} other {sah #}}'),
  ).toEqual(['{{a}} is missing in the branch "other"']);
});

test('a branch for one number alone may say the number in words, and no other branch', () => {
  expect(
    held(FILES, '{n, plural, =0 {nichts von {name}} one {eine von {name}} other {# {name}}}'),
  ).toEqual([]);
  const russian = (one: string) =>
    `{n, plural, one {${one} {name}} few {# файла {name}} many {# файлов {name}} other {# файла {name}}}`;
  expect(held(FILES, russian('# файл'), 'ru')).toEqual([]);
  expect(held(FILES, russian('Файл'), 'ru')).toEqual(['{n} is missing in the branch "one"']);
  const arabic =
    '{n, plural, zero {لا {name}} one {ملف {name}} two {ملفان {name}} few {# {name}} many {# {name}} other {# {name}}}';
  expect(held(FILES, arabic, 'ar')).toEqual([]);
  expect(
    held(
      '{n, selectordinal, one {#st} other {#th}}',
      '{n, selectordinal, one {sta} other {#th}}',
      'en',
    ),
  ).toEqual(['{n} is missing in the branch "one"']);
});

test('a singular of the source without a number speaks of 1 alone, so that Russian needs the number of "other"', () => {
  const source = '{n, plural, one {One file} other {# files}}';
  expect(held(source, '{n, plural, one {Eine} other {# Dateien}}')).toEqual([]);
  expect(held(source, '{n, plural, one {# файл} other {# файла}}', 'ru')).toEqual([]);
  expect(held(source, '{n, plural, one {Файл} other {# файла}}', 'ru')).toEqual([
    '{n} is missing in the branch "one"',
  ]);
});

test('a message may have other branches, in another order, or none', () => {
  expect(held(FILES, '{name} の {n} 個', 'ja')).toEqual([]);
  expect(held(FILES, '{name} の{n, plural, other {ファイル}}', 'ja')).toEqual(['{n} is missing']);
  const source =
    '{sex, select, male {He has {n, plural, one {# file} other {# files}}} other {They have {n, plural, one {# file} other {# files}}}}';
  const turned =
    '{n, plural, one {{sex, select, male {Er hat eine} other {Sie haben {n}}}} other {{sex, select, male {Er hat} other {Sie haben {n}}}}}';
  expect(held(source, turned)).toEqual(['{n} is missing in the branch "other male"']);
  expect(
    held(
      '{n, plural, =1 {{name} came} other {{name} and # came}}',
      '{n, plural, one {{name} kam} other {{name} und # kamen}}',
    ),
  ).toEqual([]);
});

test('with an offset, # is another number than the argument', () => {
  const source = '{n, plural, offset:1 =1 {{a} came} one {{a} and # more} other {{a} and # more}}';
  expect(held(source, source)).toEqual([]);
  expect(held(source, source.replace('other {{a} and #', 'other {{a} and {n}'))).toEqual([
    '{n - 1} is missing in the branch "other"',
  ]);
});

const sentence = fc.constantFrom('# files', '{n} of {name}', '<b>#</b> {name}', 'none', '{a} %s #');
const branches = fc.record({ one: sentence, other: sentence, zero: sentence });

test('a message that is built from the source itself misses nothing in any language', () => {
  fc.assert(
    fc.property(
      branches,
      fc.constantFrom('de', 'ru', 'ar', 'ja', 'fr', 'pl', 'lv', 'cy'),
      fc.boolean(),
      ({ one, other, zero }, code, isNested) => {
        const plural = `{n, plural, =0 {${zero}} one {${one}} other {${other}}}`;
        const source = isNested
          ? `{g, select, x {${plural}} other {${other.replace('#', '')}}}`
          : plural;
        const message = splitIcu({ parts: [source], syntax: 'icu' }, tag(code));
        const target = message?.join(message.texts.map(({ parts }) => parts));
        expect(held(source, partsText(target ?? []), code)).toEqual([]);
      },
    ),
  );
});

test('very many branches are looked at as a whole', () => {
  const choice = (name: string) => `{${name}, select, a {1} b {2} c {3} other {{x}}}`;
  const source = ['p', 'q', 'r', 's', 't'].map(choice).join(' ');
  expect(held(source, source)).toEqual([]);
});

test('a select of words does not become a plural, wherever it stands', () => {
  const problem = '{g} is no number: its "select" cannot become a "plural"';
  const plural = '{g, plural, one {Er} other {Sie}}';
  expect(held('{g, select, male {He} other {They}}', plural)).toContain(problem);
  expect(
    held('{g, select, male {He} other {They}}', plural.replace('plural', 'selectordinal')),
  ).toContain(problem);
  const nested = (inner: string) => `{n, plural, one {# ${inner}} other {# ${inner}}}`;
  expect(held(nested('{g, select, male {man} other {one}}'), nested(plural))).toContain(problem);
  expect(
    held('{g, select, male {He} other {They}}', '{g, select, female {Sie} other {Er}}'),
  ).toEqual([]);
  expect(held('{n, plural, one {#} other {#}}', '{n, selectordinal, one {#} other {#}}')).toEqual(
    [],
  );
});
