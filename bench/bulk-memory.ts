/**
 * The peak of memory of a first run over many sources of 50 kB: all of them are bought, into one language, from the sandbox.
 * 20 MB of JSON; a number is the megabytes, `--smoke`: 1 MB. The bar is for 100 MB.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { MAIN } from './program.ts';
import { startService } from './service.ts';

const FILE_BYTES = 50_000;
const BAR_MB = 600;
const REPORT = `data:text/javascript,import{isMainThread}from'node:worker_threads';if(isMainThread)process.on('exit',()=>process.stderr.write('peak '+process.resourceUsage().maxRSS))`;

const asked = Number(process.argv[2]);
const megabytes = process.argv.includes('--smoke') ? 1 : asked > 0 ? asked : 20;
await using service = await startService([]);
const root = writeSources(service.url, (megabytes * 1e6) / FILE_BYTES);
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
  `bulk memory, ${megabytes} MB of sources: peak ${peak.toFixed(0)} MB, ${(peak / megabytes).toFixed(1)} a megabyte (bar ${BAR_MB} MB for 100)`,
);
if (code !== 0) process.exitCode = 1;

function writeSources(url: string, files: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-bench-'));
  mkdirSync(join(folder, 'en'));
  for (let file = 0; file < files; file++) {
    const keys = Array.from({ length: FILE_BYTES / 80 }, (_, n): [string, string] => [
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
