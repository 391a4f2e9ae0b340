/** A file that ffmpeg cannot read is reported in words for people. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hasFfmpeg, toFlac } from '../../../src/lanes/voice/media/ffmpeg.ts';
import { execFileSync } from '../../in-time.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const { signal } = new AbortController();

const NAMELESS = expect.not.stringMatching(/tmp|file:the/);

test.skipIf(!(await hasFfmpeg()))(
  'noise, and a video without sound, are reported without the names of our own copies',
  async () => {
    const folder = await temporaryFolder();
    const [noise, film, to] = ['noise', 'film.mp4', 'to'].map((name) => join(folder, name));
    if (noise === undefined || film === undefined || to === undefined) throw new Error('no place');
    await writeFile(noise, 'ID3 and nothing that sounds');
    execFileSync('ffmpeg', [
      '-v',
      'error',
      '-f',
      'lavfi',
      '-i',
      'testsrc=d=1',
      '-c:v',
      'mpeg4',
      film,
    ]);
    await expect(toFlac({ from: noise, to, signal })).rejects.toMatchObject({
      failure: { kind: 'malformed', message: NAMELESS },
    });
    await expect(toFlac({ from: film, to, signal })).rejects.toMatchObject({
      failure: { kind: 'malformed', message: 'there is no sound in it' },
    });
  },
);
