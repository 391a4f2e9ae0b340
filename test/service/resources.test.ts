import { expect, test } from 'vitest';
import { hasQuotaLeft } from '../../src/service/account.ts';
import type { Service } from '../../src/service/client.ts';
import { failureFrom, json, reset, rig, serve } from './real-server.ts';

const ID = '00000000-0000-4000-8000-000000000000';
const PAIR = { source_lang: 'en', target_lang: 'de' };
const TSV = { ...PAIR, entries: 'a\tb', entries_format: 'tsv' } as const;
const CSV = { ...PAIR, entries: 'a,b', entries_format: 'csv' } as const;
const VOICE = {
  source_file: { name: 'a.wav', content_type: 'audio/wav', content_length: 1 },
  targets: [{ language: 'de', type: 'text/plain' }],
};
const KEY_ID = `${ID}:${ID}`;
const LONG = 'ä'.repeat(513);

/** Calls that are refused before anything is sent, and the parameter that the error names. */
const REFUSED: readonly (readonly [string, string, (service: Service) => Promise<unknown>])[] = [
  ['a nameless glossary', 'name', (s) => s.glossaries.create({ name: '', dictionaries: [TSV] })],
  [
    'a name over 1024 bytes',
    'name',
    (s) => s.glossaries.create({ name: LONG, dictionaries: [TSV] }),
  ],
  ['no dictionary', 'dictionaries', (s) => s.glossaries.create({ name: 'a', dictionaries: [] })],
  [
    'a phrase over 1024 bytes',
    'entries',
    (s) => s.glossaries.putDictionary(ID, { ...TSV, entries: `a\t${LONG}` }),
  ],
  [
    'a line without target',
    'entries',
    (s) => s.glossaries.putDictionary(ID, { ...TSV, entries: 'a' }),
  ],
  [
    'a phrase over 1024 bytes in quotes',
    'entries',
    (s) => s.glossaries.putDictionary(ID, { ...CSV, entries: `a,"${LONG}"` }),
  ],
  [
    'a quote that is not closed',
    'entries',
    (s) => s.glossaries.update(ID, { dictionaries: [{ ...CSV, entries: 'a,"b' }] }),
  ],
  [
    'a phrase that is there twice',
    'entries',
    (s) => s.glossaries.putDictionary(ID, { ...TSV, entries: 'a\tb\nc\td\na\te' }),
  ],
  [
    'a phrase that is there twice in a legacy glossary',
    'entries',
    (s) => s.legacyGlossaries.create({ ...CSV, name: 'a', entries: 'a,b\r\n"a",c' }),
  ],
  [
    'a pair that is there twice',
    'dictionaries',
    (s) => s.glossaries.create({ name: 'a', dictionaries: [TSV, { ...TSV, target_lang: 'DE' }] }),
  ],
  [
    'dictionaries of more than 10 MiB together',
    'dictionaries',
    (s) => {
      const entries = Array.from({ length: 6000 }, (_, i) => `${i}\t${'x'.repeat(1000)}`).join(
        '\n',
      );
      const languages = ['de', 'fr'];
      const dictionaries = languages.map((target_lang) => ({ ...TSV, target_lang, entries }));
      return s.glossaries.create({ name: 'a', dictionaries });
    },
  ],
  ['no entries', 'entries', (s) => s.glossaries.putDictionary(ID, { ...TSV, entries: '\n' })],
  [
    '10 MiB and a byte',
    'entries',
    (s) =>
      s.glossaries.putDictionary(ID, {
        ...TSV,
        entries_format: 'csv',
        entries: 'a'.repeat(10_485_761),
      }),
  ],
  [
    'a bad language',
    'target_lang',
    (s) => s.legacyGlossaries.create({ ...TSV, name: 'a', target_lang: '!' }),
  ],
  ['an empty id', 'glossary_id', (s) => s.glossaries.get('')],
  [
    'a style name over 1024',
    'name',
    (s) => s.styles.create({ name: 'a'.repeat(1025), language: 'de' }),
  ],
  ['a style language', 'language', (s) => s.styles.create({ name: 'a', language: 'tr' })],
  [
    '201 instructions',
    'custom_instructions',
    (s) =>
      s.styles.create({
        name: 'a',
        language: 'de',
        custom_instructions: Array.from({ length: 201 }, () => ({ label: 'a', prompt: 'b' })),
      }),
  ],
  [
    'a label over 100',
    'label',
    (s) => s.styles.addInstruction(ID, { label: 'a'.repeat(101), prompt: 'b' }),
  ],
  [
    'a prompt over 300',
    'prompt',
    (s) => s.styles.addInstruction(ID, { label: 'a', prompt: 'b'.repeat(301) }),
  ],
  ['a page of 26', 'page_size', (s) => s.styles.list({ page_size: 26 })],
  ['page -1', 'page', (s) => s.memories.list({ page: -1 })],
  [
    'style and tone',
    'tone',
    (s) => s.writing.rephrase({ text: ['a'], tone: 'friendly', writing_style: 'simple' }),
  ],
  [
    'a voice target in no language',
    'targets',
    (s) => s.voice.create({ ...VOICE, targets: [{ language: '!', type: 'text/plain' }] }),
  ],
  [
    'a recording in no language',
    'parameters.source_language',
    (s) => s.voice.create({ ...VOICE, parameters: { source_language: 'a b' } }),
  ],
  [
    'an instruction for no language',
    'source_language',
    (s) => s.styles.addInstruction(ID, { label: 'a', prompt: 'b', source_language: '!' }),
  ],
  [
    'entries of no pair',
    'source_lang',
    (s) => s.glossaries.entries(ID, { source_lang: '', target_lang: 'de' }),
  ],
  [
    'a dictionary of no pair to remove',
    'target_lang',
    (s) => s.glossaries.removeDictionary(ID, { source_lang: 'en', target_lang: '' }),
  ],
  ['a nameless key', 'label', (s) => s.keys.rename(KEY_ID, '')],
  ['nothing to detect', 'text', (s) => s.detection.detect([])],
  ['a bad key id', 'key_id', (s) => s.keys.deactivate('abc')],
  ['a negative limit', 'characters', (s) => s.keys.limit(KEY_ID, -1)],
  [
    'a bad date',
    'start_date',
    (s) => s.analytics.report({ start_date: '1.1.2026', end_date: '2026-01-01' }),
  ],
  [
    'a day that no month has',
    'start_date',
    (s) => s.analytics.report({ start_date: '2026-02-30', end_date: '2026-03-01' }),
  ],
  [
    '367 days',
    'end_date',
    (s) => s.analytics.report({ start_date: '2026-01-01', end_date: '2027-01-02' }),
  ],
];

test.for(REFUSED)('%s is refused before it is sent: %s', async ([, parameter, call]) => {
  await using server = await serve(json({}));
  await using client = rig(server.url, { adminKey: 'admin' });
  expect(await failureFrom(call(client.service))).toMatchObject({
    kind: 'invalid-request',
    parameter,
  });
  expect(server.seen).toHaveLength(0);
});

test('duplicate phrases are named with their indices, rows of other pairs do not count', async () => {
  await using server = await serve(json({ ...PAIR, entry_count: 1 }));
  await using client = rig(server.url);
  const put = (entries: string) => client.service.glossaries.putDictionary(ID, { ...CSV, entries });
  expect(await failureFrom(put('x,y\na,b\n\na,c'))).toMatchObject({
    rule: 'must name each source phrase once: "a" is at the indices 1 and 2',
  });
  expect(await put('\uFEFFa,b,EN,de\r\n"a",c,en,fr\r\n')).toEqual({ ...PAIR, entry_count: 1 });
  expect(server.seen).toHaveLength(1);
});

test('a text to improve that no request has room for is named', async () => {
  await using client = rig('http://127.0.0.1:1');
  const text = ['a'.repeat(10_240)];
  expect(await failureFrom(client.service.writing.rephrase({ text }))).toMatchObject({
    kind: 'invalid-request',
    parameter: 'text[0]',
  });
});

test('lists are read page by page until one is not full', async () => {
  const memory = (index: number) => ({
    translation_memory_id: `m${index}`,
    name: 'a',
    source_language: 'en',
    target_languages: ['de'],
    segment_count: 1,
  });
  const pages = [25, 25, 3].map((size) =>
    json({ translation_memories: Array.from({ length: size }, (_, index) => memory(index)) }),
  );
  await using server = await serve(...pages);
  await using client = rig(server.url);
  expect(await client.service.memories.listAll()).toHaveLength(53);
  expect(server.seen.map(({ url }) => url)).toEqual([
    '/v3/translation_memories?page=0&page_size=25',
    '/v3/translation_memories?page=1&page_size=25',
    '/v3/translation_memories?page=2&page_size=25',
  ]);
});

test('a new instruction is read from the list, whatever the POST answers', async () => {
  const style = {
    style_id: ID,
    name: 'a',
    creation_time: '',
    updated_time: '',
    language: 'de',
    version: 2,
    configured_rules: {},
    custom_instructions: [{ id: 'i', label: 'a', prompt: 'b' }],
  };
  await using server = await serve(json({ id: 'i', label: 'a', prompt: 'b' }, 201), json(style));
  await using client = rig(server.url);
  const added = await client.service.styles.addInstruction(ID, { label: 'a', prompt: 'b' });
  expect(added).toEqual(style);
  expect(server.seen.map(({ method }) => method)).toEqual(['POST', 'GET']);
});

const UNREAD: readonly (readonly [string, (service: Service) => Promise<unknown>])[] = [
  ['a glossary is removed', (s) => s.glossaries.remove(ID)],
  ['a dictionary is removed', (s) => s.glossaries.removeDictionary(ID, PAIR)],
  ['a legacy glossary is removed', (s) => s.legacyGlossaries.remove(ID)],
  ['a style list is removed', (s) => s.styles.remove(ID)],
  ['an instruction is added', (s) => s.styles.addInstruction(ID, { label: 'a', prompt: 'b' })],
];

test.for(UNREAD)('%s: the page of a proxy with status 200 is no success', async ([, call]) => {
  await using server = await serve((response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<html><body>Blocked</body></html>');
  });
  await using client = rig(server.url);
  expect(await failureFrom(call(client.service))).toMatchObject({
    kind: 'bad-answer',
    message: `${server.url} answered 200 with a web page`,
  });
});

test('an instruction that is not in the list afterwards was not added', async () => {
  const style = {
    ...{ style_id: ID, name: 'house', language: 'de', version: 1, configured_rules: {} },
    ...{ creation_time: '2026-01-01T00:00:00Z', updated_time: '2026-01-01T00:00:00Z' },
    custom_instructions: [{ id: 'i1', label: 'Tone', prompt: 'Brief' }],
  };
  await using server = await serve(json({}), json(style), json({}), json(style));
  await using client = rig(server.url);
  const { styles } = client.service;
  const added = await styles.addInstruction(ID, { label: 'Tone', prompt: 'Brief ' });
  expect(added.custom_instructions).toHaveLength(1);
  const lost = styles.addInstruction(ID, { label: 'Tone', prompt: 'Long' });
  expect(await failureFrom(lost)).toMatchObject({ kind: 'bad-answer' });
});

test('an answer with JSON in place of none is a success', async () => {
  await using server = await serve(json({}), (response) => response.writeHead(200).end());
  await using client = rig(server.url);
  await client.service.styles.remove(ID);
  await client.service.glossaries.remove(ID);
  expect(server.seen.map(({ method }) => method)).toEqual(['DELETE', 'DELETE']);
});

test('a busy glossary endpoint delays only glossaries, and continues without help', async () => {
  await using server = await serve(
    json({ message: 'slow' }, 456),
    json({ character_count: 5, character_limit: 100 }),
    json({ glossaries: [] }),
  );
  await using client = rig(server.url);
  expect(await client.service.glossaries.list()).toEqual([]);
  expect(client.clock.slept).toEqual([500]);
  expect(client.service.state).toEqual({ kind: 'running' });
});

test('making a glossary is never repeated after a lost answer', async () => {
  await using server = await serve(reset);
  await using client = rig(server.url);
  const glossary = { name: 'a', dictionaries: [TSV] };
  expect(await failureFrom(client.service.glossaries.create(glossary))).toMatchObject({
    kind: 'unanswered',
  });
  expect(server.seen).toHaveLength(1);
});

test('languages ask for each kind that is included', async () => {
  await using server = await serve(json([]));
  await using client = rig(server.url);
  await client.service.languages.list({ resource: 'voice', include: ['beta', 'external'] });
  expect(server.seen[0]?.url).toBe('/v3/languages?resource=voice&include=beta&include=external');
});

test('administration uses the admin key, and its refusal does not stop paid work', async () => {
  await using server = await serve(json({ message: 'no' }, 401));
  await using client = rig(server.url, { adminKey: 'admin' });
  expect(await failureFrom(client.service.keys.list())).toMatchObject({ kind: 'key-refused' });
  expect(server.seen[0]?.headers.authorization).toBe('Service-Auth-Key admin');
  expect(client.service.state).toEqual({ kind: 'running' });
});

test('an address without administration says so', async () => {
  await using server = await serve(json({ message: 'Not found' }, 404));
  await using client = rig(server.url, { adminKey: 'admin' });
  expect(await failureFrom(client.service.keys.list())).toMatchObject({ kind: 'unsupported' });
  expect(await failureFrom(client.service.keys.deactivate(KEY_ID))).toMatchObject({
    kind: 'not-found',
  });
});

test('without an admin key nothing is sent', async () => {
  await using server = await serve(json([]));
  await using client = rig(server.url);
  expect(await failureFrom(client.service.keys.list())).toMatchObject({ kind: 'key-missing' });
  expect(server.seen).toHaveLength(0);
});

test('single instructions need their capability', async () => {
  await using server = await serve(json({ id: 'i', label: 'a', prompt: 'b' }));
  await using plain = rig(server.url);
  const at = { style_id: ID, id: 'i' };
  expect(await failureFrom(plain.service.styles.getInstruction(at))).toMatchObject({
    kind: 'unsupported',
  });
  await using able = rig(server.url, { capabilities: ['instruction_edit'] });
  expect(await able.service.styles.getInstruction(at)).toEqual({
    id: 'i',
    label: 'a',
    prompt: 'b',
  });
});

test('usage has the time of the server if the answer has one', async () => {
  const usage = { character_count: 5, character_limit: 100 };
  const date = 'Thu, 01 Jan 2026 12:00:30 GMT';
  await using server = await serve(json(usage, 200, { date }), json(usage, 200, { date: 'soon' }));
  await using client = rig(server.url);
  const serverTime = Date.UTC(2026, 0, 1, 12, 0, 30);
  expect(await client.service.account.inspect()).toEqual({ usage, serverTime });
  expect(await client.service.account.inspect()).toEqual({ usage });
});

test.for([
  [{ character_count: 99, character_limit: 100 }, true],
  [{ character_count: 100, character_limit: 100 }, false],
  [{ character_count: 2e12, character_limit: 1e12 }, true],
  [
    {
      character_count: 1,
      character_limit: 1e12,
      api_key_character_count: 7,
      api_key_character_limit: 7,
    },
    false,
  ],
] as const)('%j leaves room: %j', ([usage, room]) => {
  expect(hasQuotaLeft(usage)).toBe(room);
});

test('an unknown status of a detection is an unknown result, and the others are read', async () => {
  const results = [
    { detection_status: 'success', detected_language: 'de' },
    { detection_status: 'under_review', detected_language: 'fr' },
    { detection_status: 'success' },
    { detection_status: 'no_language_detected', detected_language: null },
    { detection_status: null, detected_language: 'fr' },
    null,
  ];
  await using server = await serve(json({ results }));
  await using client = rig(server.url);
  const found = await client.service.detection.detect(['a', 'b', 'c', 'd', 'e', 'f']);
  expect(found.results).toEqual([
    { detection_status: 'success', detected_language: 'de' },
    { detection_status: 'unknown', reported_status: 'under_review' },
    { detection_status: 'unknown', reported_status: 'success' },
    { detection_status: 'no_language_detected' },
    { detection_status: 'unknown', reported_status: 'no status' },
    { detection_status: 'unknown', reported_status: 'no status' },
  ]);
});

test('unknown states and words leave everything else of an answer as it is', async () => {
  const job = {
    job_id: ID,
    targets: [VOICE.targets[0], VOICE.targets[0]],
    results: [
      { status: 'failed', error: { code: 7 } },
      { status: 'reviewed', download_url: 'https://example.org/1', signature: 's' },
    ],
  };
  const language = {
    lang: 'xx',
    name: 'X',
    usable_as_source: true,
    usable_as_target: true,
    status: 'alpha',
    features: { shouting: { status: 'alpha' } },
  };
  const usage = {
    character_count: 1,
    character_limit: 2,
    products: [{ product_type: 'speech', character_count: 1 }],
  };
  await using server = await serve(
    json(job),
    json([language]),
    json(usage),
    json({ document_id: ID, status: 'reviewing' }),
  );
  await using client = rig(server.url);
  const { voice, languages, account, documents } = client.service;
  expect((await voice.get(ID)).results).toMatchObject([{ status: 'failed' }, job.results[1]]);
  expect(await languages.list({ resource: 'voice' })).toEqual([language]);
  expect(await account.usage()).toEqual(usage);
  expect(await documents.status({ document_id: ID, document_key: 'k' })).toMatchObject({
    status: 'reviewing',
  });
});
