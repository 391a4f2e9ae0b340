/**
 * `once` with nothing to do against the bare listing of the same tree, Node start on both sides; medians of five. `--smoke`: 5,000 files.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bareListing, makeTree } from './tree.ts';

const MAIN = join(import.meta.dirname, '..', 'src', 'main.ts');
const RUNS = 5;

if (process.argv[2] === 'bare') bareListing(process.argv[3] ?? '.');
else await measure(process.argv.includes('--smoke') ? 5000 : 100_000);

async function measure(files: number): Promise<void> {
  await using tree = await makeTree(files);
  writeFileSync(
    join(tree.root, 'dragoman.yaml'),
    `version: 1
service: { url: "http://127.0.0.1:9", key: { env: BENCH_KEY } }
defaults: { settle_ms: 0 }
projects:
  bench: { source: en, targets: [de], routes: [{ from: "{locale}/**/*.json" }] }
`,
  );
  const first = await run([MAIN, 'once', '--no-input'], tree.root);
  console.log(`first contact, ${files} files adopted: ${(first / 1000).toFixed(1)} s`);
  const bare: number[] = [];
  const noop: number[] = [];
  for (let n = 0; n < RUNS; n++) {
    bare.push(await run([import.meta.filename, 'bare', tree.root], tree.root));
    noop.push(await run([MAIN, 'once', '--no-input'], tree.root));
  }
  const ratio = median(noop) / median(bare);
  console.log(
    `nothing to do, ${files} files: ${median(noop).toFixed(0)} ms, bare listing ${median(bare).toFixed(0)} ms, ` +
      `ratio ${ratio.toFixed(2)} (bar 3)`,
  );
  console.log(`peak memory: ${peakMegabytes(tree.root)} MB`);
}

async function run(args: readonly string[], cwd: string): Promise<number> {
  const started = performance.now();
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, BENCH_KEY: 'none' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  child.stderr.resume();
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`);
  return performance.now() - started;
}

function peakMegabytes(cwd: string): string {
  const script = `process.on('exit', () => process.stderr.write(String(process.resourceUsage().maxRSS)))`;
  const { stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(script)}`, MAIN, 'once', '--no-input'],
    { cwd, env: { ...process.env, BENCH_KEY: 'none' } },
  );
  const kilobytes = Number(/(\d+)\s*$/.exec(stderr.toString())?.[1] ?? Number.NaN);
  return (kilobytes / 1024).toFixed(0);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
