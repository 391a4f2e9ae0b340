/** Answers requests that the HTTP parser refuses: they reach no route, but get the same error body and trace as all others. */
import { randomBytes } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { isoTime } from '../clock.ts';
import { Refusal } from './refusal.ts';
import type { SandboxWorld } from './resource.ts';

/** Answers on the raw connection and closes it: it is unknown where the next request would begin. */
export function refuseBroken(world: SandboxWorld, error: Error, socket: Duplex): void {
  if (!socket.writable || HUNG_UP.has(errnoOf(error))) return void socket.destroy();
  const { status, message, body } = refusalFor(error);
  const trace_id = randomBytes(16).toString('hex');
  const content = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(content)}`,
    `x-trace-id: ${trace_id}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${content}`, () => socket.destroy());
  const at = isoTime(world.clock);
  world.counters.violated({ operation: OPERATION, status, message, at });
  world.counters.logged({
    at,
    operation: OPERATION,
    path: '',
    account: '',
    status,
    trace_id,
    milliseconds: 0,
    bytes: 0,
    billed_characters: 0,
  });
}

/** Error codes of a caller that hung up, the second in the middle of its request. */
const HUNG_UP: ReadonlySet<string | undefined> = new Set(['ECONNRESET', 'HPE_INVALID_EOF_STATE']);

const OPERATION = '(broken HTTP)';

function refusalFor(error: Error): Refusal {
  switch (errnoOf(error)) {
    case 'HPE_HEADER_OVERFLOW':
      return new Refusal(431, 'The request header is too large.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Refusal(408, 'The request header did not arrive in time.');
    default:
      return new Refusal(400, `Bad request. This is no valid HTTP: ${error.message}.`);
  }
}

function errnoOf(error: Error): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
