/** A comment above a removed entry stays when the source still has the comment: then it is not about this entry alone. Pure. */
import type { Edit } from '../../format.ts';

interface CommentTexts {
  readonly source: string;
  readonly target: string;
  /** Comments of the source that are above entries that moved. */
  readonly moved: ReadonlySet<string>;
}

/** @param edits that remove entries of the target, with the comments above them */
export function keepComments(
  edits: readonly Edit[],
  { source, target, moved }: CommentTexts,
): readonly Edit[] {
  let single: ReadonlySet<string> | undefined;
  return edits.map((edit) => {
    const above = edit.text === '' ? linesAbove(target.slice(edit.start, edit.end)) : [];
    if (!above.some(isCommentLine)) return edit;
    // A comment that many entries have ("No comment provided by engineer.") goes with each of them.
    single ??= singleLines(source).intersection(singleLines(target)).difference(moved);
    const last = above.findLastIndex((line) => isCommentLine(line) && single?.has(line.trim()));
    const kept = above.slice(0, last + 1).join('');
    // A removed span that begins behind a line must still do so.
    const ends = /^[\r\n]/.test(kept) ? kept.replace(/(?:\r\n|\n|\r)$/, '') : kept;
    return { ...edit, start: edit.start + ends.length };
  });
}

const LINE = /[^\r\n]*(?:\r\n|\n|\r)/g;

/** The comments and blank lines at the beginning. */
function linesAbove(text: string): string[] {
  const lines = text.match(LINE) ?? [];
  const end = lines.findIndex((line) => line.trim() !== '' && !isCommentLine(line));
  return end < 0 ? lines : lines.slice(0, end);
}

export function isCommentLine(line: string): boolean {
  return /^\s*(?:#|;|!|\/\/|\/\*|<!--)/.test(line);
}

function singleLines(text: string): Set<string> {
  const counts = new Map<string, number>();
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (isCommentLine(line)) counts.set(line.trim(), (counts.get(line.trim()) ?? 0) + 1);
  }
  return new Set([...counts].flatMap(([line, count]) => (count === 1 ? [line] : [])));
}
