/** The contents that a plural form of a translation must have, in every format with such forms. */
import { describe, expect, test } from 'vitest';
import { DEFAULT_POLICIES } from '../../../src/config/policies.ts';
import type { Format } from '../../../src/format.ts';
import { android } from '../../../src/formats/android.ts';
import { ftl } from '../../../src/formats/ftl.ts';
import { json } from '../../../src/formats/json.ts';
import { po } from '../../../src/formats/po.ts';
import { qt } from '../../../src/formats/qt.ts';
import { yaml } from '../../../src/formats/yaml.ts';
import { type LanguageTag, parseLanguage } from '../../../src/language.ts';
import { checkTranslation } from '../../../src/segments/inline/check.ts';
import { tokenNames } from '../../../src/segments/inline/contents.ts';
import {
  isOfOne,
  numbersIn,
  PLURAL_CATEGORIES,
  pluralCategories,
} from '../../../src/segments/inline/plurals.ts';

const CHECKS = { ...DEFAULT_POLICIES.checks, length: 'off', untranslated: 'off' } as const;
const tag = (code: string) => parseLanguage(code) as LanguageTag;

interface Pair {
  readonly format: Format;
  readonly language: string;
  readonly source: string;
  readonly target: string;
}

/** The held texts, by id. */
function held({ format, language, source, target }: Pair): Record<string, string[]> {
  const to = { file: 'x', sourceLanguage: tag('en'), language: tag(language) };
  const from = format.parse(source, { ...to, language: tag('en'), role: 'source' });
  const { segments } = format.parse(target, { ...to, role: 'target' });
  const wanted = format.expect?.(from, { language: tag(language), text: target, segments }) ?? [];
  const findings = wanted.flatMap(({ id, source: own, parts, syntax, form }) => {
    const found = segments.find((each) => each.id === id)?.parts;
    if (found === undefined) return [];
    const checked = {
      source: { parts: own ?? parts, syntax },
      target: found,
      language: tag(language),
      ...(form === undefined ? {} : { form }),
    };
    const told = checkTranslation(checked, CHECKS).filter(({ severity }) => severity === 'hold');
    return told.length === 0 ? [] : [[id, told.map(({ message }) => message)] as const];
  });
  return Object.fromEntries(findings);
}

const FORMULAS = {
  ru: 'nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);',
  de: 'nplurals=2; plural=(n != 1);',
  fr: 'nplurals=2; plural=(n > 1);',
};

function gettext(language: keyof typeof FORMULAS, forms: readonly string[]): string {
  const head = `msgid ""\nmsgstr ""\n"Plural-Forms: ${FORMULAS[language]}\\n"\n`;
  const lines = forms.map((form, index) => `msgstr[${index}] "${form}"\n`);
  return `${head}\n#, c-format\nmsgid "%d file of %s"\nmsgid_plural "%d files of %s"\n${lines.join('')}`;
}

function translatedPo(language: keyof typeof FORMULAS, forms: readonly string[]) {
  const empty = forms.map(() => '');
  const source = gettext(language, empty);
  return held({ format: po, language, source, target: gettext(language, forms) });
}

const items = (forms: Readonly<Record<string, string>>) =>
  `<resources>\n<plurals name="f">\n${Object.entries(forms)
    .map(([quantity, text]) => `<item quantity="${quantity}">${text}</item>\n`)
    .join('')}</plurals>\n</resources>\n`;

describe('the number of a plural form', () => {
  test('may be left out by a form for one number alone, and by no other form of gettext', () => {
    expect(translatedPo('de', ['eine Datei von %s', '%d Dateien von %s'])).toEqual({});
    expect(translatedPo('fr', ['un fichier de %s', '%d fichiers de %s'])).toEqual({});
    expect(Object.values(translatedPo('de', ['eine Datei von %s', 'Dateien von %s']))).toEqual([
      ['%d is missing'],
    ]);
    expect(Object.values(translatedPo('ru', ['файл %s', 'файла %s', 'файлов %s']))).toEqual([
      ['%d is missing'],
      ['%d is missing'],
      ['%d is missing'],
    ]);
  });

  test('is what may be left out, and no other placeholder', () => {
    expect(Object.values(translatedPo('de', ['%d Datei', '%d Dateien von %s']))).toEqual([
      ['%s is missing'],
    ]);
  });

  test('may be left out by Arabic zero, one and two on Android', () => {
    const source = items({ one: '%d file', other: '%d files' });
    const few = { zero: 'لا', one: 'ملف', two: 'ملفان', few: '%d', many: '%d', other: '%d' };
    expect(held({ format: android, language: 'ar', source, target: items(few) })).toEqual({});
    const none = { zero: 'ا', one: 'ا', two: 'ا', few: 'ا', many: 'ا', other: 'ا' };
    const findings = held({ format: android, language: 'ar', source, target: items(none) });
    expect(Object.keys(findings)).toHaveLength(3);
  });

  test.each([
    ['one', '{{count}} item', { f_one: 'Eine', f_other: 'Viele' }, ['f_other']],
    ['zero', 'No items', { f_zero: 'Keine', f_one: 'Eine', f_other: 'Viele' }, ['f_other']],
  ])('is looked for in i18next (%s)', (category, own, target, found) => {
    const source = {
      [`f_${category}`]: own,
      f_one: '{{count}} item',
      f_other: '{{count}} items',
    };
    const pair = { source: JSON.stringify(source), target: JSON.stringify(target) };
    expect(Object.keys(held({ format: json, language: 'de', ...pair }))).toEqual(found);
  });

  test('is looked for in Rails, Qt and Fluent', () => {
    const rails = (one: string, other: string) => `f:\n  one: "${one}"\n  other: "${other}"\n`;
    const source = rails('%{count} file', '%{count} files');
    expect(held({ format: yaml, language: 'de', source, target: rails('eine', 'viele') })).toEqual({
      'f.other': ['%{count} is missing'],
    });
    const linguist = (one: string, other: string) =>
      `<TS><context><name>a</name><message numerus="yes"><source>%n file(s)</source><translation><numerusform>${one}</numerusform><numerusform>${other}</numerusform></translation></message></context></TS>`;
    const findings = held({
      format: qt,
      language: 'de',
      source: linguist('', ''),
      target: linguist('eine', 'viele'),
    });
    expect(Object.values(findings)).toEqual([['%n is missing']]);
    const fluent = (one: string, other: string) =>
      `f = { $n ->\n    [one] ${one}\n   *[other] ${other}\n}\n`;
    const pair = { source: fluent('{ $n } file', '{ $n } files'), language: 'de' };
    expect(held({ format: ftl, ...pair, target: fluent('Eine', 'Viele') })).toEqual({
      'f[other]': ['{ $n } is missing'],
    });
  });

  test.each(['en', 'ru', 'ar', 'ja', 'lv', 'cs', 'fr', 'he', 'cy', 'sl'])(
    'in %s: a category may leave it out where the rules of the language give it one number',
    (code) => {
      for (const category of pluralCategories(tag(code))) {
        const numbers = numbersIn(category, tag(code)).join();
        expect(isOfOne(category, tag(code))).toBe(/^(?:\d+|0,1)$/.test(numbers));
      }
      for (const category of PLURAL_CATEGORIES) {
        if (numbersIn(category, tag(code)).length > 2) {
          expect(isOfOne(category, tag(code))).toBe(false);
        }
      }
    },
  );
});

test('a form may hold what another form of its source does: Russian `one` is 1, 21 and 31', () => {
  const source = JSON.stringify({ f_one: 'One item', f_other: '{{count}} items of {{box}}' });
  const target = (one: string) => JSON.stringify({ f_one: one, f_other: '{{count}} {{box}}' });
  const check = (one: string) =>
    held({ format: json, language: 'ru', source, target: target(one) });
  expect(check('{{count}} предмет')).toEqual({});
  expect(check('{{count}} предмет в {{box}}')).toEqual({});
  expect(check('{{sum}} предмет')).toEqual({ f_one: ['{{sum}} is not in the source'] });
});

test.each([
  ['%d files of %s', ['%d']],
  ['%1$s has %2$lu', ['%2$lu']],
  ['%@ has %arg files', ['%arg']],
  ['{{name}} has {{itemCount}}', ['{{itemCount}}']],
  ['%{user} has %{file_count}', ['%{file_count}']],
  ['{0} has {1} files', ['{0}', '{1}']],
  ['{box} holds {things}', ['{box}', '{things}']],
])('the number of "%s" may be %j', (text, numbers) => {
  const source = { parts: [text], syntax: 'apple' as const };
  const form = { wordings: [source.parts], isOfOne: true };
  const names = tokenNames(source, 'placeholder');
  const lacking = names.filter((name) => {
    const target = [text.replace(name, '')];
    const checked = { source, target, language: tag('de'), form };
    return checkTranslation(checked, CHECKS).every(({ severity }) => severity !== 'hold');
  });
  expect(lacking).toEqual(numbers);
});

test('the digits of a language are no other placeholder', () => {
  const said = (target: string) =>
    checkTranslation(
      {
        source: { parts: ['%d of %2$lu'], syntax: 'printf' },
        target: [target],
        language: tag('fa'),
      },
      CHECKS,
    );
  expect(said("%Id %2$'lu")).toEqual([]);
});
