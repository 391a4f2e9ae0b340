/** Snapshots over real connections, with a clock that the test moves. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { DAY_MS } from '../../src/clock.ts';
import type { LanguageTag } from '../../src/language.ts';
import { Live } from '../../src/page/live.ts';
import type { Visitor } from '../../src/page/sessions.ts';
import type { PageSnapshot } from '../../src/page/snapshot.ts';
import { manualClock } from '../manual-clock.ts';

/** @param size of each snapshot in bytes, more or less */
async function startLive(size = 10, visitor: Visitor = { kind: 'owner' }) {
  const clock = manualClock();
  let made = 0;
  const snapshot = async () =>
    ({ made: ++made, filler: 'x'.repeat(size) }) as unknown as PageSnapshot;
  const live = new Live({ clock, snapshot, isUnchanged: () => true });
  const closed = Promise.withResolvers<void>();
  const server = createServer((_request, response) => {
    response.once('close', closed.resolve);
    if (!live.add(response, visitor)) response.writeHead(503).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(async () => {
    await live[Symbol.asyncDispose]();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { clock, live, port, made: () => made, closed };
}

interface Looker {
  readonly response: IncomingMessage;
  /** Everything that came until now. */
  text(): string;
  /** Resolves when what came fits. */
  until(fits: RegExp): Promise<void>;
}

async function connect(port: number): Promise<Looker> {
  const asking = request({ host: '127.0.0.1', port }).end();
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  let text = '';
  response.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8');
  });
  response.on('error', () => {});
  onTestFinished(() => void response.destroy());
  return {
    response,
    text: () => text,
    async until(fits) {
      while (!fits.test(text)) await once(response, 'data');
    },
  };
}

test('a new connection gets a snapshot with an id at once', async () => {
  const { port } = await startLive();
  const client = await connect(port);
  await client.until(/event.*\n\n/s);
  expect(client.text()).toMatch(
    /^retry: 2000\n\nid: 1\nevent: snapshot\ndata: \{"made":1,.*\}\n\n$/s,
  );
});

test('a hundred changes in a second are two snapshots', async () => {
  const { clock, live, port, made } = await startLive();
  const client = await connect(port);
  await client.until(/event/);
  const before = made();
  for (let change = 0; change < 100; change++) {
    live.touch();
    await clock.pass(10);
  }
  expect(made() - before).toBe(2);
});

test('nothing is made while nobody looks', async () => {
  const { clock, live, made } = await startLive();
  for (let change = 0; change < 10; change++) {
    live.touch();
    await clock.pass(500);
  }
  expect(made()).toBe(0);
});

test('a heartbeat comes every 15 seconds', async () => {
  const { clock, port } = await startLive();
  const client = await connect(port);
  await client.until(/event/);
  await clock.pass(14_999);
  expect(client.text()).not.toContain(': still here');
  await clock.pass(1);
  await client.until(/^: still here\n\n/m);
  expect(client.text().match(/: still here/g)).toHaveLength(1);
});

test('a connection that does not read is closed', async () => {
  const { clock, live, port } = await startLive(2_000_000);
  const { response } = await connect(port);
  const cut = once(response, 'error');
  response.pause();
  for (let change = 0; change < 20; change++) {
    live.touch();
    await clock.pass(1000);
  }
  response.resume();
  expect(await cut).toMatchObject([{ message: 'aborted' }]);
});

test('there is room for sixteen', async () => {
  const { port } = await startLive();
  const clients = await Promise.all(Array.from({ length: 16 }, () => connect(port)));
  expect(clients.map(({ response }) => response.statusCode)).toEqual(clients.map(() => 200));
  expect((await connect(port)).response.statusCode).toBe(503);
});

const START = Date.parse('2026-10-19T10:00:00Z');
const reviewer = (lastsMs: number): Visitor => ({
  ...{ kind: 'reviewer', name: 'Anna', languages: ['de' as LanguageTag], link: 'id' },
  until: START + lastsMs,
});

test.each([1, 4000, 20_000])(
  'the events of a link that lasts %i ms more end in the millisecond in which it ends',
  async (lastsMs) => {
    const { clock, port } = await startLive(10, reviewer(lastsMs));
    const { response, until } = await connect(port);
    await until(/"Anna"/);
    const ended = once(response, 'error');
    await clock.pass(lastsMs - 1);
    expect(response.destroyed).toBe(false);
    await clock.pass(1);
    expect(await ended).toMatchObject([{ message: 'aborted' }]);
  },
);

test('nothing waits for the end of a link whose page was closed', async () => {
  const { clock, port, closed } = await startLive(10, reviewer(DAY_MS));
  const before = clock.timers;
  const { response, until } = await connect(port);
  await until(/"Anna"/);
  expect(clock.timers).toBe(before + 1);
  response.destroy();
  await closed.promise;
  expect(clock.timers).toBe(before);
});
