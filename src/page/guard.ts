/** Who may ask at all, judged before anything is read: right name, own origin, JSON. Pure. */
import type { IncomingHttpHeaders } from 'node:http';
import type { PageHosts } from './hosts.ts';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

export interface Refusal {
  readonly status: 403 | 405 | 415 | 421;
  readonly error: string;
}

/** @returns why the request is turned away; undefined when it may be answered */
export function refusalOf(asked: Asked, { hosts, origins }: PageHosts): Refusal | undefined {
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

/** Browsers say where a request comes from (Fetch Metadata); following a link to the page itself is harmless. */
function isOwnSite({ method, path, headers }: Asked): boolean {
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
