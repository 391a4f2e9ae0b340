import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { type Caller, callerOf } from './caller.ts';

let sandbox: Sandbox;
let call: Caller;

beforeAll(async () => {
  sandbox = await startSandbox();
  call = callerOf(sandbox);
});

afterAll(async () => sandbox[Symbol.asyncDispose]());

const open = { headers: { authorization: '' } };
const hello = { text: ['Hello'], target_lang: 'de', context: 'greeting' };

test('counters and log show what was asked and billed, without a key and without counting themselves', async () => {
  await call('POST /sandbox/reset', {}, open);
  await call('POST /v2/translate', hello);
  const { body } = await call('GET /sandbox/counters', undefined, open);
  expect(body).toEqual({
    operations: {
      'POST /v2/translate': {
        calls: 1,
        texts: 1,
        bytes: JSON.stringify(hello).length,
        billed_characters: 5,
        context_characters: 8,
        statuses: { 200: 1 },
      },
    },
    billed_characters: 5,
    asked_twice: [],
    violations: [],
    warnings: [],
  });
  expect((await call('GET /sandbox/log')).body).toMatchObject([
    {
      operation: 'POST /v2/translate',
      account: 'paid',
      status: 200,
      trace_id: expect.stringMatching(/^[\da-f]{32}$/u),
      texts: ['Hello'],
      target_lang: 'de',
      billed_characters: 5,
    },
  ]);
});

test('the trace of an answer is the one in the log', async () => {
  const { headers } = await call('GET /v2/usage');
  expect(sandbox.log().at(-1)?.trace_id).toBe(headers.get('x-trace-id'));
});

test('faults are added, listed and cleared', async () => {
  const fault = { kind: 'status', status: 529, times: 'always' };
  const added = await call('POST /sandbox/faults', [fault], open);
  expect(added.body).toEqual([{ ...fault, skip: 0 }]);
  expect((await call('GET /v2/usage')).status).toBe(529);
  expect((await call('DELETE /sandbox/faults', undefined, open)).body).toEqual([]);
  expect((await call('GET /v2/usage')).status).toBe(200);
});

test.each([
  [{ kind: 'explosion' }],
  [{ kind: 'reset', operation: 'POST /v2/translation' }],
  [{ kind: 'status' }],
  [{ kind: 'status', status: 500, when: 'now' }],
  [{ kind: 'empty', matches: '(' }],
  ['nonsense'],
])('the fault %j is refused with 400', async (fault) => {
  expect((await call('POST /sandbox/faults', [fault])).status).toBe(400);
});

test('usage and limits of an account are set by any of its keys', async () => {
  const change = { key: 'sandbox', character_count: 95, character_limit: 100 };
  expect((await call('POST /sandbox/account', change)).status).toBe(200);
  expect((await call('POST /v2/translate', hello)).status).toBe(200);
  expect((await call('POST /v2/translate', hello)).status).toBe(456);
  await call('POST /sandbox/account', { key: 'sandbox', character_limit: 1e12, key_limit: 10 });
  expect((await call('GET /v2/usage')).body).toMatchObject({ api_key_character_limit: 10 });
  await call('POST /sandbox/account', { key: 'sandbox', key_limit: null });
  expect((await call('POST /v2/translate', hello)).status).toBe(200);
  expect((await call('POST /sandbox/account', { key: 'nobody' })).status).toBe(404);
  expect((await call('POST /sandbox/account', {})).status).toBe(400);
});

test('a reset of everything forgets glossaries, keys and usage', async () => {
  await call('POST /v3/style_rules', { name: 'x', language: 'de' });
  await call('POST /v2/translate', hello);
  await call('POST /sandbox/reset', { scope: 'everything' });
  expect((await call('GET /v3/style_rules')).body).toEqual({ style_rules: [] });
  expect((await call('GET /v2/usage')).body).toMatchObject({ character_count: 0 });
  expect((await call('POST /sandbox/reset', { scope: 'some' })).status).toBe(400);
});

test('the accounts are listed with what they may do', async () => {
  const { body } = await call('GET /sandbox/accounts');
  expect(body).toContainEqual(
    expect.objectContaining({ key: 'sandbox-free', plan: 'free', lacks: ['styles', 'write'] }),
  );
  expect((await call('GET /sandbox/nothing')).status).toBe(404);
});

test('bytes are counted as they arrive, also where no length was announced', async () => {
  sandbox.control.reset();
  const body = new Blob(['{"text":["chunk"],"target_lang":"de"}']).stream();
  const headers = { authorization: 'Service-Auth-Key sandbox', 'content-type': 'application/json' };
  const url = `${sandbox.url}/v2/translate`;
  const answer = await fetch(url, { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
  expect(answer.status).toBe(200);
  expect(sandbox.counters().operations['POST /v2/translate']?.bytes).toBe(37);
});
