/**
 * The cost of unfinished documents: the real daemon polls 5,000 uploaded documents for a minute. Prints the share of
 * one core, the memory, the looks per second, and what 20 documents took from done to delivered. `--smoke`: 50, for 5 s.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSandbox } from '../src/sandbox/server.ts';
import { MAIN } from './program.ts';

const smoke = process.argv.includes('--smoke');
const pending = smoke ? 50 : 5000;
const WATCHED_MS = smoke ? 5000 : 60_000;
const DELIVERED = smoke ? 5 : 20;
const UPLOAD = 'POST /v2/document';
const STATUS = 'POST /v2/document/{document_id}';
/** Clock ticks of /proc/<pid>/stat in a second (sysconf(_SC_CLK_TCK), 100 on Linux). */
const TICKS = 100;

const resting = await costOfPending();
const delays = await doneToDelivered();
console.log(JSON.stringify({ pending, ...resting, done_to_delivered_ms: delays }));

/** Their time runs so slowly that none is done while we look. */
async function costOfPending() {
  await using service = await startSandbox({ timeScale: 0.0001 });
  await using bench = await start(service.url, pending);
  const calls = (operation: string) => service.counters().operations[operation]?.calls ?? 0;
  const started = performance.now();
  while (calls(UPLOAD) < pending) await sleep(50);
  const upload_seconds = seconds(performance.now() - started);
  await sleep(WATCHED_MS / 4);
  const [ticks, looks] = [await ticksOf(bench.child), calls(STATUS)];
  await sleep(WATCHED_MS);
  const used = ((await ticksOf(bench.child)) - ticks) / TICKS;
  return {
    upload_seconds,
    share_of_a_core: Number(((used * 1000) / WATCHED_MS).toFixed(3)),
    looks_per_second: Math.round(((calls(STATUS) - looks) * 1000) / WATCHED_MS),
    resident_megabytes: await residentOf(bench.child),
  };
}

/** From the answer that says "done" to the delivered file: the bill, the download, the spool, the target. */
async function doneToDelivered(): Promise<{ p50: number; p95: number }> {
  await using service = await startSandbox({ timeScale: 100 });
  await using bench = await start(service.url, DELIVERED);
  const times: number[] = [];
  for await (const line of createInterface({ input: bench.child.stderr ?? process.stdin })) {
    // A turn that delivers began with the look that found the document done.
    const { kind, durationMs = 0 } = JSON.parse(line) as { kind?: string; durationMs?: number };
    if (kind === 'job-delivered' && times.push(durationMs) === DELIVERED) break;
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95) };
}

async function start(url: string, documents: number) {
  const folder = await mkdtemp(join(tmpdir(), 'dragoman-bench-'));
  await mkdir(join(folder, 'in'));
  for (let n = 0; n < documents; n++) {
    await writeFile(join(folder, 'in', `d${n}.txt`), `This is document number ${n}.\n`);
  }
  await writeFile(join(folder, 'dragoman.yaml'), config(url));
  const child = spawn(process.execPath, [MAIN, 'run', '--no-input'], {
    cwd: folder,
    env: { ...process.env, BENCH_KEY: 'sandbox' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (documents === pending) child.stderr?.resume();
  return {
    child,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function config(url: string): string {
  return `version: 1
service: { url: "${url}", key: { env: BENCH_KEY } }
page: false
log: { level: debug }
defaults: { settle_ms: 0 }
projects:
  bench: { source: en, targets: [de], routes: [{ from: "in/*.txt", to: "out/{locale}/{name}.{ext}" }] }
`;
}

async function ticksOf({ pid }: ChildProcess): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  // utime and stime are the fields 14 and 15; the second field, in brackets, may hold spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

async function residentOf({ pid }: ChildProcess): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(text)?.[1] ?? 0) / 1000);
}

function seconds(ms: number): number {
  return Number((ms / 1000).toFixed(1));
}
