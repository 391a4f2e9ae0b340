/** How the database is reached: plain on this machine alone, and over TLS with a certificate that is checked everywhere else. */
import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { connectionTo, nameOfServer } from '../../../src/state/postgres/connection.ts';
import { execFileSync } from '../../in-time.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

test.each(['localhost', '127.0.0.1', '[::1]'])('on %s nothing has to be encrypted', (host) => {
  expect(connectionTo(`postgres://a:b@${host}:5432/db`).ssl).toBe(false);
  expect(connectionTo(`postgres://a:b@${host}/db?sslmode=require`).ssl).toEqual({
    rejectUnauthorized: true,
  });
});

test.each(['disable', 'allow', 'prefer', 'require', 'no-verify'])(
  'another machine is reached with a checked certificate, also with sslmode=%s',
  (mode) => {
    const { ssl, connectionString } = connectionTo(`postgres://a:b@db.acme/db?sslmode=${mode}`);
    expect(ssl).toEqual({ rejectUnauthorized: true });
    // The driver would decide by it otherwise.
    expect(connectionString).not.toContain('sslmode');
  },
);

test('an authority of the company is taken from the file that the address names', async () => {
  const file = join(await temporaryFolder(), 'ca.pem');
  await writeFile(file, 'certificate');
  const { ssl } = connectionTo(`postgres://a@db.acme/db?sslrootcert=${file}`);
  expect(ssl).toEqual({ rejectUnauthorized: true, ca: 'certificate' });
});

test('a file of an authority that is a named pipe, a device or too large is refused, and is not waited for', async () => {
  const folder = await temporaryFolder();
  const [pipe, large] = [join(folder, 'pipe'), join(folder, 'large')];
  execFileSync('/usr/bin/mkfifo', [pipe]);
  await writeFile(large, '');
  await truncate(large, 5 * 1024 * 1024);
  for (const file of [pipe, large, '/dev/zero', folder]) {
    expect(() => connectionTo(`postgres://a@db.acme/db?sslrootcert=${file}`)).toThrow(
      /is no regular file|is larger than 4 MB/,
    );
  }
});

describe('whatever an address says of TLS, and wherever it names its server, another machine is reached with a checked certificate', () => {
  afterEach(() => vi.unstubAllEnvs());

  test.each([
    'postgres://a:b@db.acme/db?ssl=0',
    'postgres://a:b@db.acme/db?ssl=false',
    'postgres://a:b@db.acme/db?ssl=no-verify',
    'postgres://a:b@db.acme/db?ssl=true&sslnegotiation=postgres',
    'postgres://a:b@localhost/db?host=db.acme',
    'postgres:///db?host=db.acme&user=a&password=b',
    'postgres:///db',
  ])('%s', (url) => {
    vi.stubEnv('PGHOST', 'db.acme');
    // The address in the form of the driver, which reads it once more.
    const client = new pg.Client(connectionTo(url));
    expect(client).toMatchObject({ host: 'db.acme', ssl: { rejectUnauthorized: true } });
    expect(nameOfServer(url)).toBe('db.acme');
  });

  test('a socket of this machine needs none', () => {
    for (const url of ['postgres:///db?host=/run/pg', 'postgres://a@%2Frun%2Fpg/db']) {
      expect(connectionTo(url).ssl).toBe(false);
      expect(nameOfServer(url)).toBe('the local socket');
    }
  });
});

test.each([
  ['postgres://a:b@db.acme/db', 'db.acme'],
  ['postgres://a:b@db.acme:6432/db', 'db.acme:6432'],
  ['postgres://a:b@[::1]:6432/db', '[::1]:6432'],
  ['postgres://a:b@localhost/db?host=db.acme&port=6432', 'db.acme:6432'],
])('the server of %s is named %s', (url, name) => {
  expect(nameOfServer(url)).toBe(name);
});
