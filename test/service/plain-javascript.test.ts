/** Callers without types: for any wrong value, the error names the parameter, and nothing is sent. */
import { expect, test } from 'vitest';
import { JobFailure } from '../../src/failure.ts';
import { connect, type Service } from '../../src/service/client.ts';
import { json, type RealServer, rig, serve } from './real-server.ts';

const ID = '00000000-0000-4000-8000-000000000000';
const PAIR = { source_lang: 'en', target_lang: 'de' };
const TSV = { ...PAIR, entries: 'a\tb', entries_format: 'tsv' };
const STYLE = { name: 'a', language: 'de' };
const INSTRUCTION = { label: 'a', prompt: 'b' };
const VOICE = {
  source_file: { name: 'a', content_type: 'audio/wav', content_length: 1 },
  targets: [{ language: 'de', type: 'text/plain' }],
};
const SINK = { headers: async () => undefined, write: async () => undefined };
const DOCUMENT = { content: Buffer.from('a'), filename: 'a.txt', target_lang: 'de' };
const HANDLE = { document_id: ID, document_key: 'k' };
const TICKET = { upload_url: 'http://127.0.0.1:1', signature: 's' };
const RESULT = { download_url: 'http://127.0.0.1:1', signature: 's' };
const KEY_ID = `${ID}:${ID}`;
const DAYS = { start_date: '2026-01-01', end_date: '2026-01-02' };

/** Every method with arguments that are right. */
const CALLS: readonly (readonly [method: string, args: readonly unknown[]])[] = [
  ['text.translate', [{ text: ['a'], target_lang: 'de' }]],
  ['writing.rephrase', [{ text: ['a'] }]],
  ['detection.detect', [['a']]],
  ['documents.upload', [DOCUMENT]],
  ['documents.status', [HANDLE]],
  ['documents.result', [HANDLE, SINK]],
  ['documents.translate', [{ ...DOCUMENT, save: SINK }]],
  ['languages.list', [{ resource: 'voice' }]],
  ['languages.legacy', ['source']],
  ['glossaries.create', [{ name: 'a', dictionaries: [TSV] }]],
  ['glossaries.get', [ID]],
  ['glossaries.entries', [ID, PAIR]],
  ['glossaries.putDictionary', [ID, TSV]],
  ['glossaries.update', [ID, { name: 'b' }]],
  ['glossaries.remove', [ID]],
  ['glossaries.removeDictionary', [ID, PAIR]],
  ['legacyGlossaries.create', [{ name: 'a', ...TSV }]],
  ['legacyGlossaries.get', [ID]],
  ['legacyGlossaries.entries', [ID]],
  ['legacyGlossaries.remove', [ID]],
  ['styles.create', [STYLE]],
  ['styles.list', [{}]],
  ['styles.get', [ID]],
  ['styles.rename', [ID, 'b']],
  ['styles.replaceRules', [ID, {}]],
  ['styles.remove', [ID]],
  ['styles.addInstruction', [ID, INSTRUCTION]],
  ['styles.getInstruction', [{ style_id: ID, id: ID }]],
  ['styles.updateInstruction', [{ style_id: ID, id: ID }, INSTRUCTION]],
  ['styles.removeInstruction', [{ style_id: ID, id: ID }]],
  ['memories.list', [{}]],
  ['voice.create', [VOICE]],
  ['voice.upload', [TICKET, { content: Buffer.from('a') }]],
  ['voice.get', [ID]],
  ['voice.download', [RESULT, SINK]],
  ['keys.create', [{}]],
  ['keys.deactivate', [KEY_ID]],
  ['keys.rename', [KEY_ID, 'b']],
  ['keys.limit', [KEY_ID, 5]],
  ['analytics.report', [DAYS]],
];

type Method = (...args: readonly unknown[]) => Promise<unknown>;

function methodOf(service: Service, name: string): Method {
  const [resource = '', method = ''] = name.split('.');
  const methods = service[resource as keyof Service] as unknown as Record<string, Method>;
  return (...args) => methods[method]?.(...args) ?? Promise.reject(new Error(`no ${name}`));
}

/** How the call ends: the parameter that is named, or what went wrong instead. */
async function named(call: () => Promise<unknown>): Promise<string> {
  try {
    await call();
    return 'nothing failed';
  } catch (error) {
    if (!(error instanceof JobFailure)) return `no JobFailure: ${error}`;
    const { failure } = error;
    return failure.kind === 'invalid-request' ? `names ${failure.parameter}` : failure.kind;
  }
}

async function withClient(
  use: (service: Service, server: RealServer) => Promise<void>,
): Promise<void> {
  await using server = await serve(json({}));
  await using client = rig(server.url, { adminKey: 'admin', capabilities: ['instruction_edit'] });
  await use(client.service, server);
}

test('the list names every method that takes something', async () => {
  await withClient(async (service) => {
    const methods = Object.entries(service).flatMap(([name, resource]) =>
      typeof resource === 'object' && resource !== null && !('has' in resource)
        ? Object.keys(resource).map((method) => `${name}.${method}`)
        : [],
    );
    const without = ['listAll', 'listDetailed', 'resources', 'glossaryPairs', 'usage', 'inspect'];
    const listed = new Set(CALLS.map(([name]) => name));
    const missing = methods.filter((name) => {
      const method = name.split('.')[1] ?? '';
      const lists = ['glossaries.list', 'legacyGlossaries.list', 'keys.list'];
      return !listed.has(name) && !without.includes(method) && !lists.includes(name);
    });
    expect(missing.filter((name) => !name.startsWith('state.'))).toEqual([]);
  });
});

test.for(CALLS)('%s names what is wrong, and sends nothing', async ([name, args]) => {
  await withClient(async (service, server) => {
    const method = methodOf(service, name);
    for (const [index] of args.entries()) {
      for (const wrong of [undefined, null, 5, true, Symbol('x'), [[]]]) {
        if (name === 'keys.limit' && index === 1 && (wrong === 5 || wrong === null)) continue;
        const ended = await named(() => method(...args.with(index, wrong)));
        expect([index, wrong, ended]).toEqual([index, wrong, expect.stringMatching(/^names \w/)]);
      }
    }
    expect(server.seen).toEqual([]);
  });
});

test.for(CALLS)('%s names each field that has another type', async ([name, args]) => {
  await withClient(async (service, server) => {
    const method = methodOf(service, name);
    for (const [index, arg] of args.entries()) {
      if (typeof arg !== 'object' || arg === null || Array.isArray(arg)) continue;
      for (const field of Object.keys(arg)) {
        const ended = await named(() =>
          method(...args.with(index, { ...arg, [field]: Symbol('x') })),
        );
        expect([field, ended]).toEqual([field, expect.stringContaining('names ')]);
      }
    }
    expect(server.seen).toEqual([]);
  });
});

test.for(CALLS)('%s names unknown options', async ([name, args]) => {
  await withClient(async (service, server) => {
    const method = methodOf(service, name);
    const wrong = [null, 'now', { signal: 'now' }, { signal: {} }, { patienceMs: 'soon' }];
    for (const options of wrong) {
      expect([options, await named(() => method(...args, options))]).toEqual([
        options,
        expect.stringMatching(/^names (options|signal|patienceMs)$/),
      ]);
    }
    expect(server.seen).toEqual([]);
  });
});

test.for([
  ['options', undefined],
  ['options', 'https://example.com'],
  ['url', { key: 'k' }],
  ['url', { url: 'example.com', key: 'k' }],
  ['url', { url: 'file:///etc', key: 'k' }],
  ['key', { url: 'https://example.com' }],
  ['key', { url: 'https://example.com', key: 5 }],
  ['dialect', { url: 'https://example.com', key: 'k', dialect: 'klingon' }],
  ['capabilities[0]', { url: 'https://example.com', key: 'k', capabilities: ['x'] }],
  ['concurrency', { url: 'https://example.com', key: 'k', concurrency: 0 }],
  ['headers.a', { url: 'https://example.com', key: 'k', headers: { a: 1 } }],
  ['headers.a', { url: 'https://example.com', key: 'k', headers: { a: 'b\nc' } }],
  ['headers.a', { url: 'https://example.com', key: 'k', headers: { a: '翻訳' } }],
  ['headers.a b', { url: 'https://example.com', key: 'k', headers: { 'a b': 'c' } }],
  ['headers.Expect', { url: 'https://example.com', key: 'k', headers: { Expect: '100-continue' } }],
  ['scheme', { url: 'https://example.com', key: 'k', scheme: 'a\nb' }],
  ['onEvent', { url: 'https://example.com', key: 'k', onEvent: 'x' }],
] as const)('connect names %s: %j', async ([parameter, options]) => {
  const ended = await named(async () =>
    connect(options as unknown as Parameters<typeof connect>[0]),
  );
  expect(ended).toBe(`names ${parameter}`);
});

test('a number that is too small, and a text that is empty, are named in plain words', async () => {
  const options = { url: 'https://example.com', key: 'k' };
  expect(() => connect({ ...options, concurrency: 0 })).toThrow(/concurrency must be above 0$/);
  await using service = connect(options);
  await expect(service.documents.status({ document_id: '', document_key: 'k' })).rejects.toThrow(
    /document_id must not be empty$/,
  );
});

test.for([
  ['text', 'text.translate', { text: ['a', 1], target_lang: 'de' }],
  ['text', 'text.translate', { text: { 0: 'a' }, target_lang: 'de' }],
  ['formality', 'text.translate', { text: 'a', target_lang: 'de', formality: 'polite' }],
  ['glossary_id', 'text.translate', { text: 'a', target_lang: 'de', glossary_id: null }],
  [
    'dictionaries[0].entries',
    'glossaries.create',
    { name: 'a', dictionaries: [{ ...TSV, entries: ['a'] }] },
  ],
  ['file', 'documents.upload', { target_lang: 'de' }],
  ['file', 'documents.upload', { ...DOCUMENT, file: '/a.txt' }],
  ['content', 'documents.upload', { ...DOCUMENT, content: 'text' }],
  ['filename', 'documents.upload', { content: DOCUMENT.content, target_lang: 'de' }],
  ['stream', 'documents.upload', { stream: 'text', filename: 'a.txt', target_lang: 'de' }],
  ['save', 'documents.translate', DOCUMENT],
] as const)('%s is named: %s(%j)', async ([parameter, name, request]) => {
  await withClient(async (service) => {
    expect(await named(() => methodOf(service, name)(request))).toBe(`names ${parameter}`);
  });
});
