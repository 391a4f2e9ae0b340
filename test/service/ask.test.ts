import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { JobFailure } from '../../src/failure.ts';
import { connect, type Service } from '../../src/service/client.ts';
import { Transport } from '../../src/service/http.ts';
import { manualClock } from '../manual-clock.ts';
import { cut, failureFrom, json, reset, rig, serve } from './real-server.ts';

const USAGE = { character_count: 5, character_limit: 100 };
const HELLO = { text: ['Hello'], target_lang: 'de' };
const HALLO = {
  translations: [{ detected_source_language: 'EN', text: 'Hallo' }],
  billed_characters: 5,
};

test('a refusal with Retry-After pauses the key for that long, then the call goes on', async () => {
  await using server = await serve(
    json({ message: 'slow' }, 429, { 'retry-after': '7' }),
    json(HALLO),
  );
  await using client = rig(server.url);
  const result = await client.service.text.translate(HELLO);
  expect(result.translations[0]?.text).toBe('Hallo');
  expect(client.clock.slept).toEqual([7000]);
  expect(client.events).toContainEqual({
    kind: 'throttled',
    operation: 'POST /v2/translate',
    waitMs: 7000,
  });
});

test('a Retry-After that is a date counts from the time of the answer, so a wrong clock here changes no wait', async () => {
  const headers = {
    date: 'Wed, 01 Jan 2031 12:00:00 GMT',
    'retry-after': 'Wed, 01 Jan 2031 12:00:09 GMT',
  };
  await using server = await serve(json({ message: 'slow' }, 429, headers), json(HALLO));
  await using client = rig(server.url);
  await client.service.text.translate(HELLO);
  expect(client.clock.slept).toEqual([9000]);
});

test.for([429, 503, 529])('status %d without Retry-After waits by jitter', async (status) => {
  await using server = await serve(json({}, status), json({}, status), json(HALLO));
  await using client = rig(server.url);
  await client.service.text.translate(HELLO);
  expect(client.clock.slept).toEqual([500, 1000]);
});

test('a billing call is tried again after a 500, since the service says that it failed', async () => {
  await using server = await serve(json({ message: 'oops' }, 500), json(HALLO));
  await using client = rig(server.url);
  await client.service.text.translate(HELLO);
  expect(server.seen).toHaveLength(2);
});

test('a server that keeps failing ends the call with its message and trace', async () => {
  await using server = await serve(json({ message: 'oops' }, 500, { 'x-trace-id': 't-1' }));
  await using client = rig(server.url);
  const error = await client.service.account.usage().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(JobFailure);
  expect(error).toMatchObject({
    traceId: 't-1',
    failure: { kind: 'server-error', status: 500, operation: 'GET /v2/usage', message: 'oops' },
  });
  expect(server.seen).toHaveLength(5);
});

test('a billing call whose connection breaks is never repeated', async () => {
  await using server = await serve(reset, json(HALLO));
  await using client = rig(server.url);
  const failure = await failureFrom(client.service.text.translate(HELLO));
  expect(failure).toMatchObject({ kind: 'unanswered', operation: 'POST /v2/translate' });
  expect(server.seen).toHaveLength(1);
});

test('a billing call whose answer is cut is never repeated', async () => {
  await using server = await serve(cut('{"translations": [', 500), json(HALLO));
  await using client = rig(server.url);
  expect(await failureFrom(client.service.text.translate(HELLO))).toMatchObject({
    kind: 'unanswered',
  });
  expect(server.seen).toHaveLength(1);
});

test('a gateway timeout on a billing call counts as a lost answer', async () => {
  await using server = await serve(json('<html>', 504), json(HALLO));
  await using client = rig(server.url);
  expect(await failureFrom(client.service.text.translate(HELLO))).toMatchObject({
    kind: 'unanswered',
  });
});

test('a harmless call is repeated after a reset, a cut answer and a gateway timeout', async () => {
  await using server = await serve(reset, cut('{"chara', 90), json({}, 504), json(USAGE));
  await using client = rig(server.url);
  expect(await client.service.account.usage()).toEqual(USAGE);
  expect(server.seen).toHaveLength(4);
});

test('a connection that never opened is retried until it opens, also for a billing call', async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const { port } = taken.address() as { port: number };
  await new Promise((resolve) => taken.close(resolve));
  await using client = rig(`http://127.0.0.1:${port}`, { patienceMs: 60_000 });
  expect(await failureFrom(client.service.text.translate(HELLO))).toMatchObject({
    kind: 'unreachable',
    operation: 'POST /v2/translate',
  });
  expect(client.clock.slept.length).toBeGreaterThan(3);
});

const AGENT = /^dragoman\/\d+\.\d+\.\d+\S* \(node\/\d+\.\d+\.\d+\)$/;

test('every kind of request has a User-Agent, and a server that requires one accepts it', async () => {
  await using server = await serve((response, { url, headers }) => {
    if (!AGENT.test(headers['user-agent'] ?? '')) return void response.writeHead(400).end();
    if (url.startsWith('/assets/')) return void response.writeHead(204).end();
    json(url === '/v2/usage' ? USAGE : HALLO)(response, {
      url,
      headers,
      method: '',
      body: Buffer.of(),
    });
  });
  await using client = rig(server.url);
  const { account, text, voice } = client.service;
  const ticket = {
    upload_url: `${server.url}/assets/1`,
    signature: 'x',
    signed_upload_url: undefined,
  };
  await account.usage();
  await text.translate(HELLO);
  await voice.upload(ticket, import.meta.filename);
  expect(server.seen).toHaveLength(3);
});

test('the question whether a key is refused has a User-Agent too', async () => {
  await using server = await serve(json({ message: 'no' }, 403), json(USAGE));
  await using client = rig(server.url);
  await failureFrom(client.service.text.translate(HELLO));
  expect(server.seen[1]).toMatchObject({
    url: '/v2/usage',
    headers: { 'user-agent': expect.stringMatching(AGENT) },
  });
});

test.for(['User-Agent', 'user-agent'])('a configured %s is sent alone', async (name) => {
  await using server = await serve(json(USAGE));
  await using client = rig(server.url, { headers: { [name]: 'acme/1' } });
  await client.service.account.usage();
  expect(server.seen[0]?.headers['user-agent']).toBe('acme/1');
});

test.for([{ expect: '100-continue' }, { 'x-team': '翻訳' }])(
  'a header that cannot be sent ends the request at once: %j',
  async (headers) => {
    await using transport = new Transport({});
    const url = new URL('http://127.0.0.1:9/v2/usage');
    const { signal } = new AbortController();
    const request = { operation: 'GET /v2/usage', method: 'GET', url, headers, signal };
    expect(await failureFrom(transport.send(request))).toMatchObject({
      kind: 'invalid-request',
      rule: expect.stringContaining('expect' in headers ? 'expect header' : 'x-team header'),
    });
  },
);

test('the key is sent in its scheme with configured headers, and is in no failure', async () => {
  await using server = await serve(json({ message: 'bad key test-key' }, 400));
  await using client = rig(server.url, { scheme: 'Acme-Key', headers: { 'x-team': 'l10n' } });
  const error = await client.service.account.usage().catch((thrown: unknown) => thrown);
  expect(server.seen[0]?.headers).toMatchObject({
    authorization: 'Acme-Key test-key',
    'x-team': 'l10n',
  });
  expect((error as JobFailure).failure).toMatchObject({ message: 'bad key ***' });
});

test('401 stops paid work, and a new key resumes it', async () => {
  await using server = await serve(json({ message: 'no' }, 401), json(HALLO));
  await using client = rig(server.url);
  const { service } = client;
  expect(await failureFrom(service.text.translate(HELLO))).toMatchObject({ kind: 'key-refused' });
  expect(service.state).toMatchObject({ kind: 'stopped', failure: { kind: 'key-refused' } });
  expect(await failureFrom(service.text.translate(HELLO))).toMatchObject({ kind: 'key-refused' });
  expect(server.seen).toHaveLength(1);
  service.setKey('another');
  expect(service.state).toEqual({ kind: 'running' });
  await service.text.translate(HELLO);
  expect(server.seen[1]?.headers.authorization).toBe('Service-Auth-Key another');
  expect(client.events.map(({ kind }) => kind)).toContain('paid-work-resumed');
});

test('403 is a missing feature while usage is answered', async () => {
  await using server = await serve((response, { url }) =>
    url === '/v2/usage'
      ? json(USAGE)(response, {} as never)
      : json({ message: 'no access' }, 403)(response, {} as never),
  );
  await using client = rig(server.url);
  expect(await failureFrom(client.service.text.translate(HELLO))).toEqual({
    kind: 'forbidden',
    operation: 'POST /v2/translate',
    message: 'no access',
  });
  expect(client.service.state).toEqual({ kind: 'running' });
});

test('403 is a refused key when usage is refused too', async () => {
  await using server = await serve(json({ message: 'no' }, 403));
  await using client = rig(server.url);
  expect(await failureFrom(client.service.text.translate(HELLO))).toMatchObject({
    kind: 'key-refused',
    status: 403,
  });
  expect(client.service.state.kind).toBe('stopped');
});

test('a used-up quota stops paid work until usage shows room, and polls go on meanwhile', async () => {
  let count = 100;
  let status = 456;
  await using server = await serve((response, seen) => {
    if (seen.url === '/v2/usage') json({ ...USAGE, character_count: count })(response, seen);
    else json(HALLO, status)(response, seen);
  });
  await using client = rig(server.url);
  const { service } = client;
  const quota = { kind: 'quota-exceeded', scope: 'account' };
  expect(await failureFrom(service.text.translate(HELLO))).toMatchObject(quota);
  expect(await service.resume()).toMatchObject({ kind: 'stopped', failure: quota });
  count = 0;
  status = 200;
  expect(await service.resume()).toEqual({ kind: 'running' });
  expect(await service.text.translate(HELLO)).toMatchObject({ billed_characters: 5 });
});

const ID = '00000000-0000-4000-8000-000000000000';
const TSV = {
  source_lang: 'en',
  target_lang: 'de',
  entries: 'a\tb',
  entries_format: 'tsv',
} as const;

/** Requests that change or read glossaries and style lists. */
const TERMINOLOGY: Readonly<Record<string, (service: Service) => Promise<unknown>>> = {
  'the list of glossaries': ({ glossaries }) => glossaries.list(),
  'a new glossary': ({ glossaries }) => glossaries.create({ name: 'a', dictionaries: [TSV] }),
  'a changed glossary': ({ glossaries }) => glossaries.update(ID, { dictionaries: [TSV] }),
  'a replaced dictionary': ({ glossaries }) => glossaries.putDictionary(ID, TSV),
  'the list of style lists': ({ styles }) => styles.list({}),
  'a new style list': ({ styles }) => styles.create({ name: 'a', language: 'de' }),
  'replaced style rules': ({ styles }) => styles.replaceRules(ID, {}),
};

/** Answers usage, and 456 to all else. */
function refusing(usage: typeof USAGE) {
  return serve((response, seen) => {
    if (seen.url === '/v2/usage') json(usage)(response, seen);
    else json({ message: 'quota' }, 456)(response, seen);
  });
}

test.for(Object.entries(TERMINOLOGY))(
  '456 to %s waits for two minutes at most while there is quota left',
  async ([, request]) => {
    await using server = await refusing(USAGE);
    await using client = rig(server.url);
    const started = client.clock.now();
    expect(await failureFrom(request(client.service))).toMatchObject({
      kind: 'quota-exceeded',
      scope: 'glossaries',
    });
    expect(client.clock.now() - started).toBeGreaterThanOrEqual(120_000);
    expect(client.clock.now() - started).toBeLessThan(180_000);
    expect(client.service.state).toEqual({ kind: 'running' });
  },
);

test.for(Object.entries(TERMINOLOGY))(
  '456 to %s is the quota of the account when usage says so, and stops paid work at once',
  async ([, request]) => {
    await using server = await refusing({ ...USAGE, character_count: 100 });
    await using client = rig(server.url);
    const quota = { kind: 'quota-exceeded', scope: 'account' };
    expect(await failureFrom(request(client.service))).toMatchObject(quota);
    expect(client.clock.slept).toEqual([]);
    expect(client.service.state).toMatchObject({ kind: 'stopped', failure: quota });
  },
);

test.for([429, 503, 456])(
  'a status of %d that never ends is given up when the time limit is over',
  async (status) => {
    await using server = await serve((response, seen) => {
      if (seen.url === '/v2/usage') json(USAGE)(response, seen);
      else json({}, status, { 'retry-after': '7' })(response, seen);
    });
    await using client = rig(server.url, { patienceMs: 20_000 });
    await failureFrom(client.service.glossaries.list());
    expect(client.clock.slept).toEqual([7000, 7000, 7000]);
  },
);

test('a Retry-After beyond the time limit is obeyed once', async () => {
  await using server = await serve(json({}, 429, { 'retry-after': '90' }), json(HALLO));
  await using client = rig(server.url, { patienceMs: 60_000 });
  await client.service.text.translate(HELLO);
  expect(client.clock.slept).toEqual([90_000]);
});

test('the time limit starts again when the service accepts another call of the same kind', async () => {
  let answers = 0;
  await using server = await serve((response, seen) => {
    answers += 1;
    const isRefused = String(seen.body).includes('Hello') && answers < 8;
    if (isRefused) json({}, 429, { 'retry-after': '15' })(response, seen);
    else json(HALLO)(response, seen);
  });
  await using client = rig(server.url, { patienceMs: 20_000 });
  let isOver = false;
  const call = client.service.text.translate(HELLO).finally(() => (isOver = true));
  while (!isOver) {
    await client.service.text.translate({ ...HELLO, text: ['Other'] });
    await new Promise(setImmediate);
  }
  expect(await call).toMatchObject({ billed_characters: 5 });
});

test('resuming a key that is still refused leaves it stopped; a failing service is an error', async () => {
  await using server = await serve(json({}, 401), json({}, 401), json({ message: 'oops' }, 500));
  await using client = rig(server.url);
  const { service } = client;
  await failureFrom(service.text.translate(HELLO));
  expect(await service.resume()).toMatchObject({ kind: 'stopped' });
  expect(await failureFrom(service.resume())).toMatchObject({ kind: 'server-error' });
  expect(service.state.kind).toBe('stopped');
});

test('a signal ends a call that waits for its turn before anything is sent', async () => {
  await using server = await serve(json(HALLO));
  await using client = rig(server.url);
  const failure = await failureFrom(
    client.service.text.translate(HELLO, { signal: AbortSignal.abort() }),
  );
  expect(failure).toEqual({ kind: 'stopped' });
  expect(server.seen).toHaveLength(0);
});

test('a signal that fires while the answer is awaited leaves a billing call in doubt', async () => {
  const stop = new AbortController();
  await using server = await serve(() => stop.abort());
  await using client = rig(server.url);
  const call = client.service.text.translate(HELLO, { signal: stop.signal });
  expect(await failureFrom(call)).toEqual({
    kind: 'unanswered',
    operation: 'POST /v2/translate',
    message: 'stopped while waiting for the answer',
  });
});

test('a proxy that is handed in is used', async () => {
  await using proxy = await serve(json(USAGE));
  await using client = rig('http://service.invalid', { proxy: { httpProxy: proxy.url } });
  expect(await client.service.account.usage()).toEqual(USAGE);
  expect(proxy.seen[0]?.url).toBe('http://service.invalid/v2/usage');
});

test('every attempt is reported, lost ones too', async () => {
  await using server = await serve(reset, json(USAGE, 200, { 'x-trace-id': 'abc' }));
  await using client = rig(server.url);
  await client.service.account.usage();
  expect(client.events.filter(({ kind }) => kind === 'request')).toMatchObject([
    { kind: 'request', operation: 'GET /v2/usage', status: 'lost' },
    { kind: 'request', operation: 'GET /v2/usage', status: 200, traceId: 'abc' },
  ]);
});

test('disposing the client ends calls that wait for their turn', async () => {
  await using server = await serve(json({}, 429, { 'retry-after': '60' }));
  const paused = Promise.withResolvers<void>();
  const service = connect({
    url: server.url,
    key: 'test-key',
    onEvent: ({ kind }) => void (kind === 'throttled' && paused.resolve()),
  });
  const failure = failureFrom(service.text.translate(HELLO));
  await paused.promise;
  expect(service.state).toMatchObject({ kind: 'throttled' });
  await service[Symbol.asyncDispose]();
  expect(await failure).toEqual({ kind: 'stopped' });
});

test('one question about the key serves all calls that were forbidden together', async () => {
  await using server = await serve((response, seen) =>
    seen.url === '/v2/usage'
      ? json(USAGE)(response, seen)
      : json({ message: 'no access' }, 403)(response, seen),
  );
  await using client = rig(server.url);
  const calls = Array.from({ length: 5 }, () => failureFrom(client.service.text.translate(HELLO)));
  const failures = await Promise.all(calls);
  expect(failures.every((failure) => (failure as { kind: string }).kind === 'forbidden')).toBe(
    true,
  );
  expect(server.seen.filter(({ url }) => url === '/v2/usage')).toHaveLength(1);
});

test('a key that is fetched is fetched once, trimmed, and again after it was refused', async () => {
  const keys = ['old\n', 'new\n'];
  await using server = await serve((response, seen) =>
    seen.headers.authorization === 'Service-Auth-Key new'
      ? json(USAGE)(response, seen)
      : json({ message: 'no' }, 401)(response, seen),
  );
  let fetched = 0;
  await using client = rig(server.url, {
    key: async () => {
      fetched += 1;
      return keys.shift() ?? '';
    },
  });
  const usage = () => client.service.account.usage();
  expect(await failureFrom(usage())).toMatchObject({ kind: 'key-refused' });
  await failureFrom(usage());
  expect(fetched).toBe(1);
  expect(await client.service.resume()).toEqual({ kind: 'running' });
  expect(fetched).toBe(2);
});

test.for(['', '  ', 'two words', 'kéy', 'line\nbreak'])('the key %j is never sent', async (key) => {
  await using server = await serve(json(USAGE));
  await using client = rig(server.url, { key });
  expect(await failureFrom(client.service.account.usage())).toMatchObject({ kind: 'key-missing' });
  expect(server.seen).toHaveLength(0);
});

test('a base address with a path keeps it', async () => {
  await using server = await serve(json(USAGE));
  await using client = rig(`${server.url}/eu/api/`);
  await client.service.account.usage();
  expect(server.seen[0]?.url).toBe('/eu/api/v2/usage');
});

test('a redirect is not followed: the key would go along', async () => {
  await using server = await serve(json({}, 302, { location: 'https://elsewhere.invalid' }));
  await using client = rig(server.url);
  expect(await failureFrom(client.service.account.usage())).toMatchObject({
    kind: 'unreachable',
    message: `${server.url} answered 302, which points to https://elsewhere.invalid/`,
  });
});

test('a server that is still answering after two minutes is left', async () => {
  const answers: Generator<void>[] = [];
  await using server = await serve((response) => answers.push(dripping(response, 50)));
  await using client = rig(server.url);
  const start = client.clock.now();
  let isOver = false;
  const failure = failureFrom(client.service.text.translate(HELLO)).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await client.clock.sleep(1000);
    for (const answer of answers) answer.next();
  }
  expect(await failure).toMatchObject({
    kind: 'unanswered',
    message: 'the answer takes too long',
  });
  expect(client.clock.now() - start).toBeGreaterThan(120_000);
});

/** Sends the head at once, then blanks at each step, and never ends. */
function* dripping(response: ServerResponse, blanks = 1): Generator<void> {
  response.writeHead(200);
  for (;;) yield void response.write(' '.repeat(blanks));
}

test.for([
  ['a billing call', (service: Service) => service.text.translate(HELLO)],
  ['a harmless call', (service: Service) => service.account.usage()],
  ['the transfer of a file', (service: Service) => service.documents.result(HANDLE, SINK)],
] as const)('%s ends when its answer only drips', async ([, ask]) => {
  const drips: Generator<void>[] = [];
  await using server = await serve((response) => drips.push(dripping(response)));
  await using client = rig(server.url);
  let isOver = false;
  const failure = failureFrom(ask(client.service)).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await client.clock.sleep(1000);
    for (const drip of drips) drip.next();
  }
  expect(await failure).toMatchObject({
    kind: 'unanswered',
    message: 'the answer takes too long',
  });
});

const HANDLE = { document_id: 'd1', document_key: 'k' };
const SINK = { headers: async () => {}, write: async () => {} };

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

test('a closed port ends a call after two minutes, unless it may take longer', async () => {
  await using client = rig(`http://127.0.0.1:${await closedPort()}`);
  const start = client.clock.now();
  const failure = await failureFrom(client.service.account.usage());
  expect(failure).toMatchObject({ kind: 'unreachable' });
  const waited = client.clock.now() - start;
  expect(waited).toBeGreaterThan(90_000);
  expect(waited).toBeLessThanOrEqual(120_000);
});

test('a service that asks to wait for ever ends a call after two minutes too', async () => {
  await using server = await serve(json({}, 429));
  await using client = rig(server.url);
  const start = client.clock.now();
  expect(await failureFrom(client.service.text.translate(HELLO))).toMatchObject({
    kind: 'throttled',
    status: 429,
  });
  // When the two minutes are over, the call waits once more for the requested time.
  expect(client.clock.now() - start).toBeLessThan(150_000);
});

test.for([
  ['before it is sent', 'stopped', 0],
  ['while its answer is awaited', 'unanswered', 1],
] as const)('a call that is aborted %s rejects with %s', async ([, kind, requests]) => {
  const stop = new AbortController();
  if (kind === 'stopped') stop.abort();
  await using server = await serve(() => stop.abort());
  await using client = rig(server.url);
  const call = client.service.text.translate(HELLO, { signal: stop.signal });
  expect(await failureFrom(call)).toMatchObject({ kind });
  expect(server.seen).toHaveLength(requests);
});

test('after the end of retries a call has its first try, but does not wait where the service has asked to wait', async () => {
  await using server = await serve(json(USAGE), json({}, 429, { 'retry-after': '100' }));
  // Time stands still, so nobody waits until a pause is over.
  await using client = rig(server.url, { clock: manualClock() });
  const { account, text } = client.service;
  client.service.endRetries();
  expect(await account.usage()).toEqual(USAGE);
  expect(await failureFrom(text.translate(HELLO))).toMatchObject({ kind: 'stopped' });
  expect(await failureFrom(account.usage())).toMatchObject({ kind: 'stopped' });
  expect(server.seen).toHaveLength(2);
});
