/**
 * Requests that clients of deployments send although they are not documented: the dialect `deployed` accepts them, `document` refuses
 * them.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { type Answer, type Caller, callerOf } from './caller.ts';
import { ask as askDocument, type Handle, upload } from './document-calls.ts';

let document: Sandbox;
let deployed: Sandbox;
let ask: Caller;
let strict: Caller;

beforeAll(async () => {
  document = await startSandbox({ timeScale: 1000 });
  deployed = await startSandbox({ dialect: 'deployed', timeScale: 1000 });
  strict = callerOf(document);
  ask = callerOf(deployed);
});

afterAll(async () => {
  await document[Symbol.asyncDispose]();
  await deployed[Symbol.asyncDispose]();
});

const form = (fields: Record<string, string>) => new URLSearchParams(fields);
const PAIR = { source_lang: 'en', target_lang: 'de' };
const LEGACY = { name: 'old', ...PAIR, entries: 'a\tb\nc\td', entries_format: 'tsv' };
const NESTED = {
  name: 'new',
  'dictionaries[0].source_lang': 'en',
  'dictionaries[0].target_lang': 'de',
  'dictionaries[0].entries': 'a,b',
  'dictionaries[0].entries_format': 'csv',
  'dictionaries[1].source_lang': 'de',
  'dictionaries[1].target_lang': 'fr',
  'dictionaries[1].entries': 'x\ty\nz\tw',
  'dictionaries[1].entries_format': 'tsv',
};

describe('forms', () => {
  test('make a v2 glossary', async () => {
    const { status, body } = await ask('POST /v2/glossaries', form(LEGACY));
    expect([status, body]).toMatchObject([201, { name: 'old', entry_count: 2 }]);
  });

  test('make, change and extend a v3 glossary, with nested names', async () => {
    const made = await ask('POST /v3/glossaries', form(NESTED));
    expect(made.body).toMatchObject({
      dictionaries: [
        { ...PAIR, entry_count: 1 },
        { source_lang: 'de', target_lang: 'fr', entry_count: 2 },
      ],
    });
    const path = `/v3/glossaries/${made.field('glossary_id')}`;
    expect((await ask(`PATCH ${path}`, form({ name: 'other' }))).body).toMatchObject({
      name: 'other',
    });
    const merged = await ask(
      `PATCH ${path}`,
      form({
        'dictionaries[0].source_lang': 'en',
        'dictionaries[0].target_lang': 'de',
        'dictionaries[0].entries': 'e,f',
        'dictionaries[0].entries_format': 'csv',
      }),
    );
    expect(merged.body).toMatchObject({ name: 'other', dictionaries: [{ entry_count: 2 }, {}] });
    const put = await ask(
      `PUT ${path}/dictionaries`,
      form({ ...PAIR, entries: 'g,h', entries_format: 'csv' }),
    );
    expect(put.body).toEqual({ ...PAIR, entry_count: 1 });
  });

  test('may spell nested names with brackets alone', async () => {
    const bracketed = Object.entries(NESTED).map(([name, value]) => [
      name.replace(/\.(\w+)$/, '[$1]'),
      value,
    ]);
    const made = await ask('POST /v3/glossaries', form(Object.fromEntries(bracketed)));
    expect([made.status, made.body]).toMatchObject([
      201,
      { name: 'new', dictionaries: [{ ...PAIR, entry_count: 1 }, { entry_count: 2 }] },
    ]);
  });

  test('name a nested field that is wrong as it was spelled', async () => {
    const { status, text } = await ask(
      'POST /v3/glossaries',
      form({ ...NESTED, 'dictionaries[1].entries_format': 'xlsx' }),
    );
    expect([status, text]).toEqual([
      400,
      expect.stringContaining("'dictionaries[1].entries_format'"),
    ]);
  });

  test.each([
    ['deployed', { message: 'too blurred', error_message: 'too blurred' }],
    ['document', { message: 'too blurred' }],
  ] as const)('the reason of a failed document in the dialect %s', async (dialect, reason) => {
    const sandbox = dialect === 'deployed' ? deployed : document;
    const handle = (await (await upload(sandbox, { content: 'a' })).json()) as Handle;
    sandbox.faults.add([{ kind: 'failed_job', message: 'too blurred' }]);
    const { document_id } = handle;
    const status = await (await askDocument(sandbox, handle)).json();
    expect(status).toEqual({ document_id, status: 'error', ...reason });
  });

  test('ask for the status of a document, and fetch it', async () => {
    const handle = (await (await upload(deployed, { content: 'Hello' })).json()) as {
      document_id: string;
      document_key: string;
    };
    const { document_key } = handle;
    const path = `/v2/document/${handle.document_id}`;
    await expect
      .poll(async () => (await ask(`POST ${path}`, form({ document_key }))).body)
      .toMatchObject({ status: 'done' });
    const result = await ask(`POST ${path}/result`, form({ document_key }));
    expect([result.status, result.text]).toEqual([200, expect.stringContaining('[de ')]);
  });

  test.each([
    ['POST /v2/glossaries', LEGACY],
    ['POST /v3/glossaries', NESTED],
    ['POST /v2/document/1', { document_key: 'x' }],
    ['POST /v2/document/1/result', { document_key: 'x' }],
  ])('are refused in the dialect document: %s', async (request, fields) => {
    expect((await strict(request, form(fields))).status).toBe(415);
  });

  test('that change a glossary are refused in the dialect document', async () => {
    const made = await strict('POST /v3/glossaries', {
      name: 'n',
      dictionaries: [{ ...PAIR, entries: 'a,b', entries_format: 'csv' }],
    });
    const path = `/v3/glossaries/${made.field('glossary_id')}`;
    expect((await strict(`PATCH ${path}`, form({ name: 'm' }))).status).toBe(415);
    expect((await strict(`PUT ${path}/dictionaries`, form(LEGACY))).status).toBe(415);
  });
});

/** `fetch` sends no GET with a body; other clients do. */
async function getWithBody(sandbox: Sandbox, path: string, body: string): Promise<Answer['body']> {
  const { request } = await import('undici');
  const answer = await request(`${sandbox.url}${path}`, {
    method: 'GET',
    headers: {
      authorization: `Service-Auth-Key ${sandbox.key}`,
      'content-type': 'application/json',
    },
    body,
  });
  return answer.body.json();
}

describe('GET /v2/languages with a JSON body', () => {
  const TARGETS = '{"type":"target"}';

  test('lists what the body asks for', async () => {
    expect(await getWithBody(deployed, '/v2/languages', TARGETS)).toContainEqual(
      expect.objectContaining({ language: 'DE', supports_formality: true }),
    );
    expect(await getWithBody(deployed, '/v2/languages', '{}')).toEqual(
      (await ask('GET /v2/languages')).body,
    );
    expect(await getWithBody(deployed, '/v2/languages', '{"type":"both"}')).toEqual({
      message: expect.stringContaining("'type'"),
    });
  });

  test('lists what the query asks for in the dialect document', async () => {
    expect(await getWithBody(document, '/v2/languages', TARGETS)).toEqual(
      (await strict('GET /v2/languages?type=source')).body,
    );
  });
});

describe('codes and wordings', () => {
  test('a new developer key is 200, and 201 in the dialect document', async () => {
    const path = 'POST /v2/admin/developer-keys';
    expect((await ask(path, {}, { key: deployed.adminKey })).status).toBe(200);
    expect((await strict(path, {}, { key: document.adminKey })).status).toBe(201);
  });

  test('a pair without dictionary is 404 in the words that clients look for', async () => {
    const made = await ask('POST /v3/glossaries', form(NESTED));
    const path = `/v3/glossaries/${made.field('glossary_id')}`;
    const pair = 'source_lang=en&target_lang=it';
    for (const request of [`GET ${path}/entries?${pair}`, `DELETE ${path}/dictionaries?${pair}`]) {
      const { status, body } = await ask(request);
      expect([status, body]).toEqual([
        404,
        { message: 'No dictionary found for language pair', detail: 'en to it' },
      ]);
    }
  });

  test('analytics take and show date-times, and days in the dialect document', async () => {
    const path = '/v2/admin/analytics?group_by=key_and_day';
    const moments = `GET ${path}&start_date=2026-05-01T00:00:00Z&end_date=2026-05-02T10:00:00%2B02:00`;
    const days = `GET ${path}&start_date=2026-05-01&end_date=2026-05-02`;
    const range = { start_date: '2026-05-01T00:00:00Z', end_date: '2026-05-02T00:00:00Z' };
    for (const request of [moments, days]) {
      const { body } = await ask(request, undefined, { key: deployed.adminKey });
      expect(body).toMatchObject({ usage_report: range });
    }
    const admin = { key: document.adminKey };
    expect((await strict(moments, undefined, admin)).status).toBe(400);
    expect((await strict(days, undefined, admin)).body).toMatchObject({
      usage_report: { start_date: '2026-05-01', end_date: '2026-05-02' },
    });
  });

  test('analytics show what was used on a day by its midnight', async () => {
    const clock = { now: () => Date.UTC(2026, 4, 1, 12), sleep: async () => {} };
    await using sandbox = await startSandbox({ dialect: 'deployed', clock });
    const call = callerOf(sandbox);
    await call('POST /v2/translate', { text: ['12345'], target_lang: 'de' });
    const { body } = await call(
      'GET /v2/admin/analytics?group_by=key_and_day&start_date=2026-05-01&end_date=2026-05-01',
      undefined,
      { key: sandbox.adminKey },
    );
    expect(body).toMatchObject({
      usage_report: { key_and_day_usages: [{ usage_date: '2026-05-01T00:00:00Z' }] },
    });
  });
});
