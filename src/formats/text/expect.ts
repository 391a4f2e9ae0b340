/** The segments that a target needs, in the order of the source. */

import type { ExpectedTarget, Format, Segment } from '../../format.ts';
import type { LanguageTag } from '../../language.ts';
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
  if (format.expect === undefined || language === undefined) return withValues(source.doc.segments);
  const expected = format.expect(source.doc, {
    language,
    ...(file === undefined ? {} : { text: file.text, segments: file.doc.segments }),
    ...known,
  });
  return withValues(expected);
}

/** A key with nothing to copy needs no segment. */
function withValues(segments: readonly Segment[]): readonly Segment[] {
  return segments.some(lacksValue) ? segments.filter((segment) => !lacksValue(segment)) : segments;
}

/** Whether a key has no value at all; null counts as a value. */
export function lacksValue({ gap, parts }: Segment): boolean {
  return (gap === 'value' || gap === 'node') && parts.length === 0;
}
