/** The target that a person's texts go into, and where in it. */
import { type Doc, partsText, type Segment, type SegmentState } from '../../format.ts';
import type { Reader } from '../../formats/text/open.ts';
import { NO_TARGET, type TargetHash, targetHash } from '../../segments/statements.ts';
import { expectedIn, type Material, type TextFindings } from '../../translate/inspection.ts';
import type { TextCase } from '../../translate/text-case.ts';
import { optionsFor } from '../../translate/text-files.ts';
import { openedFile } from './opened.ts';

/** One text that a person saves, from an exchange file or the page. */
export interface PersonsText {
  /** Id of the segment. */
  readonly id: string;
  readonly text: string;
  /** Hash of the text that the person saw, or `NO_TARGET`. */
  readonly was: TargetHash;
  /** The state to write into the target, if its format has a word for it. */
  readonly state: 'translated' | 'review-wanted' | 'reviewed';
  /** The state that it has now, and keeps when it cannot be written. */
  readonly now: SegmentState;
}

/** The findings that a write needs. */
export type OpenTarget = Pick<
  TextFindings,
  'reader' | 'source' | 'target' | 'segments' | 'found' | 'blocker' | 'frame'
>;

/** Opens a keyed target. Nothing has to be known of its other texts: they stay unchanged. */
export function openForSaves(
  text: TextCase,
  material: Material,
  texts: readonly PersonsText[],
): OpenTarget {
  const { format, candidates } = material;
  const [known] = candidates;
  const source = openedFile(material.source, { format, options: optionsFor(text, 'source') });
  const reader: Reader = { format, options: optionsFor(text, 'target') };
  const target = material.target && openedFile(material.target, reader);
  const segments = expectedIn({ text, reader, source, target, known, statements: undefined });
  const found = new Map(segmentsNamed(texts, target?.doc).map(({ id, parts }) => [id, parts]));
  return { reader, source, target, segments, found, blocker: undefined };
}

/** Whether one of the texts is not the one that the person saw. */
export function isOther(
  { reader, target, found }: OpenTarget,
  texts: readonly PersonsText[],
): boolean {
  const isKeyed = reader.format.shape === 'keyed';
  const gaps = segmentsNamed(texts, isKeyed ? target?.doc : undefined).filter(
    ({ gap, parts }) => gap !== undefined || partsText(parts) === '',
  );
  const vacant = new Set(gaps.map(({ id }) => id));
  return texts.some(({ id, was }) => {
    const parts = vacant.has(id) ? undefined : found.get(id);
    return was !== (parts === undefined ? NO_TARGET : targetHash(partsText(parts)));
  });
}

/** Only the segments of these texts: the file may have 100,000. */
export function segmentsNamed(
  texts: readonly Pick<PersonsText, 'id'>[],
  all: Pick<Doc, 'segments'> | undefined,
): Segment[] {
  const ids = new Set(texts.map(({ id }) => id));
  return all?.segments.filter(({ id }) => ids.has(id)) ?? [];
}

export function targetIndex({ frame, target, found }: OpenTarget, id: string): number | undefined {
  const placed = frame?.placed.get(id);
  if (placed !== undefined) return placed;
  const parts = found.get(id);
  const index = target?.doc.segments.findIndex((segment) => segment.parts === parts) ?? -1;
  return index < 0 ? undefined : index;
}
