import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { breakKept } from '../../src/sandbox/damage.ts';
import type { SimulatedFault } from '../../src/sandbox/fault.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { type Caller, callerOf } from './caller.ts';

let sandbox: Sandbox;
let call: Caller;

beforeAll(async () => {
  sandbox = await startSandbox();
  call = callerOf(sandbox);
});

afterEach(() => sandbox.control.reset('everything'));
afterAll(async () => sandbox[Symbol.asyncDispose]());

const translate = (text = 'Hello', target_lang = 'de') =>
  call('POST /v2/translate', { text: [text], target_lang, source_lang: 'en' });

test('a status applies to the next n calls of one operation, with Retry-After', async () => {
  const operation = 'POST /v2/translate';
  sandbox.faults.add([{ kind: 'status', status: 429, retry_after: 7, operation, times: 2 }]);
  expect((await call('GET /v2/usage')).status).toBe(200);
  const refused = [await translate(), await translate()];
  expect(refused.map((answer) => answer.status)).toEqual([429, 429]);
  expect(refused[0]?.headers.get('retry-after')).toBe('7');
  expect((await translate()).status).toBe(200);
  expect(sandbox.counters().violations).toEqual([]);
  expect(sandbox.log().map((entry) => entry.faults)).toEqual([
    undefined,
    ['status'],
    ['status'],
    undefined,
  ]);
});

test.each([[{ kind: 'outage' }], [[{ kind: 'empty' }, {}]], ['empty']])(
  'the fault %j is refused with the kinds that there are',
  async (fault) => {
    const { status, body } = await call('POST /sandbox/faults', JSON.stringify(fault), {
      headers: { 'content-type': 'application/json' },
    });
    expect(status).toBe(400);
    expect(body).toEqual({
      message: expect.stringMatching(/ status, latency, .*expired_signature/),
    });
    expect(sandbox.faults.list()).toEqual([]);
  },
);

test('a proxy answers with HTML', async () => {
  sandbox.faults.add([{ kind: 'status', status: 502, format: 'html' }]);
  const { status, headers, text } = await translate();
  expect([status, headers.get('content-type')]).toEqual([502, 'text/html']);
  expect(text).toContain('<h1>502</h1>');
});

test('a fault can let calls through first, and wait for a language or a text', async () => {
  const failing: SimulatedFault = { kind: 'status', status: 500, times: 'always' };
  sandbox.faults.add([
    { ...failing, skip: 1, target_lang: 'FR' },
    { ...failing, matches: 'secret' },
  ]);
  const asked = [translate('Hello', 'fr'), translate('Hello', 'de'), translate('a secret', 'de')];
  const answers = await Promise.all(asked);
  expect(answers.map((answer) => answer.status)).toEqual([200, 200, 500]);
  expect((await translate('Hello', 'fr')).status).toBe(500);
});

test('latency holds every call, and only once', async () => {
  const waits: number[] = [];
  const clock = { now: () => 0, sleep: async (ms: number) => void waits.push(ms) };
  await using slow = await startSandbox({
    clock,
    faults: [{ kind: 'latency', ms: 50, times: 'always' }],
  });
  const ask = callerOf(slow);
  await ask('POST /v2/translate', { text: ['Hi'], target_lang: 'de' });
  await ask('GET /v2/usage');
  expect(waits).toEqual([50, 50]);
});

test('slow headers and slow bodies arrive whole', async () => {
  sandbox.faults.add([
    { kind: 'slow_headers', ms: 20 },
    { kind: 'slow_body', ms: 20 },
  ]);
  const { status, body } = await translate();
  expect(status).toBe(200);
  expect(body).toMatchObject({ translations: [{}] });
});

test.each<SimulatedFault>([
  { kind: 'reset' },
  { kind: 'cut_body', bytes: 10 },
  { kind: 'cut_body', bytes: 0 },
  { kind: 'no_answer' },
])('%j breaks the connection, and only the next call', async (fault) => {
  sandbox.faults.add([fault]);
  await expect(translate()).rejects.toThrow();
  expect((await translate()).status).toBe(200);
});

test('no answer after the work was done: the blind replay is billed twice, and the counters show it', async () => {
  sandbox.faults.add([{ kind: 'no_answer' }]);
  await expect(translate('paid twice')).rejects.toThrow();
  await translate('paid twice');
  const { billed_characters, asked_twice, operations } = sandbox.counters();
  expect(billed_characters).toBe(20);
  expect(asked_twice).toMatchObject([{ text: 'paid twice', times: 2 }]);
  expect(operations['POST /v2/translate']?.statuses).toEqual({ 0: 1, 200: 1 });
});

test('silence lasts until the caller gives up', async () => {
  sandbox.faults.add([{ kind: 'no_answer', how: 'silence' }]);
  const waiting = fetch(`${sandbox.url}/v2/usage`, {
    headers: { authorization: 'Service-Auth-Key sandbox' },
    signal: AbortSignal.timeout(100),
  });
  await expect(waiting).rejects.toThrow('timeout');
});

test('a caller that gives up while it waits, or while it is answered, breaks no rule', async () => {
  sandbox.faults.add([
    { kind: 'latency', ms: 60_000, operation: 'GET /v2/usage' },
    { kind: 'slow_body', ms: 60_000, operation: 'GET /v2/languages' },
  ]);
  const giveUp = (path: string) =>
    fetch(`${sandbox.url}${path}`, {
      headers: { authorization: 'Service-Auth-Key sandbox' },
      signal: AbortSignal.timeout(100),
    }).then((answer) => answer.text());
  await expect(giveUp('/v2/usage')).rejects.toThrow('timeout');
  await expect(giveUp('/v2/languages')).rejects.toThrow('timeout');
  await expect.poll(() => sandbox.log().length).toBe(2);
  expect(sandbox.log().map((entry) => entry.status)).toEqual([0, 0]);
  expect(sandbox.counters().violations).toEqual([]);
});

test('a cut body bills nothing before the work', async () => {
  sandbox.faults.add([{ kind: 'reset' }]);
  await expect(translate()).rejects.toThrow();
  expect(sandbox.counters().billed_characters).toBe(0);
});

test('quota runs out after so many characters', async () => {
  sandbox.faults.add([{ kind: 'quota', characters: 12 }]);
  expect((await translate('12345')).status).toBe(200);
  expect((await translate('12345')).status).toBe(200);
  expect((await translate('12345')).status).toBe(456);
  expect((await translate('12')).status).toBe(200);
});

test('translations come back empty, or with lines too many or too few', async () => {
  sandbox.faults.add([
    { kind: 'empty', target_lang: 'de' },
    { kind: 'newlines', how: 'add', target_lang: 'fr' },
    { kind: 'newlines', how: 'lose', target_lang: 'es' },
  ]);
  const texts = await Promise.all(
    ['de', 'fr', 'es'].map(async (lang) => {
      const { body } = await translate('one two\nthree four', lang);
      return (body as { translations: { text: string }[] }).translations[0]?.text;
    }),
  );
  expect(texts[0]).toBe('');
  expect(texts[1]?.split('\n')).toHaveLength(3);
  expect(texts[2]).not.toContain('\n');
});

test.each([
  ['drop', 'Open {file} now', 'Open  now'],
  ['duplicate', 'Open {file} now', 'Open {file}{file} now'],
  ['move', 'Open {file} now', 'Open  now{file}'],
  ['eat_space', 'Open {file} now', 'Open{file}now'],
  ['translate_id', 'Open {file} now', 'Open {fileung} now'],
  ['translate_id', 'a <x id="1"/> b', 'a <xung id="1"/> b'],
  ['empty_pair', 'a <b>bold</b> word', 'a <b></b>bold word'],
  ['unescape', 'this &amp; that', 'this & that'],
  ['drop', 'nothing to break', 'nothing to break'],
] as const)('damage %s turns %j into %j', (how, before, after) => {
  expect(breakKept(before, how)).toBe(after);
});

test('a deleted glossary gets 404, or the text as it was sent', async () => {
  const make = async () =>
    (
      await call('POST /v3/glossaries', {
        name: 'x',
        dictionaries: [
          { source_lang: 'en', target_lang: 'de', entries: 'a\tb', entries_format: 'tsv' },
        ],
      })
    ).field('glossary_id');
  const translateWith = async (glossary_id: string) =>
    (
      await call('POST /v2/translate', {
        text: ['a'],
        target_lang: 'de',
        source_lang: 'en',
        glossary_id,
      })
    ).body;
  const [first, second] = [await make(), await make()];
  sandbox.faults.add([{ kind: 'delete_glossary' }]);
  expect(JSON.stringify(await translateWith(first))).toContain('not found');
  sandbox.faults.add([{ kind: 'delete_glossary', answer: 'untranslated' }]);
  expect(await translateWith(second)).toMatchObject({ translations: [{ text: 'a' }] });
  expect((await call(`GET /v3/glossaries/${second}`)).status).toBe(404);
});

test('improvements come back empty or damaged too', async () => {
  const operation = 'POST /v2/write/rephrase';
  const improve = async () =>
    (await call(operation, { text: ['Hello {name}, this is the text'] })).body;
  sandbox.faults.add([
    { kind: 'empty', operation },
    { kind: 'damage', how: 'drop', operation },
  ]);
  expect(await improve()).toMatchObject({ improvements: [{ text: '' }] });
  expect(JSON.stringify(await improve())).not.toContain('{name}');
  expect(JSON.stringify(await improve())).toContain('{name}');
});
