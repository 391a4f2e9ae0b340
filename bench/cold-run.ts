/**
 * Cold runs against the bare loop of the same requests, with and without its flushes: time, requests, billed characters. One JSON of 3,000
 * keys and 60 of 500 in 2 languages, 500 pages of Markdown in 2, 2,000 small JSON files in 5. Each runs at 60 ms latency;
 * `node bench/cold-run.ts markdown` runs one of them. `--smoke`: small ones.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { BareWork } from './bare-loop.ts';
import { type Cost, costOf, MAIN } from './program.ts';
import { report } from './row.ts';
import { type BenchService, startService } from './service.ts';
import { median } from './tree.ts';

const LANGUAGES = ['DE', 'FR', 'ES', 'IT', 'PL'];
const CONCURRENCY = 8;
const LATENCY_MS = 60;
const BARE_LOOP = join(import.meta.dirname, 'bare-loop.ts');
const isSmoke = process.argv.includes('--smoke');
const ROUNDS = isSmoke ? 1 : 3;

interface Work {
  readonly languages: number;
  readonly files: number;
  readonly textsOfAFile: number;
  readonly kind: 'json' | 'markdown';
  /** Every fifth text holds a placeholder: those go out with tags, in requests of their own. */
  readonly placeholders?: true;
}

const WORKS: Readonly<Record<string, Work>> = {
  keys: {
    languages: 2,
    files: 1,
    textsOfAFile: isSmoke ? 600 : 3000,
    kind: 'json',
  },
  'many-keys': {
    languages: 2,
    files: isSmoke ? 4 : 60,
    textsOfAFile: 500,
    kind: 'json',
    placeholders: true,
  },
  markdown: {
    languages: 2,
    files: isSmoke ? 25 : 500,
    textsOfAFile: 9,
    kind: 'markdown',
  },
  'small-json': {
    languages: 5,
    files: isSmoke ? 50 : 2000,
    textsOfAFile: 5,
    kind: 'json',
  },
};

const asked = process.argv.slice(2).filter((word) => word in WORKS);
for (const [name, work] of Object.entries(WORKS))
  if (asked.length === 0 || asked.includes(name)) await compare(work);

async function compare(work: Work): Promise<void> {
  await using service = await startService([{ kind: 'latency', ms: LATENCY_MS, times: 'always' }]);
  const costs = { ours: [] as Cost[], flushed: [] as Cost[], unflushed: [] as Cost[] };
  for (let n = 0; n < ROUNDS; n++) {
    const root = mkdtempSync(join(tmpdir(), 'dragoman-bench-'));
    try {
      writeProject(root, service.url, work);
      costs.flushed.push(await bare(root, service.url, { work, flushes: true }));
      costs.unflushed.push(await bare(root, service.url, { work, flushes: false }));
      const before = await service.counters();
      costs.ours.push(await costOf([MAIN, 'once', '--no-input'], root));
      if (n === 0) await reportBills(service, before, work);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  }
  const of = (all: readonly Cost[], key: keyof Cost) => median(all.map((cost) => cost[key])) / 1000;
  const { files, textsOfAFile, kind, languages } = work;
  const what = `cold run of ${files} ${kind} of ${textsOfAFile} texts × ${languages}`;
  const row = { today: of(costs.ours, 'wallMs'), unit: 's', goal: { ratio: 1.3 } } as const;
  report({ ...row, what, bare: of(costs.flushed, 'wallMs') });
  report({ ...row, what: `${what}, loop without flushes`, bare: of(costs.unflushed, 'wallMs') });
  const cpu = of(costs.ours, 'cpuMs');
  const targets = work.files * work.languages;
  const texts = targets * work.textsOfAFile;
  console.log(
    `  CPU ${cpu.toFixed(1)} s beside ${of(costs.flushed, 'cpuMs').toFixed(1)} s: ` +
      `${((cpu / targets) * 1000).toFixed(2)} ms a target, ${((cpu / texts) * 1e6).toFixed(0)} µs a text`,
  );
}

async function reportBills(
  service: BenchService,
  before: { calls: number; billed: number },
  work: Work,
): Promise<void> {
  const after = await service.counters();
  const sent = textsOf(work).map(asSent);
  const tagged = sent.filter((text) => text.includes('<x')).length;
  const least = Math.ceil(tagged / 50) + Math.ceil((sent.length - tagged) / 50);
  const characters = sent.reduce((sum, text) => sum + text.length, 0);
  const requests = (after.calls - before.calls) / (least * work.languages);
  const billed = (after.billed - before.billed) / (characters * work.languages);
  console.log(`  requests over the minimum: ${requests.toFixed(3)} (bar 1.05)`);
  console.log(`  billed over unique characters as sent: ${billed.toFixed(3)} (bar 1.000)`);
}

async function bare(
  root: string,
  url: string,
  { work, flushes }: { work: Work; flushes: boolean },
): Promise<Cost> {
  const bareWork: BareWork = {
    url,
    concurrency: CONCURRENCY,
    languages: LANGUAGES.slice(0, work.languages),
    texts: textsOf(work),
    files: Array.from({ length: work.files }, (_, n) => pathOf(n, work)),
    flushes,
  };
  const file = join(root, '.bare.json');
  writeFileSync(file, JSON.stringify(bareWork));
  const cost = await costOf([BARE_LOOP, file, root], root);
  rmSync(join(root, 'bare'), { recursive: true });
  return cost;
}

function textsOf({ files, textsOfAFile, placeholders }: Work): string[] {
  return Array.from({ length: files * textsOfAFile }, (_, n) =>
    placeholders && n % 5 === 0
      ? `Message ${n} for {name} in the list`
      : `This is sentence number ${n} of them, and it says what sentences of its kind say: that nobody reads it`,
  );
}

function asSent(text: string): string {
  return text.replace('{name}', '<x id="0"/>');
}

function pathOf(nth: number, { kind }: Work): string {
  return join(`part-${Math.floor(nth / 100)}`, `file-${nth}.${kind === 'json' ? 'json' : 'md'}`);
}

function writeProject(root: string, url: string, work: Work): void {
  const texts = textsOf(work);
  for (let n = 0; n < work.files; n++) {
    const own = texts.slice(n * work.textsOfAFile, (n + 1) * work.textsOfAFile);
    const file = join(root, 'en', pathOf(n, work));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, work.kind === 'json' ? jsonOf(own) : `# ${own.join('\n\n')}\n`);
  }
  const targets = LANGUAGES.slice(0, work.languages).map((language) => language.toLowerCase());
  writeFileSync(
    join(root, 'dragoman.yaml'),
    `version: 1
service: { url: "${url}", key: { env: BENCH_KEY }, concurrency: ${CONCURRENCY} }
defaults: { settle_ms: 0 }
projects:
  bench: { source: en, targets: [${targets.join(', ')}], routes: [{ from: "{locale}/**/*.${work.kind === 'json' ? 'json' : 'md'}" }] }
`,
  );
}

function jsonOf(texts: readonly string[]): string {
  const entries = texts.map((text, n): [string, string] => [`key${n}`, text]);
  return `${JSON.stringify(Object.fromEntries(entries), undefined, 2)}\n`;
}
