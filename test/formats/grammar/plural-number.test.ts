import { expect, it } from 'vitest';
import type { Part } from '../../../src/format.ts';
import { withSample } from '../../../src/formats/grammar/plural-number.ts';
import { sameParts } from '../../../src/formats/text/parts.ts';
import { partsKey } from '../../../src/state/memories/parts.ts';

it.each<[string, readonly Part[]]>([
  ['%d files', [{ raw: '%d', sample: '5' }, ' files']],
  ['in %1$d files', ['in ', { raw: '%1$d', sample: '5' }, ' files']],
  ['%Ln file(s)', [{ raw: '%Ln', sample: '5' }, ' file(s)']],
  ['{count} of them', [{ raw: '{count}', sample: '5' }, ' of them']],
  ['%(num)d of them', [{ raw: '%(num)d', sample: '5' }, ' of them']],
])('%s takes a sample in place of its number', (text, parts) => {
  expect(withSample([text], 5)).toEqual(parts);
});

it.each(['%d of %d files', 'no number', '%s files', 'the 5 of %d', '100%discount'])(
  '%s takes none: nobody knows which number is counted',
  (text) => {
    expect(withSample([text], 5)).toEqual([text]);
  },
);

it('a sample is sent with its text, and is never written', () => {
  const [two, five] = [withSample(['%d files'], 2), withSample(['%d files'], 5)];
  expect(partsKey(two)).not.toBe(partsKey(five));
  expect(sameParts(two, ['%d files'])).toBe(true);
});
