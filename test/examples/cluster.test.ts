/** The example of a cluster: its files fit each other, and its commands work on a PostgreSQL without a container engine. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { COMMANDS } from '../../src/cli/commands.ts';
import { addGlobalOptions } from '../../src/cli/global-options.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { connectionTo } from '../../src/state/postgres/connection.ts';
import { MAIN } from '../main.ts';
import { freePort } from '../network.ts';
import { NO_POSTGRES, openPostgres } from '../postgres.ts';
import { runHere } from '../run-here.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { until } from '../until.ts';

const EXAMPLE = join(import.meta.dirname, '..', '..', 'examples', 'cluster');
const read = (name: string) => readFileSync(join(EXAMPLE, name), 'utf8');

interface Service {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly volumes: readonly string[];
  readonly ports?: readonly string[];
  readonly working_dir?: string;
}

const { services, volumes } = parse(read('compose.yaml'), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: object;
};
const DAEMONS = ['one', 'two', 'three'];
const daemons = DAEMONS.map((name) => services[name] as Service);
const mountsOf = ({ volumes: mounts }: Service) =>
  Object.fromEntries(mounts.map((mount) => mount.split(':').slice(0, 2).reverse()));

test('each daemon has every variable of the config, one tree, and a state folder that no other one has', () => {
  const named = new Set(read('dragoman.yaml').match(/DRAGOMAN_[A-Z_]+/g));
  const own = daemons.map(mountsOf);
  for (const [n, { environment, working_dir }] of daemons.entries()) {
    expect([...named].filter((name) => environment[name] === undefined)).toEqual([]);
    expect(own[n]?.[working_dir ?? '']).toBe('./');
    expect(Object.keys(volumes)).toContain(own[n]?.[environment['DRAGOMAN_FOLDER'] ?? '']);
    expect(environment['DRAGOMAN_FOLDER']).not.toMatch(/^\/tree/);
  }
  expect(new Set(own.map((mounts) => mounts['/state'])).size).toBe(DAEMONS.length);
  expect(new Set(daemons.map(({ environment }) => environment['DRAGOMAN_STATE_KEY'])).size).toBe(1);
});

test('the image has the state folder, and any user may write there: a new volume takes owner and mode from it, else it is of root', () => {
  const image = readFileSync(join(EXAMPLE, '../../Dockerfile'), 'utf8')
    .split(/^FROM /m)
    .at(-1);
  const [asRoot = ''] = image?.split(/^USER /m) ?? [];
  for (const { environment } of daemons)
    expect(asRoot).toContain(`RUN mkdir -m 1777 ${environment['DRAGOMAN_FOLDER']}\n`);
});

test('each page has a port of its own, reachable on this machine alone, and its health check asks there', () => {
  for (const { environment, ports } of daemons) {
    const port = environment['DRAGOMAN_PORT'];
    expect(ports).toEqual([`127.0.0.1:${port}:${port}`]);
    expect(environment['DRAGOMAN_PAGE']).toBe(`http://127.0.0.1:${port}`);
  }
  expect(new Set(daemons.flatMap(({ ports }) => ports)).size).toBe(DAEMONS.length);
});

test('the database is reached over the socket that it shares, and no password is in the files', () => {
  for (const name of [...DAEMONS, 'migrate', 'database', 'login']) {
    expect(mountsOf(services[name] as Service)['/var/run/postgresql']).toBe('socket');
  }
  const url = daemons[0]?.environment['DRAGOMAN_STATE_URL'] ?? '';
  expect(connectionTo(url.replace(/\$\{.*\}/, 'x'))).toMatchObject({ ssl: false });
  for (const [, word] of read('compose.yaml').matchAll(/(?:PASSWORD|KEY): (.*)/g)) {
    expect(word).toMatch(/^\$\{/);
  }
  expect(services['database']).not.toHaveProperty('ports');
});

test('each variable that somebody must set is in the .env of the README', () => {
  const asked = [...read('compose.yaml').matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name);
  expect(asked.filter((name) => !read('README.md').includes(`\n${name}=`))).toEqual([]);
});

test('each command is one of ours, with options that it has', async () => {
  for (const { command } of [...daemons, services['migrate'] as Service]) {
    const [name = '', ...words] = command;
    const entry = COMMANDS[name];
    if (entry === undefined) throw new Error(`there is no command ${name}`);
    const parsed = new Command(name);
    (await entry.load()).describe(parsed);
    addGlobalOptions(parsed);
    parsed.exitOverride().configureOutput({ writeErr: () => {} });
    parsed.parse(words, { from: 'user' });
    expect(parsed.args).toEqual(name === 'state' ? ['migrate'] : []);
  }
});

describe.skipIf(NO_POSTGRES !== undefined)('with a database', () => {
  test('its three daemons translate, one leads, and doctor finds no fault until one differs', async () => {
    await using postgres = await openPostgres();
    await using sandbox = await startSandbox();
    const cwd = await temporaryFolder();
    cpSync(EXAMPLE, cwd, { recursive: true });
    const envOf = async (login: string, folder: string) => {
      const url = new URL(postgres.owner);
      [url.username = '', url.password = ''] = login.split(':');
      return {
        ...process.env,
        DRAGOMAN_URL: sandbox.url,
        DRAGOMAN_KEY: sandbox.key,
        DRAGOMAN_STATE_URL: url.href,
        DRAGOMAN_STATE_KEY: Buffer.alloc(32, 3).toString('base64'),
        DRAGOMAN_FOLDER: folder,
        DRAGOMAN_PORT: String(await freePort()),
      };
    };
    const migrate = services['migrate']?.command ?? [];
    const owner = await envOf('owner:owner', await temporaryFolder());
    expect(await runHere([...migrate], { cwd, env: owner })).toMatchObject({ code: 0 });
    // Reads the file like psql.
    const [create = '', alter = ''] = read('login.sql').split('\\gexec');
    const [made] = await postgres.query(create);
    await postgres.query(String(Object.values(made ?? {})[0]));
    await postgres.query(alter.replace(":'password'", "'secret'"));

    const folders = await Promise.all(DAEMONS.map(() => temporaryFolder()));
    for (const [n, { command }] of daemons.entries()) {
      const env = await envOf('daemons:secret', folders[n] ?? '');
      const daemon = spawn(process.execPath, [MAIN, ...command], { cwd, env, stdio: 'ignore' });
      onTestFinished(async () => {
        if (daemon.exitCode !== null) return;
        const closed = once(daemon, 'close');
        daemon.kill('SIGKILL');
        await closed;
      });
    }
    await until(() => ['de', 'fr'].every((to) => existsSync(join(cwd, `locales/${to}/app.json`))));
    await postgres.until(`select from dragoman.daemons where places <> '{}' having count(*) >= 2`);
    // A daemon that starts before the first leader has made the spool tells of its volume a moment later.
    await postgres.until(
      'select from dragoman.daemons having count(*) = 3 and bool_and(volume is not null)',
    );
    const doctor = async () => {
      const env = await envOf('daemons:secret', folders.at(-1) ?? '');
      const { stdout } = await runHere(['doctor', '--json', '--no-input'], { cwd, env });
      const { findings } = JSON.parse(stdout) as { findings: Finding[] };
      return findings.filter(({ about }) => about !== 'disk');
    };
    const sound = await doctor();
    expect(sound.filter(({ verdict }) => verdict !== 'ok')).toEqual([]);
    const messageOf = (about: string) => sound.find((each) => each.about === about)?.message;
    expect(messageOf('tree daemons')).toMatch(/^3 daemons, and .* leads$/);
    expect(messageOf('tree queues')).toContain('of "website"');
    expect(messageOf('tree spool')).toContain('all daemons share it');

    await postgres.query(`update dragoman.daemons set version = '0.0.1' where role = 'worker'`);
    await postgres.query(`update dragoman.daemons set volume = 'another' where role = 'worker'`);
    await postgres.query('delete from dragoman_queues.queue');
    const faults = (await doctor()).filter(({ verdict }) => verdict !== 'ok');
    expect(faults.map(({ about, verdict }) => `${verdict} ${about}`)).toEqual([
      'fail tree queues',
      'warn tree versions',
      'fail tree spool',
    ]);
  });
});

interface Finding {
  readonly about: string;
  readonly verdict: string;
  readonly message: string;
}
