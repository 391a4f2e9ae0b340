/** examples/media as its reader would run it: the real binary against the sandbox. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSubtitles } from '../../src/formats/captions/read.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { MAIN } from '../main.ts';
import { copyOfExample } from './copy-of-example.ts';

test('the subtitles of examples/media keep their times, notes and styles, and bill what was planned', async () => {
  await using sandbox = await startSandbox({});
  const folder = await copyOfExample('media');
  const run = async (...args: readonly string[]) => {
    const child = spawn(
      process.execPath,
      [MAIN, ...args, '--json', '--no-input', '--', 'subs', 'web', 'download'],
      {
        cwd: folder,
        env: { ...process.env, DRAGOMAN_URL: sandbox.url, DRAGOMAN_KEY: sandbox.key },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    await once(child, 'close');
    return JSON.parse(Buffer.concat(chunks).toString()) as Record<string, number>;
  };
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  const times = (path: string) =>
    readSubtitles(readFileSync(join(folder, path)), { file: path, fallback: 'utf-8' }).cues.map(
      ({ start, end }) => [start, end],
    );
  const planned = (await run('plan'))['estimated_characters'];
  expect(await run('once')).toMatchObject({ delivered: 6, billed_characters: planned });
  expect(times('subs/ja/lighthouse.srt')).toEqual(times('subs/en/lighthouse.srt'));
  expect(read('web/de/trailer.vtt').split('\n').slice(0, 10)).toEqual(
    read('web/en/trailer.vtt').split('\n').slice(0, 10),
  );
  expect(read('download/de/trailer.srt')).toMatch(/^1\n00:00:01,000 --> 00:00:03,500\n\{\\an8\}/);
  expect(JSON.parse(read('subs/de/lighthouse.srt.report.json'))).toMatchObject({
    cues: 11,
    held: 0,
  });
  expect(await run('once')).toMatchObject({ delivered: 0, requests: 0 });
});
