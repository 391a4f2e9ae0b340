import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { execFileSync } from '../in-time.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { close, failureFrom, listen, rig } from './real-server.ts';

const OPENSSL = 'openssl';
const USAGE = { character_count: 5, character_limit: 100 };

/** A certificate for localhost that nobody has signed, made by openssl; undefined where there is none. */
async function selfSigned(): Promise<{ key: string; cert: string } | undefined> {
  const folder = await temporaryFolder();
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const options =
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost';
  try {
    const args = [...options.split(' '), '-keyout', key, '-out', cert];
    execFileSync(OPENSSL, args, { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  return { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') };
}

test('an own certificate authority is trusted when it is given, and only then', async ({
  skip,
}) => {
  const pair = await selfSigned();
  if (pair === undefined) return skip('without openssl');
  const server = createServer(pair, (_, response) => response.end(JSON.stringify(USAGE)));
  const url = (await listen(server)).replace('http://127.0.0.1', 'https://localhost');
  await using trusting = rig(url, { ca: pair.cert });
  expect(await trusting.service.account.usage()).toEqual(USAGE);
  await using strict = rig(url, { patienceMs: 0 });
  expect(await failureFrom(strict.service.account.usage())).toMatchObject({
    kind: 'unreachable',
    message: expect.stringContaining('CERT'),
  });
  await close(server);
});
