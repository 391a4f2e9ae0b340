import { describe, expect, it } from 'vitest';
import type { Doc, Format, FormatOptions, Segment } from '../../../src/format.ts';
import { chooseFormat } from '../../../src/formats/all.ts';
import { json } from '../../../src/formats/json.ts';
import { compose } from '../../../src/formats/text/compose.ts';
import type { SegmentPlacement } from '../../../src/formats/text/composition.ts';
import { type OpenFile, openFile } from '../../../src/formats/text/open.ts';
import { refusedSegments } from '../../../src/formats/text/verify.ts';
import { parseLanguage } from '../../../src/language.ts';

const source: FormatOptions = {
  file: 'en.json',
  sourceLanguage: parseLanguage('en'),
  language: parseLanguage('en'),
  role: 'source',
};
const options: FormatOptions = {
  ...source,
  file: 'de.json',
  language: parseLanguage('de'),
  role: 'target',
};

function open(text: string, as: FormatOptions, format: Format = json): OpenFile {
  return openFile(Buffer.from(text), format, as);
}

function write(text: string): SegmentPlacement {
  return { kind: 'write', parts: [text] };
}

interface Case {
  readonly source: string;
  readonly target?: string;
  readonly placements: Record<string, SegmentPlacement>;
  readonly removed?: string[];
}

function composed({ source: from, target, placements, removed = [] }: Case): string {
  return compose({
    format: json,
    options,
    source: open(from, source),
    ...(target === undefined ? {} : { target: open(target, options) }),
    placements: new Map(Object.entries(placements)),
    removed: new Set(removed),
  }).text;
}

describe('a first write', () => {
  it('takes the source as template and leaves out what has no text', () => {
    expect(
      composed({
        source: '{\n  "a": "One",\n  "b": "Two",\n  "n": 5,\n  "c": { "d": "Three" }\n}\n',
        placements: { a: write('Eins'), b: { kind: 'omit' }, 'c.d': { kind: 'keep' } },
      }),
    ).toBe('{\n  "a": "Eins",\n  "n": 5\n}\n');
  });

  it('keeps the places of a list by giving the source text', () => {
    expect(
      composed({
        source: '{"l": ["One", "Two"]}',
        placements: { 'l[0]': { kind: 'omit' }, 'l[1]': write('Zwei') },
      }),
    ).toBe('{"l": ["One", "Zwei"]}');
  });
});

describe('an existing target', () => {
  const english = '{\n  "a": "One",\n  "new": "New",\n  "sign": "/",\n  "b": "Two"\n}\n';

  it('keeps its order, its own keys and its layout', () => {
    expect(
      composed({
        source: english,
        target: '{\n    "own": "Eigenes",\n    "b" : "Zwei",\n    "a": "Eins"\n}',
        placements: { a: { kind: 'keep' }, new: write('Neu'), b: write('Zwo') },
      }),
    ).toBe(
      '{\n    "own": "Eigenes",\n    "b" : "Zwo",\n    "a": "Eins",\n    "new": "Neu",\n    "sign": "/"\n}',
    );
  });

  it('loses what is removed, and nothing else', () => {
    expect(
      composed({
        source: '{"b": "Two"}',
        target: '{\n  "a": "Eins",\n  "b": "Zwei",\n  "g": {\n    "c": "Drei"\n  }\n}\n',
        placements: {},
        removed: ['a', 'g.c'],
      }),
    ).toBe('{\n  "b": "Zwei"\n}\n');
  });

  it('is not rewritten where nothing changed', () => {
    const target = '{ "b" : "Zwei" , "a":"Ein\\u0073" }';
    expect(composed({ source: '{"a": "One", "b": "Two"}', target, placements: {} })).toBe(target);
  });

  it('with a text where the source has a group is refused by name', () => {
    const run = () =>
      composed({
        source: '{"a": {"b": "One"}}',
        target: '{"a": "Eins"}',
        placements: { 'a.b': write('x') },
      });
    expect(run).toThrow(/"a\.b" does not fit/);
  });
});

describe('the last check', () => {
  // Writes texts as they come, as an encoder with a fault would.
  const careless: Format = {
    ...json,
    parse: (text, parseOptions): Doc => {
      const doc = json.parse(text, parseOptions);
      const segments = doc.segments.map(
        (segment): Segment => ({ ...segment, encode: (parts) => parts.join('') }),
      );
      return { ...doc, segments };
    },
  };

  it('names the segment that would not read back, and nothing is written', () => {
    const run = () =>
      compose({
        format: careless,
        options,
        source: open('{"a": "One", "b": "Two"}', source, careless),
        placements: new Map([
          ['a', write('Eins\\tzwei')],
          ['b', write('Zwei')],
        ]),
      });
    expect(run).toThrow(/"a" would not be read as it was written/);
    try {
      run();
    } catch (error) {
      expect(refusedSegments(error)).toMatchObject([{ key: 'a', line: 1 }]);
    }
  });
});

it('the format is chosen by extension and, where that is not enough, by content', async () => {
  expect((await chooseFormat('a/b.JSON', '{}'))?.name).toBe('json');
  expect((await chooseFormat('a/b.md', ''))?.name).toBe('markdown');
  expect((await chooseFormat('a/en.ts', 'export default {};'))?.name).toBe('js');
  expect(await chooseFormat('a/b.exe', '')).toBeUndefined();
  const wide = (text: string) => Buffer.from(`\uFEFF<?xml version="1.0"?>\n${text}`, 'utf16le');
  expect((await chooseFormat('a/b.xlf', wide('<xliff version="1.2">')))?.name).toBe('xliff');
  expect((await chooseFormat('a/b.ts', wide('<TS version="2.1">').swap16()))?.name).toBe('qt');
  expect((await chooseFormat('a/b.xml', wide('<resources>').subarray(2)))?.name).toBe('android');
});

describe('a key that the source writes differently now', () => {
  const renamed = new Map([
    ['menu\\.open', 'bar\\.open'],
    ['menu\\.close', 'bar\\.close'],
    ['title@tablet', 'heading@tablet'],
    ['menu.open', 'bar.open'],
    ['menu.close', 'bar.close'],
    ['title', 'heading'],
  ]);
  const commented = {
    'x.yml':
      '# A license\ntitle: Eins # best\n# ours\nmenu:\n  close: Zu\n  # careful\n  open: "Auf"\n',
    'x.toml':
      '# A license\ntitle = "Eins" # best\n# ours\n[menu]\nclose = "Zu"\n# careful\nopen = \'Auf\'\n',
    'x.jsonc':
      '// A license\n{ // best\n  "title": "Eins", /* x */\n  // ours\n  "menu": { "close": "Zu", /* careful */ "open": "Auf" }\n}\n',
    'x.js':
      "// A license\nexport default {\n  title: `Eins`, // best\n  // ours\n  menu: {\n    close: 'Zu',\n    // careful\n    \"open\": 'Auf', },\n};\n",
    'x.ini': '; A license\ntitle = Eins\n',
    'x.xml':
      '<resources>\n  <!-- best -->\n  <string name="title" product="tablet">Eins</string>\n  <string name="menu.close">Zu</string><!-- careful -->\n  <string name="menu.open" formatted="false">Auf</string>\n</resources>\n',
    'x.properties': '# A license\ntitle : Eins\n! ours\nmenu.close Zu\n# careful\nmenu.open=Auf\n',
  };
  it.each(Object.entries(commented))('keeps its place and its comments: %s', async (file, text) => {
    const format = await chooseFormat(file, text);
    if (format === undefined) throw new TypeError(file);
    const target = open(text, { ...options, file }, format);
    const composed = compose({
      format,
      options: { ...options, file },
      source: target,
      target,
      placements: new Map(target.doc.segments.map(({ id }) => [id, { kind: 'keep' as const }])),
      removed: new Set(renamed.keys()),
      renamed,
    });
    const wanted = text.replace('title', 'heading').replace(/\bmenu\b/g, 'bar');
    expect(composed.text).toBe(wanted);
  });

  it('goes to another group as before', () => {
    const target = open('{\n  "a": { "b": "Eins" }\n}\n', options);
    const composed = compose({
      format: json,
      options,
      source: open('{ "c": { "b": "One" } }', source),
      target,
      placements: new Map([['c.d', write('Eins')]]),
      removed: new Set(['a.b']),
      renamed: new Map([['a.b', 'c.d']]),
    });
    expect(composed.text).not.toContain('"a"');
  });
});

describe('a comment that the file begins with', () => {
  it.each([
    ['x.properties', '# A license\na=Eins\n\n# ours\nb=Zwei\n', '# A license\n# ours\nb=Zwei\n'],
    ['x.toml', '# A license\na = "Eins"\n\nb = "Zwei"\n', '# A license\n\nb = "Zwei"\n'],
    ['x.ini', '; A license\na=Eins\nb=Zwei\n', '; A license\nb=Zwei\n'],
    [
      'x.strings',
      '/* A license */\n"a" = "Eins";\n\n"b" = "Zwei";\n',
      '/* A license */\n"b" = "Zwei";\n',
    ],
    ['x.yml', '# A license\na: Eins\nb: Zwei\n', '# A license\nb: Zwei\n'],
  ])('stays when the first entry goes: %s', async (file, text, wanted) => {
    const format = await chooseFormat(file, text);
    if (format === undefined) throw new TypeError(file);
    const target = open(text, { ...options, file }, format);
    const common = { format, options: { ...options, file }, source: target, target };
    const placements = new Map([['b', { kind: 'keep' } as const]]);
    expect(compose({ ...common, placements, removed: new Set(['a']) }).text).toBe(wanted);
  });
});
