import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, expect, test } from 'vitest';
import { execFileSync } from '../in-time.ts';
import { closeOpened, folderWith, writeAt } from './rig.ts';

afterAll(closeOpened);

// The kernel's limits belong to a user namespace: a process in one of its own can be refused without harm to others.
const canUnshare = (() => {
  try {
    execFileSync('unshare', ['--user', '--map-root-user', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

test.skipIf(!canUnshare).for([
  ['max_inotify_instances', 0],
  ['max_inotify_watches', 5],
] as const)(
  'with %s = %i files are found by passes, and this is reported once, until the limit is lifted',
  async ([limit, value]) => {
    const root = await folderWith(...Array.from({ length: 20 }, (_, n) => `d${n}/old.json`));
    const script = `echo ${value} > /proc/sys/user/${limit} && exec "$0" "$@"`;
    const watcher = spawn(
      'unshare',
      ['--user', '--map-root-user', 'sh', '-c', script, process.execPath, WATCHER, root],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    );
    const events: string[] = [];
    const { promise: isReady, resolve: setReady } = Promise.withResolvers<void>();
    const { promise: isTold, resolve: setTold } = Promise.withResolvers<void>();
    const listeners = new Set<(line: string) => void>();
    const told = async (line: string) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      listeners.add((each) => each === line && resolve());
      await promise;
    };
    createInterface(watcher.stdout).on('line', (line) => {
      events.push(line);
      for (const listener of listeners) listener(line);
      if (line === 'degraded') setReady();
      if (events.filter((event) => event.endsWith('new.json')).length === 20) setTold();
    });
    await isReady;
    for (let n = 0; n < 20; n++) await writeAt(join(root, `d${n}/deep/new.json`), 'new');
    await isTold;
    const recovered = told('recovered');
    const wasDegraded = told('isDegraded: true');
    watcher.stdin.write(`${limit}\n`);
    await Promise.all([wasDegraded, recovered]);
    const isOver = told('isDegraded: false');
    watcher.stdin.write('\n');
    await isOver;
    watcher.stdin.end();
    await once(watcher, 'exit');
    expect(events.filter((event) => event === 'degraded')).toHaveLength(1);
    expect(events.filter((event) => event.endsWith('.json'))).toHaveLength(40);
  },
);

const WATCHER = join(import.meta.dirname, 'watcher-process.ts');
