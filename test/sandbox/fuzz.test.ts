import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
});

afterAll(async () => sandbox[Symbol.asyncDispose]());

const ID = '00000000-0000-4000-8000-000000000000';
const REQUESTS = [
  'POST /v2/translate',
  'POST /v2/write/rephrase',
  'POST /v3/detect/language',
  'POST /v3/glossaries',
  `PATCH /v3/glossaries/${ID}`,
  `PUT /v3/glossaries/${ID}/dictionaries`,
  'POST /v2/glossaries',
  'POST /v3/style_rules',
  `PUT /v3/style_rules/${ID}/configured_rules`,
  `POST /v3/style_rules/${ID}/custom_instructions`,
  'POST /v1/jobs/voice/translate',
  `POST /v2/document/${ID}`,
  'POST /v2/admin/developer-keys',
  'PUT /v2/admin/developer-keys/limits',
  'PUT /v2/admin/developer-keys/label',
  'POST /sandbox/faults',
  'POST /sandbox/account',
];

const NAMES = [
  ...['text', 'target_lang', 'source_lang', 'formality', 'glossary_id', 'style_id', 'model_type'],
  ...['custom_instructions', 'tag_handling', 'ignore_tags', 'writing_style', 'tone', 'name'],
  ...['dictionaries', 'entries', 'entries_format', 'language', 'configured_rules', 'label'],
  ...['source_file', 'targets', 'parameters', 'content_type', 'content_length', 'document_key'],
  ...['prompt', 'key_id', 'characters', 'kind', 'status', 'key', '__proto__', 'constructor'],
];

const word = fc.constantFrom(
  'en',
  'de',
  'more',
  'csv',
  'tsv',
  'xml',
  'a\tb',
  'a,b',
  '"',
  'sandbox',
  ID,
);
const value: fc.Arbitrary<unknown> = fc.oneof(
  word,
  fc.jsonValue({ maxDepth: 2 }),
  fc.array(fc.oneof(word, fc.dictionary(fc.constantFrom(...NAMES), word))),
);
const object = fc.dictionary(fc.constantFrom(...NAMES), value).map((each) => JSON.stringify(each));
const body = fc.oneof(object, fc.json(), fc.string(), fc.string({ unit: 'binary' }));
const type = fc.constantFrom(
  ...['application/json', 'application/json', 'application/x-www-form-urlencoded'],
  ...['text/plain', 'multipart/form-data', ''],
);

/** The statuses that a request with a valid key may get, and never 500 (docs/design/api.md, "Errors"). */
const DOCUMENTED = [200, 201, 204, 400, 403, 404, 405, 413, 415, 456];

async function send(request: string, init: { body?: string; type?: string; key: string }) {
  const [method = '', path = ''] = request.split(' ', 2);
  const response = await fetch(`${sandbox.url}${path}`, {
    method,
    headers: {
      authorization: `Service-Auth-Key ${init.key}`,
      ...(init.type !== undefined && { 'content-type': init.type }),
    },
    ...(init.body !== undefined && { body: init.body }),
  });
  return { status: response.status, text: await response.text() };
}

test('whatever the body, the answer is documented, and its errors say what is wrong', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...REQUESTS), body, type, async (request, content, as) => {
      const key = request.includes('/admin/') ? sandbox.adminKey : sandbox.key;
      const { status, text } = await send(request, { body: content, type: as, key });
      sandbox.faults.clear();
      expect(DOCUMENTED).toContain(status);
      if (status >= 400)
        expect(JSON.parse(text)).toEqual(expect.objectContaining({ message: expect.any(String) }));
    }),
    { numRuns: 1200 },
  );
});

test('whatever the path and query, the answer is documented', async () => {
  const segment = fc.oneof(
    fc.constantFrom('v2', 'v3', 'glossaries', 'style_rules', 'languages', 'entries', ID, '%', '..'),
    fc.webSegment(),
  );
  const path = fc.array(segment, { maxLength: 5 }).map((each) => `/${each.join('/')}`);
  const query = fc.oneof(
    fc.constant(''),
    fc.webQueryParameters().map((each) => `?${each}`),
  );
  const method = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE');
  await fc.assert(
    fc.asyncProperty(method, path, query, async (verb, where, what) => {
      const { status } = await send(`${verb} ${where}${what}`, { key: sandbox.key });
      expect(DOCUMENTED).toContain(status);
    }),
    { numRuns: 500 },
  );
});
