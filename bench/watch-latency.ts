/**
 * From a rename into place until the file is told, minus the settling time, with hints and without.
 * Bars: p99 0.5 s with hints; the interval of the folder pass and 1 s without. `--smoke`: 20 files, bars not applied.
 */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../src/clock.ts';
import { PACE } from '../src/watch/observer.ts';
import { openWatch, type WatchOptions } from '../src/watch/watch.ts';
import { makeTree } from './tree.ts';

const smoke = process.argv.includes('--smoke');
const FILES = smoke ? 20 : 300;
const SETTLE_MS = 1000;

const withHints = await delays('events');
const without = await delays('none');
report('with hints (bar 500)', withHints);
report(`without (bar ${PACE.folders + 1000})`, without);
if (!smoke && (at(withHints, 0.99) > 500 || at(without, 0.99) > PACE.folders + 1000)) {
  process.exitCode = 1;
}

async function delays(hints: WatchOptions['hints']): Promise<number[]> {
  await using tree = await makeTree(1000);
  const outside = join(tree.root, '.outside');
  await mkdir(outside);
  const renamed = new Map<string, number>();
  const waited: number[] = [];
  let scans = 0;
  const ready = Promise.withResolvers<void>();
  const all = Promise.withResolvers<void>();
  await using _watch = await openWatch({
    roots: [{ project: 'bench', path: tree.root, wants: isNew, enters: () => true }],
    clock: systemClock,
    settleOf: () => SETTLE_MS,
    hints,
    onEvent: (event) => {
      if (event.kind === 'scanned' && (++scans === 2 || hints === 'none')) ready.resolve();
      if (event.kind !== 'settled') return;
      for (const { path } of event.files) {
        waited.push(systemClock.now() - (renamed.get(path) ?? Number.NaN) - SETTLE_MS);
      }
      if (waited.length === FILES) all.resolve();
    },
  });
  await ready.promise;
  for (let n = 0; n < FILES; n++) {
    const name = `new-${n}.json`;
    await writeFile(join(outside, name), name);
    await rename(join(outside, name), join(tree.root, name));
    renamed.set(name, systemClock.now());
    await systemClock.sleep(37);
  }
  await all.promise;
  return waited.toSorted((a, b) => a - b);
}

function isNew(path: string): boolean {
  return path.startsWith('new-');
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function report(words: string, sorted: readonly number[]): void {
  const [p50, p99] = [at(sorted, 0.5), at(sorted, 0.99)].map((ms) => `${ms.toFixed(0)} ms`);
  process.stdout.write(`${words.padEnd(24)} p50 ${p50}  p99 ${p99}\n`);
}
