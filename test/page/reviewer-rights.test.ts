/** Everything that the holder of a reviewer's link sends: each route of the page, under each name and in each way. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ReviewPortion, ReviewRow } from '../../src/control/review-report.ts';
import { type PageRouteContext, pageRoutes } from '../../src/page/routes.ts';
import { type Daemon, Rig } from '../rig.ts';
import { addressOf } from './installation.ts';

const CONFIG = `
lock: dragoman.lock
budget: { month: 54321 }
page:
  listen: "127.0.0.1:0"
  reviewers:
    - { name: Anna B, languages: [de] }
    - { name: Ended, languages: [de] }
defaults: { settle_ms: 50, review: { want: [machine] } }
projects:
  webshop:
    source: en
    targets: [de, fr]
    routes: [{ from: "locales/{locale}/*.json" }]
  secretproject:
    root: hidden
    source: en
    targets: [fr]
    routes: [{ from: "{locale}/*.json" }]
`;

/** Data that no answer to a reviewer may have: other projects and languages, their texts, costs, and paths on the disk. */
const FORBIDDEN = () => ['secretproject', 'We buy the other', '"fr"', '54321', '_total', rig.root];

/** Who may ask for a route. A new route must be put here, and its answers to a reviewer with it. */
const ROUTES: Readonly<Record<string, 'everybody' | 'reviewer' | 'owner' | 'machine'>> = {
  '/': 'everybody',
  '/app.js': 'everybody',
  '/app.css': 'everybody',
  '/icon.svg': 'everybody',
  '/healthz': 'everybody',
  '/readyz': 'everybody',
  '/metrics': 'machine',
  '/api/session': 'everybody',
  '/api/events': 'reviewer',
  '/api/review/list': 'reviewer',
  '/api/review/save': 'reviewer',
  '/api/review/undo': 'reviewer',
  '/api/change': 'owner',
  '/api/conflicts': 'owner',
  '/api/release': 'owner',
  '/api/resolve': 'owner',
  '/api/pause': 'owner',
  '/api/resume': 'owner',
};
const known = pageRoutes({} as PageRouteContext);
const pathsFor = (who: (typeof ROUTES)[string]) =>
  Object.keys(ROUTES).filter((path) => ROUTES[path] === who);
const methodOf = (path: string) => known.get(path)?.method ?? 'GET';

let rig: Rig;
let daemon: Daemon;
let port: number;
let cookie: string;
let token: string;
let ended: string;
let owner: string;

beforeAll(async () => {
  rig = await Rig.start({
    config: CONFIG,
    files: {
      'locales/en/app.json': '{ "title": "Welcome {name}", "bye": "Goodbye" }\n',
      'hidden/en/plan.json': '{ "plan": "We buy the other shop" }\n',
    },
  });
  await rig.once();
  daemon = await rig.daemon();
  const address = new URL(await addressOf(rig));
  port = Number(address.port);
  owner = await sessionOf(address.hash.slice('#token='.length));
  token = await linkOf('Anna B');
  cookie = await sessionOf(token);
  ended = await sessionOf(await linkOf('Ended'));
  await rig.run('review', 'link', 'Ended', '--revoke');
});
afterAll(() => rig?.[Symbol.asyncDispose]());

async function linkOf(name: string): Promise<string> {
  const { stdout } = await rig.run('review', 'link', name);
  return stdout.trim().split('#token=')[1] ?? '';
}

interface Ask {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Answer {
  readonly status: number;
  /** As JSON. */
  readonly headers: string;
  readonly body: string;
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** The path is sent as it is: `fetch` would make it a proper one. */
async function ask({ path = '/', method = 'GET', headers = {}, body = '' }: Ask): Promise<Answer> {
  const asked = request({
    ...{ host: '127.0.0.1', port, path, method, agent: false },
    headers: { 'content-length': Buffer.byteLength(body), ...headers },
  });
  asked.end(body);
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const text = Buffer.concat(await Array.fromAsync(response as AsyncIterable<Buffer>));
  return {
    status: response.statusCode ?? 0,
    headers: JSON.stringify(response.headers),
    body: text.toString('utf8'),
  };
}

const post = (path: string, body: object, headers: Record<string, string> = { cookie }) =>
  ask({ path, method: 'POST', body: JSON.stringify(body), headers: { ...JSON_TYPE, ...headers } });
/** A valid request for the route, with an empty body. */
const call = (path: string, headers: Record<string, string>): Promise<Answer> =>
  methodOf(path) === 'POST' ? post(path, {}, headers) : ask({ path, headers });

async function sessionOf(key: string): Promise<string> {
  const { headers } = await post('/api/session', { token: key }, {});
  return /"set-cookie":\["([^;]*)/.exec(headers)?.[1] ?? '';
}

function leaks({ headers, body }: Answer): string[] {
  const told = (headers + body).toLowerCase();
  return FORBIDDEN().filter((word) => told.includes(word.toLowerCase()));
}

const LIST = { states: [], from: 0, count: 100 };
const listed = async (more: object = {}) =>
  JSON.parse((await post('/api/review/list', { ...LIST, ...more })).body) as ReviewPortion;
const saveOf = ({ project, file, language, text }: ReviewRow, said: string) => ({
  ...{ project, file, language, id: text.id, source: text.source_hash, was: text.target_hash },
  ...{ text: said, reviewed: true },
});

test('this table names who may use each route of the page', () => {
  expect(new Set(Object.keys(ROUTES))).toEqual(new Set(known.keys()));
  for (const [path, { needs }] of known) {
    const open = {
      ...{ nothing: 'everybody', 'no link': 'machine', review: 'reviewer', owner: 'owner' },
    };
    expect(ROUTES[path], path).toBe(open[needs]);
  }
});

describe('a reviewer', () => {
  test.each(pathsFor('owner'))('may not call %s, by any method and with any body', async (path) => {
    const job = { project: 'webshop', language: 'de', file: rig.path('locales/de/app.json') };
    const price = { price_characters: 1e9, price_seconds: 1e9 };
    const bodies = [
      ...[{}, [], job, { ...job, choice: { kind: 'machine' } }, LIST],
      ...[
        { task: 'x', verb: 'approve', at_most: price },
        { __proto__: null, needs: 'review' },
      ],
    ];
    for (const body of bodies) {
      const answer = await post(path, body);
      expect([answer.status, leaks(answer)]).toEqual([403, []]);
    }
    for (const method of ['GET', 'HEAD'] as const) {
      expect((await ask({ path, method, headers: { cookie } })).status).toBe(403);
    }
  });

  const answered = [...pathsFor('reviewer'), ...pathsFor('everybody')];
  // Its answer has no end: `review-links.test.ts` reads its beginning.
  test.each(answered.filter((path) => path !== '/api/events'))(
    'reads nothing of others at %s',
    async (path) => {
      expect(leaks(await call(path, { cookie }))).toEqual([]);
    },
  );

  test.each(pathsFor('machine'))('reads no figures at %s', async (path) => {
    const answer = await ask({ path, headers: { cookie } });
    expect([answer.status, leaks(answer)]).toEqual([403, []]);
    expect((await ask({ path })).status).toBe(200);
    expect((await ask({ path, headers: { cookie: owner } })).status).toBe(200);
  });

  test.each(Object.keys(ROUTES))('gets no further with other methods at %s', async (path) => {
    const methods = ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'SEARCH'] as const;
    for (const method of methods) {
      const answer = await ask({ path, method, headers: { ...JSON_TYPE, cookie }, body: '{}' });
      expect(answer.status, method).toBe(405);
      expect(answer.headers).not.toContain('access-control-allow-');
    }
    const headers = { ...JSON_TYPE, cookie, 'x-http-method-override': 'POST' };
    const turned = methodOf(path) === 'POST' ? 'GET' : 'POST';
    const answer = await ask({ path, method: turned, headers, body: '{}' });
    expect(answer.status).toBe(ROUTES[path] === 'owner' || ROUTES[path] === 'machine' ? 403 : 405);
  });

  test.each([
    ...['/api/pause/', '/api//pause', '//api/pause', '/API/PAUSE', '/api/./pause', '/api/pause;x'],
    ...['/api/review/../pause', '/api/review/%2e%2e/pause', '/api%2fpause', '/api/paus%65'],
    ...['/api/review/list/../../pause', '/api/pause%00', '/api/pause%20', '/api\\pause', '/api'],
    ...[
      '/../dragoman.yaml',
      '/%2e%2e/dragoman.yaml',
      '/..%5cdragoman.yaml',
      '/.dragoman/edits.jsonl',
    ],
    ...['/locales/fr/app.json', '/app.js/../../main.js', '/app.js%00.html', '*', '/app.js.map'],
  ])('finds nothing at "%s"', async (path) => {
    for (const method of ['GET', 'POST'] as const) {
      const answer = await ask({ path, method, body: '{}', headers: { ...JSON_TYPE, cookie } });
      expect([answer.status, leaks(answer)]).toEqual([404, []]);
    }
  });

  test('is still a reviewer when the address is a whole one or has a query', async () => {
    for (const path of [`http://127.0.0.1:${port}/api/pause`, `http://evil.example/api/pause`]) {
      expect((await post(path, {})).status).toBe(404);
    }
    for (const query of ['?', '?needs=review', '?path=/api/review/list', '?owner=1#/api/events']) {
      expect((await post(`/api/pause${query}`, {})).status).toBe(403);
    }
  });

  test('is known by the cookie of this page alone', async () => {
    const elsewhere: readonly Record<string, string>[] = [
      { authorization: `Bearer ${token}` },
      { authorization: `Basic ${Buffer.from(`x:${token}`).toString('base64')}` },
      { 'x-token': token, 'x-api-key': token },
      { cookie: `dragoman_${port + 1}=${token}` },
      { cookie: `dragoman=${token}` },
      { cookie: `DRAGOMAN_${port}=${token}` },
      { cookie: `dragoman_${port}="${token}"` },
      { cookie: `dragoman_${port}=${encodeURIComponent(`${token} `)}` },
    ];
    for (const headers of elsewhere) {
      expect((await post('/api/review/list', LIST, headers)).status).toBe(401);
    }
    expect((await post(`/api/review/list?token=${token}`, LIST, {})).status).toBe(401);
    expect((await post('/api/review/list', { ...LIST, token }, {})).status).toBe(401);
    // Beside the cookie of the owner it takes nothing away, and behind a wrong one it still counts.
    const name = `dragoman_${port}`;
    const both = `${name}=wrong; ${cookie}`;
    expect((await post('/api/review/list', LIST, { cookie: both })).status).toBe(200);
    expect((await post('/api/pause', {}, { cookie: both })).status).toBe(403);
  });

  test.each([...pathsFor('reviewer'), ...pathsFor('owner')])(
    'whose link has ended is nobody at %s',
    async (path) => {
      const answer = await call(path, { cookie: ended });
      expect([answer.status, leaks(answer)]).toEqual([401, []]);
      expect((await call(path, {})).status).toBe(401);
    },
  );

  test.each([...pathsFor('reviewer'), ...pathsFor('owner')])(
    'is not answered at %s when another site asks, or by another host',
    async (path) => {
      for (const origin of ['http://evil.example', 'null', `https://127.0.0.1:${port}`]) {
        expect((await call(path, { cookie, origin })).status).toBe(403);
      }
      for (const site of ['cross-site', 'same-site']) {
        expect((await call(path, { cookie, 'sec-fetch-site': site })).status).toBe(403);
      }
      expect((await call(path, { cookie, host: 'evil.example' })).status).toBe(421);
    },
  );

  test.each(pathsFor('reviewer').filter((path) => methodOf(path) === 'POST'))(
    'is refused at %s with a body of another kind or that is too large',
    async (path) => {
      for (const type of ['text/plain', 'multipart/form-data', 'application/json-patch+json', '']) {
        const headers = { cookie, 'content-type': type };
        expect((await ask({ path, method: 'POST', body: '{}', headers })).status).toBe(415);
      }
      const large = JSON.stringify({ ...LIST, text: 'x'.repeat(200_000) });
      const nested = `{"states":${'['.repeat(70_000)}${']'.repeat(70_000)}}`;
      const bodies = [large, nested, '{', 'null', '[]', '"x"', '{"__proto__":{"language":"fr"}}'];
      const statuses = [413, 400, 400, 400, 400, 400, 400];
      for (const [at, body] of bodies.entries()) {
        const answer = await ask({ path, method: 'POST', body, headers: { ...JSON_TYPE, cookie } });
        expect([answer.status, leaks(answer)]).toEqual([statuses[at], []]);
      }
    },
  );

  test('cannot undo what somebody else saved, and learns nothing of it', async () => {
    const [row] = (await listed()).rows;
    const own = saveOf(row as ReviewRow, `Von der Eignerin {name}`);
    const saved = await post('/api/review/save', own, { cookie: owner });
    expect(saved.status).toBe(200);
    const { row: now } = JSON.parse(saved.body) as { row: ReviewRow };
    const { text: _, reviewed: __, ...place } = { ...saveOf(now, ''), at: now.edited?.at };
    const undone = await post('/api/review/undo', place);
    expect([undone.status, leaks(undone)]).toEqual([422, []]);
    const other = await post('/api/review/undo', { ...place, language: 'fr' });
    expect([other.status, leaks(other)]).toEqual([403, []]);
    expect((await listed()).counts).toMatchObject({ reviewed: 1 });
  });

  test('counts only texts of their languages, whatever is asked for', async () => {
    for (const more of [
      {},
      { project: 'secretproject' },
      { file: 'en/plan.json' },
      { text: 'e' },
    ]) {
      const answer = await post('/api/review/list', { ...LIST, ...more });
      expect([answer.status, leaks(answer)]).toEqual([200, []]);
      const { counts, total } = JSON.parse(answer.body) as ReviewPortion;
      expect(Object.values(counts).reduce((sum, count) => sum + count)).toBeLessThanOrEqual(2);
      expect(total).toBeLessThanOrEqual(2);
    }
    // A project that exists and one that does not are told apart by nothing.
    const [there, nowhere] = await Promise.all(
      ['secretproject', 'nowhere'].map((project) => listed({ project })),
    );
    expect({ ...there, at: '' }).toEqual({ ...nowhere, at: '' });
  });

  test('whose languages change in the config keeps only those', async () => {
    const now = rig.read('dragoman.yaml');
    const language = async () => (await listed()).language;
    for (const [has, lost] of [
      ['fr', 'de'],
      ['de', 'fr'],
    ]) {
      rig.write('dragoman.yaml', now.replace(/(?<=Anna B, languages: )\S+/, `[${has}]`));
      daemon.kill('SIGHUP');
      await expect.poll(language).toBe(has);
      expect((await post('/api/review/list', { ...LIST, language: lost })).status).toBe(403);
    }
  });
});
