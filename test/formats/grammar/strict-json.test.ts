/** Strict JSON is read by a small parser of ours: it must say what momoa says, or leave the text to momoa. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJsonTree } from '../../../src/formats/grammar/json-tree.ts';
import { strictJsonTree } from '../../../src/formats/grammar/strict-json.ts';
import { trees } from '../literal-arbitraries.ts';

const loosely = (text: string) => parseJsonTree(text, 'json', 'de.json');

test('each text that JSON.stringify writes is read as momoa reads it', () => {
  fc.assert(
    fc.property(trees, fc.constantFrom(undefined, 2, '\t'), (tree, indent) => {
      const text = JSON.stringify(tree, undefined, indent);
      expect(strictJsonTree(text)).toEqual(loosely(text));
    }),
  );
});

test('a damaged text is left to momoa, or is read as momoa reads it', () => {
  const letters = fc.constantFrom(
    ...'{}[]",:\\/ue0-.1tn#\n \u0001\u2028',
    '',
    '\\u00e9',
    '1e5',
    'null',
  );
  fc.assert(
    fc.property(trees, fc.nat(), letters, fc.nat(2), (tree, place, written, removed) => {
      const text = JSON.stringify(tree);
      const at = place % text.length;
      const damaged = text.slice(0, at) + written + text.slice(at + removed);
      const read = strictJsonTree(damaged);
      if (read !== undefined) expect(read).toEqual(loosely(damaged));
    }),
  );
});

test.each([
  ...['', ' ', '{', '{"a"', '{"a":}', '[1,]', '{"a":1,}', '[1] x', '"a', '"\\', '"\\u12"'],
  ...[
    '"\\x"',
    '"\t"',
    '01',
    '1.',
    '-',
    '.5',
    '+1',
    '1e',
    'nullx',
    'NaN',
    '// a\n1',
    "'a'",
    '{a:1}',
  ],
])('%j is no strict JSON', (text) => {
  expect(strictJsonTree(text)).toBeUndefined();
});

test.each(['-0', '1.5E+3', ' null\r\n', '[]', '{ }', '[[], {}]', '"\\ud800\\/"', '{"a":1,"a":2}'])(
  '%j is strict JSON',
  (text) => {
    expect(strictJsonTree(text)).toEqual(loosely(text));
  },
);

test('a text that is nested deeply is left to momoa', () => {
  expect(strictJsonTree('['.repeat(200) + ']'.repeat(200))).toBeDefined();
  expect(strictJsonTree('['.repeat(100_000) + ']'.repeat(100_000))).toBeUndefined();
});
