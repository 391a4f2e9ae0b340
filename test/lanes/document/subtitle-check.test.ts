import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filmProblem } from '../../../src/lanes/document/subtitle-check.ts';
import type { Route } from '../../../src/project.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const SOURCE = '1\n00:00:01,000 --> 00:00:02,000\nHello\n\n2\n00:00:03,000 --> 00:00:04,000\nBye\n';
const route = { subtitles: { fallbackEncoding: 'windows-1252' } } as Route;

async function verdict(result: string, name = 'film.srt') {
  const folder = await temporaryFolder();
  const [sourcePath, file] = [join(folder, name), join(folder, 'result')];
  await writeFile(sourcePath, SOURCE);
  await writeFile(file, result);
  return await filmProblem({ sourcePath, targetPath: `de/${name}`, route }, { file });
}

test('subtitles that came back with all their cues are accepted', async () => {
  expect(await verdict(SOURCE.replace('Hello', 'Hallo').replace('Bye', 'Ade'))).toBeUndefined();
});

test('subtitles with a lost or moved cue are held, and the reason names it', async () => {
  expect(await verdict(SOURCE.slice(0, SOURCE.indexOf('2\n00')))).toContain(
    'de/film.srt was not written: the check of the new file found that there are 1 of 2 subtitles',
  );
  expect(await verdict(SOURCE.replace('04,000', '04,500'))).toContain(
    'subtitle 2 changed its time',
  );
});

test('documents that are no subtitles are not checked', async () => {
  expect(await verdict('anything', 'page.txt')).toBeUndefined();
});
