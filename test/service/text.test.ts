import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JobFailure } from '../../src/failure.ts';
import { PartialFailure } from '../../src/service/parts.ts';
import type { TranslateResult } from '../../src/service/text.ts';
import { translateBatches } from '../../src/service/text.ts';
import {
  encodedSize,
  encodedTextSize,
  type TranslateBatch,
} from '../../src/service/text-request.ts';
import { failureFrom, json, type Respond, rig, serve } from './real-server.ts';

const HELLO: TranslateBatch = { text: ['Hello'], target_lang: 'de' };

function fault(change: Partial<TranslateBatch>): unknown {
  try {
    translateBatches({ ...HELLO, ...change }, 'document');
  } catch (error) {
    return (error as { failure: { parameter?: string } }).failure;
  }
  return undefined;
}

describe('before sending', () => {
  test.for<[string, Partial<TranslateBatch>]>([
    ['text', { text: [] }],
    ['target_lang', { target_lang: '' }],
    ['source_lang', { source_lang: 'english please' }],
    ['tag_handling_version', { tag_handling_version: 'v2', model_type: 'latency_optimized' }],
    ['style_id', { style_id: 'x', model_type: 'latency_optimized' }],
    ['custom_instructions', { custom_instructions: ['x'], model_type: 'latency_optimized' }],
    ['translation_memory_id', { translation_memory_id: 'x', model_type: 'latency_optimized' }],
    ['glossary_id', { glossary_id: 'x' }],
    ['custom_instructions', { custom_instructions: Array.from({ length: 11 }, () => 'a') }],
    ['custom_instructions', { custom_instructions: ['a'.repeat(301)] }],
    ['translation_memory_threshold', { translation_memory_threshold: 101 }],
    ['translation_memory_threshold', { translation_memory_threshold: 75.5 }],
  ])('a fault in %s is named: %j', ([parameter, change]) => {
    expect(fault(change)).toMatchObject({ kind: 'invalid-request', parameter });
  });

  test.for<Partial<TranslateBatch>>([
    { formality: 'prefer_more', target_lang: 'tr' },
    { formality: 'default', target_lang: 'tr' },
    { formality: 'more', target_lang: 'tr' },
    { source_lang: 'de', target_lang: 'de-CH' },
    { glossary_id: 'x', source_lang: 'en' },
    { style_id: 'x', target_lang: 'en-GB', model_type: 'prefer_quality_optimized' },
    { custom_instructions: ['💡'.repeat(300)] },
    { text: [''] },
  ])('%j is allowed', (change) => {
    expect(fault(change)).toBeUndefined();
  });

  test('a text may fill a body of 131072 bytes, and a text of one byte more is named in the error', () => {
    const room = 131_072 - encodedSize({ ...HELLO, text: [''] }, 'document');
    expect(fault({ text: ['', 'a'.repeat(room)] })).toBeUndefined();
    expect(fault({ text: ['', 'a'.repeat(room + 1)] })).toMatchObject({
      kind: 'invalid-request',
      parameter: 'text[1]',
    });
  });

  test('a context that leaves no room for any text is too large', () => {
    expect(fault({ context: 'a'.repeat(131_072) })).toMatchObject({ kind: 'too-large' });
  });

  test('every part of a request keeps both limits, and together they are the request', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary', maxLength: 8 }), { minLength: 1, maxLength: 200 }),
        fc.integer({ min: 1, max: 2500 }),
        (words, repeat) => {
          const text = words.map((word) => word.repeat(repeat));
          const batches = translateBatches({ ...HELLO, text }, 'document');
          expect(batches.flatMap((batch) => batch.text)).toEqual(text);
          for (const batch of batches) {
            expect(batch.text.length).toBeLessThanOrEqual(50);
            expect(encodedSize(batch, 'document')).toBeLessThanOrEqual(131_072);
          }
          const filled = batches.slice(0, -1).every((batch, i) => {
            const next = batches[i + 1]?.text[0] ?? '';
            const fuller = { ...batch, text: [...batch.text, next] };
            return batch.text.length === 50 || encodedSize(fuller, 'document') > 131_072;
          });
          expect(filled).toBe(true);
        },
      ),
      { numRuns: 20 },
    );
  });

  test('the size of a request is that of its options and of each text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 5 }),
        (text) => {
          const options = encodedSize({ ...HELLO, text: [] }, 'deployed');
          const texts = text.reduce((sum, one) => sum + encodedTextSize(one), 0);
          expect(encodedSize({ ...HELLO, text }, 'deployed')).toBe(options + texts - 1);
        },
      ),
      { numRuns: 100 },
    );
  });
});

const ELEMENT = { detected_source_language: 'EN', text: 'Hallo' };

test('the body is exactly as long as `encodedSize` says and always asks for the bill', async () => {
  await using server = await serve(json({ translations: [ELEMENT], billed_characters: 5 }));
  await using client = rig(server.url);
  const request = { ...HELLO, context: 'Grüße, "x"', splitting_tags: ['p', 'li'] };
  await client.service.text.translate(request);
  const body = server.seen[0]?.body ?? Buffer.alloc(0);
  expect(body.byteLength).toBe(encodedSize(request, 'document'));
  expect(JSON.parse(body.toString())).toEqual({
    ...request,
    splitting_tags: 'p,li',
    show_billed_characters: true,
  });
});

test('deployments get tag names as arrays', async () => {
  await using server = await serve(json({ translations: [ELEMENT] }));
  await using client = rig(server.url, { dialect: 'deployed' });
  await client.service.text.translate({ ...HELLO, ignore_tags: ['code'] });
  expect(JSON.parse(String(server.seen[0]?.body))).toMatchObject({ ignore_tags: ['code'] });
});

test.for([
  [
    'beside the translations',
    { translations: [ELEMENT], billed_characters: 7, model_type_used: 'quality_optimized' },
  ],
  [
    'inside them',
    { translations: [{ ...ELEMENT, billed_characters: 7, model_type_used: 'quality_optimized' }] },
  ],
  [
    'in both places',
    {
      translations: [{ ...ELEMENT, billed_characters: 7, model_type_used: 'x' }],
      billed_characters: 7,
      model_type_used: 'quality_optimized',
    },
  ],
] as const)('the bill %s is read once', async ([, answer]) => {
  await using server = await serve(json(answer));
  await using client = rig(server.url);
  expect(await client.service.text.translate(HELLO)).toEqual({
    translations: [ELEMENT],
    billed_characters: 7,
    billed_by_service: true,
    model_type_used: 'quality_optimized',
  });
});

test('without a bill the code points of the texts are counted', async () => {
  await using server = await serve(json({ translations: [ELEMENT, ELEMENT] }));
  await using client = rig(server.url);
  expect(await client.service.text.translate({ ...HELLO, text: ['💡', 'ab'] })).toMatchObject({
    billed_characters: 3,
    billed_by_service: false,
  });
});

test('an empty translation is data for the caller', async () => {
  await using server = await serve(json({ translations: [{ ...ELEMENT, text: '' }] }));
  await using client = rig(server.url);
  expect((await client.service.text.translate(HELLO)).translations[0]?.text).toBe('');
});

test('another number of translations than texts is a bad answer', async () => {
  await using server = await serve(json({ translations: [ELEMENT, ELEMENT] }));
  await using client = rig(server.url);
  expect(await failureFrom(client.service.text.translate(HELLO))).toEqual({
    kind: 'bad-answer',
    operation: 'POST /v2/translate',
    message: '2 translations for 1 texts',
  });
});

/** Answers each text with its length, and counts what it bills. */
const lengths: Respond = (response, { body }) => {
  const { text } = JSON.parse(body.toString()) as { text: string[] };
  json({
    translations: text.map((one) => ({ detected_source_language: 'EN', text: `${one.length}` })),
    billed_characters: text.join('').length,
    model_type_used: 'quality_optimized',
  })(response, { method: '', url: '', headers: {}, body });
};

test('more texts than a request may hold are sent in several, and joined in their order', async () => {
  await using server = await serve(lengths);
  await using client = rig(server.url);
  const text = Array.from({ length: 120 }, (_, i) => 'a'.repeat(i));
  const result = await client.service.text.translate({ ...HELLO, text, context: 'x' });
  expect(result.translations.map((one) => one.text)).toEqual(text.map((one) => `${one.length}`));
  expect(result).toMatchObject({
    billed_characters: text.join('').length,
    billed_by_service: true,
    model_type_used: 'quality_optimized',
  });
  const bodies = server.seen.map(({ body }) => JSON.parse(body.toString()) as TranslateBatch);
  expect(bodies.map((body) => body.text.length)).toEqual([50, 50, 20]);
  expect(bodies.every(({ context }) => context === 'x')).toBe(true);
});

test('when a later request fails, what was paid before comes with the failure, and nothing follows', async () => {
  await using server = await serve(lengths, json({ message: 'no' }, 456));
  await using client = rig(server.url);
  const text = Array.from({ length: 120 }, () => 'ab');
  const error = await client.service.text
    .translate({ ...HELLO, text })
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(PartialFailure);
  expect(error).toBeInstanceOf(JobFailure);
  const { failure, done } = error as PartialFailure<TranslateResult>;
  expect(failure).toMatchObject({ kind: 'quota-exceeded' });
  expect(done).toMatchObject({ billed_characters: 100 });
  expect(done.translations).toHaveLength(50);
  expect(server.seen).toHaveLength(2);
});

test('a single text is sent as one text', async () => {
  await using server = await serve(lengths);
  await using client = rig(server.url);
  const { translations } = await client.service.text.translate({
    text: 'Hello',
    target_lang: 'de',
    source_lang: undefined,
    formality: undefined,
  });
  expect(translations.map(({ text }) => text)).toEqual(['5']);
  expect(JSON.parse(String(server.seen[0]?.body))).toEqual({
    text: ['Hello'],
    target_lang: 'de',
    show_billed_characters: true,
  });
});

test('texts to improve and to detect are split and joined too', async () => {
  const answer: Respond = (response, seen) => {
    const { text } = JSON.parse(seen.body.toString()) as { text: string[] };
    json({
      improvements: text.map((one) => ({
        text: one.toUpperCase(),
        target_language: 'en',
        detected_source_language: 'en',
      })),
      results: text.map(() => ({ detection_status: 'no_language_detected' })),
    })(response, seen);
  };
  await using server = await serve(answer);
  await using client = rig(server.url);
  const { writing, detection } = client.service;
  const text = Array.from({ length: 60 }, () => 'b'.repeat(400));
  const improved = await writing.rephrase({ text });
  expect(improved.improvements).toHaveLength(60);
  expect(improved.counted_characters).toBe(24_000);
  expect(server.seen.every(({ body }) => body.byteLength <= 10_240)).toBe(true);
  expect(server.seen).toHaveLength(3);
  expect((await detection.detect(text)).results).toHaveLength(60);
  expect((await detection.detect('one')).results).toHaveLength(1);
  expect(server.seen).toHaveLength(6);
});
