/** New entries that hold one text each (Android strings, RESX data): copied from the source's file around their new text. */
import type { Insertion } from '../../format.ts';
import { gapOf, lineEndOf, type NewEntry, sourceEntries, withLineEnds } from './flat-entries.ts';
import type { XmlEntryFile } from './xml-entries.ts';
import { insertedContent, type XmlTexts } from './xml-text.ts';

export function newLeaves(
  { text }: XmlEntryFile,
  insertions: readonly Insertion[],
  { open, texts }: { open(text: string): XmlEntryFile; readonly texts: Pick<XmlTexts, 'write'> },
): NewEntry[] {
  const lineEnd = lineEndOf(text);
  const sourceOf = sourceEntries(insertions, open);
  return insertions.flatMap((insertion) => {
    const { file, entry } = sourceOf(insertion);
    if (entry === undefined) return [];
    const { start, end } = insertion.segment;
    const before = file.text.slice(entry.start, start);
    const after = file.text.slice(end, entry.end);
    const written = withLineEnds(before + insertedContent(insertion, texts) + after, lineEnd);
    return [{ after: insertion.after, text: written, gap: gapOf(file, entry, lineEnd) }];
  });
}
