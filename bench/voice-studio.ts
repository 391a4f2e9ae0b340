/** A project with recordings and a sandbox in a process of its own, for benches; `once` reports its own peak memory. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { MAIN } from './program.ts';

const ONCE = join(import.meta.dirname, 'voice-once.ts');
const RATE = 16_000;
const HEADER_BYTES = 44;
const CHUNK = 1_000_000;

export interface Measured {
  readonly delivered: number;
  readonly requests: number;
  readonly seconds: number;
  /** Peak, in MB. */
  readonly rss: number;
}

export interface BenchStudio extends AsyncDisposable {
  /** Writes a WAV of 16 kHz, mono, 16 bit; `seed` makes its sound differ from that of others. */
  record(name: string, seconds: number, seed: number): Promise<void>;
  once(): Promise<Measured>;
}

/** @param to the outputs of the route, in flow style */
export async function openStudio(options: {
  readonly to: string;
  readonly timeScale: number;
  readonly limits?: Readonly<Record<string, number>>;
}): Promise<BenchStudio> {
  const folder = await mkdtemp(join(tmpdir(), 'dragoman-bench-'));
  await mkdir(join(folder, 'in'));
  const limits = join(folder, 'limits.json');
  await writeFile(limits, JSON.stringify(options.limits ?? {}));
  const sandbox = spawn(
    process.execPath,
    [MAIN, 'sandbox', '--port', '0', '--time-scale', String(options.timeScale), '--limits', limits],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await writeFile(
    join(folder, 'dragoman.yaml'),
    configOf(await addressOf(sandbox.stdout), options.to),
  );
  return {
    record: (name, seconds, seed) => record(join(folder, 'in', name), seconds, seed),
    once: () => runOnce(folder),
    async [Symbol.asyncDispose]() {
      sandbox.kill('SIGTERM');
      await once(sandbox, 'close');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function configOf(url: string, to: string): string {
  return `version: 1
service:
  url: ${url}
  key: { env: DRAGOMAN_KEY }
  voice: { max_size: 4GB, max_duration: 20h }
defaults: { settle_ms: 0 }
projects:
  academy:
    source: en
    targets: [de]
    routes:
      - { from: "in/**/*.wav", to: ${to} }
`;
}

async function addressOf(stdout: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: stdout })) {
    const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error('the sandbox printed no address');
}

async function record(file: string, seconds: number, seed: number): Promise<void> {
  const bytes = seconds * RATE * 2;
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(HEADER_BYTES - 8 + bytes, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(RATE, 24);
  header.writeUInt32LE(RATE * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(bytes, 40);
  await using handle = await open(file, 'w');
  await handle.write(header);
  const chunk = Buffer.alloc(CHUNK, seed % 251);
  for (let left = bytes; left > 0; left -= CHUNK) {
    await handle.write(chunk, 0, Math.min(left, CHUNK));
  }
}

async function runOnce(folder: string): Promise<Measured> {
  const began = performance.now();
  const child = spawn(process.execPath, [ONCE], {
    cwd: folder,
    env: { ...process.env, DRAGOMAN_KEY: 'sandbox' },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const [message, report] = await Promise.all([once(child, 'message'), text(child.stdout)]);
  await once(child, 'close');
  const { delivered, requests, held, failed } = JSON.parse(report);
  if (held.length + failed.length > 0) throw new Error(report);
  const [rss] = message as [number];
  return { delivered, requests, rss, seconds: (performance.now() - began) / 1000 };
}

async function text(stream: NodeJS.ReadableStream | null): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream ?? []) chunks.push(Buffer.from(chunk as Buffer));
  return Buffer.concat(chunks).toString('utf8');
}
