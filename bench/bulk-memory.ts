/**
 * The peak of memory of a first run over many sources: all of them are bought, into one language, from the sandbox. 20 MB of JSON in files
 * of 50 kB, in files of 1 MB, and in one. A first number is the megabytes, a second one the kilobytes of a file; `--smoke` is 1 MB. The bar
 * is for 100 MB.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { MAIN } from './program.ts';
import { startService } from './service.ts';

const BAR_MB = 600;
const REPORT = `data:text/javascript,import{isMainThread}from'node:worker_threads';if(isMainThread)process.on('exit',()=>process.stderr.write('peak '+process.resourceUsage().maxRSS))`;

const [asked, kilobytes] = process.argv.slice(2).map(Number);
const megabytes = process.argv.includes('--smoke') ? 1 : asked || 20;
const sizes = kilobytes ? [kilobytes] : [50, 1000, megabytes * 1000];
for (const size of new Set(sizes)) await measure(size * 1000);

async function measure(fileBytes: number): Promise<void> {
  await using service = await startService([]);
  const root = writeSources(service.url, fileBytes);
  const child = spawn(process.execPath, ['--import', REPORT, MAIN, 'once', '--no-input'], {
    cwd: root,
    env: { ...process.env, BENCH_KEY: 'sandbox' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said = text(child.stderr);
  const [code] = (await once(child, 'close')) as [number | null];
  const peak = Number(/peak (\d+)/.exec(await said)?.[1]) / 1024;
  rmSync(root, { recursive: true, force: true });
  console.log(
    `bulk memory, ${megabytes} MB of sources in files of ${fileBytes / 1000} kB: peak ${peak.toFixed(0)} MB, ${(peak / megabytes).toFixed(1)} a megabyte (bar ${BAR_MB} MB for 100)`,
  );
  if (code !== 0) process.exitCode = 1;
}

function writeSources(url: string, fileBytes: number): string {
  const files = Math.ceil((megabytes * 1e6) / fileBytes);
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-bench-'));
  mkdirSync(join(folder, 'en'));
  for (let file = 0; file < files; file++) {
    const keys = Array.from({ length: fileBytes / 90 }, (_, n): [string, string] => [
      `key_${n}`,
      `Sentence number ${n} of file ${file} says something of its own to people`,
    ]);
    const content = JSON.stringify(Object.fromEntries(keys), undefined, 2);
    writeFileSync(join(folder, 'en', `file${file}.json`), content);
  }
  writeFileSync(
    join(folder, 'dragoman.yaml'),
    `version: 1
service: { url: "${url}", key: { env: BENCH_KEY } }
defaults: { settle_ms: 0 }
projects:
  bench: { source: en, targets: [de], routes: [{ from: "{locale}/*.json" }] }
`,
  );
  return folder;
}
