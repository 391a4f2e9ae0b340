/** Full and read-only disks under a real installation: small ones are mounted, where the system permits it. */

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync, writeFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import type { PlanReport } from '../../src/control/plan-report.ts';
import { billed, requests } from '../counts.ts';
import { HurriedTime } from '../lanes/voice/hurried-time.ts';
import { HURRIED_MAIN, MAIN } from '../main.ts';
import { Rig } from '../rig.ts';
import { canMount, SmallDisk } from './small-disk.ts';

const TRANSLATE = 'POST /v2/translate';
const MIB = 1024 * 1024;
const CONFIG = `
state: state
defaults: { settle_ms: 0 }
projects:
  app:
    source: en
    targets: [de, fr]
    routes:
      - { from: "locales/{locale}/**/*.json" }
`;
const FILES = {
  'locales/en/a.json': json(200),
  'locales/en/b.json': '{ "hello": "Hello" }\n',
};

function json(texts: number): string {
  const entries = Array.from({ length: texts }, (_, n) => [`key${n}`, `Text number ${n}`]);
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
}

/** In a time that runs 20 times as fast: jobs look every 30 seconds whether there is room. */
async function hurriedRig() {
  const time = new HurriedTime(20);
  const rig = await Rig.start({
    config: CONFIG,
    files: FILES,
    sandbox: { clock: time.clock },
  });
  const start = (...args: readonly string[]) =>
    spawn(process.execPath, [HURRIED_MAIN, ...args, '--no-input'], {
      cwd: rig.root,
      env: { ...process.env, ...time.env, NO_COLOR: '1', DRAGOMAN_KEY: rig.sandbox.key },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  return { rig, start };
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

async function ended(child: Child): Promise<{ code: number | null; stderr: string }> {
  const said = text(child.stderr);
  child.stdout.resume();
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stderr: await said };
}

async function planned(rig: Rig) {
  const { code, stdout } = await rig.run('plan', '--json');
  const { jobs, estimated_characters: characters } = JSON.parse(stdout) as PlanReport;
  return { code, characters, failing: jobs.filter((job) => job.would_fail).length };
}

/** A daemon, and what it logs. */
class Log {
  readonly #child: Child;
  readonly #closed: Promise<number | null>;
  #text = '';

  constructor(child: Child) {
    this.#child = child;
    this.#closed = once(child, 'close').then(([code]) => code as number | null);
    child.stdout.resume();
    child.stderr.on('data', (chunk) => {
      this.#text += String(chunk);
    });
  }

  /** Resolves when a line, past or future, fits. */
  async says(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.#text)) {
      if (this.#child.exitCode !== null) throw new Error(`no ${pattern}: ${this.#text}`);
      await Promise.race([once(this.#child.stderr, 'data'), this.#closed]);
    }
  }

  async code(): Promise<number | null> {
    return await this.#closed;
  }
}

describe.runIf(canMount())('on a disk of its own', () => {
  test('a full state ends with 74 and one message, buys nothing, and the next run goes on', async () => {
    await using rig = await Rig.start({ config: CONFIG, files: FILES });
    using disk = new SmallDisk(rig.path('state'), 4 * MIB);
    for (const left of [0, 100_000]) {
      disk.fill(left);
      const { code, stderr } = await rig.run('once');
      expect(code).toBe(74);
      expect(stderr).toContain('the disk of the state folder state is full');
      expect(stderr).not.toContain('suppressed');
    }
    const { code, stdout } = await rig.run('once', '--json');
    expect([code, JSON.parse(stdout)]).toMatchObject([74, { error: { exit_code: 74 } }]);
    expect(requests(rig, TRANSLATE)).toBe(0);
    expect(await rig.run('doctor')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^fail .*disk .*it is full/m),
    });
    disk.makeRoom();
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 4 });
  });

  test('a target disk without room for another file is full for plan as for a run', async () => {
    await using rig = await Rig.start({ config: CONFIG, files: FILES });
    using _ = new SmallDisk(rig.path('locales/de'), MIB, 'nr_inodes=2');
    writeFileSync(rig.path('locales/de/other.txt'), '');
    for (const command of ['plan', 'once']) {
      const { code, stdout } = await rig.run(command, '--language', 'de');
      expect([command, code]).toEqual([command, 1]);
      expect(stdout).toContain('the disk is full');
    }
    expect(requests(rig, TRANSLATE)).toBe(0);
  });

  test('a read-only or full disk of the lock is known before anything is bought', async () => {
    const config = `lock: dragoman.lock\n${CONFIG}`;
    await using rig = await Rig.start({ config, files: FILES });
    using disk = new SmallDisk(rig.path('dragoman.lock'), MIB);
    disk.fill();
    expect(await planned(rig)).toEqual({ code: 1, characters: 0, failing: 4 });
    expect(await rig.run('check')).toMatchObject({ code: 1 });
    disk.makeRoom();
    disk.become('read-only');
    expect(await planned(rig)).toEqual({ code: 1, characters: 0, failing: 4 });
    expect(await rig.run('check')).toMatchObject({ code: 1 });
    const { code, stdout, stderr } = await rig.run('once');
    expect(code).toBe(1);
    expect(`${stdout}${stderr}`).toContain('dragoman.lock/app/de cannot be written');
    expect(requests(rig, TRANSLATE)).toBe(0);
    disk.become('writable');
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 4 });
  });

  test('a read-only disk of the lock is known before and after a run that only takes what is there', async () => {
    const config = `lock: dragoman.lock\n${CONFIG}`.replace('[de, fr]', '[de]');
    const files = {
      'locales/en/b.json': '{"a":"Hello"}\n',
      'locales/de/b.json': '{"a":"Hallo"}\n',
    };
    await using rig = await Rig.start({ config, files });
    using disk = new SmallDisk(rig.path('dragoman.lock'), MIB);
    disk.become('read-only');
    for (const command of ['plan', 'check', 'once --frozen', 'once', 'plan', 'check', 'once']) {
      const { code, stdout, stderr } = await rig.run(...command.split(' '));
      expect.soft({ command, code }).toEqual({ command, code: 1 });
      expect.soft(`${stdout}${stderr}`).toContain('the disk is read-only');
    }
    disk.become('writable');
    expect(await rig.run('plan')).toMatchObject({ code: 1 });
    expect(await rig.once()).toMatchObject({ code: 0, unchanged: 1 });
    expect(await rig.run('plan')).toMatchObject({ code: 0 });
  });

  test('check says that a target disk is read-only or full, as plan does', async () => {
    await using rig = await Rig.start({ config: CONFIG, files: FILES });
    using disk = new SmallDisk(rig.path('locales/de'), MIB);
    disk.fill();
    expect(await rig.run('check')).toMatchObject({ code: 1 });
    disk.makeRoom();
    expect(await rig.run('check')).toMatchObject({ code: 0 });
    disk.become('read-only');
    const { code, stdout, stderr } = await rig.run('check');
    expect(code).toBe(1);
    expect(`${stdout}${stderr}`).toContain('the disk is read-only');
  });

  test('a state that becomes full while a daemon works ends it with 74, and nothing is bought twice', async () => {
    const { rig, start } = await hurriedRig();
    await using _rig = rig;
    using disk = new SmallDisk(rig.path('state'), 4 * MIB);
    rig.sandbox.faults.add([{ kind: 'latency', ms: 10_000, times: 'always' }]);
    const daemon = new Log(start('run'));
    await daemon.says(/"kind":"started"/);
    disk.fill();
    rig.write('locales/en/c.json', json(50));
    expect(await daemon.code()).toBe(74);
    rig.sandbox.faults.clear();
    disk.makeRoom();
    expect((await rig.once()).code).toBe(0);
    const usage = JSON.parse((await rig.run('usage', '--json')).stdout) as Record<string, number>;
    const books = usage['billed_characters'] ?? 0;
    expect(billed(rig)).toBeGreaterThanOrEqual(books);
    expect(billed(rig)).toBeLessThanOrEqual(books + (usage['possibly_billed_twice'] ?? 0));
  });

  test('a state that becomes full ends a daemon with 74 while answers are still on their way', async () => {
    const { rig, start } = await hurriedRig();
    await using _rig = rig;
    using disk = new SmallDisk(rig.path('state'), 4 * MIB);
    // More than an hour: a process that waits for the answers does not end before the time limit of this test.
    rig.sandbox.faults.add([{ kind: 'latency', ms: 100_000_000, operation: TRANSLATE, times: 1 }]);
    const daemon = new Log(start('run'));
    await daemon.says(/"kind":"started"/);
    await expect.poll(() => rig.sandbox.faults.list().length).toBe(0);
    disk.fill();
    rig.write('locales/en/c.json', json(50));
    expect(await daemon.code()).toBe(74);
  });

  test('a read-only state ends every command with 74, except one that saves its translations', async () => {
    await using rig = await Rig.start({ config: CONFIG, files: FILES });
    using disk = new SmallDisk(rig.path('state'), 4 * MIB);
    expect((await rig.once()).code).toBe(0);
    disk.become('read-only');
    const asked = ['once', 'run', 'status', 'plan', 'memory import all.tmx', 'restore --ledger'];
    expect(await rig.run('memory', 'export', 'all.tmx')).toMatchObject({ code: 0 });
    expect(rig.read('all.tmx')).toContain('<tu');
    for (const command of asked) {
      const { code, stderr } = await rig.run(...command.split(' '));
      expect([command, code]).toEqual([command, 74]);
      expect(stderr).toContain('the state folder state is on a read-only disk');
    }
    disk.become('writable');
    expect((await rig.once()).code).toBe(0);
  });

  test('a full disk of a target is reported at once, stops no other language, and buys nothing again', async () => {
    const { rig, start } = await hurriedRig();
    await using _rig = rig;
    using disk = new SmallDisk(rig.path('locales/de'), MIB);
    const price = await planned(rig);
    disk.fill();
    expect(await planned(rig)).toEqual({ code: 1, characters: price.characters / 2, failing: 2 });
    const { code, stderr } = await ended(start('once'));
    expect(code).toBe(1);
    expect(stderr.match(/waits {3}the disk is too full/g)).toHaveLength(1);
    expect(rig.exists('locales/fr/a.json')).toBe(true);
    expect(billed(rig)).toBe(price.characters / 2);
    expect(await planned(rig)).toEqual({ code: 1, characters: 0, failing: 2 });
    disk.makeRoom();
    expect(await rig.once()).toMatchObject({ code: 0, delivered: 2 });
    expect(billed(rig)).toBe(price.characters);
  });

  test('a daemon says that jobs wait for space, and goes on when there is some', async () => {
    const { rig, start } = await hurriedRig();
    await using _rig = rig;
    using disk = new SmallDisk(rig.path('locales/de'), MIB);
    disk.fill();
    const child = start('run');
    const daemon = new Log(child);
    await daemon.says(/Jobs that write there wait/);
    // The log is told of the wait before the jobs wait.
    const attention = async () => JSON.parse((await rig.run('status', '--json')).stdout).attention;
    await expect.poll(attention).toMatchObject([{ code: 'disk-full' }]);
    disk.makeRoom();
    await daemon.says(/wrote locales\/de\/a/);
    child.kill('SIGTERM');
    expect(await daemon.code()).toBe(0);
    expect(statSync(rig.path('locales/de/a.json')).size).toBeGreaterThan(0);
  });
});

test.runIf(process.platform === 'linux')(
  'a state that may not grow, by a limit on the size of files, ends with 74',
  async () => {
    await using rig = await Rig.start({ config: CONFIG, files: FILES });
    const command = `trap '' XFSZ; ulimit -f 16; exec "$0" "$1" once --no-input`;
    const child = spawn('bash', ['-c', command, process.execPath, MAIN], {
      cwd: rig.root,
      env: { ...process.env, NO_COLOR: '1', DRAGOMAN_KEY: rig.sandbox.key },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const { code, stderr } = await ended(child);
    expect(stderr).toContain('the state folder state cannot be written (EFBIG)');
    expect(code).toBe(74);
  },
);
