/** The address of a team's database, where the config says that it is. */
import { expect, test } from 'vitest';
import { readTeamUrl } from '../../src/config/load-team-url.ts';

const read = (url: string) =>
  readTeamUrl({ url: { env: 'URL' }, schema: 'dragoman' }, { env: { URL: url } });

test.each(['12/word', '12?word', '12#word', 'ab#word', '12/wo@rd', '12?a=b&word', 'p@12/word'])(
  'a password that is not encoded is refused with what to do, and no part of it is shown: %s',
  async (password) => {
    const refused: unknown = await read(`postgres://runner:${password}@db.acme/dragoman`).catch(
      (error: unknown) => error,
    );
    expect(refused).toMatchObject({
      failure: { problem: 'refused', message: expect.stringContaining('%2F') },
    });
    expect(String(refused)).toContain('%40');
    for (const part of ['12', 'ab', 'wo', 'rd']) expect(String(refused)).not.toContain(`:${part}`);
    expect(String(refused)).not.toContain('word@');
  },
);

test.each([
  'postgres://runner:p%2Fw@db.acme/dragoman',
  'postgresql://db.acme:6432/dragoman?user=me@acme',
  'postgres:///dragoman?host=/run/pg&user=me',
  'postgres://me%40acme:p@db.acme/dragoman?application_name=a@b',
])('%s is an address', async (url) => {
  expect(await read(url)).toBe(url);
});
