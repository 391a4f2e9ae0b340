/** No text of a file with keys keeps the others from being written, whatever a person made of it. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TextJobs } from '../text-jobs.ts';

/** The forms that an entry can have, with the words in it. */
type Shape = (key: string, words: string) => string;

interface ShapedFormat {
  readonly path: (code: string) => string;
  readonly make: (entries: readonly string[]) => string;
  readonly shapes: readonly Shape[];
}

const joined = (entries: readonly string[]) => `${entries.join('\n')}\n`;
const between = (open: string, separator: string, close: string) => (entries: readonly string[]) =>
  `${open}\n${entries.join(separator)}\n${close}\n`;

const values = ({
  pair,
  list,
  group,
}: Record<'pair' | 'list' | 'group', (a: string, b: string) => string>): Shape[] => [
  (key, words) => pair(key, `"${words}"`),
  (key) => pair(key, 'null'),
  (key) => pair(key, '5'),
  (key, words) => pair(key, group(pair('one', `"${words} one"`), pair('other', `"${words} more"`))),
  (key, words) =>
    pair(
      key,
      group(pair('x', `"${words} x"`), pair('y', group(pair('z', `"${words} z"`), pair('w', '1')))),
    ),
  (key, words) => pair(key, list(`"${words} first"`, `"${words} second"`)),
  (key, words) =>
    pair(key, list(group(pair('x', `"${words} x"`), pair('y', '2')), `"${words} last"`)),
  (key, words) =>
    `${pair(`${key}_one`, `"${words} one"`)},\n${pair(`${key}_other`, `"${words} more"`)}`,
];

const json = values({
  pair: (key, value) => `"${key}": ${value}`,
  list: (a, b) => `[${a}, ${b}]`,
  group: (a, b) => `{ ${a}, ${b} }`,
});
const FORMATS: Readonly<Record<string, ShapedFormat>> = {
  json: { path: (code) => `${code}.json`, make: between('{', ',\n', '}'), shapes: json },
  yaml: { path: (code) => `${code}.yaml`, make: between('{', ',\n', '}'), shapes: json },
  js: {
    path: (code) => `${code}.js`,
    make: between('export default {', ',\n', '};'),
    shapes: json,
  },
  php: {
    path: (code) => `${code}.php`,
    make: between('<?php\nreturn [', ',\n', '];'),
    shapes: values({
      pair: (key, value) => `'${key}' => ${value}`,
      list: (a, b) => `[${a}, ${b}]`,
      group: (a, b) => `[${a}, ${b}]`,
    }),
  },
  'yaml in lines': {
    path: (code) => `${code}.yml`,
    make: joined,
    shapes: [
      (key, words) => `${key}: ${words}`,
      (key) => `${key}:`,
      (key, words) => `${key}: |\n  ${words}\n  below`,
      (key, words) => `${key}:\n  one: ${words} one\n  other: ${words} more`,
      (key, words) => `${key}:\n  x: ${words} x\n  y:\n    z: ${words} z`,
      (key, words) => `${key}:\n  - ${words} first\n  - ${words} second`,
      (key, words) => `${key}:\n  - x: ${words} x\n    y: ${words} y\n  - ${words} last`,
      (key, words) => `${key}: &of_${key} ${words}\n${key}2: *of_${key}`,
    ],
  },
  toml: {
    path: (code) => `${code}.toml`,
    make: joined,
    shapes: [
      (key, words) => `${key} = "${words}"`,
      (key) => `${key} = 5`,
      (key, words) => `${key} = { one = "${words} one", other = "${words} more" }`,
      (key, words) => `${key}.x = "${words} x"\n${key}.y = "${words} y"`,
      (key, words) => `${key} = ["${words} first", "${words} second"]`,
      (key, words) => `${key} = """\n${words}\nbelow"""`,
    ],
  },
  android: {
    path: (code) => `values-${code}/strings.xml`,
    make: between('<resources>', '\n', '</resources>'),
    shapes: [
      (key, words) => `<string name="${key}">${words}</string>`,
      (key) => `<string name="${key}"/>`,
      (key, words) => `<string name="${key}">${words} <b>bold</b></string>`,
      (key, words) =>
        `<plurals name="${key}"><item quantity="one">${words} one</item><item quantity="other">${words} more</item></plurals>`,
      (key, words) =>
        `<string-array name="${key}"><item>${words} first</item><item>${words} second</item></string-array>`,
      (key, words) => `<item name="${key}" type="string">${words} item</item>`,
    ],
  },
  fluent: {
    path: (code) => `${code}.ftl`,
    make: joined,
    shapes: [
      (key, words) => `${key} = ${words}`,
      (key, words) => `${key} = ${words}\n    .title = ${words} title`,
      (key, words) => `${key} =\n    .title = ${words} title\n    .label = ${words} label`,
      (key, words) => `${key} = { $n ->\n    [one] ${words} one\n   *[other] ${words} more\n}`,
      (key, words) =>
        `${key} = { $case ->\n   *[nom] ${words} nom\n    [gen] ${words} gen\n}\n    .title = f`,
      (key, words) => `${key} = ${words} { $n ->\n    [one] one\n   *[other] more\n} behind`,
      (key, words) =>
        `${key} = ${words}\n    .title = { $n ->\n        [one] ${words} one\n       *[other] ${words} more\n    }`,
      (key, words) => `${key} = { $n ->\n   *[a] { $m ->\n       *[one] ${words} deep\n    }\n}`,
    ],
  },
};
const TERMS: ShapedFormat = {
  ...(FORMATS['fluent'] as ShapedFormat),
  shapes: (FORMATS['fluent']?.shapes ?? [])
    .map(
      (shape): Shape =>
        (key, words) =>
          shape(`-${key}`, words),
    )
    .filter((_, at) => at !== 2),
};

describe('a person has another shape of a text, and the source changes it', () => {
  it.each(Object.entries({ ...FORMATS, 'fluent term': TERMS }))('%s', async (_, format) => {
    const { path, make, shapes } = format;
    const route = `{ from: "${path('{locale}')}", lane: text }`;
    const shape = fc.constantFrom(...shapes);
    await fc.assert(
      fc.asyncProperty(shape, shape, shape, async (before, theirs, now) => {
        const source = (own: Shape, words: string, last: string) =>
          make([own('a', words), (shapes[0] as Shape)('z', last)]);
        const jobs = await TextJobs.of(route, {
          [path('en')]: source(before, 'Old words', 'Last'),
          [path('de')]: make([theirs('a', 'Alte Worte'), (shapes[0] as Shape)('z', 'Letztes')]),
        });
        await jobs.run(path('en'));
        await jobs.write(path('en'), source(now, 'New words', 'Changed'));
        await jobs.run(path('en'));
        expect(await jobs.read(path('de'))).toContain('Changedä');
      }),
      { numRuns: Number(process.env['LAWS_TIMES'] ?? 1) * 20 },
    );
  });
});
