/** The example of a team with one database: its files, on a PostgreSQL without a container engine. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { startSandbox } from '../../src/sandbox/server.ts';
import { MAIN } from '../main.ts';
import { NO_POSTGRES, openPostgres } from '../postgres.ts';
import { copyOfExample } from './copy-of-example.ts';

const EXAMPLE = join(import.meta.dirname, '..', '..', 'examples', 'team');
const read = (name: string) => readFileSync(join(EXAMPLE, name), 'utf8');

test('the database of the example is reachable on this machine alone, and has no password in the file', () => {
  const { services } = parse(read('compose.yaml'));
  expect(services.database.image).toBe('postgres:18');
  expect(services.database.ports).toEqual(['127.0.0.1:5432:5432']);
  expect(services.database.environment.POSTGRES_PASSWORD).toMatch(/^\$\{/);
});

test('the job of CI gives each variable that the config names', () => {
  const [job] = Object.values(parse(read('github-workflow.yml')).jobs) as { steps: object[] }[];
  const given = Object.keys(
    job?.steps.flatMap((step) => ('env' in step ? step.env : [])).at(-1) ?? {},
  );
  const named = new Set(read('dragoman.yaml').match(/DRAGOMAN_[A-Z_]+/g));
  expect(new Set(given)).toEqual(named);
});

test('each variable that the config holds is exported before the first command that reads it', () => {
  const [before = ''] = read('README.md').split(/^dragoman /m);
  const held = [...read('dragoman.yaml').matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name);
  expect(held.length).toBeGreaterThan(0);
  const exported = [...before.matchAll(/^export .*/gm)].join(' ');
  expect(held.filter((name) => !exported.includes(`${name}=`))).toEqual([]);
});

describe.skipIf(NO_POSTGRES !== undefined)('with a database', () => {
  test('texts that one checkout of the example buys cost the other one nothing', async () => {
    await using postgres = await openPostgres();
    await using sandbox = await startSandbox();
    const run = async (folder: string, login: string, ...args: string[]) => {
      const url = new URL(postgres.owner);
      [url.username = '', url.password = ''] = login.split(':');
      const env = {
        ...process.env,
        DRAGOMAN_URL: sandbox.url,
        DRAGOMAN_KEY: sandbox.key,
        DRAGOMAN_STATE_URL: url.href,
        DRAGOMAN_STATE_KEY: Buffer.alloc(32, 3).toString('base64'),
      };
      const child = spawn(process.execPath, [MAIN, ...args], { cwd: folder, env });
      const [stdout, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
      return { code: code as number, stdout };
    };
    const [anna, ben] = [await checkout(), await checkout()];
    expect(await run(anna, 'owner:owner', 'state', 'migrate')).toMatchObject({ code: 0 });
    await postgres.query(read('login.sql'));
    const login = 'translators:change-me';
    for (const folder of [anna, ben]) {
      expect(await run(folder, login, 'once')).toMatchObject({ code: 0 });
    }
    expect(sandbox.counters().asked_twice).toEqual([]);
    expect(sandbox.counters().operations['POST /v2/translate']?.texts).toBe(6);
    const [, own] = [anna, ben].map((folder) =>
      readFileSync(join(folder, 'locales/de/app.json'), 'utf8'),
    );
    expect(own).toBe(readFileSync(join(anna, 'locales/de/app.json'), 'utf8'));
    expect((await run(ben, login, 'state', 'forget', '--project', 'app', '--yes')).code).toBe(77);
  });
});

async function checkout(): Promise<string> {
  const folder = await copyOfExample('team');
  return folder;
}
