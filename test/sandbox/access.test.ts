import { once } from 'node:events';
import { connect } from 'node:net';
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

test.each(['', 'Service-Auth-Key', 'Service-Auth-Key nobody', 'Bearer sandbox', 'sandbox'])(
  'the Authorization header %j gets 401',
  async (authorization) => {
    const { status, body } = await call('GET /v2/usage', undefined, { headers: { authorization } });
    expect(status).toBe(401);
    expect(body).toEqual({ message: expect.any(String) });
  },
);

test('a bad key gets 403 on deployments', async () => {
  await using deployed = await startSandbox({ dialect: 'deployed' });
  const answer = await callerOf(deployed)('GET /v2/usage', undefined, { key: 'nobody' });
  expect(answer.status).toBe(403);
});

test('scheme tokens are configurable', async () => {
  await using branded = await startSandbox({ schemes: { key: 'Acme-Key' } });
  const headers = { authorization: 'acme-key sandbox' };
  const answer = await callerOf(branded)('GET /v2/usage', undefined, { headers });
  expect(answer.status).toBe(200);
});

test.each([
  ['POST /v3/detect/language', { text: ['Hi'] }, 'sandbox-no-detection'],
  ['POST /v2/write/rephrase', { text: ['Hi'] }, 'sandbox-free'],
  ['GET /v3/style_rules', undefined, 'sandbox-free'],
  ['GET /v3/style_rules', undefined, 'sandbox-no-styles'],
  ['POST /v2/translate', { text: ['Hi'], target_lang: 'de', style_id: 'x' }, 'sandbox-free'],
  ['GET /v2/admin/developer-keys', undefined, 'sandbox'],
  ['GET /v2/usage', undefined, 'sandbox-admin'],
])('%s is refused with 403 to %3$s', async (request, body, key) => {
  const { status } = await call(request, body, { key });
  expect(status).toBe(403);
});

test.each([
  ['GET /v2/nothing', 404],
  ['GET /', 404],
  ['POST /v3/languages', 405],
  ['PUT /v3/languages/resources', 405],
  ['DELETE /v2/usage', 405],
])('%s gets %d', async (request, status) => {
  expect((await call(request)).status).toBe(status);
});

test('the second data center sees none of the first one’s glossaries, and has no administration', async () => {
  const created = await call('POST /v3/glossaries', {
    name: 'mine',
    dictionaries: [{ source_lang: 'en', target_lang: 'de', entries: 'a,b', entries_format: 'csv' }],
  });
  const path = `GET /v3/glossaries/${created.field('glossary_id')}`;
  const there = { base: sandbox.secondUrl };
  expect((await call(path)).status).toBe(200);
  expect((await call(path, undefined, there)).status).toBe(404);
  expect((await call(path, undefined, { key: 'sandbox-free' })).status).toBe(404);
  const admin = { key: sandbox.adminKey };
  expect((await call('GET /v2/admin/developer-keys', undefined, admin)).status).toBe(200);
  const elsewhere = await call('GET /v2/admin/developer-keys', undefined, { ...admin, ...there });
  expect(elsewhere.status).toBe(404);
});

test('a key at home in the second data center lives there at every address', async () => {
  const key = 'sandbox-second';
  const created = await call(
    'POST /v3/style_rules',
    { name: 'house', language: 'de' },
    { key, base: sandbox.secondUrl },
  );
  const found = await call(`GET /v3/style_rules/${created.field('style_id')}`, undefined, { key });
  expect(found.status).toBe(200);
});

test('the limited key is warned at 80 % and refused with 456 beyond 100 %', async () => {
  const key = 'sandbox-limited';
  const translate = (characters: number) =>
    call('POST /v2/translate', { text: ['x'.repeat(characters)], target_lang: 'de' }, { key });
  expect((await translate(799)).status).toBe(200);
  expect(sandbox.counters().warnings).toEqual([]);
  expect((await translate(1)).status).toBe(200);
  expect((await translate(201)).status).toBe(456);
  expect((await translate(200)).status).toBe(200);
  expect((await translate(1)).status).toBe(456);
  expect(sandbox.counters().warnings.map((warning) => warning.percent)).toEqual([80, 100]);
});

test('usage is short for free and classic plans', async () => {
  const of = async (key: string) => (await call('GET /v2/usage', undefined, { key })).body;
  expect(await of('sandbox-free')).toEqual({ character_count: 0, character_limit: 500_000 });
  expect(await of('sandbox-classic')).toEqual({ character_count: 0, character_limit: 1e12 });
  expect(Object.keys((await of('sandbox')) as object)).toContain('api_key_character_limit');
});

test('usage starts again with the next period', async () => {
  let now = Date.UTC(2026, 0, 31, 23, 59);
  const clock = { now: () => now, sleep: async () => {} };
  await using another = await startSandbox({ clock });
  const ask = callerOf(another);
  await ask('POST /v2/translate', { text: ['12345'], target_lang: 'de' });
  expect((await ask('GET /v2/usage')).body).toMatchObject({
    character_count: 5,
    start_time: '2026-01-01T00:00:00.000Z',
    end_time: '2026-02-01T00:00:00.000Z',
    products: [{ product_type: 'translate', character_count: 5 }, { product_type: 'write' }],
  });
  now += 120_000;
  expect((await ask('GET /v2/usage')).body).toMatchObject({ character_count: 0 });
});

test('an early refusal reaches a caller that is still writing', async () => {
  const body = new Uint8Array(20_000_000);
  for (const [request, key, status] of [
    ['POST /v2/translate', 'nobody', 401],
    ['POST /v2/translate', sandbox.key, 415],
    ['POST /v2/nothing', sandbox.key, 404],
  ] as const) {
    expect((await call(request, body, { key })).status).toBe(status);
  }
});

test('a caller that hangs up in the middle of its request breaks no rule', async () => {
  const violations = sandbox.counters().violations.length;
  const seen = sandbox.log().length;
  const socket = connect(Number(new URL(sandbox.url).port), '127.0.0.1');
  socket.write(
    'POST /v2/translate HTTP/1.1\r\nHost: x\r\nAuthorization: Service-Auth-Key sandbox\r\n' +
      'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"text":',
  );
  await once(socket, 'ready');
  socket.destroy();
  await expect.poll(() => sandbox.log().length).toBe(seen + 1);
  expect(sandbox.log().at(-1)?.status).toBe(0);
  expect(sandbox.counters().violations).toHaveLength(violations);
});
