/**
 * Runs every bench that has a smoke mode: CI sees that they still work, not how fast they are. So as many run at a time as the
 * machine has cores, and what each of them prints is shown when it ends.
 */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

/** A bench that hangs is ended, so that CI names it. Milliseconds. */
const LONGEST_MS = 600_000;

const benches = readdirSync(import.meta.dirname)
  .filter((file) => file !== 'smoke.ts' && file !== 'all.ts' && file.endsWith('.ts'))
  .filter((file) => readFileSync(join(import.meta.dirname, file), 'utf8').includes("'--smoke'"))
  .sort()
  .values();

await Promise.all(Array.from({ length: availableParallelism() }, runRest));

async function runRest(): Promise<void> {
  for (const file of benches) {
    const { status, printed } = await run(file);
    console.log(`\n-- ${file}\n${printed.trimEnd()}`);
    if (status === 0) continue;
    console.error(`${file} ended with ${status}`);
    process.exitCode = 1;
  }
}

/** @returns `printed`: both streams, one after the other; `status`: the exit code, or the signal that ended it */
async function run(
  file: string,
): Promise<{ readonly status: number | string; readonly printed: string }> {
  const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<typeof run>>>();
  const argv = [join(import.meta.dirname, file), '--smoke'];
  const limits = { maxBuffer: 2 ** 26, timeout: LONGEST_MS, killSignal: 'SIGKILL' } as const;
  execFile(process.execPath, argv, limits, (error, stdout, stderr) => {
    const status = error === null ? 0 : (error.code ?? error.signal ?? 1);
    resolve({ status, printed: stdout + stderr });
  });
  return await promise;
}
