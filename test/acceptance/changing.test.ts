/** A source that a program writes again and again, faster than dragoman waits: no command waits for it for ever. */
import type { EventEmitter } from 'node:events';
import { appendFileSync, utimesSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Clock } from '../../src/clock.ts';
import { Rig } from '../rig.ts';
import { runHere } from '../run-here.ts';
import { waitingClock } from '../waiting-clock.ts';

const CONFIG = `
projects:
  app:
    source: en
    targets: [de]
    routes: [{ from: "docs/{locale}/*.txt" }]
`;
const FILES = { 'docs/en/good.txt': 'Good\n', 'docs/en/log.txt': 'A line\n' };

/** The file is longer, and was written now by this clock. */
function write(rig: Rig, { now }: Pick<Clock, 'now'>): void {
  const file = rig.path('docs/en/log.txt');
  appendFileSync(file, 'A line\n');
  utimesSync(file, now() / 1000, now() / 1000);
}

/** Whenever somebody waits, the file is written. */
async function start(): Promise<{ rig: Rig; clock: Clock }> {
  const made: { rig?: Rig } = {};
  const inner = waitingClock(Date.now());
  const clock: Clock = {
    now: inner.now,
    sleep: async (...asked) => {
      await inner.sleep(...asked);
      if (made.rig !== undefined) write(made.rig, inner);
    },
  };
  made.rig = await Rig.start({ config: CONFIG, files: FILES, clock });
  return { rig: made.rig, clock };
}

test('every command names a source that keeps changing, and translates the others', async () => {
  const { rig } = await start();
  await using _ = rig;
  const line = {
    ...{ code: 'changing', state: 'held', source: 'docs/en/log.txt' },
    reason: 'docs/en/log.txt keeps changing: it was never unchanged for 50 ms',
  };
  const { code, stdout } = await rig.run('plan', '--json');
  expect([code, JSON.parse(stdout)]).toMatchObject([
    2,
    { jobs: [{ source: 'docs/en/good.txt' }], attention: [line] },
  ]);
  expect(await rig.once()).toMatchObject({ code: 2, delivered: 1, held: [line], failed: [] });
  for (const args of [['status'], ['once', '--frozen']]) {
    const told = await rig.run(...args, '--json');
    expect(JSON.parse(told.stdout)).toMatchObject({ attention: [line] });
  }
  const checked = await rig.run('check');
  expect(checked.stdout + checked.stderr).toContain('log.txt:1:1');
  expect(checked.stdout + checked.stderr).toContain('keeps changing');
  expect(checked.code).toBe(1);
});

test('a command that waits for it ends at a signal', async () => {
  const { rig, clock } = await start();
  await using _ = rig;
  await rig.once();
  for (const command of ['once', 'plan', 'check']) {
    const waited: { host?: EventEmitter; times: number } = { times: 0 };
    // Time stands still: only the signal ends the wait.
    const stopped: Clock = {
      now: clock.now,
      sleep: async (_ms, signal) => {
        waited.times += 1;
        write(rig, clock);
        if (waited.times === 10) waited.host?.emit('SIGTERM', 'SIGTERM');
        await new Promise((resolve) => setImmediate(resolve));
        signal?.throwIfAborted();
      },
    };
    const { code } = await runHere([command, '--no-input'], {
      cwd: rig.root,
      env: { ...process.env, NO_COLOR: '1', DRAGOMAN_KEY: rig.sandbox.key },
      onHost: (host) => {
        waited.host = host;
      },
      clock: stopped,
    });
    expect(code, command).toBe(1);
  }
});
