/** The units, and what the daemon tells systemd. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { superviseDaemon } from '../../src/cli/run.ts';
import { Events } from '../../src/event.ts';
import {
  asErrors,
  connectSupervisor,
  isJournal,
  type Supervisor,
} from '../../src/observe/systemd.ts';
import { spawnSync } from '../in-time.ts';
import { MAIN } from '../main.ts';
import { manualClock } from '../manual-clock.ts';
import { Rig } from '../rig.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const UNITS = join(import.meta.dirname, '..', '..', 'systemd');
const CONFIG = `
projects:
  app: { source: en, targets: [de], routes: [{ from: "{locale}/*.json" }] }
`;
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

test.runIf(hasSystemd)('both units pass systemd-analyze verify', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-units-'));
  cpSync(join(UNITS, 'dragoman-user.service'), join(folder, 'dragoman-user.service'));
  cpSync(join(UNITS, 'dragoman@.service'), join(folder, 'dragoman@webapp.service'));
  const { status, stderr } = spawnSync('systemd-analyze', [
    'verify',
    '--man=no',
    join(folder, 'dragoman-user.service'),
    join(folder, 'dragoman@webapp.service'),
  ]);
  rmSync(folder, { recursive: true });
  const complaints = stderr
    .toString()
    .split('\n')
    .filter((line) => line !== '');
  expect({ status, complaints }).toEqual({ status: 0, complaints: [] });
});

test.runIf(hasSystemd)('the system unit is exposed to at most 1.5 of 10', () => {
  const { stdout } = spawnSync('systemd-analyze', [
    'security',
    '--offline=yes',
    '--no-pager',
    join(UNITS, 'dragoman@.service'),
  ]);
  const exposure = Number(/exposure level[^\d]*([\d.]+)/.exec(stdout.toString())?.[1]);
  expect(exposure).toBeLessThanOrEqual(1.5);
});

/** The daemon as systemd starts it: a connected descriptor for notices, named in its environment with its own pid. */
async function supervised(watchdogMs: number, nodeOptions = '') {
  const rig = await Rig.start({ commands: 'process', config: CONFIG });
  onTestFinished(() => rig[Symbol.asyncDispose]());
  const asSystemd = 'LISTEN_PID=$$ exec "$0" "$@"';
  const child = spawn('sh', ['-c', asSystemd, process.execPath, MAIN, 'run', '--no-input'], {
    cwd: rig.root,
    env: {
      ...process.env,
      DRAGOMAN_KEY: rig.sandbox.key,
      LISTEN_FDS: '1',
      LISTEN_FDNAMES: 'sdnotify',
      WATCHDOG_USEC: String(watchdogMs * 1000),
      NODE_OPTIONS: nodeOptions,
    },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const notices = createInterface({ input: child.stdio[3] as NodeJS.ReadableStream });
  const lines = notices[Symbol.asyncIterator]();
  const seen = async (wanted: string) => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done === true) return 'ended';
      if (value.startsWith(wanted)) return value;
    }
  };
  return { rig, child, seen };
}

test('the daemon says when it is ready, that it lives, that it reloaded and that it stops', async () => {
  const { rig, child, seen } = await supervised(200);
  expect(await seen('READY=1')).toBe('READY=1');
  expect(await seen('WATCHDOG=1')).toBe('WATCHDOG=1');
  child.kill('SIGHUP');
  expect(await seen('STATUS=config reloaded')).toBe('STATUS=config reloaded');
  rig.write('dragoman.yaml', 'version: 1\nnonsense: true\n');
  child.kill('SIGHUP');
  expect(await seen('STATUS=0 jobs running, 0 waiting; the changed config is refused')).toMatch(
    /see the log$/,
  );
  child.kill('SIGTERM');
  expect(await seen('STOPPING=1')).toBe('STOPPING=1');
  const [code] = await once(child, 'close');
  expect(code).toBe(0);
});

test('a blocked loop does not say that it lives', async () => {
  const block = 'process.on("SIGUSR2",()=>{const end=Date.now()+1500;while(Date.now()<end);})';
  const { child, seen } = await supervised(
    200,
    `--import=data:text/javascript,${encodeURIComponent(block)}`,
  );
  expect(await seen('WATCHDOG=1')).toBe('WATCHDOG=1');
  child.kill('SIGUSR2');
  let longest = 0;
  for (let nth = 0, before = performance.now(); nth < 8; nth++) {
    await seen('WATCHDOG=1');
    longest = Math.max(longest, performance.now() - before);
    before = performance.now();
  }
  expect(longest).toBeGreaterThan(1300);
});

test('a scheduler that takes up no job does not say that it lives', async () => {
  const clock = manualClock();
  const queue = { waiting: 0, running: 0, nextDue: undefined };
  let alive = 0;
  const supervisor: Supervisor = {
    ...{ ready: () => {}, stopping: () => {}, status: () => {}, aliveEvery: 5000 },
    alive: () => {
      alive += 1;
    },
  };
  const condition = { queue, configFaults: [] };
  await using _ = superviseDaemon(supervisor, { condition, events: new Events(), clock });
  await clock.pass(60_000);
  expect(alive).toBe(12);
  queue.waiting = 3;
  await clock.pass(60_000);
  expect(alive).toBe(12 + 3);
});

test('systemd variables that are meant for the process that started us are ignored', () => {
  const env = { LISTEN_FDS: '1', LISTEN_FDNAMES: 'sdnotify', WATCHDOG_USEC: '1000000' };
  const of = (more: Record<string, string>) =>
    connectSupervisor({ env: { ...env, ...more }, pid: process.pid });
  expect(of({ WATCHDOG_PID: String(process.pid) }).aliveEvery).toBe(500);
  expect(of({ WATCHDOG_PID: '1' }).aliveEvery).toBeUndefined();
});

test('only a descriptor that is the journal’s own is the journal', async () => {
  const file = await open(join(await temporaryFolder(), 'log'), 'w');
  const { dev, ino } = await file.stat();
  expect(isJournal({ JOURNAL_STREAM: `${dev}:${ino}` }, file.fd)).toBe(true);
  expect(isJournal({ JOURNAL_STREAM: `${dev}:${ino + 1}` }, file.fd)).toBe(false);
  expect(isJournal({}, file.fd)).toBe(false);
  await file.close();
  expect(asErrors('one\ntwo')).toBe('<3>one\n<3>two');
});

test('under the journal every line has its priority, also that of a failed start', async () => {
  await using rig = await Rig.start({ commands: 'process', config: `nonsense: true${CONFIG}` });
  const script = 'JOURNAL_STREAM=$(stat -L -c %d:%i /dev/fd/2) exec "$0" "$@"';
  const run = () => {
    const child = spawn('sh', ['-c', script, process.execPath, MAIN, 'run', '--no-input'], {
      cwd: rig.root,
      env: { ...process.env, DRAGOMAN_KEY: rig.sandbox.key },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    return { child, lines: createInterface({ input: child.stderr }) };
  };
  const failed = run();
  const complaints = await Array.fromAsync(failed.lines);
  expect(complaints.length).toBeGreaterThan(0);
  expect(complaints.filter((line) => !line.startsWith('<3>'))).toEqual([]);
  expect(failed.child.exitCode ?? (await once(failed.child, 'close'))[0]).toBe(78);
  rig.write('dragoman.yaml', rig.read('dragoman.yaml').replace('nonsense: true', ''));
  const { child, lines } = run();
  for await (const line of lines) {
    expect(line).toMatch(/^<[3467]>\{/);
    if (line.includes('"kind":"started"')) child.kill('SIGTERM');
  }
});
