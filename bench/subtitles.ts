/**
 * Subtitles: what a film of 1,500 cues costs against cue by cue and whole file, how often the re-cut meets the boundaries
 * that people cut, and what 100,000 cues cost in time and memory. `--smoke`: 150 and 10,000 cues. `--pairs FOLDER`: parallel
 * subtitles, `NAME.LANG.srt`; without it those of the corpus, where it is there.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LanguageTag, parseLanguage } from '../src/language.ts';
import { startSandbox } from '../src/sandbox/server.ts';
import { breakPlaces } from '../src/subtitles/breaks.ts';
import { type Film, filmOf } from '../src/subtitles/film.ts';
import { gateProblem } from '../src/subtitles/gate.ts';
import { groupsOf } from '../src/subtitles/group.ts';
import { readSubtitles } from '../src/subtitles/read.ts';
import { recut } from '../src/subtitles/recut.ts';
import { render } from '../src/subtitles/render.ts';
import { generatedFilm } from './film.ts';

const MAIN = join(import.meta.dirname, '..', 'src', 'main.ts');
const CORPUS = join(import.meta.dirname, '..', '..', 'shared', 'corpus', 'subtitles');
const isSmoke = process.argv.includes('--smoke');
const pairsAt = process.argv.indexOf('--pairs');
const PAIRS = pairsAt < 0 ? CORPUS : (process.argv[pairsAt + 1] ?? CORPUS);

/** Milliseconds between a cue and its translation. */
const SAME_TIME = 300;

await compareCosts(isSmoke ? 150 : 1500);
measureBoundaries();
measureSize(isSmoke ? 10_000 : 100_000);
await measureRun(isSmoke ? 1000 : 100_000);

async function compareCosts(cues: number): Promise<void> {
  const content = generatedFilm(cues);
  const film = filmFrom(content);
  const alone = groupsOf(film.cues, { joins: false });
  const characters = alone.reduce((sum, { text }) => sum + [...text].length, 0);
  const ours = await costOf(content, '');
  const whole = await costOf(content, ', lane: document');
  console.log(`a film of ${cues} cues, ${groupsOf(film.cues, { joins: true }).length} sentences:`);
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

interface Agreement {
  boundaries: number;
  exact: number;
  /** Within two words. */
  near: number;
}

/** Where one sentence fills the same cues in both languages, people cut the target: the re-cut should find those places. */
function measureBoundaries(): void {
  if (!existsSync(PAIRS)) {
    console.log('boundaries: no parallel subtitles here; give --pairs FOLDER');
    return;
  }
  const films = Map.groupBy(
    readdirSync(PAIRS).flatMap((file) => {
      const [, name, code] = /^(.+)\.([A-Za-z-]+)\.srt$/.exec(file) ?? [];
      const language = code === undefined ? undefined : parseLanguage(code);
      return name === undefined || language === undefined ? [] : [{ name, file, language }];
    }),
    ({ name }) => name,
  );
  const ours: Agreement = { boundaries: 0, exact: 0, near: 0 };
  const proportional: Agreement = { boundaries: 0, exact: 0, near: 0 };
  for (const versions of films.values()) {
    for (const source of versions) {
      for (const target of versions) {
        if (source !== target)
          compareCuts(read(source.file), read(target.file), target.language, {
            ours,
            proportional,
          });
      }
    }
  }
  // The same film as its own translation: all that is lost are the line breaks.
  const same: Agreement = { boundaries: 0, exact: 0, near: 0 };
  const french = join(CORPUS, 'utf-8.srt');
  if (existsSync(french)) {
    const film = filmFrom(readFileSync(french));
    compareCuts(film, film, 'fr' as LanguageTag, {
      ours: same,
      proportional: { boundaries: 0, exact: 0, near: 0 },
    });
  }
  console.log(
    `boundaries of people in parallel subtitles: ${shown(ours)}; a proportional split: ${shown(proportional)}`,
  );
  console.log(`boundaries of one film in its own language: ${shown(same)}`);
}

function read(file: string): Film {
  return filmFrom(readFileSync(join(PAIRS, file)));
}

function compareCuts(
  source: Film,
  target: Film,
  language: LanguageTag,
  { ours, proportional }: { readonly ours: Agreement; readonly proportional: Agreement },
): void {
  for (const { members } of groupsOf(source.cues, { joins: true })) {
    if (members.length < 2) continue;
    const cues = members.map(({ cue, speech }) => {
      const { start = 0, end = 0 } = source.cues[cue] ?? {};
      return { text: speech.text, duration: end - start, start, end };
    });
    const theirs = cues.map(({ start, end }) =>
      target.cues.find(
        (cue) => Math.abs(cue.start - start) <= SAME_TIME && Math.abs(cue.end - end) <= SAME_TIME,
      ),
    );
    const pieces = theirs.map((cue) => cue?.apart.turns[0]?.speech.text ?? '');
    if (pieces.includes('') || theirs.some((cue) => cue?.apart.turns.length !== 1)) continue;
    const text = pieces.join(' ');
    const human = boundariesOf(pieces);
    const places = breakPlaces(text, language);
    count(ours, { human, found: recut(text, cues, language) ?? [], places });
    const total = cues.reduce((sum, cue) => sum + cue.text.length, 0);
    let share = 0;
    const split = cues.slice(0, -1).map((cue) => {
      share += cue.text.length / total;
      return nearest(places, share * text.length);
    });
    count(proportional, { human, found: split, places });
  }
}

function boundariesOf(pieces: readonly string[]): number[] {
  let at = 0;
  return pieces.slice(0, -1).map((piece) => {
    at += piece.length + 1;
    return at;
  });
}

function count(
  agreement: Agreement,
  {
    human,
    found,
    places,
  }: { human: readonly number[]; found: readonly number[]; places: readonly number[] },
): void {
  for (const [nth, boundary] of human.entries()) {
    const distance = Math.abs(places.indexOf(boundary) - places.indexOf(found[nth] ?? -1));
    agreement.boundaries += 1;
    if (distance === 0) agreement.exact += 1;
    if (distance <= 2) agreement.near += 1;
  }
}

function nearest(places: readonly number[], wanted: number): number {
  return places.reduce(
    (best, place) => (Math.abs(place - wanted) < Math.abs(best - wanted) ? place : best),
    places[0] ?? 0,
  );
}

function shown({ boundaries, exact, near }: Agreement): string {
  if (boundaries === 0) return 'none to compare';
  const percent = (part: number) => `${((100 * part) / boundaries).toFixed(0)} %`;
  return `${boundaries}, ${percent(exact)} exactly, ${percent(near)} within two words`;
}

function measureSize(cues: number): void {
  const bytes = Buffer.from(generatedFilm(cues));
  const before = process.memoryUsage().rss;
  const began = performance.now();
  const source = readSubtitles(bytes, { file: 'film.srt', fallback: 'utf-8' });
  const readMs = performance.now() - began;
  const film = filmOf(source, 'srt', { sdh: 'translate' });
  const groups = groupsOf(film.cues, { joins: true }).length;
  const groupMs = performance.now() - began - readMs;
  const shownCues = film.cues.map((cue) => ({ ...cue, isEmpty: cue.text === '' }));
  const target = render(source, shownCues, 'srt');
  const problem = gateProblem(target, shownCues, 'film.srt');
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
