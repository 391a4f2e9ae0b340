/**
 * The cost of one large file for the process: time, memory, and the longest block of the event loop. 50 MB of JSON bought whole, one
 * word edited in 10 MB of Markdown, a subtitle of 100,000 cues; `node bench/large-file.ts json` runs one of them. `--smoke`: a
 * two-hundredth of it.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BareWork } from './bare-loop.ts';
import { generatedFilm } from './film.ts';
import { MAIN, type WitnessedCost, witnessedCostOf } from './program.ts';
import { report } from './row.ts';
import { type BenchService, startService } from './service.ts';

const BARE_LOOP = join(import.meta.dirname, 'bare-loop.ts');
const part = process.argv.includes('--smoke') ? 0.005 : 1;
const CUES = 100_000 * part;
/** Texts of about 100 characters. */
const JSON_TEXTS = 500_000 * part;
const MARKDOWN_TEXTS = 100_000 * part;
/** The longest permitted block of the event loop, at any size. */
const BLOCK = { most: 50 };

const MEASURES = { json: measureJson, markdown: measureMarkdown, subtitles: measureSubtitles };
const asked = process.argv.slice(2);
for (const [name, measure] of Object.entries(MEASURES))
  if (asked.includes(name) || !asked.some((word) => word in MEASURES)) await measure();

async function measureJson(): Promise<void> {
  await using project = await openProject('json');
  const texts = textsOf(JSON_TEXTS);
  project.write(jsonOf(texts));
  const today = await project.once();
  const what = `${(JSON_TEXTS / 10_000).toFixed(1)} MB of JSON bought`;
  reportAll(what, { today, bare: await project.bare(texts) }, { seconds: 8, megabytes: 700 });
  // The service, on the same machine, has no part in the figure.
  const rate = ({ cpuMs }: WitnessedCost) => (texts.length / cpuMs) * 1000;
  const bare = await project.bare(texts);
  report({
    what: 'texts of each second of CPU',
    today: rate(today),
    bare: rate(bare),
    unit: 'texts/s',
    goal: { least: 25_000 },
  });
}

async function measureMarkdown(): Promise<void> {
  await using project = await openProject('md');
  const texts = textsOf(MARKDOWN_TEXTS);
  project.write(`${texts.join('\n\n')}\n`);
  await project.once();
  project.write(`${texts.join('\n\n').replace('sentence', 'statement')}\n`);
  const today = await project.once();
  const what = `one word edited in ${(MARKDOWN_TEXTS / 10_000).toFixed(1)} MB of Markdown`;
  const bare = await project.bare(texts.slice(0, 1));
  reportAll(what, { today, bare }, { seconds: 5, megabytes: 600 });
}

async function measureSubtitles(): Promise<void> {
  await using project = await openProject('srt');
  const film = generatedFilm(CUES);
  project.write(film);
  const today = await project.once();
  const texts = film.split('\n\n').map((cue) => cue.split('\n').slice(2).join(' '));
  const bare = await project.bare(texts);
  reportAll(`${CUES} cues bought`, { today, bare }, undefined);
}

function reportAll(
  what: string,
  { today, bare }: { today: WitnessedCost; bare: WitnessedCost },
  goal: { seconds: number; megabytes: number } | undefined,
): void {
  const blocks = { today: today.blockMs, bare: Math.max(bare.blockMs, 0.1) };
  report({ what: `${what}, longest block`, ...blocks, unit: 'ms', goal: BLOCK });
  if (goal === undefined) return;
  const [walls, cpus] = (['wallMs', 'cpuMs'] as const).map((key) => ({
    today: today[key] / 1000,
    bare: bare[key] / 1000,
  }));
  const most = { most: goal.seconds };
  if (walls !== undefined) report({ what, ...walls, unit: 's', goal: most });
  if (cpus !== undefined) report({ what: `${what}, CPU`, ...cpus, unit: 's', goal: most });
  const peaks = { today: today.peakMb, bare: bare.peakMb };
  report({ what: `${what}, memory`, ...peaks, unit: 'MB', goal: { most: goal.megabytes } });
}

interface Project extends AsyncDisposable {
  write(content: string): void;
  once(): Promise<WitnessedCost>;
  /** The loop that sends the same texts, and reads and writes as much. */
  bare(texts: readonly string[]): Promise<WitnessedCost>;
}

async function openProject(extension: string): Promise<Project> {
  const service: BenchService = await startService([]);
  const root = mkdtempSync(join(tmpdir(), 'dragoman-bench-'));
  mkdirSync(join(root, 'en'));
  writeFileSync(
    join(root, 'dragoman.yaml'),
    `version: 1
service: { url: "${service.url}", key: { env: BENCH_KEY } }
defaults: { settle_ms: 0 }
projects:
  bench: { source: en, targets: [de], routes: [{ from: "{locale}/*.${extension}" }] }
`,
  );
  const source = join(root, 'en', `large.${extension}`);
  return {
    write: (content) => writeFileSync(source, content),
    once: () => witnessedCostOf([MAIN, 'once', '--no-input'], root),
    async bare(texts) {
      const { url } = service;
      const files = [`large.${extension}`];
      const work: BareWork = {
        url,
        concurrency: 4,
        languages: ['DE'],
        texts,
        files,
        flushes: true,
      };
      writeFileSync(join(root, '.bare.json'), JSON.stringify(work));
      readFileSync(source);
      return await witnessedCostOf([BARE_LOOP, join(root, '.bare.json'), root], root);
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      rmSync(root, { recursive: true });
    },
  };
}

function textsOf(count: number): string[] {
  return Array.from(
    { length: count },
    (_, n) =>
      `This is sentence number ${n} of many, and it says what sentences of its kind say: nothing of note`,
  );
}

function jsonOf(texts: readonly string[]): string {
  const entries = texts.map((text, n): [string, string] => [`section.key_${n}`, text]);
  return `${JSON.stringify(Object.fromEntries(entries), undefined, 2)}\n`;
}
