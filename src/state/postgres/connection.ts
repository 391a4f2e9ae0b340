/** Where and how to connect. Off this machine only over TLS, with a certificate that fits the host. */
import { readFileSync } from 'node:fs';
import type { ClientConfig } from 'pg';
import { JobFailure } from '../../failure.ts';

const CONNECT_MS = 5000;
/** What the driver would read of an address: TLS is ours to decide. */
const TLS_SETTINGS = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'uselibpqcompat'];

export function connectionTo(url: string): ClientConfig {
  const parsed = new URL(url);
  const { hostname, searchParams } = parsed;
  const mode = searchParams.get('sslmode') ?? 'prefer';
  const authority = searchParams.get('sslrootcert');
  const isHere = searchParams.get('host')?.startsWith('/') === true || isLoopback(hostname);
  for (const name of TLS_SETTINGS) searchParams.delete(name);
  const isPlain = isHere && ['prefer', 'disable', 'allow'].includes(mode);
  return {
    connectionString: parsed.href,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'dragoman',
    ssl: isPlain
      ? false
      : {
          rejectUnauthorized: true,
          ...(authority === null ? {} : { ca: readAuthority(authority, hostname) }),
        },
  };
}

function readAuthority(file: string, host: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const message = `"sslrootcert" names ${file}, which cannot be read (${(cause as NodeJS.ErrnoException).code})`;
    throw new JobFailure({ kind: 'team-state', problem: 'insecure', host, message }, { cause });
  }
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\]|)$/.test(hostname);
}
