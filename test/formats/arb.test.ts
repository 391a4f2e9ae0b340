import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { arb } from '../../src/formats/arb.ts';
import { compose } from '../../src/formats/text/compose.ts';
import { openFile } from '../../src/formats/text/open.ts';
import { parseLanguage } from '../../src/language.ts';
import { describeFormat } from '../contracts/format.ts';
import { plainText } from './literal-arbitraries.ts';

const app = `{
  "@@locale": "en",
  "title": "Hello {name}",
  "@title": {
    "description": "Greets the user",
    "placeholders": { "name": {} }
  },
  "items": "{count, plural, one {# item} other {# items}}",
  "done": "Done"
}
`;

const message = fc.oneof(
  plainText,
  fc.constantFrom(
    '{n, plural, =0{none} one{# file} other{# files}}',
    "{g, select, male {his} other {it''s}}",
    'Hi {name}',
  ),
);
const generated = fc
  .array(fc.tuple(fc.stringMatching(/^[a-z]\w{0,5}$/), message, fc.boolean()), { maxLength: 6 })
  .map((entries) => {
    const members = entries.flatMap(([key, text, isDescribed], index) => [
      [`${key}${index}`, text],
      ...(isDescribed ? [[`@${key}${index}`, { description: text }]] : []),
    ]);
    return JSON.stringify(Object.fromEntries([['@@locale', 'en'], ...members]), null, 2);
  });

describeFormat({
  format: arb,
  file: 'app_en.arb',
  fixtures: { plain: '{\n  "a": "One thing",\n  "b": "Two {x}",\n  "c.d": "Three"\n}\n' },
  reordered: ['{"a":"x","b":"y"}', '{"b":"y","a":"x"}'],
  malformed: [['{\n"a": "x",,\n}', 2, 10]],
  generated,
  corpus: { folder: 'arb' },
});

const [en, de] = [parseLanguage('en'), parseLanguage('pt-BR')];
const source = openFile(Buffer.from(app), arb, {
  file: 'app_en.arb',
  sourceLanguage: en,
  language: en,
  role: 'source',
});
const options = { file: 'app_pt.arb', sourceLanguage: en, language: de, role: 'target' } as const;

it('descriptions are context, attributes are no messages', () => {
  expect(source.doc.segments.map(({ id, context }) => [id, context])).toEqual([
    ['title', 'Greets the user'],
    ['items', undefined],
    ['done', undefined],
  ]);
});

it('a first write names the language of the target and leaves held messages out with their attributes', () => {
  const { text } = compose({
    format: arb,
    options,
    source,
    placements: new Map([
      ['title', { kind: 'omit' }],
      ['items', { kind: 'source' }],
      ['done', { kind: 'write', parts: ['Feito'] }],
    ]),
  });
  expect(text).toBe(`{
  "@@locale": "pt_BR",
  "items": "{count, plural, one {# item} other {# items}}",
  "done": "Feito"
}
`);
});

it('a language that is named twice is named once in the target, at its last place', () => {
  const twice = '{ "@@locale": "en", "done": "Done", "@@locale": "en" }';
  const { text } = compose({
    format: arb,
    options,
    source: openFile(Buffer.from(twice), arb, { ...options, role: 'source' }),
    placements: new Map([['done', { kind: 'write', parts: ['Feito'] }]]),
  });
  expect(text).toBe('{ "done": "Feito", "@@locale": "pt_BR" }');
});
