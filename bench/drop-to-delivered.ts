/**
 * From a file's rename into place to its delivered target, minus settle time and service time. Prints p50 and p95 over 100 drops into a
 * running daemon. `--smoke`: 5 drops.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { MAIN } from './program.ts';
import { startService } from './service.ts';

const SETTLE_MS = 300;
const SERVICE_MS = 20;
const drops = process.argv.includes('--smoke') ? 5 : 100;

await using service = await startService([{ kind: 'latency', ms: SERVICE_MS, times: 'always' }]);
const root = mkdtempSync(join(tmpdir(), 'dragoman-bench-'));
mkdirSync(join(root, 'en'));
writeFileSync(
  join(root, 'dragoman.yaml'),
  `version: 1
service: { url: "${service.url}", key: { env: BENCH_KEY } }
defaults: { settle_ms: ${SETTLE_MS} }
projects:
  bench: { source: en, targets: [de], routes: [{ from: "{locale}/*.json" }] }
`,
);
const daemon = spawn(process.execPath, [MAIN, 'run', '--no-input'], {
  cwd: root,
  env: { ...process.env, BENCH_KEY: 'sandbox' },
  stdio: ['ignore', 'ignore', 'pipe'],
});
const lines = createInterface({ input: daemon.stderr })[Symbol.asyncIterator]();
await until('"kind":"started"');
const times: number[] = [];
for (let n = 0; n < drops; n++) {
  writeFileSync(join(root, 'en', '.dropping'), JSON.stringify({ text: `Drop number ${n}` }));
  const started = performance.now();
  renameSync(join(root, 'en', '.dropping'), join(root, 'en', `drop${n}.json`));
  await until(`drop${n}.json`);
  times.push(performance.now() - started - SETTLE_MS - SERVICE_MS);
}
daemon.kill('SIGTERM');
await once(daemon, 'close');
rmSync(root, { recursive: true });
times.sort((a, b) => a - b);
console.log(
  `drop to delivered, less settle and service time: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms (${drops} drops)`,
);

async function until(text: string): Promise<void> {
  for (;;) {
    const { value, done } = await lines.next();
    if (done === true) throw new Error('the daemon ended');
    if (value.includes(text) && (text.includes('started') || value.includes('job-delivered')))
      return;
  }
}

function at(share: number): string {
  return (times[Math.floor(times.length * share)] ?? Number.NaN).toFixed(0);
}
