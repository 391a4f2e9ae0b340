/** The program as users start it, and what one run of it costs. `npm run build` makes it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

export const MAIN = join(import.meta.dirname, '..', 'dist', 'main.js');
if (!existsSync(MAIN)) throw new Error('no dist/main.js; "npm run build" makes it');

export interface Cost {
  readonly wallMs: number;
  /** The processor time of the process with all its threads, user and system together, without other processes. */
  readonly cpuMs: number;
}

export interface WitnessedCost extends Cost {
  readonly peakMb: number;
  /** Longest time that the main thread computed without a turn of its loop, and how often more than 50 ms. */
  readonly blockMs: number;
  readonly blocks: number;
}

/** Loading the program takes this much of the main thread, and is not what its blocks are about. */
const LOADED_MICROSECONDS = 450_000;
/**
 * Measures how late timers are, counting only what the main thread computed meanwhile: on a loaded machine the rest is
 * time that others had.
 */
const WITNESS = `
  import { isMainThread } from 'node:worker_threads';
  let late = 0, longest = 0, last = performance.now(), cpu = process.threadCpuUsage();
  const look = () => {
    const now = performance.now(), used = process.threadCpuUsage(cpu);
    const block = Math.min(now - last - 10, (used.user + used.system) / 1000);
    if (process.threadCpuUsage().user > ${LOADED_MICROSECONDS}) {
      longest = Math.max(longest, block);
      if (block > 50) late += 1;
    }
    last = now;
    cpu = process.threadCpuUsage();
  };
  if (isMainThread) {
    setInterval(look, 10).unref();
    process.on('exit', () => {
      const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
      const cost = { peakMb: maxRSS / 1024, cpuMs: (userCPUTime + systemCPUTime) / 1000, blockMs: longest, blocks: late };
      process.stderr.write('\\nwitness ' + JSON.stringify(cost));
    });
  }
`;

/** Time of a run of Node, its start included. */
export async function costOf(args: readonly string[], cwd: string): Promise<Cost> {
  const started = performance.now();
  const words = ['-c', '"$@" >/dev/null; code=$?; times; exit $code', 'sh', process.execPath];
  const { stdout } = await run('sh', [...words, ...args], cwd);
  return { wallMs: performance.now() - started, cpuMs: timeOfChildren(stdout) };
}

/** The same with memory and blocks; the witness itself takes some 10 ms to load. */
export async function witnessedCostOf(
  args: readonly string[],
  cwd: string,
): Promise<WitnessedCost> {
  const started = performance.now();
  const witness = `data:text/javascript,${encodeURIComponent(WITNESS)}`;
  const { stderr } = await run(process.execPath, ['--import', witness, ...args], cwd);
  const wallMs = performance.now() - started;
  return { wallMs, ...JSON.parse(/witness (.*)/.exec(stderr)?.[1] ?? '{}') };
}

async function run(command: string, args: readonly string[], cwd: string) {
  const env = { ...process.env, BENCH_KEY: 'sandbox' };
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close') as Promise<[number | null]>;
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await ended;
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
  return { stdout, stderr };
}

/** The last line that the shell's `times` prints: `0m0.020000s 0m0.010000s`. */
function timeOfChildren(printed: string): number {
  const last = printed.trim().split('\n').at(-1) ?? '';
  const parts = [...last.matchAll(/(\d+)m([\d.]+)s/g)];
  return parts.reduce((sum, [, m, s]) => sum + Number(m) * 60_000 + Number(s) * 1000, 0);
}
