/** New entries and new plural forms of gettext files, in the layout of the source that they come from. */
import type { Edit, Insertion } from '../../format.ts';
import { partsText } from '../../format.ts';
import { splice } from '../text/splice.ts';
import {
  endOf,
  gapOf,
  lineEndOf,
  type NewEntry,
  sourceEntries,
  withLineEnds,
} from './flat-entries.ts';
import { type PoEntry, type PoFile, scanPo } from './po-entries.ts';
import { withoutFuzzy } from './po-header.ts';

/** Behind the form before it, which is there: forms come in their order. */
export function newForms(file: PoFile, entry: PoEntry | undefined, insertion: Insertion): Edit[] {
  const last = entry === undefined ? undefined : [...entry.forms.values()].at(-1);
  if (last === undefined) return [];
  const lineEnd = lineEndOf(file.text);
  const text = lineEnd + formLine(file, insertion, { like: '', lineEnd });
  return [{ start: last.end, end: last.end, text }];
}

/** @param groups the insertions of one new entry each */
export function newPoEntries(file: PoFile, groups: readonly (readonly Insertion[])[]): NewEntry[] {
  const lineEnd = lineEndOf(file.text);
  const sourceOf = sourceEntries(groups.flat(), (text) => ({
    ...scanPo(text, ''),
    home: endOf(text),
  }));
  return groups.flatMap((insertions) => {
    const [first] = insertions;
    if (first === undefined) return [];
    const source = sourceOf(first).file;
    const entry = source.entries.get(first.segment.plural?.group ?? first.segment.id);
    if (entry === undefined) return [];
    const lines = insertions.map((insertion) => formLine(file, insertion, { like: '', lineEnd }));
    const head = withLineEnds(headOf(source, entry), lineEnd);
    const anchor = anchorOf(file, first.after);
    const gap = gapOf({ ...source, home: endOf('') }, entry, lineEnd) ?? lineEnd + lineEnd;
    return [{ after: anchor, text: head + lines.join(lineEnd), gap }];
  });
}

// The header stands first: new entries without a neighbour go behind it.
function anchorOf({ entries }: PoFile, after: string | null): string | null {
  if (after === null) return null;
  return entries.has(after) ? after : after.replace(/\[\d+\]$/, '');
}

function formLine(
  { literals }: PoFile,
  { segment, parts }: Insertion,
  layout: { like: string; lineEnd: string },
): string {
  const word = segment.plural === undefined ? 'msgstr' : `msgstr[${segment.plural.category}]`;
  return `${word} ${literals.write(partsText(parts), layout)}`;
}

/** Everything above the msgstr, without what marks a guess. */
function headOf({ text }: PoFile, { start, forms, comments }: PoEntry): string {
  const [first] = forms.values();
  const head = text.slice(start, first?.lineStart ?? start);
  const edits = comments.flatMap((comment) =>
    comment.text.startsWith('#|')
      ? [{ start: comment.start, end: comment.next, text: '' }]
      : withoutFuzzy(comment),
  );
  return splice(
    head,
    edits.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start })),
  );
}
