/** A text put into JSON is read alone; what is told of the file is what reading all of it would tell. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Doc, Edit, FormatOptions } from '../../src/format.ts';
import { json, json5, jsonc } from '../../src/formats/json.ts';
import { compose } from '../../src/formats/text/compose.ts';
import { openFile } from '../../src/formats/text/open.ts';
import { splice } from '../../src/formats/text/splice.ts';
import { parseLanguage } from '../../src/language.ts';
import { plainText, trees } from './literal-arbitraries.ts';

const optionsOf = (file: string, role: FormatOptions['role'] = 'target'): FormatOptions => ({
  ...{ file, sourceLanguage: undefined, language: undefined, role },
});
const OPTIONS = optionsOf('de.json');
const TEXT = `{
  "empty": "", "a": "one \\u00e4", "n": 5, "list": ["x", {"deep": "y \\"z\\""}],
  "items_one": "{{count}} item", "items_other": "{{count}} items", "a": "again",
  "gone": null, "last": "end"
}
`;

/** All that the rest of the program asks of it. */
function told(doc: Doc) {
  return {
    ...{ warnings: doc.warnings, duplicates: doc.duplicates },
    segments: doc.segments.map(({ encode, ...segment }) => ({
      ...segment,
      raw: encode(segment.parts),
    })),
    edits: [
      doc.remove?.(new Set(doc.segments.slice(-1).map(({ id }) => id))),
      doc.localeEdits?.(parseLanguage('fr') as never) ?? [],
    ],
  };
}

const editOf = (doc: Doc, id: string, text: string): Edit => {
  const found = doc.segments.find((segment) => segment.id === id);
  if (found === undefined) throw new Error(id);
  return { start: found.start, end: found.end, text };
};

test.each([
  { said: { a: 'zwei' } },
  { said: { empty: 'nun', last: '' } },
  { said: { 'list[1].deep': 'ein \\"Wort\\" \\\\ \\n', items_one: '{{count}} Ding' } },
  { said: {} },
])('one text after the other: $said', ({ said }) => {
  const doc = json.parse(TEXT, OPTIONS);
  const edits = Object.entries(said).map(([id, words]) => editOf(doc, id, words));
  const now = splice(TEXT, edits);
  const read = doc.withTexts?.(edits, OPTIONS.file);
  const whole = json.parse(now, OPTIONS);
  expect(read && told(read)).toEqual(told(whole));
  const more = [editOf(whole, 'a', 'drei')];
  const next = read?.withTexts?.(more, OPTIONS.file);
  expect(next && told(next)).toEqual(told(json.parse(splice(now, more), OPTIONS)));
});

test.each([
  { id: 'a', text: 'open " end' },
  { id: 'a', text: 'a line\nbreak' },
  { id: 'a', text: 'a slash \\' },
  { id: 'a', text: '", "b": "c' },
  { id: 'n', text: '6' },
  { id: 'gone', text: '"there"' },
  { id: 'a', text: '{n, plural, other {#}}' },
])('all is read again for $text in $id', ({ id, text }) => {
  const doc = json.parse(TEXT, OPTIONS);
  expect(doc.withTexts?.([editOf(doc, id, text)], OPTIONS.file)).toBeUndefined();
});

test('all is read again for an edit beside texts', () => {
  const doc = json.parse(TEXT, OPTIONS);
  expect(doc.withTexts?.([{ start: 1, end: 1, text: '"b": "c",' }], OPTIONS.file)).toBeUndefined();
});

test('all is read again where one text decides how the placeholders of all others are read', () => {
  const doc = json.parse('{"a": "x", "b": ":name"}', optionsOf('lang/de.json'));
  expect(doc.withTexts?.([editOf(doc, 'b', 'y')], 'lang/de.json')).toBeUndefined();
  expect(doc.withTexts?.([editOf(doc, 'a', 'y')], 'lang/de.json')).toBeDefined();
});

test.each([jsonc, json5])(
  '$name is read again: it has comments, and strings over lines',
  (format) => {
    expect(format.parse(TEXT, OPTIONS).withTexts).toBeUndefined();
  },
);

/** Characters that may be between the quotes, and many that may not. */
const raw = fc.oneof(
  plainText.map((text) => JSON.stringify(text).slice(1, -1)),
  plainText,
  fc.string({ unit: 'binary', maxLength: 4 }),
  fc
    .array(
      fc.constantFrom('"', '\\', 'u0041', '/', '\u2028', '\ud800', '{', ',', ':', '//', '\x7f'),
      {
        maxLength: 5,
      },
    )
    .map((all) => all.join('')),
);

describe('after any edits', () => {
  const scenes = fc.record({
    tree: trees,
    indent: fc.constantFrom(0, 2),
    file: fc.constantFrom('de.json', 'lang/de.json'),
    puts: fc.array(fc.array(fc.tuple(fc.nat(), raw), { minLength: 1, maxLength: 3 }), {
      ...{ minLength: 1, maxLength: 3 },
    }),
  });

  test('the result is what a full reading of the file gives, or undefined', () => {
    fc.assert(
      fc.property(scenes, ({ tree, indent, file, puts }) => {
        let text = JSON.stringify(tree, null, indent);
        let doc = json.parse(text, optionsOf(file));
        for (const put of puts) {
          const edits = editsOf(doc, put);
          const read = doc.withTexts?.(edits, file);
          if (read === undefined) return;
          text = splice(text, edits);
          expect(told(read)).toEqual(told(json.parse(text, optionsOf(file))));
          doc = read;
        }
      }),
    );
  });

  test('a target that is composed by it equals one from a full reading', () => {
    fc.assert(
      fc.property(scenes, plainText, ({ tree, indent, file, puts }, words) => {
        const bytes = Buffer.from(JSON.stringify(tree, null, indent));
        const source = openFile(bytes, json, optionsOf(file, 'source'));
        const target = openFile(bytes, json, optionsOf(file));
        const { withTexts, ...slow } = target.doc;
        const ids = editsOf(target.doc, puts.flat()).map(({ start }) => start);
        const expected = source.doc.segments;
        const placements = new Map(
          expected
            .filter(({ start }) => ids.includes(start))
            .map(({ id }) => [id, { kind: 'write', parts: [words] }] as const),
        );
        const same = { format: json, options: optionsOf(file), source, expected, placements };
        const short = compose({ ...same, target });
        const long = compose({ ...same, target: { ...target, doc: slow } });
        expect(short.text).toBe(long.text);
        expect(told(short.file.doc)).toEqual(told(long.file.doc));
      }),
    );
  });
});

test('a new file that is composed without reading all of it equals one from a full reading', () => {
  const files = fc.constantFrom('de.json', 'lang/de.json');
  fc.assert(
    fc.property(trees, files, plainText, (tree, file, words) => {
      const bytes = Buffer.from(JSON.stringify(tree, null, 2));
      const source = openFile(bytes, json, optionsOf('en.json', 'source'));
      const { withTexts, ...slow } = source.doc;
      const expected = source.doc.segments;
      const placements = new Map(
        expected.map(({ id, parts, state }) => {
          const written = state === undefined ? [...parts, words] : parts;
          return [id, { kind: 'write', parts: written }] as const;
        }),
      );
      const same = { format: json, options: optionsOf(file), expected, placements };
      const short = compose({ ...same, source });
      const long = compose({ ...same, source: { ...source, doc: slow } });
      expect(short.text).toBe(long.text);
      expect(told(short.file.doc)).toEqual(told(long.file.doc));
    }),
  );
});

test('a new file is not parsed when only its texts are new, though numbers are copied', () => {
  const source = openFile(Buffer.from(TEXT.replace(/,\s*"gone": null/, '')), json, {
    ...optionsOf('en.json', 'source'),
  });
  let parsed = 0;
  const counting = {
    ...json,
    parse: (...given: Parameters<typeof json.parse>) => {
      parsed += 1;
      return json.parse(...given);
    },
  };
  const expected = source.doc.segments;
  const placements = new Map(
    expected.map(({ id, parts, state }) => {
      const written = state === undefined ? ['neu'] : parts;
      return [id, { kind: 'write', parts: written }] as const;
    }),
  );
  compose({ ...{ format: counting, options: OPTIONS, source }, expected, placements });
  expect(parsed).toBe(0);
});

/** Of the strings of a file, those that the numbers choose, each once. */
function editsOf({ segments }: Doc, put: readonly (readonly [number, string])[]): Edit[] {
  const strings = segments.filter(({ state }) => state === undefined);
  const chosen = new Map(
    strings.length === 0 ? [] : put.map(([n, text]) => [strings[n % strings.length], text]),
  );
  return [...chosen].flatMap(([segment, text]) =>
    segment === undefined ? [] : [{ start: segment.start, end: segment.end, text }],
  );
}
