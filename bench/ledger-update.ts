/**
 * The cost of a durable update of the ledger with 100,000 jobs, compared with 1,000. Also the time of a start, and the block by a
 * checkpoint. Bars: 1.3 times; 2 times one raw fdatasync; 50 ms; a full journal makes a start 2.2 times as long. `--smoke`: a tenth of it,
 * bars not applied.
 */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { systemClock } from '../src/clock.ts';
import { hashBytes } from '../src/files/disk.ts';
import type { RecipeKey } from '../src/job.ts';
import { jobId, type Stat, sourceId } from '../src/job.ts';
import type { LanguageTag } from '../src/language.ts';
import type { Fact, JobRecord, Ledger, SourceRecord } from '../src/ledger.ts';
import { fingerprint } from '../src/plan/recipe.ts';
import { openLedger } from '../src/state/json-ledger.ts';

const smoke = process.argv.includes('--smoke');
const SMALL = 1000;
const LARGE = smoke ? 10_000 : 100_000;
const UPDATES = smoke ? 50 : 500;
const LANGUAGES = ['de', 'pt-BR'] as LanguageTag[];
const STAT = '4096:1760868000123456789:1760868000123456789:1234567' as Stat;
const RECIPE = '0123456789abcdef' as RecipeKey;
const AT = '2026-10-19T10:00:00.000Z';

const home = await mkdtemp(join(tmpdir(), 'dragoman-bench-'));
try {
  const small = await filled('small', SMALL);
  const large = await filled('large', LARGE);
  const updates = await compareUpdates(small, large);
  const blockedMs = await checkpointBlock(large);
  const startMs = await start(await killed('large'));
  const refreshed = Array.from({ length: LARGE }, (_, n) => update(large, n % (LARGE / 2)));
  await Promise.all(refreshed);
  const replayMs = await start(await killed('large'));
  await Promise.all([small[Symbol.asyncDispose](), large[Symbol.asyncDispose]()]);
  report({ ...updates, blockedMs, startMs, replayMs });
} finally {
  await rm(home, { recursive: true });
}

async function filled(name: string, jobs: number): Promise<Ledger> {
  const ledger = await openLedger({ folder: join(home, name), clock: systemClock });
  for (let n = 0; n < jobs / LANGUAGES.length; n += 1000) {
    const count = Math.min(1000, jobs / LANGUAGES.length - n);
    await ledger.commit(Array.from({ length: count }, (_, k) => factsOf(n + k)).flat());
  }
  await ledger.checkpoint();
  return ledger;
}

function factsOf(n: number): Fact[] {
  const source = sourceRecord(n);
  return [
    { table: 'sources', put: source, from: undefined },
    ...LANGUAGES.map((language): Fact => ({ table: 'jobs', add: jobRecord(source, language) })),
  ];
}

function sourceRecord(n: number): SourceRecord {
  const path = `docs/section-${n % 100}/chapter-${n % 1000}/page-${n}.md`;
  const id = sourceId('handbook', path);
  return { id, project: 'handbook', path, hash: hashBytes(path), stat: STAT, since: AT };
}

function jobRecord({ path, hash }: SourceRecord, language: LanguageTag): JobRecord {
  const target = path.replace('docs', `translated/${language}`);
  return {
    id: jobId('handbook', language, path),
    project: 'handbook',
    lane: 'text',
    source: path,
    language,
    targets: { file: target },
    fingerprint: fingerprint(hash, RECIPE),
    state: { kind: 'done', at: AT },
    fence: 1,
    wrote: [{ path: target, hash: hashBytes(target), stat: STAT }],
    delivered: fingerprint(hash, RECIPE),
    estimate: 1234,
  };
}

/** Interleaved, so that the disk's moods and the neighbours' meet all of them alike. */
async function compareUpdates(small: Ledger, large: Ledger) {
  await using raw = await open(join(home, 'raw'), 'a');
  const times = { small: [] as number[], large: [] as number[], raw: [] as number[] };
  for (let n = 0; n < UPDATES; n++) {
    times.small.push(await timed(() => update(small, n % (SMALL / 2))));
    times.large.push(await timed(() => update(large, (n * 97) % (LARGE / 2))));
    times.raw.push(
      await timed(async () => {
        await raw.appendFile(Buffer.alloc(600, 'x'));
        await raw.datasync();
      }),
    );
  }
  return {
    smallMs: median(times.small),
    largeMs: median(times.large),
    rawMs: median(times.raw),
  };
}

function update(ledger: Ledger, n: number): Promise<void> {
  const { id } = jobRecord(sourceRecord(n), 'de' as LanguageTag);
  const from = ledger.get('jobs', id);
  if (from === undefined) throw new Error(`no job ${id}`);
  return ledger.commit([{ table: 'jobs', from, set: { fence: n } }]);
}

/** The least of three measurements: the work of a checkpoint is in all of them, other work of the machine is not. */
async function checkpointBlock(ledger: Ledger): Promise<number> {
  const blocks: number[] = [];
  for (let n = 0; n < 3; n++) {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    await ledger.checkpoint();
    delay.disable();
    blocks.push(delay.max / 1e6);
  }
  return Math.min(...blocks);
}

/** The folder as a killed process leaves it. */
async function killed(name: string): Promise<string> {
  const copy = join(home, `${name}-killed`);
  await rm(copy, { recursive: true, force: true });
  await cp(join(home, name), copy, { recursive: true });
  return copy;
}

/** In a process of its own, as a start is. */
async function start(folder: string): Promise<number> {
  const program = fileURLToPath(new URL('./ledger-start.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program, folder]);
  return Number(stdout);
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN;
}

interface Figures {
  readonly smallMs: number;
  readonly largeMs: number;
  readonly rawMs: number;
  readonly blockedMs: number;
  readonly startMs: number;
  readonly replayMs: number;
}

function report({ smallMs, largeMs, rawMs, blockedMs, startMs, replayMs }: Figures): void {
  const bars = [
    bar(`update at ${LARGE} jobs / at ${SMALL}`, largeMs / smallMs, 1.3),
    bar(`update at ${LARGE} jobs / raw fdatasync`, largeMs / rawMs, 2),
    bar(`start with ${LARGE} facts in the journal / with none`, replayMs / startMs, 2.2),
    bar('longest block during a checkpoint, ms', blockedMs, 50),
  ];
  console.log(
    `medians of ${UPDATES}, ms: ${smallMs.toFixed(3)} at ${SMALL}, ${largeMs.toFixed(3)} at ${LARGE}, raw ${rawMs.toFixed(3)}`,
  );
  console.log(`start with ${LARGE} jobs: ${startMs.toFixed(0)} ms`);
  if (!smoke && bars.includes(false)) process.exitCode = 1;
}

function bar(name: string, value: number, limit: number): boolean {
  const met = value <= limit;
  console.log(`${met ? 'ok  ' : 'OVER'} ${name}: ${value.toFixed(2)} (bar ${limit})`);
  return met;
}
