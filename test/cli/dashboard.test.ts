/** `dragoman dashboard` on a terminal: a browser is started, and its arguments are not secret for long. */

import { chmodSync, existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { execFileSync, spawnSync } from '../in-time.ts';
import { MAIN } from '../main.ts';
import { type Daemon, Rig } from '../rig.ts';

/** `script` of util-linux gives a command a terminal. */
const hasTerminals = spawnSync('script', ['--version']).status === 0;

const CONFIG = `page: { listen: "127.0.0.1:0" }
projects:
  app:
    source: en
    targets: [de]
    routes: [{ from: "locales/{locale}/*.json" }]`;

/** Runs the command on a terminal, with a browser that only notes what it was asked to open. */
function openBrowser(rig: Rig, exitCode: number): string {
  rig.write(
    'bin/xdg-open',
    `#!/bin/sh\nprintf %s "$1" > "${rig.path('opened')}"\nexit ${exitCode}\n`,
  );
  chmodSync(rig.path('bin/xdg-open'), 0o755);
  const env = { ...process.env, PATH: `${rig.path('bin')}:${process.env['PATH']}` };
  const line = `${process.execPath} ${MAIN} dashboard`;
  return execFileSync('script', ['-qec', line, '/dev/null'], {
    cwd: rig.root,
    env,
    input: '',
  }).toString();
}

async function exchange(address: string): Promise<number> {
  const { origin, hash } = new URL(address);
  const token = new URLSearchParams(hash.slice(1)).get('token');
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ token });
  return (await fetch(`${origin}/api/session`, { method: 'POST', headers, body })).status;
}

async function started(): Promise<{ rig: Rig; daemon: Daemon } & AsyncDisposable> {
  const rig = await Rig.start({ config: CONFIG });
  const daemon = await rig.daemonApart();
  return { rig, daemon, [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose]() };
}

test.skipIf(!hasTerminals)(
  'the browser gets a ticket that opens one session, not the token',
  async () => {
    await using running = await started();
    const { rig } = running;
    const shown = openBrowser(rig, 0);
    const ticket = rig.read('opened');
    expect(shown).toContain('opens in your browser');
    expect(ticket).not.toBe((await rig.run('dashboard')).stdout.trim());
    expect([await exchange(ticket), await exchange(ticket)]).toEqual([200, 401]);
  },
);

test.skipIf(!hasTerminals)('where no browser starts, the address is printed', async () => {
  await using running = await started();
  const shown = openBrowser(running.rig, 3);
  const [address = ''] = /http:\S+/.exec(shown) ?? [];
  expect(await exchange(address)).toBe(200);
});

test('without a terminal the address is printed and no browser is started', async () => {
  await using running = await started();
  const { stdout, code } = await running.rig.run('dashboard');
  expect(code).toBe(0);
  expect([await exchange(stdout.trim()), await exchange(stdout.trim())]).toEqual([200, 200]);
  expect(existsSync(running.rig.path('opened'))).toBe(false);
});
