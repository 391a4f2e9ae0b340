import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  encodedSize,
  encodedTextSize,
  type TranslateRequest,
} from '../../src/service/text-request.ts';
import { checkTranslate } from '../../src/service/text-rules.ts';
import { failureFrom, json, rig, serve } from './real-server.ts';

const HELLO: TranslateRequest = { text: ['Hello'], target_lang: 'de' };

function fault(change: Partial<TranslateRequest>): unknown {
  try {
    checkTranslate({ ...HELLO, ...change }, 'document');
  } catch (error) {
    return (error as { failure: { parameter?: string } }).failure;
  }
  return undefined;
}

describe('before sending', () => {
  test.for<[string, Partial<TranslateRequest>]>([
    ['text', { text: [] }],
    ['text', { text: Array.from({ length: 51 }, () => 'a') }],
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

  test.for<Partial<TranslateRequest>>([
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

  test('131072 bytes of body are allowed and one more is too large', () => {
    const room = 131_072 - encodedSize({ ...HELLO, text: [''] }, 'document');
    expect(fault({ text: ['a'.repeat(room)] })).toBeUndefined();
    expect(fault({ text: ['a'.repeat(room + 1)] })).toMatchObject({ kind: 'too-large' });
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
