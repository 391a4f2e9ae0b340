/** Who gets nothing: asked over raw sockets, as a hostile page, program or person would. */
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Installation, installation, PERSONS_TEXT } from './installation.ts';
import { type RawRequest, raw } from './raw.ts';

let daemon: Installation & AsyncDisposable;
let port: number;
let token: string;

beforeAll(async () => {
  daemon = await installation();
  const address = new URL(daemon.address);
  port = Number(address.port);
  token = new URLSearchParams(address.hash.slice(1)).get('token') ?? '';
});
afterAll(() => daemon[Symbol.asyncDispose]());

type Ask = Partial<Omit<RawRequest, 'port'>>;

const ask = ({ headers = {}, path = '/', ...rest }: Ask = {}) =>
  raw({ port, path, headers: { host: `127.0.0.1:${port}`, ...headers }, ...rest });

const post = (path: string, { headers = {}, body = '{}' }: Ask = {}) =>
  ask({ path, method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });

/** A session, as the browser sends it. */
async function cookie(): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? expect.unreachable();
}

const JOB = () => ({
  project: 'webshop',
  language: 'de',
  file: daemon.rig.path('locales/de/app.json'),
});
const OPEN = ['/', '/app.js', '/app.css', '/icon.svg', '/healthz', '/readyz', '/metrics'];
const CLOSED = ['conflicts', 'release', 'resolve', 'pause', 'resume'].map((name) => `/api/${name}`);

test.each([
  'evil.example',
  '127.0.0.1',
  'localhost',
  '127.0.0.1:1',
  '127.0.0.1:9730.evil.example',
  '',
])('the host "%s" is answered with 421 on every route', async (host) => {
  const answers = await Promise.all(
    [...OPEN, ...CLOSED, '/api/session', '/api/events', '/nowhere'].map((path) =>
      ask({ path, headers: { host } }),
    ),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([421]));
});

test('a request without a host is refused', async () => {
  expect((await raw({ port, path: '/' })).status).toBe(400);
});

test('a request with two hosts is refused', async () => {
  const hosts = [`127.0.0.1:${port}`, 'evil.example'].map((host) => `Host: ${host}\r\n`).join('');
  const socket = connect(port, '127.0.0.1');
  socket.end(`GET / HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`);
  const chunks = await Array.fromAsync(socket as AsyncIterable<Buffer>);
  expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 400 /);
});

test.each([
  () => `127.0.0.1:${port}`,
  () => `localhost:${port}`,
  () => `LOCALHOST:${port}`,
  () => `[::1]:${port}`,
])('this machine is answered under each of its names, with the right port', async (host) => {
  expect((await ask({ headers: { host: host() } })).status).toBe(200);
});

test.each(['http://evil.example', 'https://127.0.0.1', 'http://localhost:1', 'null'])(
  'the origin "%s" may not ask, with or without a session',
  async (origin) => {
    const headers = { origin, cookie: await cookie() };
    expect((await post('/api/pause', { headers })).status).toBe(403);
    expect((await ask({ path: '/metrics', headers: { origin } })).status).toBe(403);
  },
);

test.each(['cross-site', 'same-site'])('a %s fetch is refused', async (site) => {
  const headers = { 'sec-fetch-site': site, 'sec-fetch-mode': 'no-cors', cookie: await cookie() };
  expect((await ask({ path: '/api/events', headers })).status).toBe(403);
  expect((await post('/api/resume', { headers })).status).toBe(403);
  expect((await ask({ path: '/app.js', headers })).status).toBe(403);
});

test('a link from elsewhere leads to the page, but not into a frame', async () => {
  const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
  const link = await ask({ headers: { ...headers, 'sec-fetch-dest': 'document' } });
  const frame = await ask({ headers: { ...headers, 'sec-fetch-dest': 'iframe' } });
  expect([link.status, frame.status]).toEqual([200, 403]);
  expect(link.headers).toContain("frame-ancestors 'none'");
});

test('without a session nothing is shown and nothing is done', async () => {
  const answers = await Promise.all([
    ask({ path: '/api/events' }),
    ...CLOSED.map((path) => post(path)),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 401));
});

test.each(['', 'x', 'A'.repeat(43), 'a session of another daemon'])(
  'the token "%s" opens no session',
  async (wrong) => {
    const { status, headers } = await post('/api/session', {
      body: JSON.stringify({ token: wrong }),
    });
    expect(status).toBe(401);
    expect(headers).not.toContain('set-cookie');
  },
);

test('the token has 256 bits, and the session is out of the reach of scripts and other sites', async () => {
  expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  const { headers } = await post('/api/session', { body: JSON.stringify({ token }) });
  expect(headers).toMatch(/set-cookie: dragoman_\d+=[\w-]{43}; httponly; samesite=strict; path=\//);
  expect(await cookie()).not.toContain(token);
});

test('the token itself is no session, and neither is a guess', async () => {
  for (const value of [token, 'x'.repeat(43), '']) {
    const headers = { cookie: `dragoman_${port}=${value}`, authorization: `Bearer ${token}` };
    expect((await post('/api/pause', { headers })).status).toBe(401);
  }
});

test('a body that is not JSON is refused before it is read', async () => {
  const headers = { cookie: await cookie() };
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp']) {
    const answer = await post('/api/pause', { headers: { ...headers, 'content-type': type } });
    expect(answer.status).toBe(415);
  }
});

test.each([
  ['{', 400],
  ['{"x":1}', 400, 'this version of the page does not know such a request; reload the page'],
  ['[]', 400, 'this version of the page does not know such a request; reload the page'],
  [`"${'x'.repeat(170_000)}"`, 413],
])('a body that is not as expected is refused', async (body, status, error = '') => {
  const headers = { cookie: await cookie() };
  const answer = await post('/api/pause', { headers, body });
  expect(answer.status).toBe(status);
  expect(answer.body).toContain(error);
});

test('a body of any size gets its answer after it was sent, and the connection is not reset', async () => {
  const session = await cookie();
  for (const size of [170_000, 20_000_000, 70_000_000]) {
    const body = JSON.stringify('x'.repeat(size));
    const head = [
      'POST /api/pause HTTP/1.1',
      ...[`Host: 127.0.0.1:${port}`, `Origin: http://127.0.0.1:${port}`, `Cookie: ${session}`],
      ...['Content-Type: application/json', `Content-Length: ${body.length}`, 'Connection: close'],
    ];
    // A browser shows no answer that comes before the end of its request on a connection that is then reset.
    const socket = connect(port, '127.0.0.1');
    const sent = new Promise<Error | null | undefined>((resolve) => {
      socket.write(`${head.join('\r\n')}\r\n\r\n${body}`, resolve);
    });
    const chunks = await Array.fromAsync(socket as AsyncIterable<Buffer>);
    const answer = Buffer.concat(chunks).toString();
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('larger than 160 KB');
    expect(await sent).toBeFalsy();
  }
});

test('other methods and unknown addresses are refused', async () => {
  expect((await ask({ method: 'PUT' })).status).toBe(405);
  expect((await ask({ method: 'OPTIONS' })).status).toBe(405);
  expect((await ask({ path: '/api/pause', headers: { cookie: await cookie() } })).status).toBe(405);
  expect((await ask({ path: '/../dragoman.yaml' })).status).toBe(404);
  expect((await ask({ path: '/.dragoman/db.json' })).status).toBe(404);
});

test('every answer says that nothing may be framed, sniffed, cached or loaded from elsewhere', async () => {
  for (const answer of [
    await ask(),
    await ask({ path: '/metrics' }),
    await ask({ headers: { host: 'x' } }),
  ]) {
    expect(answer.headers).toContain("default-src 'none'");
    expect(answer.headers).toContain("require-trusted-types-for 'script'");
    expect(answer.headers).toContain('x-content-type-options: nosniff');
    expect(answer.headers).toContain('cache-control: no-store');
    expect(answer.headers).not.toContain('unsafe');
    expect(answer.headers).not.toContain('access-control-allow');
  }
});

test('answers that need no token hold no key, no token, no text and no file name', async () => {
  const bodies = await Promise.all(OPEN.map(async (path) => (await ask({ path })).body));
  const secrets = [
    daemon.rig.sandbox.key,
    token,
    PERSONS_TEXT,
    'Only what matters',
    'app.json',
    daemon.rig.root,
  ];
  // The key of the sandbox is the word "sandbox", which the page may show; as a key it would be in quotes or a header.
  for (const secret of secrets.slice(1)) expect(bodies.join('\n')).not.toContain(secret);
  expect(bodies.slice(4).join('\n')).not.toContain(secrets[0]);
});

test('texts of a conflict are shown to a session only, and no snapshot holds them', async () => {
  const body = JSON.stringify(JOB());
  expect((await post('/api/conflicts', { body })).body).not.toContain(PERSONS_TEXT);
  const headers = { cookie: await cookie() };
  expect((await post('/api/conflicts', { body, headers })).body).toContain(PERSONS_TEXT);
  const snapshot = await firstSnapshot(headers);
  expect(snapshot).toContain('locales/en/app.json');
  expect(snapshot).not.toContain(PERSONS_TEXT);
  expect(snapshot).not.toContain('Only what matters');
  expect(snapshot).not.toContain(token);
});

async function firstSnapshot(headers: Record<string, string>): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/api/events`, { headers });
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString('utf8');
    if (text.includes('event: snapshot') && text.endsWith('\n\n')) break;
  }
  return text;
}

test('the log never holds the token', () => {
  expect(daemon.daemon.lines.some(({ kind }) => kind === 'page-served')).toBe(true);
  expect(JSON.stringify(daemon.daemon.lines)).not.toContain(token);
});

test('an approval releases no more than what was shown', async () => {
  const headers = { cookie: await cookie() };
  const snapshot = JSON.parse(/data: (.*)/.exec(await firstSnapshot(headers))?.[1] ?? '') as {
    attention: { lines: readonly { key: string; action: string }[] };
  };
  const { key: task } =
    snapshot.attention.lines.find(({ action }) => action === 'approve') ?? expect.unreachable();
  const release = (at_most: object) =>
    post('/api/release', { headers, body: JSON.stringify({ task, verb: 'approve', at_most }) });
  const less = await release({ price_characters: 59, price_seconds: 0 });
  expect([less.status, less.body]).toEqual([409, expect.stringContaining('look at the price')]);
  expect(daemon.rig.exists('handbook/de/terms.txt')).toBe(false);
});
