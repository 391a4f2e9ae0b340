/** Reads a connection from the address. To other machines it uses only TLS, with a certificate that fits the host. */
import { readFileSync } from 'node:fs';
import pg, { type ClientConfig } from 'pg';
import { JobFailure } from '../../failure.ts';

const CONNECT_MS = 5000;
/** Parameters of an address that the driver would read; `connectionTo` decides on TLS instead. */
const TLS_SETTINGS = [
  ...['ssl', 'sslmode', 'sslnegotiation', 'sslrootcert', 'sslcert', 'sslkey', 'uselibpqcompat'],
];
const PLAIN_MODES = ['prefer', 'disable', 'allow'];
const POSTGRES_PORT = 5432;

export function connectionTo(url: string): ClientConfig {
  const { searchParams } = new URL(url);
  const mode = searchParams.get('sslmode') ?? 'prefer';
  const authority = searchParams.get('sslrootcert');
  const { host } = serverOf(url);
  const isPlain = isHere(host) && PLAIN_MODES.includes(mode);
  return {
    connectionString: withoutTls(url),
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'dragoman',
    ssl: isPlain
      ? false
      : {
          rejectUnauthorized: true,
          ...(authority === null ? {} : { ca: readAuthority(authority, nameOfServer(url)) }),
        },
  };
}

/** For messages: the server that the driver connects to, with its port unless it is 5432. */
export function nameOfServer(url: string): string {
  const { host, port } = serverOf(url);
  if (host.startsWith('/')) return 'the local socket';
  const name = host.includes(':') ? `[${host}]` : host;
  return port === POSTGRES_PORT ? name : `${name}:${port}`;
}

/** Read by the rules of the driver: `host` and `port` may also be parameters of the address, or in PGHOST and PGPORT. */
function serverOf(url: string): Pick<pg.Client, 'host' | 'port'> {
  return new pg.Client({ connectionString: withoutTls(url), ssl: true });
}

function withoutTls(url: string): string {
  const address = new URL(url);
  for (const name of TLS_SETTINGS) address.searchParams.delete(name);
  return address.href;
}

function readAuthority(file: string, host: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const message = `"sslrootcert" names ${file}, which cannot be read (${(cause as NodeJS.ErrnoException).code})`;
    throw new JobFailure({ kind: 'team-state', problem: 'insecure', host, message }, { cause });
  }
}

/** @param host a name, an address, or the folder of a socket */
function isHere(host: string): boolean {
  return host.startsWith('/') || /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host);
}
