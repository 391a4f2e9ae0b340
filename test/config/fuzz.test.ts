import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { parseConfig } from '../../src/config/parse.ts';

function parse(text: string) {
  return parseConfig(text, { file: '/repo/dragoman.yaml', env: {} });
}

/** Returns a config, or at least one fault with a line of the text. */
function expectAnswer(text: string): void {
  const parsed = parse(text);
  if (parsed.faults === undefined) {
    expect(parsed.config.projects.length).toBeGreaterThan(0);
    return;
  }
  expect(parsed.faults.length).toBeGreaterThan(0);
  const lines = text.split(/\r\n|\r|\n/).length;
  for (const fault of parsed.faults) {
    expect(fault.line).toBeGreaterThanOrEqual(1);
    expect(fault.line).toBeLessThanOrEqual(lines);
    expect(fault.column).toBeGreaterThanOrEqual(1);
    expect(fault.message).not.toBe('');
  }
}

const fragment = fc.constantFrom(
  ...[
    'version: 1',
    'projects:',
    '  a:',
    '    source: en',
    '    targets: [de',
    ', fr]',
    '    routes:',
  ],
  ...[
    '- { from: "{locale}/*.json" }',
    '&x',
    '*x',
    '<<: *x',
    '? ',
    '|\n',
    '>-\n',
    '!!map ',
    '!tag ',
  ],
  ...[
    `\${X}`,
    '---',
    '...',
    '%YAML 1.1',
    '"',
    "'",
    '\t',
    '\n',
    '# c',
    '{',
    '}',
    '[',
    ']',
    ': ',
    ', ',
  ],
  ...[
    '__proto__: 1',
    'constructor: {}',
    'toString: 1',
    '\u0000',
    '\ufeff',
    '😀',
    '1e999',
    '.nan',
    '~',
  ],
);

test('any text gives a config or located faults', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), expectAnswer), { numRuns: 300 });
});

test('any heap of pieces of YAML gives a config or located faults', () => {
  const heap = fc
    .array(fc.tuple(fragment, fc.constantFrom('', ' ', '\n', '\n  ', '\n    ')), { maxLength: 30 })
    .map((parts) => parts.flat().join(''));
  fc.assert(fc.property(heap, expectAnswer), { numRuns: 300 });
});

const SOUND = {
  version: 1,
  service: { url: 'http://127.0.0.1', key: { env: 'KEY' }, rate: { per_second: 2 }, headers: {} },
  budget: { month: 5, on_exceed: 'hold' },
  page: { listen: '127.0.0.1:0' },
  on: { held: [{ run: 'x' }] },
  projects: {
    a: {
      source: 'en',
      targets: ['de', 'pt-BR'],
      locales: { de: { file: 'german' } },
      glossary: { name: 'a', csv: 'a.csv' },
      style: { de: 'style.yaml' },
      routes: [
        { from: '{locale}/**/*.json', exclude: ['x'], keys: { max_length: { a: 1 } } },
        { from: 'in/**/*.md', to: 'out/{locale}/{dir}/{name}.{ext}', subtitles: { cps: 3 } },
      ],
    },
  },
};

test('a sound config with one value replaced by anything gives a config or located faults', () => {
  expect(parse(stringify(SOUND)).faults).toBeUndefined();
  const places = [...placesOf(SOUND)];
  const values = fc.oneof(
    fc.anything({
      values: [fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.double()],
    }),
    fc.constantFrom(
      '{locale',
      '{dir}',
      '**',
      '../x',
      '[',
      '{a,b}',
      '{}',
      `\${X}`,
      '\\',
      '/',
      'zh-Hans',
    ),
  );
  fc.assert(
    fc.property(fc.constantFrom(...places), values, (place, value) => {
      const data = structuredClone(SOUND);
      replaceAt(data, { place, value });
      expectAnswer(stringify(data));
    }),
    { numRuns: 500 },
  );
});

function* placesOf(value: unknown, here: readonly string[] = []): Generator<readonly string[]> {
  if (here.length > 0) yield here;
  if (value === null || typeof value !== 'object') return;
  for (const [name, inner] of Object.entries(value)) yield* placesOf(inner, [...here, name]);
}

function replaceAt(
  data: unknown,
  { place, value }: { place: readonly string[]; value: unknown },
): void {
  const holder = place.slice(0, -1).reduce<unknown>((at, name) => (at as never)[name], data);
  (holder as Record<string, unknown>)[place.at(-1) ?? ''] = value;
}
