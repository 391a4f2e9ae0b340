/** Reads the texts of a file to compare it with other files, not to translate it. */

import { join } from 'node:path';
import type { FoundFile } from '../files/listing.ts';
import { firstFormat } from '../formats/all.ts';
import type { LanguageTag } from '../language.ts';
import { parse } from '../parsing/parse.ts';
import type { Project } from '../project.ts';
import type { PathClaim } from '../routes/compiled.ts';
import { MOST_BYTES, READ_SOURCE_TEXTS, type SourceText } from './parsers.ts';
import type { ProjectContext } from './project-context.ts';

type Placed = Pick<FoundFile, 'path'>;

/** A source whose texts can be compared. Recordings and documents that are translated whole have no texts. */
export interface Comparable<Source extends Placed> {
  readonly source: Source;
  readonly claim: Extract<PathClaim, { kind: 'source' }>;
  /** Only files of the same format are compared. */
  readonly format: string;
  readonly isKeyed: boolean;
}

export async function comparable<Source extends Placed>(
  { project, router }: Pick<ProjectContext, 'project' | 'router'>,
  source: Source,
): Promise<Comparable<Source> | undefined> {
  const claim = router.claim(project.name, source.path);
  if (claim.kind !== 'source') return undefined;
  if (claim.lane === 'subtitle') return { source, claim, format: 'subtitle', isKeyed: false };
  if (claim.lane !== 'text' && !claim.contentDecides) return undefined;
  const format = await firstFormat(source.path);
  return format && { source, claim, format: format.name, isKeyed: format.shape === 'keyed' };
}

/** @returns the texts of a source; none when it cannot be read: its job reports the failure */
export async function readSourceTexts(
  context: Pick<ProjectContext, 'project'>,
  {
    source,
    claim,
  }: {
    readonly source: Pick<FoundFile, 'raw' | 'size'>;
    readonly claim: Comparable<FoundFile>['claim'];
  },
): Promise<readonly SourceText[]> {
  return await readTextsIn(context.project, { raw: source.raw, size: source.size, claim });
}

interface FileToRead {
  /** Path as it is spelled on the disk, relative to the root. */
  readonly raw: string;
  readonly size: number;
  readonly claim: Comparable<FoundFile>['claim'];
  /** The language of a target; absent: the file is a source. */
  readonly translated?: LanguageTag;
}

/** As `readSourceTexts`, but for a source or a target. */
export async function readTextsIn(
  { root, source, targets }: Project,
  { raw, size, claim: { lane, route }, translated }: FileToRead,
): Promise<readonly SourceText[]> {
  if (size > MOST_BYTES) return [];
  const file = join(root, raw);
  const told = { file, lane, route, project: { source, targets } };
  try {
    const role = translated === undefined ? {} : { translated };
    return await parse(READ_SOURCE_TEXTS, { ...told, ...role }, { file, bytes: size });
  } catch {
    return [];
  }
}
