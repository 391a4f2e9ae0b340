import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { type Caller, callerOf } from './caller.ts';

let sandbox: Sandbox;
let call: Caller;

beforeAll(async () => {
  sandbox = await startSandbox();
  call = callerOf(sandbox);
});

afterAll(async () => sandbox[Symbol.asyncDispose]());

describe('rephrase', () => {
  const rephrase = (more: object) =>
    call('POST /v2/write/rephrase', { text: ['The text is here'], ...more });

  test('texts come back improved, converted to the wanted variant, and billed', async () => {
    sandbox.control.reset();
    const { status, body } = await rephrase({ target_lang: 'en-gb', writing_style: 'business' });
    expect(status).toBe(200);
    expect(body).toEqual({
      improvements: [
        {
          text: expect.stringContaining('[en-GB·improved·business '),
          target_language: 'EN-GB',
          detected_source_language: 'EN',
        },
      ],
    });
    expect(sandbox.counters().billed_characters).toBe(16);
  });

  test.each([
    [{ target_lang: 'nl' }, 'target_lang'],
    [{ target_lang: 'en' }, 'target_lang'],
    [{ target_lang: 'de' }, 'target_lang'],
    [{ writing_style: 'poetic' }, 'writing_style'],
    [{ tone: 'rude' }, 'tone'],
    [{ writing_style: 'simple', tone: 'friendly' }, 'writing_style'],
    [{ text: ['これは日本語です'], target_lang: 'ja', tone: 'friendly' }, 'tone'],
    [{ text: ['het is een huis niet'], writing_style: 'simple' }, 'writing_style'],
    [{ text: 'x' }, 'text'],
    [{ glossary_id: 'x' }, 'glossary_id'],
  ])('%j is refused with 400 that names %s', async (more, parameter) => {
    const { status, body } = await rephrase(more);
    expect(status).toBe(400);
    expect(body).toEqual({ message: expect.stringContaining(`'${parameter}'`) });
  });

  test('prefer_ and default values fall back where the language has no styles', async () => {
    const text = ['これは日本語です'];
    const preferred = await rephrase({ text, target_lang: 'ja', tone: 'prefer_friendly' });
    const plain = await rephrase({ text, target_lang: 'ja', writing_style: 'default' });
    expect([preferred.status, plain.status]).toEqual([200, 200]);
    expect(preferred.body).toEqual(plain.body);
  });

  test('default counts as left out beside the other parameter', async () => {
    const { status } = await rephrase({ writing_style: 'default', tone: 'friendly' });
    expect(status).toBe(200);
  });

  test('a body above 10 KiB gets 413', async () => {
    expect((await rephrase({ text: ['x'.repeat(10_240)] })).status).toBe(413);
  });
});

describe('detection', () => {
  test('each text gets its own state', async () => {
    const { body } = await call('POST /v3/detect/language', {
      text: ['Das ist ein Haus', 'გამარჯობა', '12345', 'Zzyzx', 'Привет, как это', 'これは本です'],
    });
    expect(body).toEqual({
      results: [
        { detected_language: 'de', detection_status: 'success' },
        { detection_status: 'unsupported_language' },
        { detection_status: 'no_language_detected' },
        { detection_status: 'insufficient_confidence' },
        { detected_language: 'ru', detection_status: 'success' },
        { detected_language: 'ja', detection_status: 'success' },
      ],
    });
  });

  test('forms are taken, other types get 415, missing text and 51 texts 400', async () => {
    const path = 'POST /v3/detect/language';
    const form = new URLSearchParams([['text', 'Where is the house']]);
    expect((await call(path, form)).body).toMatchObject({
      results: [{ detected_language: 'en' }],
    });
    const headers = { 'content-type': 'text/plain' };
    expect((await call(path, 'text', { headers })).status).toBe(415);
    expect((await call(path, {})).status).toBe(400);
    expect((await call(path, { text: Array(51).fill('x') })).status).toBe(400);
  });

  test('answers of the pseudo engine are recognised as their target language', async () => {
    const { body } = await call('POST /v3/detect/language', { text: ['[pt-BR Ħḗŀŀǿ ~]'] });
    expect(body).toMatchObject({ results: [{ detected_language: 'pt' }] });
  });
});

describe('languages', () => {
  const list = async (path: string) =>
    (await call(`GET ${path}`)).body as Record<string, unknown>[];

  test('stable languages by default, beta ones when asked for', async () => {
    const stable = await list('/v3/languages?resource=translate_text');
    const all = await list('/v3/languages?resource=translate_text&include=beta&include=external');
    expect(new Set(stable.map((each) => each['status']))).toEqual(new Set(['stable']));
    expect(all.length).toBeGreaterThan(stable.length);
    expect(stable).toContainEqual({
      lang: 'zh-Hans',
      name: expect.stringContaining('Chinese'),
      usable_as_source: false,
      usable_as_target: true,
      status: 'stable',
      features: {
        tag_handling: { status: 'stable' },
        glossary: { status: 'stable' },
        style_rules: { status: 'stable' },
      },
    });
  });

  test('third-party features are shown with include=external only', async () => {
    const features = async (query: string) =>
      (await list(`/v3/languages?resource=voice${query}`)).flatMap((each) =>
        Object.keys(each['features'] as object),
      );
    expect(await features('')).not.toContain('glossary');
    expect(await features('&include=external')).toContain('glossary');
  });

  test('the resources list their features with what they need', async () => {
    expect(await list('/v3/languages/resources')).toContainEqual({
      name: 'write',
      features: [
        { name: 'writing_style', needs_target_support: true },
        { name: 'tone', needs_target_support: true },
      ],
    });
  });

  test('the deprecated lists are in upper case, with formality for targets', async () => {
    expect(await list('/v2/languages')).toContainEqual({ language: 'EN', name: 'English' });
    const targets = await list('/v2/languages?type=target');
    expect(targets).toContainEqual(
      expect.objectContaining({ language: 'PT-BR', supports_formality: true }),
    );
    const pairs = (await call('GET /v2/glossary-language-pairs')).body;
    expect(pairs).toMatchObject({
      supported_languages: expect.arrayContaining([{ source_lang: 'EN', target_lang: 'DE' }]),
    });
  });

  test('pairs of glossaries are in lower case on deployments', async () => {
    await using deployed = await startSandbox({ dialect: 'deployed' });
    const { body } = await callerOf(deployed)('GET /v2/glossary-language-pairs');
    expect(body).toMatchObject({
      supported_languages: expect.arrayContaining([{ source_lang: 'en', target_lang: 'de' }]),
    });
  });

  test.each([
    '/v3/languages',
    '/v3/languages?resource=x',
    '/v3/languages?resource=write&include=x',
    '/v2/languages?type=x',
  ])('%s gets 400', async (path) => {
    expect((await call(`GET ${path}`)).status).toBe(400);
  });

  test('translation memories are listed in pages', async () => {
    const { body } = await call('GET /v3/translation_memories?page_size=1&page=1');
    expect(body).toMatchObject({ translation_memories: [{ name: 'Handbook' }] });
  });
});
