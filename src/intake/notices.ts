/** What a source file says, text by text, for telling it from others; not for translating it. */

import { join } from 'node:path';
import type { FoundFile } from '../files/listing.ts';
import { firstFormat } from '../formats/all.ts';
import type { SourceRecord } from '../ledger.ts';
import { parse } from '../parsing/parse.ts';
import type { PathClaim } from '../routes/compiled.ts';
import { MOST_BYTES, READ_SAYINGS, type Saying } from './parsers.ts';
import type { ProjectContext } from './project-context.ts';

/** A source that has texts to be told by; recordings and documents that are bought whole have none. */
export interface Comparable<Source extends FoundFile | SourceRecord> {
  readonly source: Source;
  readonly claim: Extract<PathClaim, { kind: 'source' }>;
  /** Files of different formats have nothing to do with each other. */
  readonly format: string;
  readonly isKeyed: boolean;
}

export async function comparable<Source extends FoundFile | SourceRecord>(
  { project, router }: ProjectContext,
  source: Source,
): Promise<Comparable<Source> | undefined> {
  const claim = router.claim(project.name, source.path);
  if (claim.kind !== 'source') return undefined;
  if (claim.lane === 'subtitle') return { source, claim, format: 'subtitle', isKeyed: false };
  if (claim.lane !== 'text' && !claim.contentDecides) return undefined;
  const format = await firstFormat(source.path);
  return format && { source, claim, format: format.name, isKeyed: format.shape === 'keyed' };
}

/** @returns nothing for a file that cannot be read: its job says what is wrong with it */
export async function sayingsNow(
  context: Pick<ProjectContext, 'project'>,
  {
    source,
    claim,
  }: {
    readonly source: Pick<FoundFile, 'raw' | 'size'>;
    readonly claim: Comparable<FoundFile>['claim'];
  },
): Promise<readonly Saying[]> {
  if (source.size > MOST_BYTES) return [];
  const file = join(context.project.root, source.raw);
  const { source: language, targets } = context.project;
  const project = { source: language, targets };
  const told = { file, lane: claim.lane, route: claim.route, project };
  try {
    return await parse(READ_SAYINGS, told, { file, bytes: source.size });
  } catch {
    return [];
  }
}
