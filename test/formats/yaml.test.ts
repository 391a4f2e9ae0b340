import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import YAML from 'yaml';
import { compose } from '../../src/formats/text/compose.ts';
import type { SegmentPlacement } from '../../src/formats/text/composition.ts';
import { openFile } from '../../src/formats/text/open.ts';
import { yaml } from '../../src/formats/yaml.ts';
import { parseLanguage } from '../../src/language.ts';
import { describeFormat } from '../contracts/format.ts';
import { TextJobs } from '../text-jobs.ts';

const plainTexts = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom(
    'no',
    'yes',
    '12:30',
    '1_000',
    '2020-01-01',
    '- x',
    'a: b',
    'a #b',
    '{x}',
    '*a',
    '&b',
    '"q',
    "it's",
    'x\ny',
    'x\n\ny\n',
    ' lead',
    'tail ',
    '',
  ),
);
const generated = fc
  .dictionary(
    fc.oneof(
      fc.constantFrom('__proto__', 'toString', 'a.b', 'no', '', '1'),
      fc.string({ maxLength: 6 }),
    ),
    fc.oneof(
      plainTexts,
      fc.integer(),
      fc.array(plainTexts, { maxLength: 3 }),
      fc.dictionary(fc.string({ maxLength: 4 }), plainTexts, { maxKeys: 3 }),
    ),
    { maxKeys: 5 },
  )
  .chain((value) =>
    fc
      .constantFrom<YAML.ToStringOptions>(
        {},
        { defaultStringType: 'QUOTE_SINGLE' },
        { defaultStringType: 'QUOTE_DOUBLE' },
        { lineWidth: 12 },
        { collectionStyle: 'flow' },
      )
      .map((style) => YAML.stringify(value, style)),
  );

const regular = `# Site texts
en:
  hello: "Hello %{name}"
  title: Title text
  items:
    one: One item
    other: "%{count} items"
  list:
    - First thing
    - Second thing
  date:
    formats:
      default: "%Y-%m-%d"
    order: [ :year, :month ]
  flow: {a: x text, b: 'y text'}
  long: |
    Two lines
    of text
  bool: yes
  number: 5
`;

const rails = regular.replace(
  '  title:',
  '  folded: >-\n    Folded\n    text\n\n  # Shown on top\n  title:',
);

describeFormat({
  format: yaml,
  file: 'config/locales/en.yml',
  fixtures: {
    regular,
    'regular with CRLF': regular.replaceAll('\n', '\r\n'),
    'without a final line end': 'a: x text\nb: y text',
  },
  irregular: {
    rails,
    'several documents': 'a: x text\n---\na: y text\n',
    'one text': 'just text\n',
    anchors: 'base: &b text one\nother: *b\nmore: &c "text two"\n',
    'no-break spaces': 'a: x\u00a0\nb: \u3000y text\u3000\n',
    kept: 'a: |+\n  text\n\n\nb: >\n  one\n\n  two\nc: |2\n   x text\n',
  },
  generated,
  reordered: ['a: x text\nb:\n  c: y\n', 'b:\n  c: y\na: x text\n'],
  malformed: [
    ['a: x\nb: "y\n', 3, 1],
    ['a: x\n\tb: y\n', 2, undefined],
  ],
  corpus: { folder: 'yaml' },
});

const [en, pl] = [parseLanguage('en'), parseLanguage('pl')];
const common = { sourceLanguage: en, file: 'x.yml' };

it('a first write renames the Rails root and adds the plural forms of the language', () => {
  const source = openFile(
    Buffer.from('en:\n  items:\n    one: One item\n    other: Some items\n  no: "Off"\n'),
    yaml,
    { ...common, language: en, role: 'source' },
  );
  const placements = new Map<string, SegmentPlacement>(
    ['one', 'few', 'many', 'other'].map((form) => [
      `items.${form}`,
      { kind: 'write', parts: [form.toUpperCase()] },
    ]),
  );
  placements.set('no', { kind: 'write', parts: ['no'] });
  const { text } = compose({
    format: yaml,
    options: { ...common, language: pl, role: 'target' },
    source,
    placements,
  });
  expect(text).toBe(
    'pl:\n  items:\n    one: ONE\n    few: FEW\n    many: MANY\n    other: OTHER\n  no: "no"\n',
  );
});

it('new groups and texts go into an existing target in its own layout', () => {
  const source = openFile(Buffer.from(regular), yaml, { ...common, language: en, role: 'source' });
  const target = openFile(Buffer.from('pl:\n    title: Tytuł # ours\n    own: Własne\n'), yaml, {
    ...common,
    language: pl,
    role: 'target',
  });
  const placements = new Map<string, SegmentPlacement>([
    ['hello', { kind: 'write', parts: ['Cześć %{name}'] }],
    ['items.other', { kind: 'write', parts: ['rzeczy: %{count}'] }],
    ['list[0]', { kind: 'write', parts: ['Pierwsza'] }],
    ['list[1]', { kind: 'write', parts: ['- druga'] }],
    ['flow.a', { kind: 'write', parts: ['x, y'] }],
    ['number', { kind: 'omit' }],
    ['bool', { kind: 'omit' }],
    ['date.formats.default', { kind: 'omit' }],
    ['date.order[0]', { kind: 'keep' }],
    ['date.order[1]', { kind: 'keep' }],
  ]);
  const { text } = compose({
    format: yaml,
    options: { ...common, language: pl, role: 'target' },
    source,
    target,
    placements,
  });
  expect(text).toBe(`pl:
    hello: "Cześć %{name}"
    title: Tytuł # ours
    items:
        other: "rzeczy: %{count}"
    list:
        - Pierwsza
        - "- druga"
    flow:
        a: x, y
    own: Własne
`);
});

it('readers of YAML 1.1 and 1.2 read the very texts that were written', () => {
  expect.hasAssertions();
  const source = openFile(Buffer.from('a: x text\nb: "y text"\nc: [z text]\n'), yaml, {
    ...common,
    language: en,
    role: 'source',
  });
  fc.assert(
    fc.property(plainTexts, (content) => {
      const placements = new Map(
        ['a', 'b', 'c[0]'].map((id) => [id, { kind: 'write', parts: [content] } as const]),
      );
      const { text } = compose({
        format: yaml,
        options: { ...common, language: pl, role: 'target' },
        source,
        placements,
      });
      for (const version of ['1.1', '1.2'] as const) {
        expect(YAML.parse(text, { version })).toEqual({ a: content, b: content, c: [content] });
      }
    }),
  );
});

describe('the tag "!"', () => {
  const EN = 'en:\n  a: ! \'One text\'\n  b: ! Two texts\n  c: ! "Three texts"\n';

  it('says that a value is a string: it is translated, and stays with its quotes', async () => {
    const jobs = await TextJobs.of('{ from: "{locale}.yml", lane: text }', { 'en.yml': EN });
    const { bought } = await jobs.run('en.yml');
    expect(bought).toEqual(['One text', 'Two texts', 'Three texts']);
    expect(await jobs.read('de.yml')).toBe(
      'de:\n  a: ! \'Oneä textä\'\n  b: ! Twoä textsä\n  c: ! "Threeä textsä"\n',
    );
  });

  it('belongs to a person in a target whose source has none: its texts are adopted, and replaced behind it', async () => {
    const jobs = await TextJobs.of('{ from: "{locale}.yml", lane: text }', {
      'en.yml': 'en:\n  a: "One text"\n  b: Two texts\n  c: Three\n',
      'de.yml': "de:\n  a: ! 'Ein Text'\n  b: ! 'Zwei Texte'\n  c: !\n",
    });
    expect((await jobs.run('en.yml')).bought).toEqual(['Three']);
    await jobs.write('en.yml', 'en:\n  a: "One text"\n  b: Two long texts\n  c: Three\n');
    expect((await jobs.run('en.yml')).bought).toEqual(['Two long texts']);
    expect(await jobs.read('de.yml')).toBe(
      "de:\n  a: ! 'Ein Text'\n  b: ! 'Twoä longä textsä'\n  c: ! Threeä\n",
    );
  });
});

it('a key whose text an earlier version did not see waits with its price, and goes on when it is approved', async () => {
  const EN = "en:\n  a: One text\n  b: ! 'Two texts'\n  c: ! 'Three texts'\n  d: Four\n";
  const jobs = await TextJobs.of('{ from: "{locale}.yml", lane: text }', {
    'en.yml': EN,
    // A target of 0.1.0: values with a tag were copied with the file, and a person has translated one of them since.
    'de.yml': "de:\n  a: Ein Text\n  b: ! 'Two texts'\n  c: ! 'Drei Texte'\n  d: Vier\n",
  });
  const seen = (id: string, source: string, target: string) =>
    ({ id, source, target: [target], origin: 'machine', state: 'ok' }) as const;
  await jobs.remember('en.yml', 'de', [
    seen('a', 'One text', 'Ein Text'),
    seen('d', 'Four', 'Vier'),
  ]);
  await jobs.write('en.yml', EN.replace('Four', 'Five'));
  expect(await jobs.run('en.yml')).toMatchObject({
    bought: ['Five'],
    state: { kind: 'held', hold: { kind: 'approval', texts: 1, characters: 'Two texts'.length } },
  });
  expect(await jobs.run('en.yml', 'de', { approved: true })).toMatchObject({
    bought: ['Two texts'],
    state: { kind: 'done' },
  });
  expect(await jobs.read('de.yml')).toBe(
    "de:\n  a: Ein Text\n  b: ! 'Twoä textsä'\n  c: ! 'Drei Texte'\n  d: Fiveä\n",
  );
});

it('names the line of a second document where only the first is read, or where a text cannot be added', () => {
  const source = (text: string) =>
    openFile(Buffer.from(text), yaml, { ...common, language: en, role: 'source' });
  expect(() => source('en:\n  a: Hello\n---\nen:\n  b: World\n')).toThrow(
    'x.yml:4:1: a second YAML document begins here: below a language, programs read only the first',
  );
  const text = 'a: Hello\n---\nb: World\n';
  const { doc } = source(text);
  const [segment] = doc.segments;
  if (segment === undefined) throw new Error('the file has a text');
  const added = { after: null, segment, sourceText: text, parts: ['Hallo'] };
  expect(() => doc.insert?.([added])).toThrow(
    'x.yml:3:1: a second YAML document begins here: a new text cannot be written there',
  );
});
