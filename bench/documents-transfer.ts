/**
 * Peak memory of one large document on its whole way, there and back, in the real process: `node bench/documents-transfer.ts
 * [megabytes]`, 1000 when absent. `--smoke` takes 5 MB. Prints one JSON object; exits with 1 when memory grows with the file.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, open, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { MAIN } from './program.ts';

const megabytes = process.argv.includes('--smoke') ? 5 : Number(process.argv[2] ?? 1000);
/** The process itself has some 110 MB; a file that was held in memory would add its size. */
const MOST_RESIDENT_MB = 320;

const folder = await mkdtemp(join(tmpdir(), 'dragoman-bench-'));
try {
  await writeSource();
  const sandbox = await startSandbox();
  await writeFile(join(folder, 'dragoman.yaml'), config(sandbox.url));
  const started = performance.now();
  const resident = await runOnce();
  const seconds = Number(((performance.now() - started) / 1000).toFixed(1));
  sandbox.child.kill();
  const { size } = await stat(join(folder, 'out', 'de', 'large.txt'));
  // A file that is small enough for the sandbox to translate becomes longer.
  const delivered = size >= megabytes * 1_000_000;
  console.log(JSON.stringify({ megabytes, seconds, peak_resident_megabytes: resident, delivered }));
  if (!delivered || (!megabytes && resident > MOST_RESIDENT_MB)) process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function writeSource(): Promise<void> {
  const line = Buffer.from(
    `${'A line of a long text that nobody reads. '.repeat(25)}`.slice(0, 999),
  );
  const megabyte = Buffer.concat(
    Array.from({ length: 1000 }, () => Buffer.concat([line, Buffer.from('\n')])),
  );
  await writeFile(
    join(folder, 'limits.json'),
    JSON.stringify({ upload: { txt: 4e9 }, document_characters: 4e9 }),
  );
  await using file = await open(await made('in/large.txt'), 'w');
  for (let n = 0; n < megabytes; n++) await file.write(megabyte);
}

async function made(path: string): Promise<string> {
  await mkdir(join(folder, 'in'), { recursive: true });
  return join(folder, path);
}

function config(url: string): string {
  return `version: 1
service: { url: "${url}", key: { env: BENCH_KEY }, limits: { txt: 4000MB } }
defaults: { settle_ms: 0 }
projects:
  bench:
    source: en
    targets: [de]
    routes: [{ from: "in/*.txt", to: "out/{locale}/{name}.{ext}" }]
`;
}

/** In a process of its own: its memory is not what is measured. A document of this size comes back as it went. */
async function startSandbox() {
  const args = ['sandbox', '--passthrough', '--time-scale', '100', '--limits', 'limits.json'];
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { child, url: /http\S+/.exec(line)?.[0] ?? '' };
}

/** @returns megabytes at the peak, as the kernel counted them */
async function runOnce(): Promise<number> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'resident.ts'), 'once'], {
    cwd: folder,
    env: { ...process.env, BENCH_KEY: 'sandbox' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let last = '';
  createInterface({ input: child.stdout }).on('line', (line) => {
    last = line;
  });
  await once(child, 'close');
  return Number(last);
}
