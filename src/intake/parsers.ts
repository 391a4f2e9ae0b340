/** The parser of what a source says, for telling it from others. */
import type { SegmentRecord } from '../baseline.ts';
import type { Lane } from '../job.ts';
import type { LanguageTag } from '../language.ts';
import type { Parser } from '../parsing/parser.ts';
import type { Project, Route } from '../project.ts';

/** Bytes; what is longer is not read only to be compared. */
export const MOST_BYTES = 16 * 1024 * 1024;

/** One text, as a segment base remembers it. */
export type Saying = Pick<SegmentRecord, 'id' | 'source'>;

export interface SourceFile {
  /** Absolute. */
  readonly file: string;
  readonly lane: Lane;
  readonly route: Route;
  readonly project: Pick<Project, 'source' | 'targets'>;
  /** The language of a target; absent: the file is a source. */
  readonly translated?: LanguageTag;
}

export const READ_SAYINGS: Parser<SourceFile, readonly Saying[]> = {
  name: 'read sayings',
  load: async () => (await import('./readings.ts')).sayings,
};
