/** Reads the texts of a file to compare it with other files, not to translate it. */

import { join } from 'node:path';
import type { FoundFile } from '../files/listing.ts';
import { firstFormat } from '../formats/all.ts';
import type { LanguageTag } from '../language.ts';
import { parse } from '../parsing/parse.ts';
import type { Project } from '../project.ts';
import type { PathMatch } from '../routes/compiled.ts';
import type { ProjectContext } from './project-context.ts';
import { MOST_BYTES } from './similarity.ts';
import { READ_SOURCE_TEXTS } from './thread-calls.ts';
import type { SourceText } from './thread-work.ts';

type FilePath = Pick<FoundFile, 'path'>;

/** A source whose texts can be compared. Recordings and documents that are translated whole have no texts. */
export interface Comparable<Source extends FilePath> {
  readonly source: Source;
  readonly match: Extract<PathMatch, { kind: 'source' }>;
  /** Only files of the same format are compared. */
  readonly format: string;
  readonly isKeyed: boolean;
}

export async function comparable<Source extends FilePath>(
  { project, router }: Pick<ProjectContext, 'project' | 'router'>,
  source: Source,
): Promise<Comparable<Source> | undefined> {
  const match = router.match(project.name, source.path);
  if (match.kind !== 'source') return undefined;
  if (match.lane === 'subtitle') return { source, match, format: 'subtitle', isKeyed: false };
  if (match.lane !== 'text' && !match.contentDecides) return undefined;
  const format = await firstFormat(source.path);
  return format && { source, match, format: format.name, isKeyed: format.shape === 'keyed' };
}

/** @returns the texts of a source; none when it cannot be read: its job reports the failure */
export async function readSourceTexts(
  context: Pick<ProjectContext, 'project'>,
  {
    source,
    match,
  }: {
    readonly source: Pick<FoundFile, 'raw' | 'size'>;
    readonly match: Comparable<FoundFile>['match'];
  },
): Promise<readonly SourceText[]> {
  return await readTextsIn(context.project, { raw: source.raw, size: source.size, match });
}

interface FileToRead {
  /** Path as it is spelled on the disk, relative to the root. */
  readonly raw: string;
  readonly size: number;
  readonly match: Comparable<FoundFile>['match'];
  /** The language of a target; absent: the file is a source. */
  readonly translated?: LanguageTag;
}

/** Like `readSourceTexts`, but for a source or a target. */
export async function readTextsIn(
  { root, source, targets }: Project,
  { raw, size, match: { lane, route }, translated }: FileToRead,
): Promise<readonly SourceText[]> {
  if (size > MOST_BYTES) return [];
  const file = join(root, raw);
  const known = { file, lane, route, project: { source, targets } };
  try {
    const role = translated === undefined ? {} : { translated };
    return await parse(READ_SOURCE_TEXTS, { ...known, ...role }, { file, bytes: size });
  } catch {
    return [];
  }
}
