/** Requests that no HTTP client would send, over a bare connection. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { callerOf } from './caller.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
});

afterAll(async () => sandbox[Symbol.asyncDispose]());

const POST =
  'POST /v2/translate HTTP/1.1\r\nHost: x\r\nAuthorization: Service-Auth-Key sandbox\r\nContent-Type: application/json\r\n';

test.each([
  ['no HTTP at all', 'NONSENSE\r\n\r\n', 400],
  ['a header without a colon', 'GET / HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n', 400],
  ['two lengths', `${POST}Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef`, 400],
  ['a broken chunk', `${POST}Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n`, 400],
  ['no Host', 'GET /v2/usage HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  ['a header of 17 KiB', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(17_408)}\r\n\r\n`, 431],
  ['an address of 17 KiB', `GET /${'a'.repeat(17_408)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
])('%s gets the error body and a trace id', async (_, request, status) => {
  const violations = sandbox.counters().violations.length;
  const answer = await exchange(request);
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} \\w`));
  const trace = /^x-trace-id: (\w{32})\r$/im.exec(answer)?.[1];
  const body = answer.slice(answer.indexOf('\r\n\r\n') + 4);
  expect(JSON.parse(body)).toEqual({ message: expect.any(String) });
  expect(answer).toContain(`content-length: ${Buffer.byteLength(body)}\r\n`);
  const logged = sandbox.log().find(({ trace_id }) => trace_id === trace);
  expect(logged).toMatchObject({ status });
  expect(sandbox.counters().violations).toHaveLength(violations + 1);
});

test('an expectation that nobody knows is no reason to answer without a body', async () => {
  const answer = await exchange(`${POST}Expect: magic\r\nConnection: close\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*"message"/);
});

test('headers of 15 KiB pass', async () => {
  const headers = { 'x-long': 'a'.repeat(15_360) };
  const { status } = await callerOf(sandbox)('GET /v2/usage', undefined, { headers });
  expect(status).toBe(200);
});

/** Everything that comes back until the connection is closed. */
async function exchange(request: string): Promise<string> {
  const socket = connect(Number(new URL(sandbox.url).port), '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.write(request);
  await once(socket, 'close');
  return Buffer.concat(chunks).toString();
}
