/**
 * The cost of finding that nothing changed in 100,000 files, compared with the bare bigint listing of the same tree.
 * Bars: a start with everything on record 3 times; a pass over the folders a fiftieth of a full one. `--smoke`: a tenth of it.
 */
import { systemClock, turnsOf } from '../src/clock.ts';
import { isIgnored } from '../src/files/ignore.ts';
import type { Interest } from '../src/files/listing.ts';
import { SCAN_TURN_MS, scan } from '../src/files/scan.ts';
import { Folders } from '../src/watch/folders.ts';
import { KnownFiles } from '../src/watch/known.ts';
import { openWatch } from '../src/watch/watch.ts';
import { bareListing, makeTree, median } from './tree.ts';

const smoke = process.argv.includes('--smoke');
const ROUNDS = smoke ? 3 : 9;
const interest: Interest = { wants: (path) => path.endsWith('.json'), enters: () => true };

await using tree = await makeTree(smoke ? 10_000 : 100_000);
const listing = await scan(tree.root, interest);
if (listing.kind === 'offline') throw new Error(listing.reason);
const { files } = listing;

const times = { bare: [], scan: [], start: [], full: [], folders: [] } as Record<string, number[]>;
const folders = new Folders({ absolute: tree.root, interest, isIgnored }, known(), {
  suspect: (place) => fail(`${place.path} should be as known`),
  refuse: () => {},
});
for (let round = 0; round < ROUNDS; round++) {
  await time('bare', () => Promise.resolve(bareListing(tree.root)));
  await time('scan', () => scan(tree.root, interest));
  await time('start', start);
  await time('full', () => folders.full(pass()));
  await time('folders', () => folders.changed(pass()));
}
report();

async function start(): Promise<void> {
  await using watch = await openWatch({
    roots: [{ project: 'bench', path: tree.root, ...interest, known: known() }],
    clock: systemClock,
    settleOf: () => 0,
    hints: 'none',
    onEvent: (event) => event.kind === 'settled' && fail('nothing should be told'),
  });
  await watch.settle();
}

function known(): KnownFiles {
  const known = new KnownFiles();
  for (const { path, stat } of files) known.set(path, stat);
  return known;
}

function pass() {
  return { clock: systemClock, turns: turnsOf(SCAN_TURN_MS) };
}

async function time(what: string, work: () => Promise<unknown>): Promise<void> {
  const began = performance.now();
  await work();
  times[what]?.push(performance.now() - began);
}

function report(): void {
  const ms = (what: string) => median(times[what] ?? []);
  const line = (what: string, words: string) =>
    `${words.padEnd(44)} ${ms(what).toFixed(1).padStart(8)} ms ${(ms(what) / ms('bare')).toFixed(2).padStart(7)} x\n`;
  process.stdout.write(
    `${tree.files} files, median of ${ROUNDS}, times the bare listing\n` +
      line('bare', 'bare listing') +
      line('scan', 'scan into a listing') +
      line('full', 'full pass, all on record') +
      line('start', 'start of a watch with all on record (bar 3)') +
      line('folders', 'pass over the folders') +
      `full pass / pass over the folders (bar 50): ${(ms('full') / ms('folders')).toFixed(0)}\n`,
  );
  const holds = ms('start') <= 3 * ms('bare') && ms('full') >= 50 * ms('folders');
  if (!smoke && !holds) process.exitCode = 1;
}

function fail(message: string): never {
  throw new Error(message);
}
