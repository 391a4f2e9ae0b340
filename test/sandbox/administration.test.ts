import { expect, test } from 'vitest';
import { type SandboxOptions, startSandbox } from '../../src/sandbox/server.ts';
import { callerOf } from './caller.ts';

async function startAdministered(options: SandboxOptions = {}) {
  const sandbox = await startSandbox(options);
  const call = callerOf(sandbox);
  const administer: typeof call = (request, body) => call(request, body, { key: sandbox.adminKey });
  return { sandbox, call, administer, [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose]() };
}

const KEYS = '/v2/admin/developer-keys';
const hello = { text: ['12345'], target_lang: 'de' };

test('a key is made, works, is named, and is deactivated for good', async () => {
  await using service = await startAdministered();
  const { call, administer } = service;
  const made = await administer(`POST ${KEYS}`, { label: 'CI' });
  const key_id = made.field('key_id');
  const shape = {
    key_id: expect.stringMatching(/^[\da-f-]{36}:[\da-f-]{36}$/u),
    label: 'CI',
    creation_time: expect.any(String),
    is_deactivated: false,
    usage_limits: { characters: null },
  };
  expect(made.body).toEqual(shape);
  expect((await call('POST /v2/translate', hello, { key: key_id })).status).toBe(200);
  expect((await administer(`PUT ${KEYS}/label`, { key_id, label: 'Build' })).body).toEqual({
    ...shape,
    label: 'Build',
  });
  const gone = await administer(`PUT ${KEYS}/deactivate`, { key_id });
  expect(gone.body).toMatchObject({ is_deactivated: true, deactivated_time: expect.any(String) });
  expect((await call('POST /v2/translate', hello, { key: key_id })).status).toBe(401);
  const again = await administer(`PUT ${KEYS}/deactivate`, { key_id });
  expect(again.body).toEqual(gone.body);
  expect((await administer(`GET ${KEYS}`)).body).toEqual([
    expect.objectContaining({ label: 'Default key', is_deactivated: false }),
    gone.body,
  ]);
});

test('a key without label gets a fixed one', async () => {
  await using service = await startAdministered();
  const { administer } = service;
  const labels = [await administer(`POST ${KEYS}`, {}), await administer(`POST ${KEYS}`, {})];
  expect(new Set(labels.map((made) => made.field('label'))).size).toBe(1);
});

test('25 keys may be active at a time', async () => {
  await using service = await startAdministered({ limits: { developer_keys: 3 } });
  const { administer } = service;
  const first = await administer(`POST ${KEYS}`, {});
  expect((await administer(`POST ${KEYS}`, {})).status).toBe(201);
  expect((await administer(`POST ${KEYS}`, {})).status).toBe(400);
  await administer(`PUT ${KEYS}/deactivate`, { key_id: first.field('key_id') });
  expect((await administer(`POST ${KEYS}`, {})).status).toBe(201);
});

test('a key may use its limit, nothing with limit 0, everything with null', async () => {
  await using service = await startAdministered();
  const { call, administer } = service;
  const key_id = (await administer(`POST ${KEYS}`, {})).field('key_id');
  const limit = (characters: unknown) => administer(`PUT ${KEYS}/limits`, { key_id, characters });
  const translate = async () => (await call('POST /v2/translate', hello, { key: key_id })).status;
  expect((await limit(9)).body).toMatchObject({ usage_limits: { characters: 9 } });
  expect([await translate(), await translate()]).toEqual([200, 456]);
  await limit(0);
  expect(await translate()).toBe(456);
  await limit(null);
  expect(await translate()).toBe(200);
});

test.each([
  [`PUT ${KEYS}/limits`, { key_id: 'x' }, 400],
  [`PUT ${KEYS}/limits`, { key_id: 'x', characters: -1 }, 400],
  [`PUT ${KEYS}/limits`, { key_id: 'x', characters: 1.5 }, 400],
  [`PUT ${KEYS}/limits`, { key_id: 'x', characters: 1 }, 404],
  [`PUT ${KEYS}/label`, { key_id: 'x' }, 400],
  [`PUT ${KEYS}/label`, { key_id: 'x', label: 'y' }, 404],
  [`PUT ${KEYS}/deactivate`, {}, 400],
  [`PUT ${KEYS}/deactivate`, { key_id: 'x' }, 404],
  [`POST ${KEYS}`, { label: 5 }, 400],
  ['GET /v2/admin/analytics', undefined, 400],
  ['GET /v2/admin/analytics?start_date=2026-01-01', undefined, 400],
  ['GET /v2/admin/analytics?start_date=2026-01-02&end_date=2026-01-01', undefined, 400],
  ['GET /v2/admin/analytics?start_date=2026-02-30&end_date=2026-03-01', undefined, 400],
  ['GET /v2/admin/analytics?start_date=2025-01-01&end_date=2026-01-02', undefined, 400],
  [
    'GET /v2/admin/analytics?start_date=2026-01-01&end_date=2026-01-01&group_by=day',
    undefined,
    400,
  ],
])('%s with %j gets %d', async (request, body, status) => {
  await using service = await startAdministered();
  const { administer } = service;
  expect((await administer(request, body)).status).toBe(status);
});

test('analytics add up by key and day, with masked keys', async () => {
  let now = Date.UTC(2026, 4, 1, 12);
  const clock = { now: () => now, sleep: async () => {} };
  await using service = await startAdministered({ clock });
  const { call, administer } = service;
  const made = await administer(`POST ${KEYS}`, { label: 'CI' });
  await call('POST /v2/translate', hello);
  await call('POST /v2/translate', hello, { key: made.field('key_id') });
  now += 24 * 60 * 60 * 1000;
  await call('POST /v2/write/rephrase', { text: ['The text is here'] });
  const days = 'start_date=2026-05-01&end_date=2026-05-02';
  const report = async (query: string) =>
    ((await administer(`GET /v2/admin/analytics?${query}`)).body as { usage_report: object })
      .usage_report;
  const total_usage = {
    total_characters: 26,
    text_translation_characters: 10,
    document_translation_characters: 0,
    text_improvement_characters: 16,
    speech_to_text_minutes: 0,
  };
  const range = { start_date: '2026-05-01', end_date: '2026-05-02' };
  expect(await report(days)).toEqual({ total_usage, ...range });
  expect(await report(`${days}&group_by=key`)).toMatchObject({
    key_usages: [
      { api_key_label: 'Default key', usage: { total_characters: 21 } },
      { api_key_label: 'CI', usage: { total_characters: 5 } },
    ],
  });
  const byDay = await report(`${days}&group_by=key_and_day`);
  expect(byDay).toMatchObject({
    group_by: 'key_and_day',
    key_and_day_usages: [
      { usage_date: '2026-05-01', usage: { total_characters: 5 } },
      { usage_date: '2026-05-02', usage: { text_improvement_characters: 16 } },
      { usage_date: '2026-05-01', api_key: expect.stringMatching(/^\w{4}\*{4}\w{4}$/u) },
    ],
  });
  expect(await report('start_date=2026-05-02&end_date=2026-05-02')).toMatchObject({
    total_usage: { total_characters: 16 },
  });
});
