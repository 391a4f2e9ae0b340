import { expect, test } from 'vitest';
import { withVanished } from '../../src/segments/lock-vanished.ts';
import {
  type Mark,
  type Statement,
  sourceHash,
  targetHash,
  unitId,
} from '../../src/segments/statements.ts';

test.each<[readonly Mark[], string]>([
  [['machine'], 'machine'],
  [['adopted'], 'adopted'],
  [['machine', 'human'], 'human'],
])('the lock says who wrote a text that left the source: %j', (marks, origin) => {
  const statements = marks.map(
    (mark): Statement => ({
      unit: unitId('app.pot', 'Save'),
      source: sourceHash('Save'),
      target: targetHash('Sichern'),
      mark,
    }),
  );
  const found = new Map([['Save', ['Sichern']]]);
  const base = withVanished(new Map(), { wanted: [], found, statements: () => statements });
  expect(base.get('Save')).toMatchObject({ origin, target: ['Sichern'] });
});
