/**
 * The cost of a watch while nothing happens: processor time over 60 s with 50,000 sources and 50,000 targets.
 * Bars: 1 % of a core; at most 1.05 inotify watches for each folder. `--smoke`: a tenth of the files, 6 s, bars not applied.
 */
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { systemClock } from '../src/clock.ts';
import type { Interest } from '../src/files/listing.ts';
import { scan } from '../src/files/scan.ts';
import { KnownFiles } from '../src/watch/known.ts';
import { openWatch } from '../src/watch/watch.ts';
import { makeTree } from './tree.ts';

const smoke = process.argv.includes('--smoke');
const SECONDS = smoke ? 6 : 60;
const IDLE_THREAD = `
  const { parentPort } = require('node:worker_threads');
  const delay = require('node:perf_hooks').monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  parentPort.once('message', () => parentPort.postMessage(delay.max / 1e6));
`;
const interest: Interest = { wants: (path) => path.endsWith('.json'), enters: () => true };

await using tree = await makeTree(smoke ? 10_000 : 100_000);
const listing = await scan(tree.root, interest);
if (listing.kind === 'offline') throw new Error(listing.reason);
const known = new KnownFiles();
for (const { path, stat } of listing.files) known.set(path, stat);

let scans = 0;
const { promise: isReady, resolve } = Promise.withResolvers<void>();
await using _watch = await openWatch({
  roots: [{ project: 'bench', path: tree.root, ...interest, known }],
  clock: systemClock,
  settleOf: () => 2000,
  hints: 'events',
  onEvent: (event) => {
    // The second full pass is the one that follows the first hints.
    if (event.kind === 'scanned' && ++scans === 2) resolve();
    if (event.kind === 'settled') throw new Error('nothing should be told');
  },
});
await isReady;
await systemClock.sleep(5000);

const delay = monitorEventLoopDelay({ resolution: 5 });
// Delays of an idle thread come from the machine, not from us.
const beside = new Worker(IDLE_THREAD, { eval: true });
await once(beside, 'online');
delay.enable();
const before = process.cpuUsage();
await systemClock.sleep(SECONDS * 1000);
const { user, system } = process.cpuUsage(before);
delay.disable();
beside.postMessage('how long?');
const [besideMs] = await once(beside, 'message');
await beside.terminate();
report((user + system) / 1000 / (SECONDS * 1000), Number(besideMs));

function report(share: number, besideMs: number): void {
  const watches = inotifyWatches();
  process.stdout.write(
    `${tree.files} files in ${listing.kind === 'online' ? listing.folders : 0} folders, ${SECONDS} s idle\n` +
      `processor time       ${(100 * share).toFixed(2)} % of a core (bar 1)\n` +
      `longest loop block   ${(delay.max / 1e6).toFixed(1)} ms (bar 50), in an idle thread ${besideMs.toFixed(1)} ms\n` +
      `inotify watches      ${watches}\n` +
      `resident memory      ${(process.memoryUsage.rss() / 2 ** 20).toFixed(0)} MB\n`,
  );
  const allowed = listing.kind === 'online' ? listing.folders * 1.05 : 0;
  if (!smoke && (share > 0.01 || watches > allowed)) process.exitCode = 1;
}

/** Counted as the kernel lists them, over all descriptors of this process. */
function inotifyWatches(): number {
  const descriptors = readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(join('/proc/self/fd', fd)).includes('inotify');
    } catch {
      return false; // closed meanwhile
    }
  });
  const lines = descriptors.flatMap((fd) =>
    readFileSync(join('/proc/self/fdinfo', fd), 'utf8').split('\n'),
  );
  return lines.filter((line) => line.startsWith('inotify')).length;
}
