/** The HTTP server of the page: every request is checked first, then goes to its route. */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { JobFailure } from '../failure.ts';
import type { PageHosts } from './hosts.ts';
import { Refused, sendJson } from './reply.ts';
import type { PageRoute, Who } from './routes.ts';
import type { Sessions, Visitor } from './sessions.ts';

/** The parts that need the port: host names, visitors, routes. */
export interface OpenedPage {
  readonly hosts: PageHosts;
  readonly visitor: Sessions['visitor'];
  readonly routes: ReadonlyMap<string, PageRoute>;
  /** The answer at every other address. */
  elsewhere(): Refused;
}

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const MOST_CONNECTIONS = 64;

export interface ServerOptions {
  /** Undefined until the server is ready to answer. */
  opened(): OpenedPage | undefined;
  /** Called with unexpected errors. */
  readonly onBroken: (path: string, error: unknown) => void;
  /** The sentence with paths as the page shows them. */
  readonly shown: (sentence: string) => string;
}

export function pageServer(options: ServerOptions): Server {
  const server = createServer(
    (request, response) => void answerRequest(options, request, response),
  );
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.maxConnections = MOST_CONNECTIONS;
  return server;
}

async function answerRequest(
  { opened, onBroken, shown }: ServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
  let visitor: Visitor | undefined;
  try {
    const page = opened();
    if (page === undefined) throw new Refused(503, 'not ready yet');
    const found = find(page, request);
    visitor = found.who();
    await found.route.answer(request, response, found.who);
  } catch (error) {
    // A client that disconnects during its request is not an error.
    if (!isExpected(error) && !response.destroyed) onBroken(pathOf(request), error);
    refuse(response, { error, visitor, shown });
  }
}

interface RoutedRequest {
  readonly route: PageRoute;
  readonly who: Who;
}

/** @throws Refused */
function find(page: OpenedPage, request: IncomingMessage): RoutedRequest {
  const { hosts, routes } = page;
  const { method = 'GET', headers } = request;
  // RFC 9112, 3.2: a proxy may have used the other `Host`.
  if ((request.headersDistinct['host'] ?? []).length > 1) throw new Refused(400, 'one host only');
  const path = pathOf(request);
  const refusal = refusalOf({ method, path, headers }, hosts);
  if (refusal !== undefined) throw new Refused(refusal.status, refusal.error);
  const route = routes.get(path);
  if (route === undefined) throw page.elsewhere();
  const who = () => requireVisitor(route, page.visitor(headers));
  who();
  if (route.method !== (method === 'HEAD' ? 'GET' : method)) {
    throw new Refused(405, `only ${route.method}`);
  }
  return { route, who };
}

/** @throws Refused 401, 403 */
function requireVisitor({ needs }: PageRoute, visitor: Visitor | undefined): Visitor | undefined {
  const isOpen = needs === 'nothing' || needs === 'no link';
  if (!isOpen && visitor === undefined) {
    throw new Refused(401, 'open the page with "dragoman dashboard", or with your link');
  }
  if ((needs === 'owner' || needs === 'no link') && visitor?.kind === 'reviewer') {
    throw new Refused(403, 'your link is only for reviewing');
  }
  return visitor;
}

function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '/';
}

function isExpected(error: unknown): error is Refused | JobFailure {
  return error instanceof Refused || error instanceof JobFailure;
}

interface RefusedRequest extends Pick<ServerOptions, 'shown'> {
  readonly error: unknown;
  readonly visitor: Visitor | undefined;
}

/** The words to a reviewer when this daemon does not lead its tree, as the end of a sentence. Names of machines are for the owner. */
const WORDS_TO_REVIEWER: ReadonlyMap<string, string> = new Map([
  ['taken', 'another machine works on these texts now; ask for a new link'],
  ['unled', 'no machine works on these texts at the moment; try again in a minute'],
  ['away', 'the database of these texts gives no answer; try again in a minute'],
]);

function toReviewer(error: unknown): unknown {
  const failure = error instanceof JobFailure ? error.failure : undefined;
  const words = failure?.kind === 'team-state' && WORDS_TO_REVIEWER.get(failure.problem);
  return words ? new Refused(503, words) : error;
}

function refuse(response: ServerResponse, { visitor, shown, ...asked }: RefusedRequest): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const error = visitor?.kind === 'reviewer' ? toReviewer(asked.error) : asked.error;
  const status = error instanceof Refused ? error.status : 500;
  // Reasons of failures are for the owner; internal errors are for the log.
  const isShown = error instanceof Refused || (visitor?.kind === 'owner' && isExpected(error));
  const message = isShown ? shown(error.message) : 'an internal error; see the log';
  sendJson(response, status, { error: message, ...(error instanceof Refused ? error.more : {}) });
}

/** The Content-Security-Policy of every answer: nothing may be loaded from elsewhere or framed. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
];

const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': POLICY.join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'cache-control': 'no-store',
};

interface RequestHead {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

interface RequestRefusal {
  readonly status: 403 | 405 | 415 | 421;
  readonly error: string;
}

/** Checks host, origin, method and content type, before the body is read. @returns why the request is refused; undefined when it is accepted */
function refusalOf(asked: RequestHead, { hosts, origins }: PageHosts): RequestRefusal | undefined {
  const { host = '', origin } = asked.headers;
  if (!hosts.has(host.toLowerCase())) {
    return { status: 421, error: 'this host is not served; see page.allowed_hosts' };
  }
  if (origin !== undefined && !origins.has(origin)) {
    return { status: 403, error: 'this origin may not ask' };
  }
  if (!isOwnSite(asked)) return { status: 403, error: 'another site may not ask' };
  if (!['GET', 'HEAD', 'POST'].includes(asked.method)) {
    return { status: 405, error: 'only GET, HEAD and POST' };
  }
  // A form of another site can post text/plain without asking first, but not JSON.
  if (asked.method === 'POST' && !isJson(asked.headers['content-type'])) {
    return { status: 415, error: 'only application/json' };
  }
  return undefined;
}

/** Whether the request comes from the page itself (Fetch Metadata). A link on another site to the page is allowed, too. */
function isOwnSite({ method, path, headers }: RequestHead): boolean {
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return true;
  return (
    method === 'GET' &&
    path === '/' &&
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] === 'document'
  );
}

function isJson(type: string | undefined): boolean {
  return type !== undefined && /^application\/json(\s*;|$)/i.test(type);
}
