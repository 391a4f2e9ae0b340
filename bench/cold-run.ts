/**
 * A cold run against the bare loop that sends the same full requests with the same concurrency: time, requests, billed
 * characters. 30,000 keys in 2 languages at 60 ms latency; `--smoke`: 3,000 keys.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { startService } from './service.ts';

const MAIN = join(import.meta.dirname, '..', 'src', 'main.ts');
const LANGUAGES = ['DE', 'FR'];
const CONCURRENCY = 8;
const KEYS_PER_FILE = 500;
const LATENCY_MS = 60;

if (process.argv[2] === 'bare') await bareLoop(process.argv[3] ?? '', Number(process.argv[4]));
else
  for (const keys of process.argv.includes('--smoke') ? [3000] : [3000, 30_000])
    await compare(keys);

async function compare(keys: number): Promise<void> {
  await using service = await startService([{ kind: 'latency', ms: LATENCY_MS, times: 'always' }]);
  const bare = await timed(
    [import.meta.filename, 'bare', service.url, String(keys)],
    process.cwd(),
  );
  const before = await service.counters();
  const root = writeSources(service.url, keys);
  const run = await timed([MAIN, 'once', '--no-input'], root);
  const after = await service.counters();
  rmSync(root, { recursive: true, force: true });
  const requests = after.calls - before.calls;
  const billed = after.billed - before.billed;
  const minimum = LANGUAGES.length * minimumRequests(keys);
  const sent =
    LANGUAGES.length *
    texts(keys)
      .map(asSent)
      .reduce((sum, text) => sum + text.length, 0);
  console.log(
    `cold run, ${keys} keys in 2 languages: ${seconds(run)} s, bare loop ${seconds(bare)} s, ` +
      `ratio ${(run / bare).toFixed(2)} (bar 1.3)`,
  );
  console.log(`requests over the minimum: ${(requests / minimum).toFixed(3)} (bar 1.05)`);
  console.log(`billed over unique characters as sent: ${(billed / sent).toFixed(3)} (bar 1.000)`);
}

/** Every fifth text holds a placeholder: those go out with tags, in requests of their own. */
function texts(keys: number): string[] {
  return Array.from({ length: keys }, (_, n) =>
    n % 5 === 0 ? `Message ${n} for {name} in the list` : `This is sentence number ${n} of them`,
  );
}

function asSent(text: string): string {
  return text.replace('{name}', '<x id="0"/>');
}

function minimumRequests(keys: number): number {
  const tagged = Math.ceil(keys / 5);
  return Math.ceil(tagged / 50) + Math.ceil((keys - tagged) / 50);
}

function writeSources(url: string, keys: number): string {
  const root = mkdtempSync(join(tmpdir(), 'dragoman-bench-'));
  mkdirSync(join(root, 'locales', 'en'), { recursive: true });
  const all = texts(keys).map((text, n): [string, string] => [`key${n}`, text]);
  for (let from = 0; from < keys; from += KEYS_PER_FILE) {
    const file = join(root, 'locales', 'en', `part${from / KEYS_PER_FILE}.json`);
    writeFileSync(file, JSON.stringify(Object.fromEntries(all.slice(from, from + KEYS_PER_FILE))));
  }
  writeFileSync(
    join(root, 'dragoman.yaml'),
    `version: 1
service: { url: "${url}", key: { env: BENCH_KEY }, concurrency: ${CONCURRENCY} }
defaults: { settle_ms: 0 }
projects:
  bench: { source: en, targets: [de, fr], routes: [{ from: "locales/{locale}/*.json" }] }
`,
  );
  return root;
}

/** Wall time of a process, its start included, in milliseconds. */
async function timed(args: readonly string[], cwd: string): Promise<number> {
  const started = performance.now();
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, BENCH_KEY: 'sandbox' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`);
  return performance.now() - started;
}

async function bareLoop(url: string, keys: number): Promise<void> {
  const pool = new Pool(url, { connections: CONCURRENCY });
  const all = texts(keys);
  const bodies = LANGUAGES.flatMap((target_lang) =>
    Array.from({ length: Math.ceil(keys / 50) }, (_, n) =>
      JSON.stringify({ target_lang, source_lang: 'EN', text: all.slice(n * 50, n * 50 + 50) }),
    ),
  ).values();
  const headers = {
    authorization: 'Service-Auth-Key sandbox',
    'content-type': 'application/json',
  };
  const worker = async () => {
    for (const body of bodies) {
      const answer = await pool.request({ method: 'POST', path: '/v2/translate', headers, body });
      await answer.body.json();
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  await pool.close();
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(2);
}
