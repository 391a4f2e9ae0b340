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

const dictionary = (entries: string, more: object = {}) => ({
  source_lang: 'en',
  target_lang: 'de',
  entries,
  entries_format: 'tsv',
  ...more,
});

const create = (...dictionaries: object[]) =>
  call('POST /v3/glossaries', { name: 'terms', dictionaries });

const entriesOf = async (id: string, pair = 'source_lang=en&target_lang=de') =>
  (await call(`GET /v3/glossaries/${id}/entries?${pair}`)).body;

test('a glossary is made, listed, shown and deleted', async () => {
  const { status, body, field } = await create(
    dictionary('account\tKonto\nuser\tNutzer'),
    dictionary('account,conta', { target_lang: 'PT-br', entries_format: 'csv' }),
  );
  const glossary = {
    glossary_id: expect.any(String),
    name: 'terms',
    creation_time: expect.stringMatching(/\.\d{3}Z$/u),
    dictionaries: [
      { source_lang: 'en', target_lang: 'de', entry_count: 2 },
      { source_lang: 'en', target_lang: 'pt', entry_count: 1 },
    ],
  };
  const path = `/v3/glossaries/${field('glossary_id')}`;
  expect(status).toBe(201);
  expect(body).toEqual({ ...glossary, ready: true });
  expect((await call(`GET ${path}`)).body).toEqual(glossary);
  expect((await call('GET /v3/glossaries')).body).toMatchObject({
    glossaries: expect.arrayContaining([glossary]),
  });
  const deleted = await call(`DELETE ${path}`);
  expect([deleted.status, deleted.text]).toEqual([204, '']);
  expect((await call(`GET ${path}`)).status).toBe(404);
  expect((await call(`DELETE ${path}`)).status).toBe(404);
});

test('entries come back as TSV, for exactly one dictionary', async () => {
  const id = (await create(dictionary('b\t2\na\t1'))).field('glossary_id');
  expect(await entriesOf(id)).toEqual({
    dictionaries: [
      { source_lang: 'en', target_lang: 'de', entries: 'b\t2\na\t1', entries_format: 'tsv' },
    ],
  });
  expect((await call(`GET /v3/glossaries/${id}/entries?source_lang=en`)).status).toBe(400);
  const missing = `GET /v3/glossaries/${id}/entries?source_lang=en&target_lang=fr`;
  expect((await call(missing)).status).toBe(404);
});

test('CSV follows the conventions, and rows for another pair are ignored', async () => {
  const csv = [
    '\uFEFF"say ""hi""","sag ""hallo"""',
    'plain,"mit, Komma",EN,de',
    'other,autre,en,fr',
    '"quoted","zitiert","en-US","DE","5"',
    '',
  ].join('\r\n');
  const id = (await create(dictionary(csv, { entries_format: 'csv' }))).field('glossary_id');
  expect(await entriesOf(id)).toMatchObject({
    dictionaries: [{ entries: 'say "hi"\tsag "hallo"\nplain\tmit, Komma\nquoted\tzitiert' }],
  });
});

test('duplicate keys are refused with both indices', async () => {
  const { status, body } = await create(dictionary('a\t1\nb\t2\na\t3'));
  expect(status).toBe(400);
  expect(body).toMatchObject({ detail: expect.stringMatching(/\b0\b.*\b2\b/u) });
});

test.each([
  ['no entries', dictionary('')],
  ['an empty phrase', dictionary('a\t ')],
  ['a line with one column', dictionary('a\tb\nlonely')],
  ['an open quote', dictionary('"a,b', { entries_format: 'csv' })],
  ['a phrase of 1025 bytes', dictionary(`${'é'.repeat(512)}x\tb`)],
  ['an unknown format', dictionary('a\tb', { entries_format: 'xlsx' })],
  ['no format', dictionary('a\tb', { entries_format: undefined })],
  ['an unknown language', dictionary('a\tb', { target_lang: 'tlh' })],
  ['a language without glossaries', dictionary('a\tb', { target_lang: 'th' })],
  ['equal languages', dictionary('a\tb', { target_lang: 'en-GB' })],
])('a dictionary with %s is refused with 400', async (_, input) => {
  const { status, body } = await create(input);
  expect(status).toBe(400);
  expect(body).toMatchObject({ message: expect.any(String) });
});

test('a name of 1024 bytes passes, one of 1025 does not', async () => {
  const named = (name: string) =>
    call('POST /v3/glossaries', { name, dictionaries: [dictionary('a\tb')] });
  expect((await named('é'.repeat(512))).status).toBe(201);
  expect((await named(`${'é'.repeat(512)}x`)).status).toBe(400);
});

test('PUT makes and replaces one dictionary, PATCH merges into one', async () => {
  const path = `/v3/glossaries/${(await create(dictionary('a\t1\nb\t2'))).field('glossary_id')}`;
  const id = path.slice('/v3/glossaries/'.length);
  const replaced = await call(`PUT ${path}/dictionaries`, dictionary('c\t3'));
  expect(replaced.body).toEqual({ source_lang: 'en', target_lang: 'de', entry_count: 1 });
  const merged = await call(`PATCH ${path}`, {
    name: 'renamed',
    dictionaries: [dictionary('c\t4\nd\t5')],
  });
  expect(merged.body).toMatchObject({ name: 'renamed', dictionaries: [{ entry_count: 2 }] });
  expect(await entriesOf(id)).toMatchObject({ dictionaries: [{ entries: 'c\t4\nd\t5' }] });
  const french = dictionary('a\tx', { target_lang: 'fr' });
  expect((await call(`PATCH ${path}`, { dictionaries: [french] })).status).toBe(404);
  expect((await call(`PATCH ${path}`, { dictionaries: [french, french] })).status).toBe(400);
  expect((await call(`PUT ${path}/dictionaries`, french)).status).toBe(200);
  const gone = await call(`DELETE ${path}/dictionaries?source_lang=EN&target_lang=FR`);
  expect(gone.status).toBe(204);
  expect((await call(`GET ${path}`)).body).toMatchObject({ dictionaries: [{ target_lang: 'de' }] });
});

test('a glossary of more than its bytes gets 413, and the account has room for so many', async () => {
  await using small = await startSandbox({ limits: { glossary_bytes: 40, glossaries: 2 } });
  const ask = callerOf(small);
  const make = (entries: string) =>
    ask('POST /v3/glossaries', { name: 'x', dictionaries: [dictionary(entries)] });
  expect((await make(`${'a'.repeat(30)}\t${'b'.repeat(30)}`)).status).toBe(413);
  expect((await make('a\tb')).status).toBe(201);
  expect((await make('a\tb')).status).toBe(201);
  expect((await make('a\tb')).status).toBe(400);
});

test('a glossary changes translations of its pair, variants included, and no other', async () => {
  const made = await create(dictionary('account\tconta', { target_lang: 'pt' }));
  const translate = (target_lang: string, source_lang?: string) =>
    call('POST /v2/translate', {
      text: ['My account'],
      target_lang,
      source_lang,
      glossary_id: made.field('glossary_id'),
    });
  expect((await translate('pt-BR', 'en')).text).toContain('‹conta›');
  expect((await translate('PT-PT', 'EN')).text).toContain('‹conta›');
  const wrong = await translate('de', 'en');
  expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('en to de')]);
  expect((await translate('pt-BR')).status).toBe(400);
});

test('v2 glossaries answer in upper case and give entries as TSV only', async () => {
  const made = await call('POST /v2/glossaries', { name: 'old', ...dictionary('a\tb') });
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({
    ready: true,
    source_lang: 'EN',
    target_lang: 'DE',
    entry_count: 1,
  });
  const path = `/v2/glossaries/${made.field('glossary_id')}`;
  const entries = (accept: string) =>
    call(`GET ${path}/entries`, undefined, { headers: { accept } });
  const tsv = await entries('text/tab-separated-values');
  expect(tsv.text).toBe('a\tb');
  expect(tsv.headers.get('content-type')).toBe('text/tab-separated-values');
  expect((await entries('application/json')).status).toBe(415);
  expect((await call('GET /v2/glossaries')).body).toMatchObject({ glossaries: [{ name: 'old' }] });
  const v3 = `PUT /v3/glossaries/${made.field('glossary_id')}/dictionaries`;
  expect((await call(v3, dictionary('a\tc'))).status).toBe(400);
  expect((await call(`DELETE ${path}`)).status).toBe(204);
  expect((await call(`GET ${path}`)).status).toBe(404);
});

test('deployments answer with codes in lower case, ready on every look, and merge into a new pair', async () => {
  await using deployed = await startSandbox({ dialect: 'deployed' });
  const ask = callerOf(deployed);
  const v2 = await ask('POST /v2/glossaries', { name: 'old', ...dictionary('a\tb') });
  expect(v2.body).toMatchObject({ source_lang: 'en', target_lang: 'de' });
  const path = `/v3/glossaries/${(await ask('POST /v3/glossaries', { name: 'n', dictionaries: [dictionary('a\tb')] })).field('glossary_id')}`;
  const added = dictionary('a\tx', { target_lang: 'fr' });
  expect((await ask(`PATCH ${path}`, { dictionaries: [added] })).status).toBe(200);
  expect((await ask(`GET ${path}`)).body).toMatchObject({ ready: true, dictionaries: [{}, {}] });
});

test('a glossary that is not ready says so until the fault was used', async () => {
  sandbox.faults.add([{ kind: 'not_ready', times: 2 }]);
  const made = await create(dictionary('a\tb'));
  const look = () => call(`GET /v3/glossaries/${made.field('glossary_id')}`);
  expect(made.body).toMatchObject({ ready: false });
  expect((await look()).body).toMatchObject({ ready: false });
  expect((await look()).body).not.toMatchObject({ ready: false });
});

test('a key that has used up its limit gets 456 for making and changing glossaries, and still reads and deletes them', async () => {
  await using limited = await startSandbox();
  const ask = callerOf(limited);
  const { glossary_id } = (
    await ask('POST /v3/glossaries', { name: 'n', dictionaries: [dictionary('a\tb')] })
  ).body as { glossary_id: string };
  limited.control.change({ key: limited.key, key_limit: 5, character_count: 4 });
  const path = `/v3/glossaries/${glossary_id}`;
  expect((await ask(`PATCH ${path}`, { name: 'm' })).status).toBe(200);
  limited.control.change({ key: limited.key, character_count: 5 });
  for (const [request, body] of [
    ['POST /v3/glossaries', { name: 'n', dictionaries: [dictionary('a\tb')] }],
    ['POST /v2/glossaries', { name: 'n', ...dictionary('a\tb') }],
    [`PATCH ${path}`, { name: 'o' }],
    [`PUT ${path}/dictionaries`, dictionary('c\td')],
    [`DELETE ${path}/dictionaries?source_lang=en&target_lang=de`, undefined],
  ] as const) {
    const { status, body: answer } = await ask(request, body);
    expect([request, status, answer]).toEqual([request, 456, { message: expect.any(String) }]);
  }
  expect((await ask(`GET ${path}`)).body).toMatchObject({ name: 'm', dictionaries: [{}] });
  expect((await ask(`DELETE ${path}`)).status).toBe(204);
});
