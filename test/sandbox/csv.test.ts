import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCsv } from '../../src/sandbox/glossary-entries.ts';

const quote = (field: string) => `"${field.replaceAll('"', '""')}"`;
const field = fc.string({ unit: fc.constantFrom('a', 'é', '"', ',', '\n', '\r', ' ', '\t') });

test('a quoted field is read as it was before, whatever it holds', () => {
  const rows = fc.array(fc.array(field, { minLength: 2, maxLength: 5 }));
  fc.assert(
    fc.property(rows, fc.constantFrom('\n', '\r\n', '\r'), (table, end) => {
      const text = table.map((row) => row.map(quote).join(',')).join(end);
      expect(parseCsv(text)).toEqual(table);
    }),
  );
});

test('plain and quoted fields, blank lines and a last line end', () => {
  expect(parseCsv('a,b\r\n\r\n"c",""\n,d\n')).toEqual([
    ['a', 'b'],
    ['c', ''],
    ['', 'd'],
  ]);
});

test.each(['"a,b', 'a,"b', '"a"b,c', 'x,y\n"a""'])('%j has a quote that is not closed', (text) => {
  expect(() => parseCsv(text)).toThrow('entries');
});

test('a field of several megabytes is read', () => {
  const long = 'x"'.repeat(2_000_000);
  expect(parseCsv(`${quote(long)},b`)).toEqual([[long, 'b']]);
});
