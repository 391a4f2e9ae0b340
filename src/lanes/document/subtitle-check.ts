/** Checks subtitles that were translated as a document, in the same way as the targets of the subtitle lane. */
import { extname } from 'node:path';
import { allSteps } from '../../clock.ts';
import { describeFailure, failureOf } from '../../failure.ts';
import { readBytes } from '../../files/disk.ts';
import type { SpooledFile } from '../../files/spool-folder.ts';
import type { Cue } from '../../formats/captions/cues.ts';
import { packExpected, unpackSubtitles } from '../../formats/captions/packed.ts';
import { CHECK_SUBTITLES, READ_SUBTITLES } from '../../formats/captions/thread-calls.ts';
import { LARGEST_SOURCE } from '../../lane.ts';
import { parse } from '../../parsing/parse.ts';
import type { SubtitleSettings } from '../../project.ts';
import type { DocumentCase } from './document-case.ts';

/** @returns why the result must not be delivered; undefined when it may be, and for files that are not subtitles */
export async function filmProblem(
  { sourcePath, targetPath, route }: Pick<DocumentCase, 'sourcePath' | 'targetPath' | 'route'>,
  kept: Pick<SpooledFile, 'file'>,
): Promise<string | undefined> {
  if (extname(sourcePath).toLowerCase() !== '.srt') return undefined;
  const problem = await findProblem(sourcePath, {
    result: kept.file,
    name: targetPath,
    rules: route.subtitles,
  });
  if (problem === undefined) return undefined;
  return `${targetPath} was not written: the check of the new file found that ${problem}. Without lane: document on its route, its cues are translated one by one`;
}

/**
 * @returns the cues of the source
 * @throws JobFailure `malformed` with the line: such a source is not sent, because its result could not pass the check
 */
export async function readFilm(
  sourcePath: string,
  { fallbackEncoding }: Pick<SubtitleSettings, 'fallbackEncoding'>,
): Promise<readonly Cue[]> {
  const { bytes } = await readBytes(sourcePath, LARGEST_SOURCE.subtitle);
  const content = { bytes, file: sourcePath, fallback: fallbackEncoding };
  const subject = { file: sourcePath, bytes: bytes.byteLength };
  return allSteps(unpackSubtitles(await parse(READ_SUBTITLES, content, subject))).cues;
}

async function findProblem(
  sourcePath: string,
  { result, name, rules }: { result: string; name: string; rules: SubtitleSettings },
): Promise<string | undefined> {
  try {
    const cues = await readFilm(sourcePath, rules);
    const expected = packExpected(
      cues.map(({ start, end, text }) => ({ start, end, isEmpty: text.trim() === '' })),
    );
    const { bytes } = await readBytes(result, LARGEST_SOURCE.subtitle);
    const written = { bytes, expected, file: name, fallback: 'utf-8' };
    return await parse(CHECK_SUBTITLES, written, { file: name, bytes: bytes.byteLength });
  } catch (error) {
    return describeFailure(failureOf(error));
  }
}
