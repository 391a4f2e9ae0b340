/** A person's text becomes parts again: markup of the source is markup, and text stays text. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Part, partsText } from '../../src/format.ts';
import { partsFrom } from '../../src/segments/raw-parts.ts';

const open: Part = { raw: '[', pair: { id: 1, side: 'open' } };
const close: Part = { raw: '](a.html)', pair: { id: 1, side: 'close' } };
const SOURCE: readonly Part[] = ['Read ', open, 'the page', close, ' first.'];

test('the markup of the source is found again in another order of words', () => {
  expect(partsFrom('Zuerst [die Seite](a.html) lesen', { source: SOURCE, target: [] })).toEqual([
    ...['Zuerst ', open, 'die Seite', close, ' lesen'],
  ]);
});

test('a sign that is markup in the source and occurs more often is markup where it belongs to a pair', () => {
  expect(partsFrom('[neu] Lies [die Seite](a.html)', { source: SOURCE, target: SOURCE })).toEqual([
    ...['[neu] Lies ', open, 'die Seite', close],
  ]);
});

test('markup that only the translation has stays markup', () => {
  const bold: Part = { raw: '**' };
  expect(partsFrom('Lies **nun**', { source: ['Read now'], target: [bold, 'Lies', bold] })).toEqual(
    [...['Lies ', bold, 'nun', bold]],
  );
});

test('no character is lost, whatever is known', () => {
  const part = fc.oneof(
    fc.string(),
    fc.constantFrom<Part>({ raw: '[' }, { raw: '**' }, { raw: '<b>' }, open, close),
  );
  fc.assert(
    fc.property(fc.array(part), fc.array(part), fc.array(part), (source, target, parts) => {
      const text = partsText(parts);
      expect(partsText(partsFrom(text, { source, target }))).toBe(text);
    }),
  );
});
