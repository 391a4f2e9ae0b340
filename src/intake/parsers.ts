/** The parser that reads the texts of a file, to compare it with other files. */
import type { SegmentRecord } from '../baseline.ts';
import type { Lane } from '../job.ts';
import type { LanguageTag } from '../language.ts';
import type { Parser } from '../parsing/parser.ts';
import type { Project, Route } from '../project.ts';

/** In bytes: a larger file is not read for a comparison. */
export const MOST_BYTES = 16 * 1024 * 1024;

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

export const READ_SOURCE_TEXTS: Parser<SourceFile, readonly SourceText[]> = {
  name: 'read source texts',
  load: async () => (await import('./readings.ts')).sourceTexts,
};
