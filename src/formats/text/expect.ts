/** The segments that a target needs, in the order of the source. */

import type { ExpectedTarget, Format, Segment } from '../../format.ts';
import type { LanguageTag } from '../../language.ts';
import { isNumbered, plainId } from './duplicates.ts';
import type { OpenFile } from './open.ts';

interface TargetInTexts extends Pick<ExpectedTarget, 'ours' | 'isOutdated'> {
  readonly language: LanguageTag | undefined;
  readonly file?: OpenFile;
}

/** Plural forms are added and dropped by the rules of the target language. */
export function expectedSegments(
  format: Format,
  source: OpenFile,
  { language, file, ...known }: TargetInTexts,
): readonly Segment[] {
  const own = withoutSecond(source, file);
  if (format.expect === undefined || language === undefined) return withValues(own);
  const expected = format.expect(
    { ...source.doc, segments: own },
    {
      language,
      ...(file === undefined ? {} : { text: file.text, segments: file.doc.segments }),
      ...known,
    },
  );
  return withValues(expected);
}

/**
 * A second entry of a key is not added below the only one of a target. A program that takes the last entry would show the new one instead.
 */
function withoutSecond({ doc }: OpenFile, target: OpenFile | undefined): readonly Segment[] {
  const isRepeated = doc.duplicates?.some(({ read }) => read === undefined) === true;
  if (!isRepeated || target === undefined) return doc.segments;
  const there = new Set(target.doc.segments.map(({ id }) => id));
  return doc.segments.filter(
    ({ id }) => !isNumbered(id) || there.has(id) || !there.has(plainId(id)),
  );
}

/** A key with nothing to copy needs no segment. */
function withValues(segments: readonly Segment[]): readonly Segment[] {
  return segments.some(lacksValue) ? segments.filter((segment) => !lacksValue(segment)) : segments;
}

/** Whether a key has no value at all; null counts as a value. */
export function lacksValue({ gap, parts }: Segment): boolean {
  return (gap === 'value' || gap === 'node') && parts.length === 0;
}
