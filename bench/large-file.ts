/**
 * What one large file does to the process that must stay alive beside it: longest block of the event loop, blocks over
 * 50 ms, time and peak memory of `once` on a 10 MB JSON file of 100,000 keys: bought whole, one key edited, in one
 * language. `--smoke`: a tenth of it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from './service.ts';

const MAIN = join(import.meta.dirname, '..', 'src', 'main.ts');
const KEYS = process.argv.includes('--smoke') ? 10_000 : 100_000;
/**
 * Measures how late timers are, counting only what the main thread computed meanwhile: on a loaded machine the rest is
 * time that others had.
 */
const WITNESS = `
  let late = 0, longest = 0, last = performance.now(), cpu = process.threadCpuUsage();
  setInterval(() => {
    const now = performance.now(), used = process.threadCpuUsage(cpu);
    const block = Math.min(now - last - 10, (used.user + used.system) / 1000);
    // Loading the program takes some 300 ms, and is not what this is about.
    if (process.threadCpuUsage().user > 450_000) {
      longest = Math.max(longest, block);
      if (block > 50) late += 1;
    }
    last = now;
    cpu = process.threadCpuUsage();
  }, 10).unref();
  process.on('exit', () => {
    const peak = process.resourceUsage().maxRSS / 1e3;
    process.stderr.write('\\nwitness ' + JSON.stringify({ longest, late, peak }));
  });
`;

await using service = await startService([]);
const root = mkdtempSync(join(tmpdir(), 'dragoman-bench-'));
try {
  mkdirSync(join(root, 'locales'));
  writeFileSync(
    join(root, 'dragoman.yaml'),
    `version: 1
service: { url: "${service.url}", key: { env: BENCH_KEY } }
defaults: { settle_ms: 0 }
projects:
  bench: { source: en, targets: [de], routes: [{ from: "locales/{locale}.json" }] }
`,
  );
  writeSource('The first');
  await measure('bought whole');
  await measure('nothing to do');
  writeSource('Another');
  await measure('one key edited');
} finally {
  rmSync(root, { recursive: true });
}

function writeSource(first: string): void {
  const entries = Array.from(
    { length: KEYS },
    (_, n) =>
      `  "section.key_${n}": "${n === 0 ? first : 'The'} quick brown fox number ${n} jumps over {name} and a few lazy dogs"`,
  );
  writeFileSync(join(root, 'locales', 'en.json'), `{\n${entries.join(',\n')}\n}\n`);
}

async function measure(what: string): Promise<void> {
  const began = performance.now();
  const child = spawn(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(WITNESS)}`, MAIN, 'once', '--no-input'],
    {
      cwd: root,
      env: { ...process.env, BENCH_KEY: 'sandbox' },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`once ended with ${code}: ${stderr}`);
  const { longest, late, peak } = JSON.parse(/witness (.*)/.exec(stderr)?.[1] ?? '{}') as Record<
    string,
    number
  >;
  console.log(
    `${KEYS} keys, ${what}: ${((performance.now() - began) / 1000).toFixed(1)} s, longest block ${longest?.toFixed(0)} ms, ` +
      `${late} over 50 ms, peak ${peak?.toFixed(0)} MB`,
  );
}
