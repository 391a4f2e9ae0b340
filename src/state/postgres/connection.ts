/** Reads a connection from the address. To other machines it uses only TLS, with a certificate that fits the host. */
import { statSync } from 'node:fs';
import pg, { type ClientConfig } from 'pg';
import { JobFailure } from '../../failure.ts';
import { readAtOnce } from '../../files/read-file.ts';

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

/** Bytes; the certificates of all public authorities have 0.2 MB. */
const LARGEST_AUTHORITY = 4 * 1024 * 1024;

function readAuthority(file: string, host: string): string {
  const refuse = (why: string, options?: ErrorOptions) => {
    const message = `"sslrootcert" names ${file}, which ${why}`;
    return new JobFailure({ kind: 'team-state', problem: 'insecure', host, message }, options);
  };
  try {
    // A read of a named pipe would never end.
    const stats = statSync(file);
    if (!stats.isFile()) throw refuse('is no regular file');
    if (stats.size > LARGEST_AUTHORITY) throw refuse('is larger than 4 MB');
    return readAtOnce(file, LARGEST_AUTHORITY).toString('utf8');
  } catch (cause) {
    if (cause instanceof JobFailure) throw cause;
    throw refuse(`cannot be read (${(cause as NodeJS.ErrnoException).code})`, { cause });
  }
}

/** @param host a name, an address, or the folder of a socket */
function isHere(host: string): boolean {
  return host.startsWith('/') || /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host);
}
