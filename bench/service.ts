/** The sandbox in a process of its own, for benches. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { SimulatedFault } from '../src/sandbox/faults.ts';
import { MAIN } from './program.ts';

export interface BenchService extends AsyncDisposable {
  readonly url: string;
  counters(): Promise<{ calls: number; billed: number }>;
}

export async function startService(faults: readonly SimulatedFault[]): Promise<BenchService> {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-bench-service-'));
  writeFileSync(join(folder, 'faults.json'), JSON.stringify(faults));
  const child = spawn(
    process.execPath,
    [MAIN, 'sandbox', '--port', '0', '--faults', join(folder, 'faults.json')],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const url = await firstAddress(child.stdout);
  return {
    url,
    async counters() {
      const answer = await fetch(`${url}/sandbox/counters`);
      const { operations, billed_characters } = (await answer.json()) as {
        operations: Record<string, { calls: number }>;
        billed_characters: number;
      };
      return { calls: operations['POST /v2/translate']?.calls ?? 0, billed: billed_characters };
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await once(child, 'close');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function firstAddress(stdout: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: stdout })) {
    const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error('the sandbox printed no address');
}
