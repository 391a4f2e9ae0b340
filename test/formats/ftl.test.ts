import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ftl } from '../../src/formats/ftl.ts';
import { compose } from '../../src/formats/text/compose.ts';
import type { SegmentPlacement } from '../../src/formats/text/composition.ts';
import { openFile } from '../../src/formats/text/open.ts';
import { splice } from '../../src/formats/text/splice.ts';
import { parseLanguage } from '../../src/language.ts';
import { describeFormat } from '../contracts/format.ts';
import { TextJobs } from '../text-jobs.ts';

const regular = `### Of the file

-brand = Product
hello = Hello { $name }!
    .title = A title
    .label = Label text
multi =
    First line
    second line
plain = Just text
`;

const choices = `# How many
items = You have { $count ->
    [0] no items
    [one] { $count } item
   *[other] { $count } items
} here.
quoted = { "[" } a { "{" } b { "}" }
who = { $gender ->
    [male] his
   *[other] their
}
nested = { $gender ->
    [male] { $n ->
        [one] one of his
       *[other] { $n } of his
    }
   *[other] theirs
}
junk here
`;

const value = fc
  .string({ unit: 'grapheme-ascii', maxLength: 20 })
  .map((text) => `x${text.replace(/[{}\r\n\0]/g, '')}y`);

const choice = (inner: (text: string) => string) => (text: string) =>
  `{ $n ->\n        [one] ${inner(text)}\n       *[other] ${inner(`${text} more`)}\n    }`;
const pattern = fc
  .tuple(
    value,
    fc.constantFrom<(text: string) => string>(
      (text) => text,
      (text) => `\n    ${text}\n    { $b } z`,
      choice((text) => text),
      (text) => `before ${choice((inner) => inner)(text)} behind`,
      (text) => `${choice((inner) => inner)(text)} ${choice((inner) => inner)(text)}`,
      (text) => `${choice((inner) => inner)(text)}\n\n    ${choice((inner) => inner)(text)} end`,
      choice(choice((text) => text)),
      choice((text) => `a ${choice((inner) => inner)(text)} b`),
    ),
  )
  .map(([text, shape]) => shape(text));
const message = fc
  .tuple(
    fc.constantFrom('', '-'),
    pattern,
    fc.array(pattern, { maxLength: 2 }),
    fc.constantFrom('', '# Remark\n'),
  )
  .map(
    ([mark, text, attributes, remark]) =>
      (index: number) =>
        `${remark}${mark}key${index} = ${text}\n${attributes.map((own, nth) => `    .a${nth} = ${own}\n`).join('')}`,
  );

describeFormat({
  format: ftl,
  file: 'app.ftl',
  fixtures: { regular },
  irregular: { choices, 'with CRLF': `\uFEFF${choices.replaceAll('\n', '\r\n')}` },
  generated: fc
    .array(message, { maxLength: 5 })
    .map((messages) => messages.map((write, index) => write(index)).join('')),
  reordered: ['a = x text\nb = y\n    .c = z\n', 'b = y\n    .c = z\na = x text\n'],
  corpus: { folder: 'ftl' },
});

const [en, pl] = [parseLanguage('en'), parseLanguage('pl')];
const common = { file: 'app.ftl', sourceLanguage: en } as const;
const options = { ...common, language: pl, role: 'target' } as const;

function write(parts: string[]): SegmentPlacement {
  return { kind: 'write', parts };
}

it('content that is not Fluent is kept and reported', () => {
  const { doc } = openFile(Buffer.from(choices), ftl, { ...common, language: en, role: 'source' });
  expect(doc.warnings).toEqual([{ line: 19, message: 'no Fluent; left as it is', isDamage: true }]);
  expect(doc.segments.map(({ id }) => id)).toEqual([
    'items~0',
    'items[0]',
    'items[one]',
    'items[other]',
    'items~1',
    'quoted',
    'who[male]',
    'who[other]',
    'nested[male][one]',
    'nested[male][other]',
    'nested[other]',
  ]);
});

it('plural variants of the target language are added beside their siblings', () => {
  const source = openFile(
    Buffer.from('n = { $c ->\n    [one] one thing\n   *[other] things\n}\n'),
    ftl,
    { ...common, language: en, role: 'source' },
  );
  const placements = new Map(
    ['one', 'few', 'many', 'other'].map((form) => [`n[${form}]`, write([form.toUpperCase()])]),
  );
  const { text } = compose({ format: ftl, options, source, placements });
  expect(text).toBe(
    'n = { $c ->\n    [one] ONE\n    [few] FEW\n    [many] MANY\n   *[other] OTHER\n}\n',
  );
});

it('new messages come with their comments, new attributes go to their message', () => {
  const source = openFile(Buffer.from(`${regular}\n# For the end\nlast = The end\n`), ftl, {
    ...common,
    language: en,
    role: 'source',
  });
  const target = openFile(
    Buffer.from('hello = Cześć { $name }!\n    .title = Tytuł\nown = Własne\n'),
    ftl,
    options,
  );
  const placements = new Map([
    ['hello.label', write(['Etykieta'])],
    ['multi', write(['Raz\n[dwa'])],
    ['last', write(['Koniec {x}'])],
  ]);
  const { text } = compose({ format: ftl, options, source, target, placements });
  expect(text).toBe(`hello = Cześć { $name }!
    .title = Tytuł
    .label = Etykieta
multi =
    Raz
    { "[" }dwa
# For the end
last = Koniec { "{" }x{ "}" }
own = Własne
`);
});

it('any messages are removed together, also the first ones', () => {
  const texts = ['\na = A\n\nb = B\n# Of c\nc = C\nc = Never read\n\n\nd = D\n'];
  for (const text of texts) {
    const { doc } = openFile(Buffer.from(text), ftl, options);
    for (let chosen = 0; chosen < 16; chosen++) {
      const ids = new Set(['a', 'b', 'c', 'd'].filter((_, at) => chosen & (1 << at)));
      const after = splice(text, doc.remove?.(ids) ?? []);
      const left = openFile(Buffer.from(after), ftl, options).doc.segments.map(({ id }) => id);
      expect(left).toEqual(doc.segments.map(({ id }) => id).filter((id) => !ids.has(id)));
    }
  }
});

it('attributes of terms are for selectors and are not translated', () => {
  const text = '-brand = Product\n    .gender = masculine\nabout = About\n    .title = Title\n';
  const { doc } = openFile(Buffer.from(text), ftl, { ...common, language: en, role: 'source' });
  expect(doc.segments.map(({ id, state }) => [id, state])).toEqual([
    ['-brand', undefined],
    ['-brand.gender', 'do-not-translate'],
    ['about', undefined],
    ['about.title', undefined],
  ]);
});

describe('a message that a person wrote in a shape of its own', () => {
  const plural = 'n = { $c ->\n    [one] One file\n   *[other] { $c } files\n}\n';
  const run = async (source: string, target: string, language = 'pl') => {
    const jobs = await TextJobs.of('{ from: "{locale}.ftl" }', {
      'en.ftl': source,
      [`${language}.ftl`]: target,
    });
    const ran = await jobs.run('en.ftl', language);
    return { jobs, ran, text: await jobs.read(`${language}.ftl`) };
  };

  it.each([
    [
      'a default for many',
      plural,
      'n = { $c ->\n    [one] plik\n    [few] pliki\n   *[many] plików\n}\n',
    ],
    ['no forms but one and other', plural, 'n = { $c ->\n    [one] plik\n   *[other] plików\n}\n'],
    ['a default alone', plural, 'n = { $c ->\n   *[other] plików\n}\n'],
    ['one text for a choice', plural, 'n = Pliki: { $c }\n'],
    [
      'a choice for one text',
      'n = Files: { $c }\n',
      'n = { $c ->\n    [one] plik\n   *[other] plików\n}\n',
    ],
    [
      'no variant of a system',
      'n = { PLATFORM() ->\n    [macos] Prefs\n   *[other] Options\n}\n',
      'n = { PLATFORM() ->\n   *[other] Opcje\n}\n',
    ],
    [
      'one text for a choice in a sentence',
      'n = You have { $c ->\n    [one] a file\n   *[other] files\n} here\n',
      'n = Pliki: { $c }\n',
    ],
  ])('keeps every byte, and nothing is bought: %s', async (_, source, target) => {
    const { jobs, ran, text } = await run(source, target);
    expect(ran).toMatchObject({ bought: [], state: { kind: 'done' } });
    expect(text).toBe(target);
    expect(await jobs.run('en.ftl', 'pl')).toMatchObject({ bought: [], isWritten: false });
  });

  it('gets the shape of its source when that says something else', async () => {
    const { jobs } = await run(plural, 'n = Pliki: { $c }\n');
    await jobs.write('en.ftl', plural.replace('{ $c } files', '{ $c } pages'));
    expect(await jobs.run('en.ftl', 'pl')).toMatchObject({ state: { kind: 'done' } });
    const text = await jobs.read('pl.ftl');
    expect(text.match(/\[\w+\] .*/g)).toEqual([
      '[one] Oneä fileä',
      '[few] { $c } pagesä',
      '[many] { $c } pagesä',
      '[other] { $c } pagesä',
    ]);
    expect(await jobs.run('en.ftl', 'pl')).toMatchObject({ bought: [], isWritten: false });
  });

  it('and stays as it is where a person edited it', async () => {
    const { jobs } = await run(plural, 'n = Pliki: { $c }\n');
    await jobs.write('pl.ftl', 'n = Moje pliki: { $c }\n');
    await jobs.write('en.ftl', plural.replace('{ $c } files', '{ $c } pages'));
    expect(await jobs.run('en.ftl', 'pl')).toMatchObject({ state: { hold: { kind: 'conflict' } } });
    expect(await jobs.read('pl.ftl')).toBe('n = Moje pliki: { $c }\n');
  });

  it('a message of ours follows the shape of its source', async () => {
    const { jobs } = await run('a = Before\nn = Files\nb = Behind\n', 'a = Przed\n');
    await jobs.write('en.ftl', `a = Before\n${plural}b = Behind\n`);
    expect(await jobs.run('en.ftl', 'pl')).toMatchObject({ state: { kind: 'done' } });
    const text = await jobs.read('pl.ftl');
    expect(text.match(/\[\w+\]/g)).toEqual(['[one]', '[few]', '[many]', '[other]']);
    await jobs.write('en.ftl', `a = Before\n${plural.replace('[one]', '[0] No file\n    [one]')}`);
    expect(await jobs.run('en.ftl', 'pl')).toMatchObject({ bought: ['No file'] });
    expect(await jobs.read('pl.ftl')).toContain('[0] Noä fileä');
  });

  const attribute = (more: string) =>
    `n =\n    .label = { $c ->\n        [one] One file\n       *[other] { $c } ${more}\n    }\n    .title = Title\n`;

  it('an attribute in another shape is replaced as a whole when its source changes', async () => {
    const { jobs } = await run(attribute('files'), 'n =\n    .label = Pliki\n    .title = Tytuł\n');
    const source = attribute('pages').replace('= Title', '= New title');
    await jobs.write('en.ftl', source);
    expect(await jobs.run('en.ftl', 'pl')).toMatchObject({ state: { kind: 'done' } });
    expect(await jobs.read('pl.ftl')).toBe(
      'n =\n    .label = { $c ->\n        [one] Oneä fileä\n        [few] { $c } pagesä\n        [many] { $c } pagesä\n       *[other] { $c } pagesä\n    }\n    .title = Newä titleä\n',
    );
    await jobs.write('en.ftl', 'n =\n    .label = Label\n    .title = New title\n');
    expect(await jobs.run('en.ftl', 'pl')).toMatchObject({ bought: ['Label'] });
    expect(await jobs.read('pl.ftl')).toBe('n =\n    .label = Labelä\n    .title = Newä titleä\n');
    expect(await jobs.run('en.ftl', 'pl')).toMatchObject({ bought: [], isWritten: false });
  });

  it('the value of a message with attributes follows the shape of its source', async () => {
    const source = 'n = Files\n    .title = Title\n';
    const { jobs } = await run(source, 'n = Pliki\n    .title = Tytuł\n');
    await jobs.write('en.ftl', `${plural}    .title = Title\n`);
    expect(await jobs.run('en.ftl', 'pl')).toMatchObject({ state: { kind: 'done' } });
    expect(await jobs.read('pl.ftl')).toBe(
      'n = { $c ->\n    [one] Oneä fileä\n    [few] { $c } filesä\n    [many] { $c } filesä\n   *[other] { $c } filesä\n}\n    .title = Tytuł\n',
    );
    await jobs.write('en.ftl', source);
    expect(await jobs.run('en.ftl', 'pl')).toMatchObject({ state: { kind: 'done' } });
    expect(await jobs.read('pl.ftl')).toBe('n = Filesä\n    .title = Tytuł\n');
  });

  it('one text for a sentence around a choice is stale when the sentence changes', async () => {
    const sentence = (verb: string) =>
      `n = You ${verb} { $c ->\n    [one] a file\n   *[other] { $c } files\n} here\n`;
    const { jobs } = await run(sentence('have'), 'n = Pliki: { $c }\n');
    await jobs.write('en.ftl', sentence('own'));
    expect(await jobs.run('en.ftl', 'pl')).toMatchObject({ state: { kind: 'done' } });
    expect(await jobs.read('pl.ftl')).toContain('Youä ownä { $c ->\n    [one] aä fileä');
    expect(await jobs.run('en.ftl', 'pl')).toMatchObject({ bought: [], isWritten: false });

    const edited = await run(sentence('have'), 'n = Pliki: { $c }\n');
    await edited.jobs.write('pl.ftl', 'n = Moje pliki: { $c }\n');
    await edited.jobs.write('en.ftl', sentence('own'));
    const ran = await edited.jobs.run('en.ftl', 'pl');
    expect(ran).toMatchObject({
      bought: ['You own { $c } files here'],
      state: { hold: { kind: 'conflict' } },
    });
    expect(await edited.jobs.read('pl.ftl')).toBe('n = Moje pliki: { $c }\n');
  });

  it('no variant is made that no number reaches', async () => {
    const exact = 'n = { $c ->\n    [1] One file\n   *[other] { $c } files\n}\n';
    expect((await run(exact, '', 'de')).text).not.toContain('[one]');
    expect((await run(exact, '', 'pl')).text).toContain('[few]');
  });

  it('gets a value beside its attributes', async () => {
    const { text } = await run('n = Value\n    .title = Title\n', 'n =\n    .title = Tytuł\n');
    expect(text).toBe('n = Valueä\n    .title = Tytuł\n');
  });
});

describe('{ "" }, the empty value of Fluent', () => {
  const EN =
    'a = One\nb = Two\n    .title = Three\nc = { $n ->\n    [one] Four\n   *[other] Five\n}\n';
  const DE =
    'a = {""}\nb = Zwei\n    .title = { "" }\nc = { $n ->\n    [one] { "" }\n   *[other] Fünf\n}\n';

  it('stays where a person wrote it, and follows its source as other texts do', async () => {
    const jobs = await TextJobs.of('{ from: "{locale}.ftl" }', { 'en.ftl': EN, 'de.ftl': DE });
    for (const _ of [1, 2]) {
      expect(await jobs.run('en.ftl')).toMatchObject({
        bought: [],
        isWritten: false,
        state: { kind: 'done' },
      });
    }
    await jobs.write('en.ftl', EN.replace('Two', 'Six'));
    expect((await jobs.run('en.ftl')).bought).toEqual(['Six']);
    expect(await jobs.read('de.ftl')).toBe(DE.replace('Zwei', 'Sixä'));
  });

  it('is a decision where a person empties a text so, and is copied where the source has it', async () => {
    const jobs = await TextJobs.of('{ from: "{locale}.ftl" }', {
      'en.ftl': 'a = One\nb = { "" }\n',
    });
    await jobs.run('en.ftl');
    expect(await jobs.read('de.ftl')).toBe('a = Oneä\nb = { "" }\n');
    await jobs.write('de.ftl', 'a = { "" }\nb = { "" }\n');
    for (const _ of [1, 2]) {
      expect(await jobs.run('en.ftl')).toMatchObject({ bought: [], isWritten: false });
    }
  });
});

describe('a plural message in a language with one form', () => {
  const source = (other: string) =>
    `hello = Hello there\nnotes =\n    { $count ->\n        [one] { $count } note removed\n       *[other] { $count } ${other}\n    }\n`;
  const jobsWith = async (target: string) =>
    await TextJobs.of(
      '{ from: "l/{locale}.ftl" }',
      { 'l/en.ftl': source('notes removed'), 'l/ja.ftl': target },
      'ja',
    );
  const notes = /^notes =\n {4}\{ \$count ->\n {7}\*\[other\] \{ \$count \}.*\n {4}\}\n/m;

  it('is written with this form alone, where the target lacks it', async () => {
    const jobs = await jobsWith('hello = やあ\n');
    expect(await jobs.run('l/en.ftl', 'ja')).toMatchObject({ state: { kind: 'done' } });
    expect(await jobs.read('l/ja.ftl')).toMatch(notes);
    expect(await jobs.read('l/ja.ftl')).not.toContain('[one]');
  });

  it('takes the place of a person’s plain text when its source changes', async () => {
    const plain = 'hello = やあ\nnotes = { $count } 個の注釈が削除されました\n';
    const jobs = await jobsWith(plain);
    await jobs.run('l/en.ftl', 'ja');
    expect(await jobs.read('l/ja.ftl')).toBe(plain);
    await jobs.write('l/en.ftl', source('notes are gone'));
    expect(await jobs.run('l/en.ftl', 'ja')).toMatchObject({ state: { kind: 'done' } });
    expect(await jobs.read('l/ja.ftl')).toMatch(notes);
  });
});
