/**
 * Sound requests to the servers, as bytes. Mutated requests are made from them. `{{name}}` is replaced by a value that the server
 * knows: an id, a token, its address, or the length of the body.
 */
import type { ControlMethod } from '../../src/control/control.ts';
import type { SeedFile } from './seeds.ts';

/** The extension of a request that was found, behind the server that it is for: `name.page.http`. */
export const REQUEST = /\.(sandbox|page|control)\.http$/;
/** Between head and body. */
export const HEAD_END = '\r\n\r\n';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const KEY = 'Service-Auth-Key {{key}}';

interface Sound {
  readonly type?: string;
  readonly authorization?: string;
  readonly body?: object | string;
}

const GLOSSARY = '/v3/glossaries/{{glossary}}';
const STYLE = '/v3/style_rules/{{style}}';
const LEGACY = '/v2/glossaries/{{glossary}}';
const DICTIONARY = {
  source_lang: 'en',
  target_lang: 'de',
  entries: 'cart\tKorb',
  entries_format: 'tsv',
};
const ADMIN = { authorization: 'Service-Auth-Key {{admin}}' };
const SIGNED = { authorization: 'Service-Signature {{signature}}' };

const SANDBOX: Readonly<Record<string, Sound>> = {
  'POST /v2/translate': {
    body: {
      text: ['Hello <b>world</b>', '1 & 2'],
      ...{ source_lang: 'en', target_lang: 'de', tag_handling: 'xml', ignore_tags: ['x'] },
      ...{ context: 'a shop', formality: 'prefer_more', glossary_id: '{{glossary}}' },
    },
  },
  'POST /v2/translate?': {
    type: FORM_TYPE,
    body: 'text=Hello&text=World&target_lang=de&split_sentences=0&tag_handling=html',
  },
  'POST /v2/write/rephrase': {
    body: { text: ['He go home'], target_lang: 'en-GB', writing_style: 'business' },
  },
  'POST /v3/detect/language': { body: { text: ['Good morning', 'Guten Morgen'] } },
  'GET /v2/usage': {},
  'GET /v3/languages?resource=translate_text': {},
  'GET /v2/languages?type=target': {},
  'GET /v2/glossary-language-pairs': {},
  'GET /v3/translation_memories?page=0&page_size=10': {},
  'GET /v3/glossaries': {},
  'POST /v3/glossaries': { body: { name: 'shop', dictionaries: [DICTIONARY] } },
  [`GET ${GLOSSARY}`]: {},
  [`GET ${GLOSSARY}/entries?source_lang=en&target_lang=de`]: {},
  [`PATCH ${GLOSSARY}`]: { body: { name: 'shop 2', dictionaries: [DICTIONARY] } },
  [`PUT ${GLOSSARY}/dictionaries`]: { body: DICTIONARY },
  [`DELETE ${GLOSSARY}/dictionaries?source_lang=en&target_lang=de`]: {},
  'POST /v2/glossaries': { body: { name: 'old', ...DICTIONARY } },
  'POST /v2/glossaries?': {
    type: FORM_TYPE,
    body: 'name=old&source_lang=en&target_lang=de&entries=a%09b&entries_format=tsv',
  },
  [`GET ${LEGACY}/entries`]: {},
  'GET /v3/style_rules?detailed=true&page=0': {},
  'POST /v3/style_rules': {
    body: {
      ...{ name: 'house', language: 'de' },
      configured_rules: { punctuation: { apostrophe: 'use_curly_apostrophes' } },
      custom_instructions: [{ label: 'Tone', prompt: 'Be brief' }],
    },
  },
  [`GET ${STYLE}`]: {},
  [`PATCH ${STYLE}`]: { body: { name: 'other' } },
  [`PUT ${STYLE}/configured_rules`]: {
    body: { punctuation: { apostrophe: 'use_straight_apostrophes' } },
  },
  [`POST ${STYLE}/custom_instructions`]: { body: { label: 'Form', prompt: 'Be polite' } },
  'POST /v2/document': {
    type: 'multipart/form-data; boundary=b0und',
    body: [
      ...['--b0und', 'Content-Disposition: form-data; name="target_lang"', '', 'de'],
      ...['--b0und', 'Content-Disposition: form-data; name="file"; filename="a.txt"'],
      ...['Content-Type: text/plain', '', 'Hello world', '--b0und--', ''],
    ].join('\r\n'),
  },
  'POST /v2/document/{{document}}': { body: { document_key: '{{document_key}}' } },
  'POST /v2/document/{{document}}/result': { body: { document_key: '{{document_key}}' } },
  'POST /v1/jobs/voice/translate?include=signed_url': {
    body: {
      source_file: { name: 'talk.wav', content_type: 'audio/wav', content_length: 100 },
      parameters: { source_language: 'en' },
      targets: [{ language: 'de', type: 'text/plain' }],
    },
  },
  'GET /v1/jobs/voice/translate/{{job}}': {},
  'PUT /assets/{{job}}': { ...SIGNED, type: 'application/octet-stream', body: 'RIFF____WAVE' },
  'GET /assets/{{job}}/0': SIGNED,
  'GET /v2/admin/developer-keys': ADMIN,
  'POST /v2/admin/developer-keys': { ...ADMIN, body: { label: 'shop' } },
  'PUT /v2/admin/developer-keys/limits': { ...ADMIN, body: { key_id: 'a', characters: 5 } },
  'GET /v2/admin/analytics?start_date=2026-01-01&end_date=2026-01-31': ADMIN,
  'POST /sandbox/faults': {
    body: { kind: 'status', status: 503, operation: 'POST /v2/translate', times: 2 },
  },
  'POST /sandbox/account': { body: { key: '{{key}}', character_limit: 500 } },
  'GET /sandbox/counters': {},
  'GET /sandbox/log': {},
};

const FILE = { project: 'app', language: 'de', file: '/locales/en/app.json' };

const PAGE: Readonly<Record<string, Sound>> = {
  'GET /': {},
  'GET /healthz': {},
  'GET /readyz': {},
  'GET /metrics': {},
  'GET /api/events': {},
  'POST /api/session': { body: { token: '{{token}}' } },
  'POST /api/change': { body: { project: 'app', file: FILE.file } },
  'POST /api/conflicts': { body: FILE },
  'POST /api/release': { body: { verb: 'retry', task: 'app/de/locales/en/app.json' } },
  'POST /api/release?': {
    body: {
      ...{ verb: 'approve', task: 'app/de/locales/en/app.json' },
      at_most: { price_characters: 10, price_seconds: 0 },
    },
  },
  'POST /api/resolve': { body: { ...FILE, key: 'hello', choice: { kind: 'text', text: 'Hallo' } } },
  'POST /api/pause': { body: {} },
  'POST /api/resume': { body: {} },
  'POST /api/review/list': {
    body: {
      project: 'app',
      language: 'de',
      states: ['machine'],
      text: 'hello',
      from: 0,
      count: 20,
    },
  },
  'POST /api/review/save': {
    body: {
      ...{ project: 'app', language: 'de', file: 'locales/en/app.json', id: 'hello' },
      ...{ source: 'Hello', was: 'Hallo', text: 'Guten Tag', reviewed: true },
    },
  },
};

const SCOPE = { projects: ['app'], languages: ['de'], paths: ['{{root}}/locales/en/app.json'] };
const SOURCE = '{{root}}/locales/en/app.json';
const SAVE = {
  ...{ by: 'Ada', project: 'app', file: 'locales/en/app.json', language: 'de', id: 'hello' },
  ...{ source: 'Hello', was: 'Hallo' },
};

/** Arguments of each method that is asked over the control socket. */
const CONTROL: Readonly<Record<ControlMethod, readonly (readonly unknown[])[]>> = {
  plan: [[SCOPE]],
  status: [[SCOPE]],
  frozen: [[SCOPE]],
  lock: [[{ orphans: 'keep' }]],
  reviewList: [[{ scope: SCOPE, states: ['machine'] }]],
  reviewProgress: [[SCOPE]],
  reviewMark: [[{ file: SOURCE, key: 'hello', projects: [], languages: ['de'], mark: 'reviewed' }]],
  reviewImport: [
    [
      {
        files: [{ file: 'a.csv', language: 'de', rows: [{ key: 'hello', text: 'Hallo' }] }],
        ...{ projects: ['app'], by: 'Ada', act: 'try' },
      },
    ],
  ],
  reviewPortion: [
    [{ project: 'app', language: 'de', states: [], text: 'hello', from: 0, count: 9 }],
  ],
  reviewSave: [[{ ...SAVE, text: 'Guten Tag', reviewed: true }]],
  reviewUndo: [[{ ...SAVE, at: '2026-01-01T00:00:00.000Z' }]],
  reviewLinks: [[{ act: 'list' }], [{ act: 'make', name: 'Ada', lastsMs: 1000 }]],
  openWork: [[SCOPE]],
  explain: [[SOURCE], [SOURCE, 'hello'], [SOURCE, { line: 1 }]],
  release: [[{ verb: 'retry', scope: SCOPE, which: 'failed', act: 'release' }]],
  conflicts: [[{ file: SOURCE, languages: ['de'] }]],
  resolve: [[{ file: SOURCE, key: 'hello', languages: ['de'], choice: { kind: 'machine' } }]],
  undo: [[{ scope: SCOPE, act: 'price' }], [{ scope: SCOPE, act: 'list' }]],
  usage: [[SCOPE]],
  account: [[]],
  rules: [[{ kind: 'glossary', names: [], act: 'diff' }]],
  suggestTerms: [[SCOPE]],
  overview: [[]],
  change: [[{ project: 'app', file: '{{root}}/locales/de/app.json' }]],
  visit: [[]],
  pause: [[]],
  resume: [[]],
};

function controlRequests(): [string, Sound][] {
  return Object.entries(CONTROL).flatMap(([method, calls]) =>
    calls.map((body): [string, Sound] => [`POST /${method}`, { body }]),
  );
}

export function soundRequests(): ReadonlyMap<string, readonly SeedFile[]> {
  const page = ['cookie: {{cookie}}', 'origin: http://{{host}}', 'sec-fetch-site: same-origin'];
  return new Map([
    [
      'server sandbox',
      filesOf(Object.entries(SANDBOX), (sound) => [`authorization: ${sound.authorization ?? KEY}`]),
    ],
    ['server page', filesOf(Object.entries(PAGE), () => page)],
    ['server control', filesOf(controlRequests(), () => [])],
  ]);
}

function filesOf(
  requests: readonly (readonly [string, Sound])[],
  more: (sound: Sound) => readonly string[],
): SeedFile[] {
  return requests.map(([request, sound]) => {
    const { type = JSON_TYPE, body } = sound;
    const text = typeof body === 'object' ? JSON.stringify(body) : (body ?? '');
    const lines = [
      ...[`${request} HTTP/1.1`, 'host: {{host}}', 'connection: close', ...more(sound)],
      ...(body === undefined ? [] : [`content-type: ${type}`, 'content-length: {{length}}']),
    ];
    const name = `${request.replaceAll(/[^A-Za-z0-9]+/g, '-')}.http`;
    return { name, bytes: Buffer.from(lines.join('\r\n') + HEAD_END + text) };
  });
}
