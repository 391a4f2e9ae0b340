/** The notes of version 0.1.0 are read like the texts of today. */

import { expect, test } from 'vitest';
import type { SegmentRecord } from '../../src/baseline.ts';
import { asReadNow } from '../../src/segments/earlier-reading.ts';

const record = (source: string, target: string): SegmentRecord => ({
  id: source,
  source,
  target: [target],
  origin: 'machine',
  state: 'ok',
});

test('attributes and template calls beside a text are no change of it', () => {
  const records = [
    record('A lead text {: .lead}', 'Ein Text {: .lead}'),
    record('{{% notice %}} Mind this {{% /notice %}}', '{{% notice %}} Achtung {{% /notice %}}'),
    record('Same {x}', 'Gleich {x}'),
    record('Gone', 'Weg'),
  ];
  const wanted = ['A lead text', 'Mind this', 'Same {x}'].map((text) => ({ source: [text] }));
  const found = [['Ein Text'], ['Achtung'], ['Gleich {x}']];
  expect(asReadNow(records, wanted, found)).toMatchObject([
    { source: 'A lead text', target: ['Ein Text'] },
    { source: 'Mind this', target: ['Achtung'] },
    { source: 'Same {x}', target: ['Gleich {x}'] },
    { source: 'Gone', target: ['Weg'] },
  ]);
});
