/** The faults that are found in a translation before it is written. */
import { expect, test } from 'vitest';
import { DEFAULT_POLICIES } from '../../../src/config/policies.ts';
import type { Part, PlaceholderSyntax } from '../../../src/format.ts';
import type { LanguageTag } from '../../../src/language.ts';
import type { Policies } from '../../../src/project.ts';
import {
  type CheckedTranslation,
  checkTranslation,
  findUntranslated,
  worstHold,
} from '../../../src/segments/inline/check.ts';

const GERMAN = 'de' as LanguageTag;

const CHECKS = DEFAULT_POLICIES.checks;

interface Case extends Partial<Omit<CheckedTranslation, 'source' | 'target'>> {
  readonly syntax?: PlaceholderSyntax;
  readonly checks?: Partial<Policies['checks']>;
}

function found(source: string, target: string, more: Case = {}): string[] {
  const { syntax = 'generic', checks, ...rest } = more;
  const translation = {
    ...{ source: { parts: [source], syntax }, target: [target], language: GERMAN },
    ...rest,
  };
  return checkTranslation(translation, { ...CHECKS, ...checks }).map(
    ({ check, severity, message }) => `${severity} ${check}: ${message}`,
  );
}

test.each<[string, string, PlaceholderSyntax, string[]]>([
  ['Hi {name}', 'Hallo {name}', 'generic', []],
  ['Hi {name}', 'Hallo', 'generic', ['hold placeholders: {name} is missing']],
  ['Hi', 'Hallo {name}', 'generic', ['hold placeholders: {name} is not in the source']],
  [
    '%d files',
    '%d von %d Dateien',
    'printf',
    ['hold placeholders: %d is in the text twice, and in the source once'],
  ],
  [
    '<b>a</b>',
    '<b>a</b> <b>b</b>',
    'markup',
    [
      'hold tags: <b> is in the text twice, and in the source once',
      'hold tags: </b> is in the text twice, and in the source once',
    ],
  ],
  ['%s of %s', '%2$s von %1$s', 'printf', []],
  ['%,d of %1$,.2f', '%1$,.2f von %,d', 'generic', []],
  ['%,d files', '%,ḓ Dateien', 'generic', ['hold placeholders: %d is missing']],
  ['%,d files', '%d Dateien', 'generic', []],
  ["50%,d'ici %, dix", "50%,dici %, d'ici", 'generic', []],
  ['Resolution %1x%2', 'Auflösung %1×%2', 'numbered', []],
  ['Page %1x of %2', 'Seite %1 von', 'numbered', ['hold placeholders: %2 is missing']],
  [
    '%s of %d',
    '%1$d von %2$s',
    'printf',
    expect.arrayContaining([expect.stringContaining('%1$s')]),
  ],
  ['<b>a</b> & b', '<b>a & b', 'markup', ['hold tags: </b> is missing']],
  ['a<br>b', 'a<br/>b', 'markup', expect.arrayContaining(['hold tags: <br> is missing'])],
  ['a\nb', 'a b', 'generic', []],
  ['50 of 1,000.5', '1.000,5 und 50', 'generic', []],
  ['5 files', '٥ ملفات', 'generic', []],
  ['5 files', '6 Dateien', 'generic', expect.arrayContaining(['warn numbers: 5 is missing'])],
  ['Done 🎉', 'Fertig', 'generic', ['warn emoji: 🎉 is missing']],
  ['Name: ', 'Name:', 'generic', ['warn blanks: the blank at the end is missing']],
  ['see https://x.test/en', 'siehe', 'generic', ['warn links: https://x.test/en is missing']],
])('%s as %s in %s: %j', (source, target, syntax, findings) => {
  expect(found(source, target, { syntax })).toEqual(findings);
});

test.each([
  ['Hi {name}', 'Hallo'],
  ['Hi {name}', 'Hallo {name}'],
  ['<b>a</b> 5', '<b>a'],
  ['5 files 🎉', '6 Dateien'],
  ['text', ' '],
  ['{name}', ''],
])('the worst of all findings holds %j as %j back', (source, target) => {
  const translation = {
    source: { parts: [source], syntax: 'generic' as const },
    target: [target],
    language: GERMAN,
  };
  for (const placeholders of ['hold', 'warn', 'off'] as const) {
    const checks = { ...CHECKS, placeholders };
    const [worst] = checkTranslation(translation, checks);
    const held = worst?.severity === 'hold' ? worst.message : undefined;
    expect(worstHold(translation, checks)).toBe(held);
  }
});

test('host syntax that is missing counts as a tag', () => {
  const parts: Part[] = ['Run ', { raw: '`npm ci`' }, ' now'];
  const translation = {
    source: { parts, syntax: 'markup' as const },
    target: ['Jetzt ausführen'],
    language: GERMAN,
  };
  expect(checkTranslation(translation, CHECKS)).toMatchObject([
    { check: 'tags', message: '`npm ci` is missing' },
  ]);
});

test('a link may lead elsewhere and have another title, and must be there', () => {
  const link = (text: string, close: string): Part[] => [{ raw: '[' }, text, { raw: close }];
  const check = (target: readonly Part[]) =>
    checkTranslation(
      {
        source: { parts: link('Home', '](/en/a.md "The start")'), syntax: 'markup' },
        target,
        language: GERMAN,
      },
      CHECKS,
    ).map(({ message }) => message);
  expect(check(link('Start', '](/de/a.md "Der Anfang")'))).toEqual([]);
  expect(check(link('Start', '](/de/a.md)'))).toEqual([]);
  expect(check(['Start'])).toEqual(['[ is missing', '](…) is missing']);
});

test('a tag may lead elsewhere and say what readers see in their language, and a heading may have its own anchor', () => {
  const tag = (raw: string): Part[] => [{ raw }, 'Text'];
  const check = (source: string, target: string) =>
    checkTranslation(
      {
        source: { parts: tag(source), syntax: 'markup' },
        target: tag(target),
        language: GERMAN,
      },
      CHECKS,
    ).map(({ message }) => message);
  expect(
    check('<Card title="Hi" href="/en/" x="1">', '<Card title="Salut" href="/fr/" x="1">'),
  ).toEqual([]);
  expect(check(' {#start}', ' {#debut}')).toEqual([]);
  expect(check('<Card x="1">', '<Card x="2">')).toHaveLength(2);
});

test('a value that a person gave a tag of a page is a warning, and an anchor that only the page has is nothing', () => {
  const check = (source: readonly Part[], target: readonly Part[]) => {
    const translation = {
      source: { parts: source, syntax: 'markup' },
      target,
      language: GERMAN,
    } as const;
    return {
      all: checkTranslation(translation, CHECKS).map(({ severity }) => severity),
      bought: worstHold(translation, CHECKS),
    };
  };
  const changed = check([{ raw: '<a id="one">' }, 'Text'], [{ raw: '<a id="eins">' }, 'Text']);
  expect(changed).toEqual({ all: ['warn', 'warn'], bought: '<a id="one"> is missing' });
  const lost = check([{ raw: '<a id="one">' }, 'Text'], ['Text']);
  expect(lost).toMatchObject({ all: ['hold'] });
  for (const raw of [' {#ein-text}', ' { #ein-text .wide }', ' {: #ein-text}']) {
    expect(check(['Text'], ['Text', { raw }])).toEqual({ all: [], bought: undefined });
    expect(check(['Text', { raw: ' {#text}' }], ['Text', { raw }]).all).toEqual([]);
    expect(check(['Text', { raw }], ['Text']).all).toEqual(['hold']);
  }
});

test('a word in angle brackets may be translated, but not lost; a tag may not', () => {
  const tags = (source: string, target: string, syntax: PlaceholderSyntax = 'printf') =>
    checkTranslation(
      { source: { parts: [source], syntax }, target: [target], language: GERMAN },
      CHECKS,
    )
      .filter(({ check }) => check === 'tags')
      .map(({ message }) => message);
  expect(tags('run <file> [<name> <n>]', 'starte <Datei> [<имя> <n>]')).toEqual([]);
  expect(tags('run <file name> <n>', 'starte <名前> <n>')).toEqual([]);
  expect(tags('run <file> <name>', 'starte <Datei>')).toEqual(['<name> is missing']);
  expect(tags('run <file>', 'starte <Datei> <Ziel>')).toEqual(['<Ziel> is not in the source']);
  expect(tags('a<br>b', 'a<hr>b')).toHaveLength(2);
  expect(tags('<bold>a</bold>', '<fett>a</fett>')).toHaveLength(4);
  expect(tags('<item>', '<Ding>', 'markup')).toHaveLength(2);
});

test('named characters, the quotes of Android and the attributes of xliff:g are no tags', () => {
  const g = (attributes: string) => ({ raw: `<xliff:g ${attributes}>%1$s</xliff:g>` });
  const of = (source: Part[], target: Part[]) =>
    found('', '', { source: { parts: source, syntax: 'generic' }, target } as never);
  expect(
    of(['Selective'], ['s', { raw: '&eacute;' }, 'lective', { raw: '&ccedil;&uuml;' }]),
  ).toEqual([]);
  expect(of(['A', { raw: '&copy;' }], ['A'])).toEqual(['hold tags: &copy; is missing']);
  expect(
    of(['a ', g('id="n" example="1"')], [{ raw: '"' }, 'a ', g('id="N_1"'), { raw: '"' }]),
  ).toEqual([]);
  const atEnd = { raw: '<xliff:g id="N">%1$s</xliff:g>"' };
  expect(of(['a ', g('id="n"')], [{ raw: '"' }, 'a ', atEnd])).toEqual([]);
  expect(of(['a ', g('id="n"')], ['a'])).toEqual(['hold tags: <xliff:g>%1$s</xliff:g> is missing']);
});

test('an empty translation is always held, and nothing else is said of it', () => {
  const off = { placeholders: 'off', tags: 'off', length: 'off', untranslated: 'off' } as const;
  expect(found('Hi {name}', ' ', { checks: off })).toEqual([
    'hold empty: the translation is empty',
  ]);
  expect(found('', '')).toEqual([]);
});

test('an ICU message keeps its arguments, whatever branches its language has', () => {
  const source = '{n, plural, one {<b>#</b> file} other {<b>#</b> files}}';
  const target = '{n, plural, other {<b>#</b> 個}}';
  expect(found(source, target, { syntax: 'icu' })).toEqual([]);
  expect(found(source, '{m, plural, other {<b>#</b> 個}}', { syntax: 'icu' })).toEqual([
    'hold placeholders: {n} is missing',
    'hold placeholders: {m} is not in the source',
  ]);
  expect(found(source, '{n, plural, other {<b>#</b> 個}', { syntax: 'icu' })).toEqual([
    'hold placeholders: it is no ICU message any more',
  ]);
});

test('length counts code points, and the policy decides what a long text means', () => {
  expect(found('OK', '👍👍👍', { maxLength: 3, checks: { tags: 'off' } })).not.toContainEqual(
    expect.stringContaining('characters'),
  );
  expect(found('OK', 'Alles klar', { maxLength: 5 })).toEqual([
    'warn length: 10 characters, at most 5 fit',
  ]);
  expect(found('OK', 'Alles klar', { maxLength: 5, checks: { length: 'hold' } })).toEqual([
    'hold length: 10 characters, at most 5 fit',
  ]);
  expect(found('OK', 'Alles klar', { maxLength: 5, checks: { length: 'off' } })).toEqual([]);
});

test('findings that hold a text come first', () => {
  expect(found('Hi {name} 🎉', 'Hallo')[0]).toMatch(/^hold/);
});

const equal = (text: string): CheckedTranslation => ({
  source: { parts: [text], syntax: 'generic' },
  target: [text],
  language: GERMAN,
});
const other: CheckedTranslation = {
  source: { parts: ['Yes'], syntax: 'generic' },
  target: ['Ja'],
  language: GERMAN,
};

test('a sentence that equals its source is suspicious, a name is not', () => {
  expect(findUntranslated([other, other, equal('OK'), equal('Save all of your changes')])).toEqual([
    3,
  ]);
});

test('many equal texts in one file are suspicious, however short', () => {
  expect(findUntranslated([equal('OK'), equal('Save'), equal('Open'), other])).toEqual([0, 1, 2]);
  expect(findUntranslated([equal('OK'), equal('Save'), other, other])).toEqual([]);
  expect(findUntranslated([equal('1'), equal('2'), equal('{x}')])).toEqual([]);
});
