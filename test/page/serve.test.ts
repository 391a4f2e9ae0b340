/** The address of the page, by config and machine, with the real binary. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import parseMetrics from 'parse-prometheus-text-format';
import { describe, expect, test, vi } from 'vitest';
import { Rig } from '../rig.ts';
import { raw } from './raw.ts';

const PROJECTS = `
projects:
  app:
    source: en
    targets: [de]
    routes:
      - { from: "locales/{locale}/*.json" }
`;

const rigWith = (page: string) =>
  Rig.start({
    config: `page: ${page}\ndefaults: { settle_ms: 50 }${PROJECTS}`,
    files: { 'locales/en/app.json': '{ "hello": "Hello" }\n' },
  });

async function pageOf(rig: Rig): Promise<URL> {
  const { stdout } = await rig.run('dashboard', '--json');
  return new URL((JSON.parse(stdout) as { page: string }).page);
}

describe('the address', () => {
  test('a port that is taken is left to its owner: the page takes a free one, and the log warns', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    await using rig = await rigWith(`{ listen: "127.0.0.1:${port}" }`);
    const daemon = await rig.daemon();
    const line = daemon.lines.find(({ kind }) => kind === 'page-served');
    expect(line?.msg).toContain(`port ${port} is taken`);
    const page = await pageOf(rig);
    expect(page.port).not.toBe(String(port));
    expect((await fetch(new URL('/healthz', page))).status).toBe(200);
    other.close();
  });

  test('"page: false" switches it off, and the commands say so', async () => {
    await using rig = await rigWith('false');
    const daemon = await rig.daemon();
    expect(daemon.lines.some(({ kind }) => kind === 'page-served')).toBe(false);
    const { code, stderr } = await rig.run('dashboard');
    expect(code).toBe(69);
    expect(stderr).toContain('page: false');
    const status = JSON.parse((await rig.run('status', '--json')).stdout);
    expect(status).toMatchObject({ state: 'running', page: null });
  });

  test('an address of another machine ends the daemon with 78 and a message that says what to change', async () => {
    await using rig = await rigWith(
      '{ listen: "192.0.2.1:9730", allowed_hosts: ["l10n.example"] }',
    );
    const { code, stderr } = await rig.run('run');
    expect(code).toBe(78);
    expect(stderr).toContain('192.0.2.1:9730');
    expect(stderr).toContain('page.listen');
  });

  test('other addresses than loopback need allowed_hosts', async () => {
    await using rig = await rigWith('{ listen: "0.0.0.0:0" }');
    const { code, stderr } = await rig.run('run');
    expect(code).toBe(78);
    expect(stderr).toContain('allowed_hosts');
  });

  test('a host of allowed_hosts is answered, also behind a proxy with TLS; another is not', async () => {
    await using rig = await rigWith('{ listen: "127.0.0.1:0", allowed_hosts: ["l10n.example"] }');
    await rig.daemon();
    const port = Number((await pageOf(rig)).port);
    const ask = (headers: Record<string, string>) => raw({ port, path: '/readyz', headers });
    const origin = 'https://l10n.example';
    expect((await ask({ host: 'l10n.example', origin })).status).toBe(200);
    expect((await ask({ host: 'l10n.example:443', origin })).status).toBe(421);
    expect((await ask({ host: `127.0.0.1:${port}`, origin: 'https://other.example' })).status).toBe(
      403,
    );
  });

  test('without a daemon there is no page', async () => {
    await using rig = await rigWith('{ listen: "127.0.0.1:0" }');
    const { code, stderr } = await rig.run('dashboard');
    expect(code).toBe(69);
    expect(stderr).toContain('dragoman run');
  });
});

test('metrics of a daemon that has worked are read by a parser, and agree with the sandbox', async () => {
  await using rig = await rigWith('{ listen: "127.0.0.1:0" }');
  const daemon = await rig.daemon();
  await daemon.logged(({ kind }) => kind === 'job-delivered');
  const response = await fetch(new URL('/metrics', await pageOf(rig)));
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const families = new Map(parseMetrics(await response.text()).map((each) => [each.name, each]));
  const labels = { project: 'app', lane: 'text', language: 'de' };
  expect(families.get('dragoman_billed_characters_total')?.metrics).toEqual([
    { labels, value: '5' },
  ]);
  expect(families.get('dragoman_api_requests_total')?.metrics).toContainEqual({
    labels: { operation: 'POST /v2/translate', status: '200' },
    value: '1',
  });
});

test('a key that is refused makes the daemon unready, with the reason', async () => {
  await using rig = await rigWith('{ listen: "127.0.0.1:0" }');
  rig.write('dragoman.yaml', rig.read('dragoman.yaml').replace('DRAGOMAN_KEY', 'WRONG_KEY'));
  vi.stubEnv('WRONG_KEY', 'not-the-key');
  const daemon = await rig.daemon();
  await daemon.logged(({ kind }) => kind === 'paid-work-stopped');
  const response = await fetch(new URL('/readyz', await pageOf(rig)));
  expect(response.status).toBe(503);
  const { checks } = (await response.json()) as { checks: Record<string, { ok: boolean }> };
  expect(checks).toMatchObject({ key: { ok: false }, watcher: { ok: true }, config: { ok: true } });
  expect(JSON.stringify(checks)).not.toContain('not-the-key');
  await daemon.stop();
  expect(daemon.lines.filter(({ kind }) => kind === 'paid-work-stopped')).toHaveLength(1);
});

test('a root that is offline keeps the daemon unready when the config is read again', async () => {
  await using rig = await rigWith('{ listen: "127.0.0.1:0" }');
  const route = '{ from: "{locale}/*.json" }';
  const away = `  away: { root: gone, source: en, targets: [de], routes: [${route}] }\n`;
  rig.write('dragoman.yaml', rig.read('dragoman.yaml') + away);
  const daemon = await rig.daemon();
  const watcher = async () => {
    const response = await fetch(new URL('/readyz', await pageOf(rig)));
    const { checks } = (await response.json()) as { checks: Record<string, unknown> };
    return checks['watcher'];
  };
  const offline = { ok: false, reason: 'the root of 1 project is offline' };
  expect(await watcher()).toEqual(offline);
  daemon.kill('SIGHUP');
  await daemon.logged(({ kind }) => kind === 'config-reloaded');
  expect(await watcher()).toEqual(offline);
  await daemon.stop();
});
