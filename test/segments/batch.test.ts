/** The laws of packing texts into requests. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Batch,
  halve,
  jsonBytes,
  MAX_BODY_BYTES,
  MAX_TEXTS,
  Packer,
} from '../../src/segments/batch.ts';

interface Item {
  readonly group: string;
  readonly text: string;
  readonly nth: number;
}

interface Limits {
  readonly maxTexts?: number;
  readonly maxBytes?: number;
}

const bodyOf = (group: string, text: readonly string[]) => ({ target_lang: group, text });

function pack(items: readonly Item[], limits: Limits = {}) {
  const { maxBytes } = limits;
  const packer = new Packer<Item>({
    fixedBytes: (group) => jsonBytes(bodyOf(group, [])),
    ...(limits.maxTexts === undefined ? {} : { maxTexts: limits.maxTexts }),
    ...(maxBytes === undefined ? {} : { maxBytes: () => maxBytes }),
  });
  const batches: Batch<Item>[] = [];
  const tooLarge: Item[] = [];
  for (const item of items) {
    const packed = packer.add(item);
    if (packed.kind === 'packed') batches.push(...packed.full);
    else tooLarge.push(item);
  }
  batches.push(...packer.flush());
  expect(packer.waiting).toBe(0);
  return { batches, tooLarge };
}

const itemsOf = (texts: readonly string[], group = 'DE'): Item[] =>
  texts.map((text, nth) => ({ group, text, nth }));

const items = fc
  .array(
    fc.record({
      group: fc.constantFrom('DE', 'FR'),
      text: fc.oneof(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.string({ unit: 'grapheme', minLength: 40, maxLength: 300 }),
      ),
    }),
    { maxLength: 120 },
  )
  .map((list): Item[] => list.map((item, nth) => ({ ...item, nth })));
const limits = fc.record({
  maxTexts: fc.integer({ min: 1, max: 12 }),
  maxBytes: fc.integer({ min: 60, max: 900 }),
});

test('every text is in exactly one batch of its group, or reported as too large', () => {
  fc.assert(
    fc.property(items, limits, (list, limit) => {
      const { batches, tooLarge } = pack(list, limit);
      const seen = [...batches.flatMap((batch) => batch.items), ...tooLarge];
      expect(seen.map((item) => item.nth).sort((a, b) => a - b)).toEqual(list.map((i) => i.nth));
      for (const batch of batches) {
        expect(batch.items.every((item) => item.group === batch.group)).toBe(true);
      }
    }),
  );
});

test('a batch is its encoded body to the byte, within both limits, in order of arrival', () => {
  fc.assert(
    fc.property(items, limits, (list, limit) => {
      for (const batch of pack(list, limit).batches) {
        const texts = batch.items.map((item) => item.text);
        expect(batch.bytes).toBe(Buffer.byteLength(JSON.stringify(bodyOf(batch.group, texts))));
        expect(batch.bytes).toBeLessThanOrEqual(limit.maxBytes);
        expect(texts.length).toBeLessThanOrEqual(limit.maxTexts);
        const order = batch.items.map((item) => item.nth);
        expect(order).toEqual([...order].sort((a, b) => a - b));
      }
    }),
  );
});

test('the number of requests stays within the bound of next-fit', () => {
  fc.assert(
    fc.property(items, limits, (all, limit) => {
      const { batches, tooLarge } = pack(
        all.filter((item) => item.group === 'DE'),
        limit,
      );
      const sent = batches.flatMap((batch) => batch.items);
      const room = limit.maxBytes - jsonBytes(bodyOf('DE', [])) + 1;
      const bytes = sent.reduce((total, item) => total + jsonBytes(item.text) + 1, 0);
      const bound = Math.floor(sent.length / limit.maxTexts) + Math.ceil((2 * bytes) / room) + 1;
      expect(batches.length).toBeLessThanOrEqual(bound);
      expect(tooLarge.every((item) => jsonBytes(item.text) >= room)).toBe(true);
    }),
  );
});

test('a batch of short strings leaves as soon as it holds 50 texts', () => {
  const packer = new Packer<Item>({ fixedBytes: () => 20 });
  const full = itemsOf(Array.from({ length: 120 }, (_, n) => `text ${n}`)).flatMap((item) => {
    const packed = packer.add(item);
    return packed.kind === 'packed' ? packed.full : [];
  });
  expect(full.map((batch) => batch.items.length)).toEqual([MAX_TEXTS, MAX_TEXTS]);
  expect(packer.waiting).toBe(20);
  expect(packer.flush('DE').map((batch) => batch.items.length)).toEqual([20]);
});

test('a text larger than the body is reported with its bytes, and the others go on', () => {
  const { batches, tooLarge } = pack(itemsOf(['a', 'b'.repeat(MAX_BODY_BYTES), 'c']));
  expect(tooLarge.map((item) => item.nth)).toEqual([1]);
  expect(batches.map((batch) => batch.items.map((item) => item.text))).toEqual([['a', 'c']]);
});

test.each([
  ['interface strings', [3, 120]],
  ['paragraphs of documents', [200, 3000]],
  ['long and short mixed', [1, 9000]],
] as const)('%s need at most 1.05 times the fewest possible requests', (_name, [min, max]) => {
  const texts = Array.from({ length: 6000 }, (_, n) => {
    const spread = ((n * 2_654_435_761) >>> 0) / 2 ** 32;
    return 'é"\nabcdef '.repeat(Math.ceil((min + spread ** 3 * (max - min)) / 10));
  });
  const { batches } = pack(itemsOf(texts));
  const room = MAX_BODY_BYTES - jsonBytes(bodyOf('DE', [])) + 1;
  const bytes = texts.reduce((total, text) => total + jsonBytes(text) + 1, 0);
  const fewest = Math.max(Math.ceil(texts.length / MAX_TEXTS), Math.ceil(bytes / room));
  expect(batches.length / fewest).toBeLessThanOrEqual(1.05);
});

test('a batch refused as too large is halved in order, down to a single text', () => {
  expect(halve([1, 2, 3, 4, 5])).toEqual([
    [1, 2, 3],
    [4, 5],
  ]);
  expect(halve([1])).toBeUndefined();
});
