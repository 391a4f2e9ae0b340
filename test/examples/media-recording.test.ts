/** The recording of examples/media as its reader would run it; with Debian's engines it really is heard, translated and spoken. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSubtitles } from '../../src/formats/captions/read.ts';
import { missingPrograms } from '../../src/sandbox/engines/real-programs.ts';
import { type SandboxOptions, startSandbox } from '../../src/sandbox/server.ts';
import { execFileSync } from '../in-time.ts';
import { HurriedTime } from '../lanes/voice/hurried-time.ts';
import { HURRIED_MAIN } from '../main.ts';
import { copyOfExample } from './copy-of-example.ts';

const SECONDS = 12;

async function runExample(options: SandboxOptions, targets: string) {
  const time = new HurriedTime(20);
  const sandbox = await startSandbox({ clock: time.clock, ...options });
  const folder = await copyOfExample('media');
  const config = join(folder, 'dragoman.yaml');
  const text = readFileSync(config, 'utf8').replace('targets: [de, ja]', `targets: ${targets}`);
  writeFileSync(config, text);
  const run = async (...args: readonly string[]) => {
    const child = spawn(
      process.execPath,
      [HURRIED_MAIN, ...args, '--json', '--no-input', '--', 'lectures'],
      {
        cwd: folder,
        env: {
          ...process.env,
          ...time.env,
          DRAGOMAN_URL: sandbox.url,
          DRAGOMAN_KEY: sandbox.key,
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    await once(child, 'close');
    return JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
  };
  return { run, folder, [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose]() };
}

test('the recording of examples/media becomes text, subtitles and speech, once', async () => {
  await using example = await runExample({}, '[de, ja]');
  const { jobs } = (await example.run('plan')) as { jobs: { estimated_seconds: number }[] };
  expect(jobs.map(({ estimated_seconds }) => estimated_seconds)).toEqual([SECONDS, 0]);
  expect(await example.run('once')).toMatchObject({ delivered: 2, held: [], failed: [] });
  const files = ['text/de/village.txt', 'captions/ja/village.srt', 'speech/de/village.wav'];
  for (const file of files) expect(existsSync(join(example.folder, file))).toBe(true);
  expect(await example.run('once')).toMatchObject({ delivered: 0, requests: 0 });
});

const missing = await missingPrograms([
  'apertium-wblank-mode',
  'pocketsphinx_continuous',
  'espeak-ng',
  'ffmpeg',
]);

test.skipIf(missing.length > 0)(
  `recorded English becomes Spanish subtitles with right times and Spanish speech that plays${missing.length > 0 ? ` (not installed here: ${missing.join(', ')})` : ''}`,
  async () => {
    await using example = await runExample({ engine: 'real' }, '[es]');
    expect(await example.run('once')).toMatchObject({ delivered: 1, held: [], failed: [] });
    const path = join(example.folder, 'captions/es/village.srt');
    const { cues } = readSubtitles(readFileSync(path), { file: path, fallback: 'utf-8' });
    const text = cues.map((cue) => cue.text.toLowerCase()).join(' ');
    expect(text).toMatch(/^buenos días.*tren/s);
    expect(text).toMatch(/pueblo.*río/s);
    expect(cues[0]?.start).toBeLessThan(1500);
    expect(cues.at(-1)?.end).toBeGreaterThan(9000);
    expect(cues.at(-1)?.end).toBeLessThan(SECONDS * 1000);
    for (const [nth, cue] of cues.entries()) {
      expect(cue.end).toBeGreaterThan(cue.start);
      expect(cue.start).toBeGreaterThanOrEqual(cues[nth - 1]?.end ?? 0);
    }
    expect(secondsOf(join(example.folder, 'speech/es/village.wav'))).toBeGreaterThan(5);
  },
);

/** Reads the file like a player. */
function secondsOf(file: string): number {
  const args = ['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', file];
  return Number(execFileSync('ffprobe', args, { encoding: 'utf8' }));
}
