/** ICU messages are split into sentences and put together for another language. */
import { type MessageFormatElement, TYPE } from '@formatjs/icu-messageformat-parser';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DEFAULT_POLICIES } from '../../../src/config/policies.ts';
import { type Part, partsText } from '../../../src/format.ts';
import type { LanguageTag } from '../../../src/language.ts';
import { checkTranslation } from '../../../src/segments/inline/check.ts';
import { splitIcu } from '../../../src/segments/inline/icu.ts';
import { argumentsOf, escapeIcu, isIcu, parseIcu } from '../../../src/segments/inline/icu-text.ts';
import { protect, worthSending } from '../../../src/segments/inline/protect.ts';
import { restore } from '../../../src/segments/inline/restore.ts';
import type { SendForm } from '../../../src/segments/inline/send-form.ts';
import { sentencesFor } from '../../../src/segments/sentences.ts';

const tag = (code: string) => code as LanguageTag;
const split = (text: string, language: string) =>
  splitIcu({ parts: [text], syntax: 'icu' }, tag(language));
const sentences = (text: string, language: string) =>
  split(text, language)?.texts.map(({ parts }) => partsText(parts));
const attempt = (over: Partial<SendForm> = {}): SendForm => ({
  form: 'plain',
  version: 'v2',
  alone: false,
  ...over,
});

/** Sends every sentence and lets `answer` translate what went out. */
function translate(text: string, language: string, answer: (sent: string) => string): string {
  const message = split(text, language);
  const translations = message?.texts.map((source): readonly Part[] => {
    const sent = protect(source, attempt({ form: 'xml' }));
    const restored = restore(answer(sent.text), sent, tag(language));
    if ('problem' in restored) throw new Error(restored.problem);
    return restored.parts;
  });
  return partsText(message?.join(translations ?? []) ?? []);
}

const FILES = 'You have {count, plural, =0 {no files} one {# file} other {# files}} in {folder}.';

test('the text around a plural goes into every branch, and branches become those of the target', () => {
  expect(sentences(FILES, 'en')).toEqual([
    'You have no files in {folder}.',
    'You have # file in {folder}.',
    'You have # files in {folder}.',
  ]);
  expect(translate(FILES, 'ja', (sent) => sent)).toBe(
    '{count, plural, =0 {You have no files in {folder}.} other {You have # files in {folder}.}}',
  );
});

test('a plural beside {{name}} comes apart all the same, and {{name}} goes into every branch', () => {
  const text = '{n, plural, =0 {Empty} one {# thing} other {# things}} in {{x}}';
  const source = { parts: [text], syntax: 'generic' } as const;
  const message = sentencesFor(source, tag('de'));
  expect(message.texts.map(({ parts }) => partsText(parts))).toEqual([
    'Empty in {{x}}',
    '# thing in {{x}}',
    '# things in {{x}}',
  ]);
  expect(translate(text, 'de', (sent) => sent.replace(' in ', ' im '))).toBe(
    '{n, plural, =0 {Empty im {{x}}} one {# thing im {{x}}} other {# things im {{x}}}}',
  );
  const branch = '{n, plural, one {{name}} other {all}}';
  expect(argumentsOf([branch])).toEqual(['{name}', '{n}']);
});

test.each([
  ['pl', ['=0', 'one', 'few', 'many', 'other']],
  ['ja', ['=0', 'other']],
  ['ar', ['=0', 'one', 'two', 'few', 'many', 'other']],
  ['he', ['=0', 'one', 'two', 'other']],
])('a message for %s has the branches %j', (language, branches) => {
  const [plural] = parseIcu(translate(FILES, language, (sent) => sent)) ?? [];
  expect(plural?.type === TYPE.plural && Object.keys(plural.options)).toEqual(branches);
});

test.each([
  ['{n, plural, =1 {one file} other {# files}}', 'de', ['=1', 'other']],
  ['{n, plural, =1 {one file} other {# files}}', 'ru', ['=1', 'one', 'few', 'many', 'other']],
  ['{n, plural, =1 {one file} other {# files}}', 'fr', ['=1', 'one', 'many', 'other']],
  [
    '{n, plural, =0 {no} =1 {one file} other {# files}}',
    'pt',
    ['=0', '=1', 'one', 'many', 'other'],
  ],
  [
    '{n, plural, offset:1 =0 {none} =1 {you} other {you and # more}}',
    'de',
    ['=0', '=1', 'one', 'other'],
  ],
  ['{n, selectordinal, =1 {first} other {#th}}', 'it', ['=1', 'many', 'other']],
])('%s for %s gets no branch that no number reaches', (text, language, branches) => {
  const [plural] = parseIcu(translate(text, language, (sent) => sent)) ?? [];
  expect(plural?.type === TYPE.plural && Object.keys(plural.options)).toEqual(branches);
});

test('a number of the category replaces # while the sentence is translated', () => {
  const message = split('{n, plural, one {# file} other {# files}}', 'pl');
  const sent = message?.texts.map((text) => protect(text, attempt()));
  expect(sent?.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
    'plain: 1 file',
    'plain: 2 files',
    'plain: 5 files',
    'plain: # files', // only fractions are `other` in Polish
  ]);
  const answers = ['1 plik', '2 pliki', '5 plików', '# pliku'];
  const restored = sent?.map((text, nth) => restore(answers[nth] ?? '', text, tag('pl')));
  const parts = restored?.map((answer) => ('parts' in answer ? answer.parts : []));
  expect(partsText(message?.join(parts ?? []) ?? [])).toBe(
    '{n, plural, one {# plik} few {# pliki} many {# plików} other {# pliku}}',
  );
});

test('a number that does not come back exactly once is refused, and then sent as a token', () => {
  const source = split('{n, plural, other {# files of {m}}}', 'ja')?.texts[0];
  if (source === undefined) throw new Error('no message');
  const first = protect(source, attempt({ form: 'xml' }));
  expect(first.text).toBe('2 files of <x id="1"/>');
  for (const answer of [
    'zwei <x id="1"/>',
    '2 oder 2 <x id="1"/>',
    '12 <x id="1"/>',
    '2,5 <x id="1"/>',
  ]) {
    expect(restore(answer, first, tag('de'))).toHaveProperty('problem');
  }
  expect(restore('<x id="1"/>: 2, ja.', first, tag('de'))).toEqual({
    parts: [{ raw: '{m}' }, ': ', expect.objectContaining({ raw: '#' }), ', ja.'],
  });
  expect(protect(source, attempt({ form: 'xml', alone: true })).text).toBe(
    '<x id="0"/> files of <x id="1"/>',
  );
});

test('a sample that could be mistaken for another number is not used', () => {
  const [text] = split('{n, plural, other {# of 2 files}}', 'ja')?.texts ?? [];
  expect(text?.parts).toEqual([{ raw: '#' }, ' of 2 files']);
});

test('a wording without a number serves one number only', () => {
  const text = '{n, plural, one {One file} other {# files}}';
  expect(sentences(text, 'de')).toEqual(['One file', '# files']);
  expect(sentences(text, 'ru')?.[0]).toBe('# files'); // one: 1, 21, 31
});

test('# of an outer plural becomes an argument inside another choice', () => {
  const text = '{n, plural, other {# {g, select, f {she} other {they}} saw}}';
  expect(translate(text, 'ja', (sent) => sent)).toBe(
    '{n, plural, other {{g, select, f {{n, number} she saw} other {{n, number} they saw}}}}',
  );
});

test('an offset stays, and one around further choices is left alone', () => {
  expect(translate('{n, plural, offset:1 other {# more}}', 'ja', (sent) => sent)).toBe(
    '{n, plural, offset:1 other {# more}}',
  );
  const nested = '{n, plural, offset:1 other {# {g, select, other {x}}}}';
  expect(split(nested, 'ja')).toBeUndefined();
});

test('ordinals get the ordinal categories of the target', () => {
  const text = '{n, selectordinal, one {#st time} two {#nd time} few {#rd time} other {#th time}}';
  expect(translate(text, 'de', (sent) => sent)).toBe('{n, selectordinal, other {#th time}}');
});

test('quoting is undone for the translator and done again where it is needed', () => {
  const text = "It''s '{literal}' and l''{name} d''oh";
  expect(sentences(text, 'fr')).toEqual(["It's {literal} and l'{name} d'oh"]);
  expect(translate(text, 'fr', (sent) => sent)).toBe("It''s '{'literal'}' and l''{name} d''oh");
});

const nested = (depth: number, choice: string) =>
  `${`{n, ${choice}, other {`.repeat(depth)}x${'}}'.repeat(depth)}`;

test('plurals in plurals, whose sentences double with each, are not split, however many there are', () => {
  for (const depth of [6, 20, 50, 5000])
    expect(split(nested(depth, 'plural'), 'de')).toBeUndefined();
});

test('what is no message because of its depth is none on every thread', () => {
  expect(split(nested(50, 'select'), 'de')?.texts).toHaveLength(1);
  expect(split(nested(51, 'select'), 'de')).toBeUndefined();
});

test('too many sentences, no message, and texts in other syntaxes are not split', () => {
  const plural = '{a, plural, one {#} other {#}}';
  expect(split(`${plural} ${plural.replace('a', 'b')} x`, 'ar')).toBeUndefined();
  expect(split('{{name}} and <b>{', 'de')).toBeUndefined();
  expect(isIcu({ parts: [FILES], syntax: 'generic' })).toBe(true);
  expect(isIcu({ parts: ['Hi {name}'], syntax: 'generic' })).toBe(false);
  expect(isIcu({ parts: ['Hi {name}'], syntax: 'printf' })).toBe(false);
});

test('branches without a letter are not sent and stay', () => {
  expect(sentences('{n, plural, =0 {-} other {# files}}', 'ja')).toEqual(['# files']);
  expect(translate('{n, plural, =0 {-} other {# files}}', 'ja', () => '2 Dateien')).toBe(
    '{n, plural, =0 {-} other {# Dateien}}',
  );
});

test('a tag with an argument in it is one piece of syntax', () => {
  const text = "See <a href=\"{url}\" title=''x''>the docs</a>, <b>{name}</b>";
  const [sentence] = split(text, 'de')?.texts ?? [];
  expect(sentence && protect(sentence, attempt({ form: 'xml' })).text).toBe(
    'See <x id="0"/>the docs<x id="1"/>, <g id="2"><x id="3"/></g>',
  );
  expect(argumentsOf([translate(text, 'de', (sent) => sent)])).toEqual(['{name}', '{url}']);
});

test('a message is worth sending when any of its texts is, not when its arguments have letters', () => {
  const worth = (text: string) => worthSending({ parts: [text], syntax: 'icu' });
  expect(worth('{count, plural, one {# file} other {# files}}')).toBe(true);
  expect(worth('{count, plural, one {#} other {# <b>{name}</b>}}')).toBe(false);
  expect(worth('{name}: {value}')).toBe(false);
});

test('a segment is bought as its sentences, and refused as a whole with any of them', () => {
  const source = { parts: ['{n, plural, one {# file} other {# files}}'], syntax: 'icu' } as const;
  const { texts, join } = sentencesFor(source, tag('de'));
  expect(texts).toHaveLength(2);
  const answers = texts.map(({ parts }) => ({ kind: 'translated' as const, parts }));
  expect(join(answers)).toEqual({ kind: 'translated', parts: [source.parts[0]] });
  const refused = { kind: 'refused', problem: 'broken' } as const;
  expect(join([answers[0] ?? refused, refused])).toBe(refused);
  expect(join(answers.slice(1))).toMatchObject({ kind: 'refused' });
  const plain = sentencesFor({ parts: ['Hi'], syntax: 'generic' }, tag('de'));
  expect(plain.texts).toEqual([{ parts: ['Hi'], syntax: 'generic' }]);
  expect(plain.join([refused])).toBe(refused);
});

// A tiny formatter, so that splitting can be proved to keep what a message says.

function format(
  elements: readonly MessageFormatElement[],
  values: Values,
  number?: number,
): string {
  return elements
    .map((element): string => {
      if (element.type === TYPE.literal) return element.value;
      if (element.type === TYPE.pound) return `${number}`;
      const value = values[element.value as keyof Values];
      if (element.type === TYPE.select) {
        return format(
          (element.options[`${value}`] ?? element.options['other'])?.value ?? [],
          values,
        );
      }
      if (element.type !== TYPE.plural) return `${value}`;
      const type = element.pluralType ?? 'cardinal';
      const category = new Intl.PluralRules('en', { type }).select(Number(value));
      const { options } = element;
      const branch = options[`=${value}`] ?? options[category] ?? options['other'];
      return format(branch?.value ?? [], values, Number(value));
    })
    .join('');
}

interface Values {
  readonly n: number;
  readonly m: number;
  readonly g: string;
}

const literal = fc
  .string({ unit: fc.constantFrom('a', 'é', ' ', "'", '{', '}', '#', '<', '😀', '|') })
  .map((text) => ({ text, written: (within: 'plural' | 'other') => escapeIcu(text, { within }) }));

const { message } = fc.letrec<{ message: (within: 'plural' | 'other') => string }>((tie) => ({
  message: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    literal.map((text) => (within: 'plural' | 'other') => text.written(within)),
    fc.tuple(tie('message'), fc.constantFrom('{g}', '{n}', '{m, number}'), tie('message')).map(
      ([a, b, c]) =>
        (within: 'plural' | 'other') =>
          `${a('other')}${b}${c(within)}`,
    ),
    fc
      .tuple(literal, fc.constantFrom('n', 'm'), tie('message'), tie('message'))
      .map(([before, name, one, other]) => (within: 'plural' | 'other') => {
        const branches = `=0 {none} one {${one('plural')} #} other {#${other('plural')}}`;
        return `${before.written(within)} {${name}, plural, ${branches}}`;
      }),
    fc.tuple(tie('message'), tie('message')).map(
      ([f, other]) =>
        () =>
          `{g, select, f {${f('other')}} other {${other('other')}}}`,
    ),
  ),
}));

test('splitting and joining keeps what a message says, whatever its values', () => {
  const values = fc.record({
    n: fc.constantFrom(0, 1, 2, 21),
    m: fc.constantFrom(0, 1, 5),
    g: fc.constantFrom('f', 'x'),
  });
  fc.assert(
    fc.property(message, values, (write, given) => {
      const text = write('other');
      const before = parseIcu(text);
      fc.pre(before !== undefined);
      const whole = split(text, 'en');
      fc.pre(whole !== undefined);
      const joined = partsText(whole.join(whole.texts.map(({ parts }) => parts)));
      // The parser of formatjs takes another quotation before `<`: the message is read as it was before.
      expect(format(parseIcu(joined) ?? [], given)).toBe(format(before, given));
      expect(argumentsOf([joined])).toEqual(argumentsOf([text]));
    }),
    { numRuns: 1000 },
  );
});

test('any text survives being written into a message and read again', () => {
  fc.assert(
    fc.property(literal, literal, ({ text }, { text: after }) => {
      const [first, , last] =
        parseIcu(
          `${escapeIcu(`x${text}`, { within: 'other' })}{n}x${escapeIcu(after, { within: 'other' })}`,
        ) ?? [];
      expect([first, last]).toMatchObject([{ value: `x${text}` }, { value: `x${after}` }]);
    }),
  );
});

test.each([
  '{n,plural,=0{none}one{# file}other{# files}}',
  '{n, plural,\n  one {# file}\n  other {# files}\n}',
  '{g, select, male {{n, plural, one{his # file} other{his # files}}} other {files}}',
])('a message keeps the layout that its author gave it: %j', (text) => {
  expect(translate(text, 'en', (sent) => sent)).toBe(text);
});

test('inline codes of the host file inside a message stay pieces of their own', () => {
  const code = { raw: '<x id="INTERPOLATION" equiv-text="{{n}}"/>' };
  const source = {
    parts: ['{N, plural, =0 {just now} other {', code, ' minutes ago}}'],
    syntax: 'icu',
  } as const;
  const message = splitIcu(source, tag('ja'));
  expect(message?.texts.map(({ parts }) => parts)).toEqual([['just now'], [code, ' minutes ago']]);
  expect(message?.join([['gerade'], ['vor ', code, ' Minuten']])).toEqual([
    '{N, plural, =0 {gerade} other {vor ',
    code,
    ' Minuten}}',
  ]);
  const check = (target: readonly Part[]) =>
    checkTranslation({ source, target, language: tag('ja') }, { ...CHECKS }).map(
      ({ message: said }) => said,
    );
  expect(check(['{N, plural, =0 {gerade} other {vor ', code, ' Minuten}}'])).toEqual([]);
  expect(check(['{N, plural, =0 {gerade} other {vor Minuten}}'])).toEqual([
    `${code.raw} is missing in the branch "other"`,
  ]);
});

const CHECKS = { ...DEFAULT_POLICIES.checks, untranslated: 'off' } as const;
