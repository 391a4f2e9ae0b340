/**
 * The start time of commands compared with `node -e 0`: `--help`, `status`, `check` and a `once` that has nothing to do, on 20 keys.
 * Medians of 15 runs in turn. `--smoke`: of three.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cost, costOf, MAIN } from './program.ts';
import { report } from './row.ts';
import { startService } from './service.ts';
import { median } from './tree.ts';

const runs = process.argv.includes('--smoke') ? 3 : 15;
/** Milliseconds where `node -e 0` takes 28. */
const GOALS = { '--help': 100, status: 150, check: 150, once: 200 };
const NODE_MS = 28;

await using service = await startService([]);
const root = mkdtempSync(join(tmpdir(), 'dragoman-bench-'));
try {
  writeProject(service.url);
  await costOf([MAIN, 'once', '--no-input'], root);
  const commands = Object.keys(GOALS).map((name) => [MAIN, name]);
  const [bare, ...costs] = await inTurn([['-e', '0'], ...commands]);
  Object.entries(GOALS).forEach(([name, goalMs], nth) => {
    const goal = { ratio: Number((goalMs / NODE_MS).toFixed(1)) };
    for (const [kind, key] of [
      ['start', 'wallMs'],
      ['start, CPU', 'cpuMs'],
    ] as const) {
      const of = (all: readonly Cost[] = []) => median(all.map((cost) => cost[key]));
      report({ what: `${kind}: ${name}`, today: of(costs[nth]), bare: of(bare), unit: 'ms', goal });
    }
  });
} finally {
  rmSync(root, { recursive: true });
}

async function inTurn(commands: readonly string[][]): Promise<Cost[][]> {
  const costs = commands.map((): Cost[] => []);
  for (let n = 0; n < runs; n++) {
    for (const [nth, args] of commands.entries()) costs[nth]?.push(await costOf(args, root));
  }
  return costs;
}

function writeProject(url: string): void {
  const keys = Array.from({ length: 20 }, (_, n) => [`key${n}`, `This is sentence number ${n}`]);
  mkdirSync(join(root, 'locales', 'en'), { recursive: true });
  writeFileSync(
    join(root, 'locales', 'en', 'app.json'),
    JSON.stringify(Object.fromEntries(keys), undefined, 2),
  );
  writeFileSync(
    join(root, 'dragoman.yaml'),
    `version: 1
service: { url: "${url}", key: { env: BENCH_KEY } }
defaults: { settle_ms: 0 }
projects:
  bench: { source: en, targets: [de], routes: [{ from: "locales/{locale}/*.json" }] }
`,
  );
}
