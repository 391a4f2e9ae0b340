/** A server on a real socket that answers as a test says, and a client for it whose clock never really waits. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../../src/clock.ts';
import type { Event } from '../../src/event.ts';
import { type ConnectOptions, connect, type Service } from '../../src/service/client.ts';

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export type Respond = (response: ServerResponse, seen: Seen) => void;

export interface RealServer extends AsyncDisposable {
  readonly url: string;
  readonly seen: Seen[];
}

/** Answers the first request with the first responder, and so on; the last one answers all that follow. */
export async function serve(...responders: readonly Respond[]): Promise<RealServer> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => undefined);
    request.on('end', () => {
      const one = {
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks),
      };
      seen.push(one);
      responders[Math.min(seen.length, responders.length) - 1]?.(response, one);
    });
  });
  return { url: await listen(server), seen, [Symbol.asyncDispose]: () => close(server) };
}

export async function listen(server: Server): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

export function json(value: unknown, status = 200, headers: Record<string, string> = {}): Respond {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(value));
  };
}

/** Breaks the connection without an answer. */
export const reset: Respond = (response) => response.socket?.resetAndDestroy();

/** Sends a part of the promised body, then breaks the connection. */
export function cut(part: string, promisedBytes: number): Respond {
  return (response) => {
    response.writeHead(200, { 'content-length': String(promisedBytes) });
    response.write(part, () => response.socket?.destroy());
  };
}

/** A clock that moves by what is slept, at once, and remembers it. */
export class LeapClock implements Clock {
  #now = Date.UTC(2026, 0, 1);
  readonly slept: number[] = [];

  now(): number {
    return this.#now;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.slept.push(ms);
    this.#now += ms;
    await new Promise(setImmediate);
  }
}

export interface Rig extends AsyncDisposable {
  readonly service: Service;
  readonly clock: LeapClock;
  readonly events: Event[];
}

export function rig(url: string, options: Partial<ConnectOptions> = {}): Rig {
  const clock = new LeapClock();
  const events: Event[] = [];
  const service = connect({
    url,
    key: 'test-key',
    clock,
    random: () => 0.5,
    onEvent: (event) => events.push(event),
    ...options,
  });
  return { service, clock, events, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

/** The failure that a call ends with. */
export async function failureFrom(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    return (error as { failure?: unknown }).failure ?? error;
  }
  throw new Error('the call did not fail');
}
