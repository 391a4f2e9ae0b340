/** Every field of every endpoint, given as something else than it is. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { type Caller, callerOf } from './caller.ts';

const PAIR = { source_lang: 'en', target_lang: 'de' };
const DICTIONARY = { ...PAIR, entries: 'a,b', entries_format: 'csv' };
const RECORDING = { name: 'a', content_type: 'audio/wav', content_length: 3 };
const KEY_ID = { key_id: 'x' };

/** Valid bodies with every field; `{glossary}` and `{style}` are replaced by ids that exist. */
const REQUESTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'POST /v2/translate': {
    text: ['Hello'],
    ...PAIR,
    context: 'x',
    model_type: 'quality_optimized',
    split_sentences: '0',
    formality: 'more',
    glossary_id: 'x',
    style_id: 'x',
    custom_instructions: ['x'],
    translation_memory_id: 'x',
    translation_memory_threshold: 80,
    tag_handling: 'xml',
    tag_handling_version: 'v2',
    outline_detection: false,
    show_billed_characters: true,
  },
  'POST /v2/write/rephrase': { text: ['Hello'], target_lang: 'en-GB', writing_style: 'simple' },
  'POST /v3/detect/language': { text: ['Hello'] },
  'POST /v3/glossaries': { name: 'n', dictionaries: [DICTIONARY] },
  'PATCH /v3/glossaries/{glossary}': { name: 'n', dictionaries: [DICTIONARY] },
  'PUT /v3/glossaries/{glossary}/dictionaries': DICTIONARY,
  'POST /v2/glossaries': { name: 'n', ...DICTIONARY },
  'POST /v3/style_rules': {
    name: 'n',
    language: 'de',
    configured_rules: {},
    custom_instructions: [{ label: 'a', prompt: 'b' }],
  },
  'PATCH /v3/style_rules/{style}': { name: 'n' },
  'PUT /v3/style_rules/{style}/configured_rules': {
    dates_and_times: { calendar_era: 'use_bc_and_ad' },
  },
  'POST /v3/style_rules/{style}/custom_instructions': {
    label: 'a',
    prompt: 'b',
    source_language: 'en',
  },
  'POST /v1/jobs/voice/translate': {
    source_file: RECORDING,
    parameters: { source_language: 'en' },
    targets: [{ language: 'de', type: 'text/plain' }],
  },
  'POST /v2/document/x': { document_key: 'x' },
  'POST /v2/document/x/result': { document_key: 'x' },
  'POST /v2/admin/developer-keys': { label: 'x' },
  'PUT /v2/admin/developer-keys/deactivate': KEY_ID,
  'PUT /v2/admin/developer-keys/label': { ...KEY_ID, label: 'x' },
  'PUT /v2/admin/developer-keys/limits': { ...KEY_ID, characters: 1 },
  'POST /sandbox/reset': { scope: 'counters' },
  'POST /sandbox/account': { key: 'sandbox', character_count: 1, key_limit: 1 },
  'POST /sandbox/faults': { kind: 'empty' },
};

describe.each(['document', 'deployed'] as const)('in the dialect %s', (dialect) => {
  let sandbox: Sandbox;
  let call: Caller;

  beforeAll(async () => {
    sandbox = await startSandbox({ dialect });
    const caller = callerOf(sandbox);
    const made = await caller('POST /v3/glossaries', { name: 'n', dictionaries: [DICTIONARY] });
    const style = await caller('POST /v3/style_rules', { name: 'n', language: 'de' });
    call = (request, body) =>
      caller(
        request
          .replace('{glossary}', made.field('glossary_id'))
          .replace('{style}', style.field('style_id')),
        JSON.stringify(body),
        {
          key: request.includes('/admin/') ? sandbox.adminKey : sandbox.key,
          headers: { 'content-type': 'application/json' },
        },
      );
  });

  afterAll(() => sandbox[Symbol.asyncDispose]());

  test.each(Object.keys(REQUESTS))('%s takes an object only', async (request) => {
    for (const body of ['text', 7, null, true, ['Hello'], [[]]]) {
      const { status, text } = await call(request, body);
      expect([body, status, text]).toEqual([body, 400, expect.stringMatching(/'body'|kind/)]);
    }
  });

  test.each(
    Object.entries(REQUESTS).flatMap(([request, fields]) =>
      Object.keys(fields).map((field) => ({ request, field })),
    ),
  )('$request names $field when it is an array or an object', async ({ request, field }) => {
    const right = REQUESTS[request]?.[field];
    const isObject = typeof right === 'object' && !Array.isArray(right);
    for (const value of [[['x']], [7], [[]], ...(isObject ? [] : [{ a: { b: 'c' } }])]) {
      const { status, text } = await call(request, { ...REQUESTS[request], [field]: value });
      expect([value, status, text]).toEqual([value, 400, expect.stringContaining(field)]);
    }
  });
});
