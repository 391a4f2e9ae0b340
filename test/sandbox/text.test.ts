import { afterAll, beforeAll, expect, test } from 'vitest';
import { undoPseudo } from '../../src/sandbox/engines/pseudo.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { type Caller, callerOf } from './caller.ts';

let sandbox: Sandbox;
let call: Caller;

beforeAll(async () => {
  sandbox = await startSandbox();
  call = callerOf(sandbox);
});

afterAll(async () => sandbox[Symbol.asyncDispose]());

const translate = (more: object) =>
  call('POST /v2/translate', { text: ['Hello world'], target_lang: 'de', ...more });

test('texts come back in order, with the language found out', async () => {
  const { status, body } = await call('POST /v2/translate', {
    text: ['The house is big', 'La maison est dans le jardin'],
    target_lang: 'DE',
  });
  expect(status).toBe(200);
  expect(body).toEqual({
    translations: [
      { detected_source_language: 'EN', text: '[de Ŧħḗ ħǿŭşḗ īş ƀīɠ ~~~]' },
      { detected_source_language: 'FR', text: expect.stringContaining('Ŀȧ ḿȧīşǿƞ') },
    ],
  });
});

test('a form may repeat text, and says true with 1', async () => {
  const form = new URLSearchParams([
    ['text', 'Yes'],
    ['text', 'No'],
    ['target_lang', 'fr'],
    ['show_billed_characters', '1'],
  ]);
  const { status, body } = await call('POST /v2/translate', form);
  expect(status).toBe(200);
  expect(body).toMatchObject({ translations: [{}, {}], billed_characters: 5 });
});

test('characters are billed as code points of the source, context is not', async () => {
  const { body } = await translate({
    text: ['👍🏽 né', 'x'],
    context: 'a very long context',
    show_billed_characters: true,
  });
  expect(body).toMatchObject({ billed_characters: 6 });
});

test('source and target of one language are billed and left unchanged', async () => {
  const { body } = await translate({
    source_lang: 'en',
    target_lang: 'en-GB',
    show_billed_characters: true,
  });
  expect(body).toEqual({
    translations: [{ detected_source_language: 'EN', text: 'Hello world' }],
    billed_characters: 11,
  });
});

test.each([
  ['Enregistrer', 'en-US', 'FR'],
  ['Abbrechen', 'en-GB', 'DE'],
  ['Guardar cambios', 'en-GB', 'ES'],
  ['Die', 'de', 'EN'],
  ['Café', 'fr', 'ES'],
  ['Zzyzx', 'en-GB', 'DE'],
])('the short text %j is translated to %s, as one in %s', async (text, target_lang, source) => {
  const { body } = await translate({ text: [text], target_lang });
  expect(body).toEqual({
    translations: [
      { detected_source_language: source, text: expect.stringContaining(`[${target_lang} `) },
    ],
  });
});

test('detection and translation name the same language', async () => {
  const text = ['Speichern', 'Se connecter', 'Iniciar sesión', 'Good morning'];
  const detected = await call('POST /v3/detect/language', { text });
  const { results } = detected.body as { results: { detected_language: string }[] };
  const { body } = await translate({ text, target_lang: 'ja' });
  expect(body).toMatchObject({
    translations: results.map(({ detected_language }) => ({
      detected_source_language: detected_language.toUpperCase(),
    })),
  });
});

test('an answer can be undone', async () => {
  const text = 'Hello {name}, read <b>this</b> at https://example.org\nand more';
  const { body } = await translate({ text: [text], source_lang: 'en', split_sentences: '0' });
  const [first] = (body as { translations: { text: string }[] }).translations;
  expect(undoPseudo(first?.text ?? '')).toBe(text);
});

test.each([
  [{ target_lang: undefined }, 'target_lang'],
  [{ target_lang: 'tlh' }, 'target_lang'],
  [{ target_lang: 7 }, 'target_lang'],
  [{ source_lang: 'en-GB' }, 'source_lang'],
  [{ source_lang: 'xx' }, 'source_lang'],
  [{ text: undefined }, 'text'],
  [{ text: 'Hello' }, 'text'],
  [{ text: [] }, 'text'],
  [{ text: ['a', 1] }, 'text'],
  [{ text: Array(51).fill('a') }, 'text'],
  [{ model_type: 'fast' }, 'model_type'],
  [{ split_sentences: '2' }, 'split_sentences'],
  [{ formality: 'polite' }, 'formality'],
  [{ formality: 'more', target_lang: 'en-GB' }, 'formality'],
  [{ formality: 'less', target_lang: 'pt' }, 'formality'],
  [{ tag_handling: 'json' }, 'tag_handling'],
  [{ tag_handling_version: 'v3' }, 'tag_handling_version'],
  [{ show_billed_characters: 1 }, 'show_billed_characters'],
  [{ custom_instructions: 'be nice' }, 'custom_instructions'],
  [{ custom_instructions: Array(11).fill('x') }, 'custom_instructions'],
  [{ custom_instructions: ['x'.repeat(301)] }, 'custom_instructions'],
  [{ custom_instructions: ['x'], target_lang: 'nl' }, 'custom_instructions'],
  [{ translation_memory_threshold: 101 }, 'translation_memory_threshold'],
  [{ glossary_id: 'any' }, 'glossary_id'],
  [{ surprise: true }, 'surprise'],
  [{ model_type: 'latency_optimized', tag_handling_version: 'v2' }, 'model_type'],
  [{ model_type: 'latency_optimized', style_id: 'any' }, 'model_type'],
  [{ model_type: 'latency_optimized', custom_instructions: ['x'] }, 'model_type'],
  [{ model_type: 'latency_optimized', translation_memory_id: 'any' }, 'model_type'],
  [{ model_type: 'quality_optimized', source_lang: 'en', target_lang: 'lv' }, 'model_type'],
  [
    { tag_handling: 'xml', tag_handling_version: 'v2', source_lang: 'en', target_lang: 'lv' },
    'tag_handling_version',
  ],
  [
    { model_type: 'prefer_quality_optimized', custom_instructions: ['x'], source_lang: 'lv' },
    'custom_instructions',
  ],
])('%j is refused with 400 that names %s', async (more, parameter) => {
  const { status, body } = await translate(more);
  expect(status).toBe(400);
  expect(body).toEqual({ message: expect.stringContaining(`'${parameter}'`) });
});

test('a request that breaks a rule is listed among the violations, and bills nothing', async () => {
  sandbox.control.reset();
  await translate({ target_lang: 'tlh' });
  const { violations, billed_characters } = sandbox.counters();
  expect(violations).toMatchObject([{ operation: 'POST /v2/translate', status: 400 }]);
  expect(billed_characters).toBe(0);
});

test('unknown fields pass on deployments', async () => {
  await using deployed = await startSandbox({ dialect: 'deployed' });
  const { status } = await callerOf(deployed)('POST /v2/translate', {
    text: ['Hi'],
    target_lang: 'de',
    surprise: true,
  });
  expect(status).toBe(200);
});

test.each([
  [{ model_type: 'latency_optimized', source_lang: 'en' }, 'latency_optimized'],
  [{ model_type: 'latency_optimized' }, 'quality_optimized'], // rule 1: detection uses next-gen models
  [{ model_type: 'quality_optimized' }, 'quality_optimized'],
  [{ model_type: 'quality_optimized', target_lang: 'lv' }, 'quality_optimized'],
  [
    { model_type: 'prefer_quality_optimized', source_lang: 'en', target_lang: 'lv' },
    'latency_optimized',
  ],
])('%j is translated with %s', async (more, model) => {
  const { body } = await translate(more);
  expect(body).toMatchObject({ model_type_used: model });
});

test('on deployments, model and bill are inside each translation too', async () => {
  await using deployed = await startSandbox({ dialect: 'deployed' });
  const { body } = await callerOf(deployed)('POST /v2/translate', {
    text: ['One', 'Three'],
    target_lang: 'de',
    model_type: 'quality_optimized',
    show_billed_characters: true,
  });
  expect(body).toMatchObject({
    billed_characters: 8,
    translations: [
      { billed_characters: 3, model_type_used: 'quality_optimized' },
      { billed_characters: 5 },
    ],
  });
});

const MEMORY = '6f1d2c3a-0b5e-4a7c-9d8e-1f2a3b4c5d6e';

test.each([
  [{ formality: 'more' }, '[de·more '],
  [{ formality: 'prefer_less' }, '[de·less '],
  [{ formality: 'prefer_more', target_lang: 'en-GB', source_lang: 'de' }, '[en-GB '],
  [{ custom_instructions: ['Use the informal you'] }, '[de·instructions-'],
  [{ translation_memory_id: MEMORY }, '[de·memory-6f1d2c3a.75 '],
  [{ translation_memory_id: MEMORY, translation_memory_threshold: 90 }, '[de·memory-6f1d2c3a.90 '],
])('%j shows in the answer', async (more, start) => {
  const { body } = await translate(more);
  expect(body).toMatchObject({ translations: [{ text: expect.stringContaining(start) }] });
});

test('a body of 128 KiB passes, one byte more gets 413', async () => {
  const fill = (bytes: number) => {
    const empty = JSON.stringify({ text: [''], target_lang: 'de' });
    return JSON.stringify({ text: ['a'.repeat(bytes - empty.length)], target_lang: 'de' });
  };
  const headers = { 'content-type': 'application/json' };
  const fits = await call('POST /v2/translate', fill(131_072), { headers });
  const exceeds = await call('POST /v2/translate', fill(131_073), { headers });
  expect(fits.status).toBe(200);
  expect(exceeds.status).toBe(413);
  expect(exceeds.body).toEqual({ message: expect.any(String) });
});

test.each([
  ['text/plain', 415],
  ['multipart/form-data; boundary=x', 415],
  ['application/json; charset=utf-8', 400],
])('a body of type %s that is no JSON gets %d', async (type, status) => {
  const answer = await call('POST /v2/translate', 'nonsense', {
    headers: { 'content-type': type },
  });
  expect(answer.status).toBe(status);
});

test('unknown ids get 404', async () => {
  const id = '00000000-0000-4000-8000-000000000000';
  const answers = await Promise.all([
    translate({ glossary_id: id, source_lang: 'en' }),
    translate({ style_id: id }),
    translate({ translation_memory_id: id }),
  ]);
  expect(answers.map((answer) => answer.status)).toEqual([404, 404, 404]);
});

test('texts asked twice with one language and recipe are counted, others are not', async () => {
  sandbox.control.reset();
  await translate({ text: ['once', 'twice', 'twice'] });
  await translate({ text: ['once'], formality: 'more' });
  await translate({ text: ['once'], target_lang: 'fr' });
  expect(sandbox.counters().asked_twice).toEqual([
    { operation: 'POST /v2/translate', target_lang: 'de', text: 'twice', times: 2 },
  ]);
});
