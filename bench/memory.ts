/**
 * The cost of a memory with a million texts: to fill it, to open it, to keep it and to ask it. Printed; `--smoke`: a fiftieth of it.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { RecipeKey } from '../src/job.ts';
import type { LanguageTag } from '../src/language.ts';
import { FolderMemories } from '../src/state/memories/folder.ts';
import type { Remembered } from '../src/state/memory.ts';

const TEXTS = process.argv.includes('--smoke') ? 20_000 : 1_000_000;
const TEXTS_PER_REQUEST = 50;
const REQUESTS_AT_A_TIME = 8;
const LOOKUPS = 30_000;
const RECIPE = '0123456789abcdef' as RecipeKey;
const DE = 'de' as LanguageTag;

const folder = await mkdtemp(join(tmpdir(), 'dragoman-bench-'));
try {
  console.log(`fill with ${TEXTS} texts: ${(await timed(fill)).toFixed(0)} ms`);
  await using memories = new FolderMemories({ folder });
  const before = process.memoryUsage().heapUsed;
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const openMs = await timed(() => memories.open('app', DE));
  delay.disable();
  const heap = (process.memoryUsage().heapUsed - before) / 1e6;
  console.log(
    `open: ${openMs.toFixed(0)} ms, longest block ${(delay.max / 1e6).toFixed(0)} ms, heap ${heap.toFixed(0)} MB`,
  );
  const memory = await memories.open('app', DE);
  const began = performance.now();
  await memory.find(
    Array.from({ length: LOOKUPS }, (_, n) => ({
      recipe: RECIPE,
      parts: [sourceText((n * 7919) % TEXTS)],
    })),
  );
  console.log(`${LOOKUPS} lookups: ${(performance.now() - began).toFixed(0)} ms`);
} finally {
  await rm(folder, { recursive: true });
}

async function fill(): Promise<void> {
  await using memories = new FolderMemories({ folder });
  const memory = await memories.open('app', DE);
  for (let n = 0; n < TEXTS; n += TEXTS_PER_REQUEST * REQUESTS_AT_A_TIME) {
    const requests = Array.from({ length: REQUESTS_AT_A_TIME }, (_, k) =>
      answer(n + k * TEXTS_PER_REQUEST),
    );
    await Promise.all(requests.map((entries) => memory.remember(entries)));
  }
}

function answer(first: number): Remembered[] {
  return Array.from({ length: TEXTS_PER_REQUEST }, (_, k) => ({
    recipe: RECIPE,
    source: [sourceText(first + k)],
    translation: [`Das ist der Text Nummer ${first + k} aus der Datei, übersetzt`],
    request: `request ${first}`,
    at: '2026-10-19T10:00:00.000Z',
  }));
}

function sourceText(n: number): string {
  return `This is the source text number ${n} of the file`;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
