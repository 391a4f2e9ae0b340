/**
 * The price of the subtitles of a film of 1,500 cues, compared with cue by cue and with the whole file. Also the time and memory of 100,000
 * cues. `--smoke`: 150 and 10,000 cues.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deliveryProblem } from '../src/formats/captions/delivery-check.ts';
import { type Film, filmOf } from '../src/formats/captions/film.ts';
import { sentenceGroups } from '../src/formats/captions/group.ts';
import { readSubtitles } from '../src/formats/captions/read.ts';
import { render } from '../src/formats/captions/render.ts';
import { startSandbox } from '../src/sandbox/server.ts';
import { generatedFilm } from './film.ts';
import { MAIN } from './program.ts';

const isSmoke = process.argv.includes('--smoke');
await compareCosts(isSmoke ? 150 : 1500);
measureSize(isSmoke ? 10_000 : 100_000);
await measureRun(isSmoke ? 1000 : 100_000);

async function compareCosts(cues: number): Promise<void> {
  const content = generatedFilm(cues);
  const film = filmFrom(content);
  const alone = sentenceGroups(film.cues, { joins: false });
  const characters = alone.reduce((sum, { text }) => sum + [...text].length, 0);
  const ours = await costOf(content, '');
  const whole = await costOf(content, ', lane: document');
  console.log(
    `a film of ${cues} cues, ${sentenceGroups(film.cues, { joins: true }).length} sentences:`,
  );
  console.log(
    `  sentence by sentence: ${ours.requests} requests, ${ours.billed} characters, ${ours.ms} ms`,
  );
  console.log(`  cue by cue:           ${alone.length} requests, ${characters} characters`);
  console.log(
    `  whole file:           ${whole.requests} requests, ${whole.billed} characters, ${whole.ms} ms`,
  );
}

async function costOf(content: string, setting: string) {
  await using sandbox = await startSandbox({});
  const root = mkdtempSync(join(tmpdir(), 'dragoman-bench-'));
  try {
    mkdirSync(join(root, 'subs', 'en'), { recursive: true });
    writeFileSync(join(root, 'subs', 'en', 'film.srt'), content);
    writeFileSync(
      join(root, 'dragoman.yaml'),
      `version: 1\nservice: { url: ${sandbox.url}, key: { env: DRAGOMAN_KEY } }\ndefaults: { settle_ms: 0 }\nprojects: { film: { source: en, targets: [de], routes: [{ from: "subs/{locale}/**/*.srt"${setting} }] } }\n`,
    );
    const began = performance.now();
    const child = spawn(process.execPath, [MAIN, 'once', '--no-input'], {
      cwd: root,
      env: { ...process.env, DRAGOMAN_KEY: sandbox.key },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [code] = (await once(child, 'close')) as [number];
    if (code !== 0) process.exitCode = 1;
    const { operations, billed_characters } = sandbox.counters();
    const requests = Object.values(operations).reduce((sum, { calls }) => sum + calls, 0);
    return { requests, billed: billed_characters, ms: Math.round(performance.now() - began) };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function measureSize(cues: number): void {
  const bytes = Buffer.from(generatedFilm(cues));
  const before = process.memoryUsage().rss;
  const began = performance.now();
  const source = readSubtitles(bytes, { file: 'film.srt', fallback: 'utf-8' });
  const readMs = performance.now() - began;
  const film = filmOf(source, 'srt', { sdh: 'translate' });
  const groups = sentenceGroups(film.cues, { joins: true }).length;
  const groupMs = performance.now() - began - readMs;
  const shownCues = film.cues.map((cue) => ({ ...cue, isEmpty: cue.text === '' }));
  const target = render(source, shownCues, 'srt');
  const problem = deliveryProblem(target, shownCues, { file: 'film.srt', fallback: 'utf-8' });
  const writeMs = performance.now() - began - readMs - groupMs;
  if (problem !== undefined || !Buffer.from(target).equals(bytes)) process.exitCode = 1;
  const memory = (process.memoryUsage().rss - before) / 1e6;
  console.log(
    `${cues} cues (${(bytes.length / 1e6).toFixed(1)} MB): read ${readMs.toFixed(0)} ms, ${groups} sentences ${groupMs.toFixed(0)} ms, ` +
      `written and read back ${writeMs.toFixed(0)} ms, ${memory.toFixed(0)} MB`,
  );
}

async function measureRun(cues: number): Promise<void> {
  const { requests, billed, ms } = await costOf(generatedFilm(cues), '');
  console.log(
    `${cues} cues through \`once\`: ${ms} ms, ${requests} requests, ${billed} characters`,
  );
}

function filmFrom(content: string | Uint8Array): Film {
  const file = readSubtitles(Buffer.from(content), { file: 'film.srt', fallback: 'windows-1252' });
  return filmOf(file, 'srt', { sdh: 'translate' });
}
