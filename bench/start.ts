/** How long `--help` takes beside `node -e 0`; medians of seven. `--smoke`: of three. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const MAIN = join(import.meta.dirname, '..', 'src', 'main.ts');
const runs = process.argv.includes('--smoke') ? 3 : 7;

const bare = median(() => spawnSync(process.execPath, ['-e', '0']));
const help = median(() => spawnSync(process.execPath, [MAIN, '--help']));
console.log(
  `--help: ${help.toFixed(0)} ms, node -e 0: ${bare.toFixed(0)} ms, ratio ${(help / bare).toFixed(2)}`,
);

function median(run: () => unknown): number {
  run();
  const times = Array.from({ length: runs }, () => {
    const started = performance.now();
    run();
    return performance.now() - started;
  });
  return times.sort((a, b) => a - b)[Math.floor(runs / 2)] ?? Number.NaN;
}
