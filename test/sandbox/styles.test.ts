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

const rules = { dates_and_times: { calendar_era: 'use_bc_and_ad' } };
const instruction = { label: 'Tone', prompt: 'Be brief', source_language: 'en' };
const create = (more: object = {}) =>
  call('POST /v3/style_rules', { name: 'House', language: 'de', ...more });

test('a list is made whole, shown, renamed and deleted', async () => {
  const made = await create({ configured_rules: rules, custom_instructions: [instruction] });
  const list = {
    style_id: expect.any(String),
    name: 'House',
    language: 'de',
    version: 1,
    creation_time: expect.any(String),
    updated_time: expect.any(String),
    configured_rules: rules,
    custom_instructions: [{ id: expect.any(String), ...instruction }],
  };
  expect(made.status).toBe(201);
  expect(made.body).toEqual(list);
  const path = `/v3/style_rules/${made.field('style_id')}`;
  expect((await call(`GET ${path}`)).body).toEqual(list);
  const renamed = await call(`PATCH ${path}`, { name: 'Home' });
  expect(renamed.body).toEqual({ ...list, name: 'Home', version: 2 });
  const deleted = await call(`DELETE ${path}`);
  expect([deleted.status, deleted.text]).toEqual([204, '']);
  expect((await call(`DELETE ${path}`)).status).toBe(404);
});

test('configured rules are replaced as a whole, instructions are left alone', async () => {
  const made = await create({ configured_rules: rules, custom_instructions: [instruction] });
  const path = `PUT /v3/style_rules/${made.field('style_id')}/configured_rules`;
  const replaced = await call(path, {});
  expect(replaced.body).toMatchObject({ configured_rules: {}, version: 2 });
  expect(replaced.body).toMatchObject({ custom_instructions: [instruction] });
});

test('an added instruction is answered with the list and its own fields', async () => {
  const path = `/v3/style_rules/${(await create()).field('style_id')}/custom_instructions`;
  const added = await call(`POST ${path}`, instruction);
  expect(added.body).toMatchObject({
    version: 2,
    custom_instructions: [instruction],
    ...instruction,
  });
  expect((await call(`GET ${path}/${added.field('id')}`)).status).toBe(404);
});

test('deployments change single instructions', async () => {
  await using deployed = await startSandbox({ dialect: 'deployed' });
  const ask = callerOf(deployed);
  const made = await ask('POST /v3/style_rules', { name: 'House', language: 'de' });
  const list = `/v3/style_rules/${made.field('style_id')}`;
  const added = await ask(`POST ${list}/custom_instructions`, instruction);
  expect(added.status).toBe(201);
  const path = `${list}/custom_instructions/${added.field('id')}`;
  const changed = { id: added.field('id'), label: 'Tone', prompt: 'Be long' };
  expect((await ask(`PUT ${path}`, { label: 'Tone', prompt: 'Be long' })).body).toEqual(changed);
  expect((await ask(`GET ${path}`)).body).toEqual(changed);
  expect((await ask(`DELETE ${path}`)).status).toBe(204);
  expect((await ask(`GET ${path}`)).status).toBe(404);
  expect((await ask(`GET ${list}`)).body).toMatchObject({ version: 4, custom_instructions: [] });
});

test('lists come in pages of 10, of 1 to 25, without rules unless detailed', async () => {
  await using fresh = await startSandbox();
  const ask = callerOf(fresh);
  for (let i = 0; i < 12; i++) {
    await ask('POST /v3/style_rules', { name: `L${i}`, language: 'en', configured_rules: rules });
  }
  const names = async (query: string) => {
    const { body } = await ask(`GET /v3/style_rules${query}`);
    return (body as { style_rules: { name: string }[] }).style_rules.map((list) => list.name);
  };
  expect(await names('')).toHaveLength(10);
  expect(await names('?page=1')).toEqual(['L10', 'L11']);
  expect(await names('?page=2&page_size=5')).toEqual(['L10', 'L11']);
  const first = await ask('GET /v3/style_rules?page_size=1');
  expect(first.body).not.toMatchObject({ style_rules: [{ configured_rules: {} }] });
  const detailed = await ask('GET /v3/style_rules?page_size=1&detailed=true');
  expect(detailed.body).toMatchObject({ style_rules: [{ configured_rules: rules }] });
});

test.each(['page_size=0', 'page_size=26', 'page_size=x', 'page=-1', 'detailed=1'])(
  'the query %s is refused with 400',
  async (query) => {
    expect((await call(`GET /v3/style_rules?${query}`)).status).toBe(400);
  },
);

test.each([
  ['no name', { name: undefined }],
  ['a name of 1025 characters', { name: 'x'.repeat(1025) }],
  ['no language', { language: undefined }],
  ['a language without styles', { language: 'nl' }],
  ['a variant as language', { language: 'en-GB' }],
  ['an unknown category', { configured_rules: { colours: {} } }],
  ['an unknown rule', { configured_rules: { punctuation: { smileys: 'yes' } } }],
  ['an unknown option', { configured_rules: { dates_and_times: { calendar_era: 'no' } } }],
  ['rules of another kind', { configured_rules: ['x'] }],
  ['a rule named like a property of objects', { configured_rules: { constructor: {} } }],
  ['201 instructions', { custom_instructions: Array(201).fill(instruction) }],
  [
    'a label of 101 characters',
    { custom_instructions: [{ ...instruction, label: 'x'.repeat(101) }] },
  ],
  ['a prompt of 301', { custom_instructions: [{ ...instruction, prompt: 'x'.repeat(301) }] }],
  ['an instruction without prompt', { custom_instructions: [{ label: 'x' }] }],
  [
    'an unknown source language',
    { custom_instructions: [{ ...instruction, source_language: 'x' }] },
  ],
])('a list with %s is refused with 400', async (_, more) => {
  const { status, body } = await create(more);
  expect(status).toBe(400);
  expect(body).toEqual({ message: expect.any(String) });
});

test('limits are counted in characters: 100, 300 and 1024 emoji pass', async () => {
  const { status } = await create({
    name: '🙂'.repeat(1024),
    custom_instructions: Array(200).fill({ label: '🙂'.repeat(100), prompt: '🙂'.repeat(300) }),
  });
  expect(status).toBe(201);
});

test('the 201st instruction is refused', async () => {
  const made = await create({ custom_instructions: Array(200).fill(instruction) });
  const path = `POST /v3/style_rules/${made.field('style_id')}/custom_instructions`;
  expect((await call(path, instruction)).status).toBe(400);
});

test('a style shows in translations of its language, with its version', async () => {
  const style_id = (await create()).field('style_id');
  await call(`PATCH /v3/style_rules/${style_id}`, { name: 'again' });
  const translate = (target_lang: string) =>
    call('POST /v2/translate', { text: ['Hello'], target_lang, style_id });
  expect((await translate('de')).text).toContain(`[de·style-${style_id.slice(0, 8)}.2 `);
  expect((await translate('fr')).status).toBe(400);
  expect((await translate('nl')).status).toBe(400);
});

test('the language is accepted in any casing, and shown in BCP 47 casing', async () => {
  const made = await create({ language: 'DE' });
  expect([made.status, made.body]).toMatchObject([201, { language: 'de' }]);
});
