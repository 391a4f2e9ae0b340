/** The segments that a target needs, in the source's order. */

import type { Format, Segment } from '../../format.ts';
import type { LanguageTag } from '../../language.ts';
import type { OpenFile } from './open.ts';

/** Plural forms are added and dropped as the target language wants them. */
export function expectedSegments(
  format: Format,
  source: OpenFile,
  target: { readonly language: LanguageTag | undefined; readonly file?: OpenFile },
): readonly Segment[] {
  if (format.expect === undefined || target.language === undefined) return source.doc.segments;
  return format.expect(source.doc, {
    language: target.language,
    ...(target.file === undefined ? {} : { text: target.file.text }),
  });
}
