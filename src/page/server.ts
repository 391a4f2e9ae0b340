/** The page's HTTP server: every request passes the guard, then the table of routes. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { JobFailure } from '../failure.ts';
import { refusalOf } from './guard.ts';
import { SECURITY_HEADERS } from './headers.ts';
import type { PageHosts } from './hosts.ts';
import { Refused, sendJson } from './reply.ts';
import type { Route } from './routes.ts';
import type { Sessions } from './sessions.ts';

/** What is known only when the port is: names, cookie, routes. */
export interface Door {
  readonly hosts: PageHosts;
  readonly sessions: Sessions;
  readonly routes: ReadonlyMap<string, Route>;
}

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const MOST_CONNECTIONS = 64;

export interface ServerOptions {
  /** Undefined until the server is ready to answer. */
  door(): Door | undefined;
  /** Hears of what broke in here. */
  readonly onBroken: (path: string, error: unknown) => void;
}

export function pageServer(options: ServerOptions): Server {
  const server = createServer((request, response) => void answer(options, request, response));
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.maxConnections = MOST_CONNECTIONS;
  return server;
}

async function answer(
  { door, onBroken }: ServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
  try {
    const open = door();
    if (open === undefined) throw new Refused(503, 'not ready yet');
    await find(open, request).answer(request, response);
  } catch (error) {
    // Who leaves in the middle of a question breaks nothing.
    if (!isExpected(error) && !response.destroyed) onBroken(pathOf(request), error);
    refuse(response, error);
  }
}

/** @throws Refused */
function find({ hosts, sessions, routes }: Door, request: IncomingMessage): Route {
  const { method = 'GET', headers } = request;
  // RFC 9112, 3.2: who stands before us may have looked at the other one.
  if ((request.headersDistinct['host'] ?? []).length > 1) throw new Refused(400, 'one host only');
  const path = pathOf(request);
  const refusal = refusalOf({ method, path, headers }, hosts);
  if (refusal !== undefined) throw new Refused(refusal.status, refusal.error);
  const route = routes.get(path);
  if (route === undefined) throw new Refused(404, 'nothing is here');
  if (route.needs === 'session' && !sessions.isKnown(headers)) {
    throw new Refused(401, 'open the page with "dragoman dashboard"');
  }
  if (route.method !== (method === 'HEAD' ? 'GET' : method)) {
    throw new Refused(405, `only ${route.method}`);
  }
  return route;
}

function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '/';
}

function isExpected(error: unknown): error is Refused | JobFailure {
  return error instanceof Refused || error instanceof JobFailure;
}

function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const status = error instanceof Refused ? error.status : 500;
  // Why something could not be done is for the one who is logged in; what broke in here is for the log.
  const message = isExpected(error) ? error.message : 'an error of our own; see the log';
  sendJson(response, status, { error: message, ...(error instanceof Refused ? error.more : {}) });
}
