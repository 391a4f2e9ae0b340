/** Hooks, with real commands and a real receiver. */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../src/clock.ts';
import type { Config } from '../src/config.ts';
import { Events } from '../src/event.ts';
import { openHooks } from '../src/hooks.ts';
import type { JobId } from '../src/job.ts';
import type { LanguageTag } from '../src/language.ts';
import { temporaryFolder } from './temporary-folder.ts';

const NONE: Config['on'] = { delivered: [], held: [], failed: [], budget: [] };
const JOB = {
  job: 'app/de/en/a.json' as JobId,
  project: 'app',
  lane: 'text',
  source: 'en/a.json',
  language: 'de' as LanguageTag,
} as const;

async function hooked(on: Partial<Config['on']>, env: Record<string, string> = {}) {
  const folder = await temporaryFolder();
  const events = new Events();
  const failed = Promise.withResolvers<string>();
  const hooks = openHooks({
    hooks: () => ({ ...NONE, ...on }),
    folder,
    clock: { ...systemClock, sleep: async () => {} },
    secrets: { env: { ...process.env, ...env } },
    onEvent: (event) => {
      if (event.kind === 'hook-failed') failed.resolve(event.reason);
    },
  });
  events.subscribe(hooks);
  return { folder, events, hooks, failed: failed.promise };
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
    response.writeHead(statuses[received.length - 1] ?? 204).end();
    if (received.length >= statuses.length) all.resolve();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    all: all.promise,
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}

test('a command gets what was delivered as JSON on its standard input', async () => {
  await using to = await receiver(204);
  const command = `node -e "fetch('${to.url}',{method:'POST',body:require('fs').readFileSync(0)})"`;
  const { events, hooks } = await hooked({ delivered: [{ run: command }] });
  events.emit({ kind: 'job-delivered', wrote: ['de/a.json'], durationMs: 5, ...JOB });
  await to.all;
  await hooks[Symbol.asyncDispose]();
  expect(JSON.parse(to.received[0]?.body ?? '')).toMatchObject({
    event: 'delivered',
    project: 'app',
    source: 'en/a.json',
    language: 'de',
    wrote: ['de/a.json'],
  });
});

test('a post is signed with the secret, over its time and body', async () => {
  await using to = await receiver(204);
  const { events } = await hooked(
    { budget: [{ post: to.url, secret: { env: 'HOOK_SECRET' } }] },
    { HOOK_SECRET: 'sesame' },
  );
  events.emit({ kind: 'budget-warning', scope: 'month', used: 80, limit: 100 });
  await to.all;
  const { headers, body } = to.received[0] as Received;
  const signed = `${headers['x-dragoman-time']}.${body}`;
  const expected = createHmac('sha256', 'sesame').update(signed).digest('hex');
  expect(headers['x-dragoman-signature']).toBe(`sha256=${expected}`);
  expect(body).not.toContain('sesame');
});

test('a receiver that is out of order is tried again', async () => {
  await using to = await receiver(503, 500, 204);
  const { events } = await hooked({ held: [{ post: to.url }] });
  events.emit({ kind: 'job-held', hold: { kind: 'conflict', keys: ['a'] }, ...JOB });
  await to.all;
  expect(to.received).toHaveLength(3);
  expect(JSON.parse(to.received[2]?.body ?? '')).toMatchObject({
    event: 'held',
    next_step: expect.any(String),
  });
});

test('a hook that never succeeds is given up and reported, without its address', async () => {
  await using to = await receiver(500, 500, 500, 500);
  const { events, failed } = await hooked({ failed: [{ post: to.url }] });
  events.emit({ kind: 'job-failed', failure: { kind: 'internal', message: 'x' }, ...JOB });
  expect(await failed).toBe('answered 500');
  expect(to.received).toHaveLength(4);
});

test('what wrote nothing is not told', async () => {
  const { folder, events, hooks } = await hooked({ delivered: [{ run: 'touch told' }] });
  events.emit({ kind: 'job-delivered', wrote: [], durationMs: 5, ...JOB });
  await hooks[Symbol.asyncDispose]();
  expect(() => readFileSync(join(folder, 'told'))).toThrow('ENOENT');
});
