/** Hooks, with real commands and a real receiver. */

import { createHmac } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Clock, systemClock } from '../../src/clock.ts';
import type { Config } from '../../src/config.ts';
import { type Event, Events } from '../../src/event.ts';
import type { JobId } from '../../src/job.ts';
import type { LanguageTag } from '../../src/language.ts';
import { TIME_LIMIT_MS } from '../../src/observe/hooks/outcome.ts';
import { openHooks } from '../../src/observe/hooks.ts';
import { spawnSync } from '../in-time.ts';
import { MAIN } from '../main.ts';
import { Rig } from '../rig.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const NONE: Config['on'] = { delivered: [], held: [], failed: [], budget: [] };
const JOB = {
  job: 'app/de/en/a.json' as JobId,
  project: 'app',
  lane: 'text',
  source: 'en/a.json',
  language: 'de' as LanguageTag,
} as const;
const delivered = (path: string): Event => ({
  kind: 'job-delivered',
  wrote: [path],
  durationMs: 5,
  ...JOB,
});

type Connection = Partial<Pick<Config, 'service' | 'team'>>;

interface Setting {
  readonly env?: Record<string, string>;
  /** Instead of a key in a variable. */
  readonly connection?: Connection;
  /** How many times as fast as the clock deadlines go by: of a slow machine nothing is asked where a test is not about them. */
  readonly hurry?: number;
  /** The time limit of a command is over as soon as its nth try has written as many lines, however slow the machine is. */
  readonly limit?: 'when it has begun';
}

/** Milliseconds between the tries of a hook. */
const RETRIES: readonly number[] = [1000, 4000, 16_000];

async function hooked(
  on: Partial<Config['on']>,
  { env = {}, hurry = 1, connection = {}, limit }: Setting = {},
) {
  const folder = await temporaryFolder();
  // Whole lines alone: the shell makes the file before it writes, so that an empty file has said nothing yet.
  const told = () => {
    const file = join(folder, 'told');
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
  };
  let tries = 0;
  const sleep: Clock['sleep'] = async (ms, signal) => {
    const isLimit = limit !== undefined && ms === TIME_LIMIT_MS;
    if (isLimit) return await expect.poll(told).toHaveLength(++tries);
    await systemClock.sleep(ms / (RETRIES.includes(ms) ? 20 : hurry), signal);
  };
  const events = new Events();
  const lost: string[] = [];
  const first = Promise.withResolvers<string>();
  const abort = new AbortController();
  const service = { key: { env: 'DRAGOMAN_KEY' }, headers: {} } as unknown as Config['service'];
  const hooks = openHooks({
    inForce: {
      setup: { config: { on: { ...NONE, ...on }, service, base: folder, ...connection } },
    },
    clock: { ...systemClock, sleep },
    secrets: { env: { ...process.env, ...env } },
    onEvent: (event) => {
      if (event.kind !== 'hook-failed') return;
      lost.push(`${event.hook}: ${event.reason}`);
      first.resolve(event.reason);
    },
    abort: abort.signal,
  });
  events.subscribe(hooks);
  return { folder, events, hooks, lost, told, failed: first.promise, abort };
}

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

async function receiver(...statuses: readonly number[]) {
  const received: Received[] = [];
  const all = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
    response.writeHead(statuses[received.length - 1] ?? 204, { location: '/elsewhere' }).end();
    if (received.length >= statuses.length) all.resolve();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook`, received, all: all.promise };
}

test('a command gets what was delivered as JSON on its standard input', async () => {
  const { events, hooks, told } = await hooked({ delivered: [{ run: 'cat >> told' }] });
  events.emit(delivered('de/a.json'));
  await hooks[Symbol.asyncDispose]();
  expect(JSON.parse(told()[0] ?? '')).toMatchObject({
    event: 'delivered',
    id: expect.stringMatching(/^[\da-f-]{36}$/),
    project: 'app',
    source: 'en/a.json',
    language: 'de',
    wrote: ['de/a.json'],
  });
});

test('events that still wait when the work is done are delivered before the process ends', async () => {
  const on = { delivered: [{ run: 'sleep 0.05; cat >> told' }] };
  const { events, hooks, told, lost } = await hooked(on);
  for (let nth = 0; nth < 12; nth++) events.emit(delivered(`de/${nth}.json`));
  await hooks[Symbol.asyncDispose]();
  expect(told()).toHaveLength(12);
  expect(lost).toEqual([]);
});

test('events that cannot be delivered before the process ends are reported as lost, once', async () => {
  const { events, hooks, lost } = await hooked({ delivered: [{ run: 'sleep 60' }] }, { hurry: 20 });
  for (let nth = 0; nth < 12; nth++) events.emit(delivered(`de/${nth}.json`));
  await hooks[Symbol.asyncDispose]();
  expect(lost).toEqual(['sleep: 12 messages could not be sent before the end']);
});

test('an urgent end does not wait for hooks', async () => {
  const { events, hooks, lost, abort } = await hooked({ delivered: [{ run: 'sleep 60' }] });
  events.emit(delivered('de/a.json'));
  abort.abort();
  await hooks[Symbol.asyncDispose]();
  expect(lost).toEqual(['sleep: 1 message could not be sent before the end']);
});

test('a command that hangs and ignores SIGTERM is killed with all its child processes', async () => {
  const script = 'sh -c \'trap "" TERM; sleep 61.7; true\' & echo $$ >> told; wait';
  const on = { delivered: [{ run: script }] };
  const { events, failed, told } = await hooked(on, { hurry: 20, limit: 'when it has begun' });
  events.emit(delivered('de/a.json'));
  expect(await failed).toMatch(/^not done within 30 s, ended/);
  const groups = told();
  expect(groups).toHaveLength(4);
  // A killed process ends a moment later, and is a zombie until init takes it.
  const alive = () => {
    const { stdout } = spawnSync('ps', ['-A', '-o', 'pgid=,stat=']);
    const rows = stdout
      .toString()
      .split('\n')
      .map((row) => row.trim().split(/\s+/));
    return rows.filter(([group = '', stat = '']) => groups.includes(group) && stat[0] !== 'Z');
  };
  await expect.poll(alive).toEqual([]);
});

test('a slow hook delays no other', async () => {
  const to = await receiver(204);
  const on = { delivered: [{ run: 'sleep 60' }, { post: to.url }] };
  const { events, hooks, abort } = await hooked(on);
  for (let nth = 0; nth < 8; nth++) events.emit(delivered('de/a.json'));
  await to.all;
  abort.abort();
  await hooks[Symbol.asyncDispose]();
  expect(to.received.length).toBeGreaterThan(0);
});

test('when there are too many events, as many as possible are delivered, and two warnings report the rest', async () => {
  const { events, hooks, lost, abort } = await hooked({ delivered: [{ run: 'sleep 60' }] });
  for (let nth = 0; nth < 12_000; nth++) events.emit(delivered('de/a.json'));
  abort.abort();
  await hooks[Symbol.asyncDispose]();
  expect(lost).toEqual([
    'sleep: too many messages wait; later ones are lost',
    'sleep: 1996 messages were lost meanwhile',
    'sleep: 10004 messages could not be sent before the end',
  ]);
});

test('a command inherits no key, no secret of a hook, and nothing of systemd', async () => {
  const secret = { env: 'HOOK_SECRET' };
  const { events, hooks, folder } = await hooked(
    {
      delivered: [{ run: 'env > told' }],
      held: [{ post: 'http://127.0.0.1:1/', secret }],
    },
    {
      env: { DRAGOMAN_KEY: 'k-1', HOOK_SECRET: 's-1', NOTIFY_SOCKET: '/n-1', OTHER: 'o-1' },
    },
  );
  events.emit(delivered('de/a.json'));
  await hooks[Symbol.asyncDispose]();
  const seen = readFileSync(join(folder, 'told'), 'utf8');
  expect(seen).toContain('OTHER=o-1');
  expect(seen).toContain('DRAGOMAN_EVENT=delivered');
  expect(seen).not.toMatch(/k-1|s-1|n-1/);
});

test('a command inherits nothing that is named like a secret, but what its hook asks for', async () => {
  const { events, hooks, folder } = await hooked(
    { delivered: [{ run: 'env > told', env: ['CHAT_TOKEN', 'COPY'] }] },
    {
      env: {
        ...{ DRAGOMAN_KEY: 'k-1', DRAGOMAN_ADMIN_KEY: 'k-2', COPY: 'k-1', CHAT_TOKEN: 't-1' },
        ...{ AWS_ACCESS_KEY_ID: 'a-1', MYAPIKEY: 'a-2', db_password: 'a-3' },
      },
    },
  );
  events.emit(delivered('de/a.json'));
  await hooks[Symbol.asyncDispose]();
  const seen = readFileSync(join(folder, 'told'), 'utf8');
  expect(seen).toContain('CHAT_TOKEN=t-1');
  expect(seen).not.toMatch(/k-[12]|a-[123]/);
});

describe('a command inherits no secret, wherever the config has it from:', () => {
  const KEY = '5e2f7c1a-9b04-4f7e-8a55-0c6d1b2e3f40';
  const run = 'env > told';
  const headers = { 'x-tenant': 'acme-tenant', authorization: 'Basic Ym9iOnNlc2FtZQ==' };
  const password = 'hunter2-hunter2';
  const url = `postgres://runner:${password}@db.acme/dragoman`;

  async function seenBy(
    env: Record<string, string>,
    connection: (folder: string) => object,
    allowed: readonly string[] = [],
  ): Promise<string> {
    const folder = await temporaryFolder();
    const hooks = { delivered: [{ run, env: allowed }] };
    const rig = await hooked(hooks, { env, connection: connection(folder) as Connection });
    rig.events.emit(delivered('de/a.json'));
    await rig.hooks[Symbol.asyncDispose]();
    return readFileSync(join(rig.folder, 'told'), 'utf8');
  }

  const inFile = (folder: string) => {
    writeFileSync(join(folder, 'key'), `${KEY}\n`);
    return { service: { key: { file: join(folder, 'key') }, headers: {} } };
  };
  const inHeader = () => ({ service: { key: { env: 'X' }, headers } });
  const inTeam = () => ({ team: { url: { env: 'DATABASE_URL' }, schema: 'dragoman' } });
  const inTeamKey = () => ({
    team: { url: 'postgres://a@db', schema: 'dragoman', key: { env: 'SEAL' } },
  });
  const nowhere = () => ({});

  test.each<[string, Record<string, string>, (folder: string) => object]>([
    ['a key in a file, in a variable too', { SERVICE: KEY, PADDED: ` ${KEY}\n` }, inFile],
    ['a key inside of another value', { CURL: `-H "Authorization: Auth-Key ${KEY}"` }, inFile],
    ['a key that is handed on by its name', { CHAT: KEY }, inFile],
    ['a header made of a variable', { CRED: 'Ym9iOnNlc2FtZQ==' }, inHeader],
    ['the address of the database', { DATABASE_URL: url, CHAT: url }, inTeam],
    ['the key of the team', { SEAL: KEY, CHAT: KEY }, inTeamKey],
    ['a proxy with a password', { HTTPS_PROXY: `http://bob:${password}@proxy.acme:80` }, nowhere],
    ['a variable with the name of a secret', { DEEPL_AUTH: password, API_KEY2: password }, nowhere],
    ['passwords of databases', { MYSQL_PWD: password, GH_PAT: password }, nowhere],
  ])('%s', async (_what, env, connection) => {
    const seen = await seenBy({ ...env, OTHER: 'o-1' }, connection, ['CHAT']);
    expect(seen).toContain('OTHER=o-1');
    expect(seen).toContain('PATH=');
    for (const secret of [KEY, password, 'Ym9iOnNlc2FtZQ==']) expect(seen).not.toContain(secret);
  });

  test('a proxy with a password is handed on where the hook asks for it', async () => {
    const env = { HTTPS_PROXY: `http://bob:${password}@proxy.acme:80` };
    expect(await seenBy(env, nowhere, ['HTTPS_PROXY'])).toContain(password);
  });
});

test('a command that does not exist is not tried again, and its error is reported', async () => {
  const { events, hooks, lost } = await hooked({ delivered: [{ run: './none.sh --token t-1' }] });
  events.emit(delivered('de/a.json'));
  await hooks[Symbol.asyncDispose]();
  expect(lost).toEqual([expect.stringMatching(/^\.\/none\.sh: exit code 127: .*not found$/)]);
  expect(lost.join()).not.toContain('t-1');
});

test('a command that fails is tried again', async () => {
  const run = 'echo x >> told; test $(wc -l < told) -ge 3';
  const { events, hooks, lost, told } = await hooked({ delivered: [{ run }] });
  events.emit(delivered('de/a.json'));
  await hooks[Symbol.asyncDispose]();
  expect(told()).toHaveLength(3);
  expect(lost).toEqual([]);
});

test('a post is signed with the secret, over its time and body', async () => {
  const to = await receiver(204);
  const { events } = await hooked(
    { budget: [{ post: to.url, secret: { env: 'HOOK_SECRET' } }] },
    { env: { HOOK_SECRET: 'sesame' } },
  );
  const current = {
    scope: 'project',
    project: 'app',
    unit: 'minutes',
    used: 8,
    limit: 10,
  } as const;
  events.emit({ kind: 'budget-warning', ...current });
  await to.all;
  const { headers, body } = to.received[0] as Received;
  const signed = `${headers['x-dragoman-time']}.${body}`;
  const expected = createHmac('sha256', 'sesame').update(signed).digest('hex');
  expect(headers['x-dragoman-signature']).toBe(`sha256=${expected}`);
  expect(JSON.parse(body)).toMatchObject({ event: 'budget', ...current });
  expect(body).not.toContain('sesame');
});

test('a receiver that is out of order is tried again, with the same id', async () => {
  const to = await receiver(503, 429, 204);
  const { events } = await hooked({ held: [{ post: to.url }] });
  events.emit({ kind: 'job-held', hold: { kind: 'conflict', keys: ['a'] }, ...JOB });
  await to.all;
  const bodies = to.received.map(({ body }) => JSON.parse(body) as { id: string });
  expect(new Set(bodies.map(({ id }) => id)).size).toBe(1);
  expect(to.received.map(({ headers }) => headers['x-dragoman-id'])).toEqual(
    bodies.map(({ id }) => id),
  );
  expect(bodies[2]).toMatchObject({ event: 'held', next_step: expect.any(String) });
});

test('a hook that never succeeds is given up and reported, without its path', async () => {
  const to = await receiver(500, 500, 500, 500);
  const { events, failed, lost } = await hooked({ failed: [{ post: `${to.url}?token=t-1` }] });
  events.emit({ kind: 'job-failed', failure: { kind: 'internal', message: 'x' }, ...JOB });
  await failed;
  expect(lost).toEqual([`${new URL(to.url).host}: answered 500`]);
  expect(to.received).toHaveLength(4);
});

test.each([302, 400, 401, 404, 410])('an answer of %i is final', async (status) => {
  const to = await receiver(status);
  const { events, failed, lost } = await hooked({ failed: [{ post: to.url }] });
  events.emit({ kind: 'job-failed', failure: { kind: 'internal', message: 'x' }, ...JOB });
  await failed;
  expect(lost).toEqual([`${new URL(to.url).host}: answered ${status}`]);
  expect(to.received).toHaveLength(1);
});

test('an address where nobody listens is given up with the reason', async () => {
  const { events, failed } = await hooked({ failed: [{ post: 'http://127.0.0.1:1/x' }] });
  events.emit({ kind: 'job-failed', failure: { kind: 'internal', message: 'x' }, ...JOB });
  expect(await failed).toContain('ECONNREFUSED');
});

test('an address that never answers is given up when its time is over', async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    silent.closeAllConnections();
    silent.close();
  });
  const post = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/x`;
  const { events, failed } = await hooked({ failed: [{ post }] }, { hurry: 500 });
  events.emit({ kind: 'job-failed', failure: { kind: 'internal', message: 'x' }, ...JOB });
  expect(await failed).toBe('no answer within 30 s');
});

test('a job that wrote nothing causes no message', async () => {
  const { folder, events, hooks } = await hooked({ delivered: [{ run: 'touch told' }] });
  events.emit({ kind: 'job-delivered', wrote: [], durationMs: 5, ...JOB });
  await hooks[Symbol.asyncDispose]();
  expect(() => readFileSync(join(folder, 'told'))).toThrow('ENOENT');
});

test('one run reports every file, and a hook that hangs does not delay the work', async () => {
  await using rig = await Rig.start({
    commands: 'process',
    config: `
on: { delivered: [{ run: "cat >> told" }], failed: [{ run: "sleep 60" }] }
projects:
  app: { source: en, targets: [de, fr], routes: [{ from: "{locale}/*.json" }] }
`,
  });
  for (let nth = 0; nth < 15; nth++) rig.write(`en/${nth}.json`, `{ "a": "Text ${nth}" }`);
  const { code } = await rig.once();
  expect(code).toBe(0);
  const lines = rig.read('told').trim().split('\n');
  expect(lines).toHaveLength(30);
  expect(new Set(lines.map((line) => (JSON.parse(line) as { id: string }).id)).size).toBe(30);
});

test('a run that a hook started runs no hooks: it does not start itself for ever', async () => {
  await using rig = await Rig.start({
    commands: 'process',
    config: `
on: { failed: [{ run: "echo begun >> told; test $(wc -l < told) -gt 3 || '${process.execPath}' '${MAIN}' once; true" }] }
projects:
  app: { source: en, targets: [de], routes: [{ from: "{locale}/*.json" }] }
`,
    files: { 'en/a.json': '{ "a": ' },
  });
  const { code } = await rig.run('once');
  expect(code).toBe(1);
  expect(rig.read('told').trimEnd().split('\n')).toEqual(['begun']);
  const env = { ...process.env, DRAGOMAN_KEY: rig.sandbox.key, DRAGOMAN_HOOK: '1' };
  spawnSync(process.execPath, [MAIN, 'retry', '--all'], { cwd: rig.root, env });
  spawnSync(process.execPath, [MAIN, 'once'], { cwd: rig.root, env });
  expect(rig.read('told').trimEnd().split('\n')).toEqual(['begun']);
});
