/** Reads the texts of a file: the work behind `parsers.ts`. */
import type { SegmentRecord } from '../baseline.ts';
import { readBytes } from '../files/disk.ts';
import { type Format, partsText, sourceParts } from '../format.ts';
import { chooseFormat } from '../formats/all.ts';
import { filmOf } from '../formats/captions/film.ts';
import { readSubtitles } from '../formats/captions/read.ts';
import { expectedSegments } from '../formats/text/expect.ts';
import { openFile } from '../formats/text/open.ts';
import type { Lane } from '../job.ts';
import type { LanguageTag } from '../language.ts';
import type { ThreadWork } from '../parsing/thread-call.ts';
import type { Project, Route } from '../project.ts';
import { matchesKey } from '../segments/key-pattern.ts';
import { MOST_BYTES } from './similarity.ts';

/** One text of a file, as a baseline keeps it. */
export type SourceText = Pick<SegmentRecord, 'id' | 'source'>;

export interface SourceFile {
  /** Absolute. */
  readonly file: string;
  readonly lane: Lane;
  readonly route: Route;
  readonly project: Pick<Project, 'source' | 'targets'>;
  /** The language of the target; absent: the file is a source. */
  readonly translated?: LanguageTag;
}

export const sourceTexts: ThreadWork<SourceFile, readonly SourceText[]> = async (source) => {
  const { file, lane } = source;
  const { bytes } = await readBytes(file, MOST_BYTES);
  if (lane === 'subtitle') return () => cuesOf(bytes, source);
  const format = await chooseFormat(file, bytes);
  return () => (format === undefined ? [] : parsedSegments(bytes, format, source));
};

function cuesOf(bytes: Uint8Array, { file, route, translated }: SourceFile): SourceText[] {
  const fallback = route.encoding ?? route.subtitles.fallbackEncoding;
  const subtitles = readSubtitles(bytes, { file, fallback });
  if (translated !== undefined) {
    return subtitles.cues.map(({ text }, nth) => ({ id: `${nth}`, source: text }));
  }
  return filmOf(subtitles, subtitles.format, route.subtitles).cues.map(({ id, text }) => ({
    id,
    source: text,
  }));
}

function parsedSegments(
  bytes: Uint8Array,
  format: Format,
  { file, project, route, translated }: SourceFile,
): SourceText[] {
  const { columns, encoding, keys } = route;
  const language = project.source === 'auto' ? undefined : project.source;
  const open = openFile(bytes, (columns && format.withColumns?.(columns)) ?? format, {
    file,
    sourceLanguage: language,
    language: translated ?? language,
    role: translated === undefined ? 'source' : 'target',
    ...(columns === undefined ? {} : { columns }),
    ...(encoding === undefined ? {} : { encoding }),
  });
  if (translated !== undefined) {
    return open.doc.segments.map(({ id, parts }) => ({ id, source: partsText(parts) }));
  }
  // The plural forms depend on the language. The other side of the comparison is the baseline of the first language that has one.
  return expectedSegments(format, open, { language: project.targets[0] }).flatMap((segment) =>
    matchesKey(keys.ignore, segment.id)
      ? []
      : [{ id: segment.id, source: partsText(sourceParts(segment)) }],
  );
}
