/** What a source file says, text by text, for telling it from others; not for translating it. */

import { join } from 'node:path';
import type { SegmentRecord } from '../baseline.ts';
import { readBytes } from '../files/disk.ts';
import type { FoundFile } from '../files/listing.ts';
import { partsText, sourceParts } from '../format.ts';
import { chooseFormat, firstFormat } from '../formats/all.ts';
import { filmOf } from '../formats/captions/film.ts';
import { readSubtitles } from '../formats/captions/read.ts';
import { expectedSegments } from '../formats/text/expect.ts';
import { openFile } from '../formats/text/open.ts';
import type { SourceRecord } from '../ledger.ts';
import type { PathClaim } from '../routes/compiled.ts';
import { matchesKey } from '../segments/key-pattern.ts';
import type { ProjectContext } from './project-context.ts';

/** One text, as a segment base remembers it. */
export type Saying = Pick<SegmentRecord, 'id' | 'source'>;

/** A source that has texts to be told by; recordings and documents that are bought whole have none. */
export interface Comparable<Source extends FoundFile | SourceRecord> {
  readonly source: Source;
  readonly claim: Extract<PathClaim, { kind: 'source' }>;
  /** Files of different formats have nothing to do with each other. */
  readonly format: string;
  readonly isKeyed: boolean;
}

/** Bytes; what is longer is not read only to be compared. */
const MOST_BYTES = 16 * 1024 * 1024;

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
  context: ProjectContext,
  { source, claim }: Comparable<FoundFile>,
): Promise<readonly Saying[]> {
  if (source.size > MOST_BYTES) return [];
  const file = join(context.project.root, source.raw);
  try {
    const { bytes } = await readBytes(file, MOST_BYTES);
    return claim.lane === 'subtitle'
      ? cuesOf({ bytes, file }, claim)
      : await segmentsOf(context, { bytes, file }, claim);
  } catch {
    return [];
  }
}

interface Content {
  readonly bytes: Uint8Array;
  readonly file: string;
}

type Claim = Comparable<FoundFile>['claim'];

function cuesOf({ bytes, file }: Content, { route }: Claim): Saying[] {
  const fallback = route.encoding ?? route.subtitles.fallbackEncoding;
  const subtitles = readSubtitles(bytes, { file, fallback });
  return filmOf(subtitles, subtitles.format, route.subtitles).cues.map(({ id, text }) => ({
    id,
    source: text,
  }));
}

async function segmentsOf(
  { project }: ProjectContext,
  { bytes, file }: Content,
  { route }: Claim,
): Promise<Saying[]> {
  const format = await chooseFormat(file, Buffer.from(bytes.subarray(0, 4096)).toString('latin1'));
  if (format === undefined) return [];
  const { columns, encoding, keys } = route;
  const language = project.source === 'auto' ? undefined : project.source;
  const open = openFile(bytes, (columns && format.withColumns?.(columns)) ?? format, {
    file,
    sourceLanguage: language,
    language,
    role: 'source',
    ...(columns === undefined ? {} : { columns }),
    ...(encoding === undefined ? {} : { encoding }),
  });
  // Languages differ in their plural forms: the base that is compared with is of the first that has one.
  return expectedSegments(format, open, { language: project.targets[0] }).flatMap((segment) =>
    matchesKey(keys.ignore, segment.id)
      ? []
      : [{ id: segment.id, source: partsText(sourceParts(segment)) }],
  );
}
