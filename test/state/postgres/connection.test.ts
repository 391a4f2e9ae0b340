/** How the database is reached: plain on this machine alone, and over TLS with a certificate that is checked everywhere else. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connectionTo } from '../../../src/state/postgres/connection.ts';
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
