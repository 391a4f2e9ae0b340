/** Applies edits to a text. Everything outside them stays; overlapping edits are refused. */
import { JobFailure } from '../../failure.ts';
import type { Edit } from '../../format.ts';

/** Edits at one offset apply in the given order. Throws JobFailure `internal` when two overlap or one is outside the text. */
export function splice(text: string, edits: readonly Edit[]): string {
  return trackedSplice(text, edits).text;
}

/** `starts[i]` is the offset of the text of `edits[i]` in the result. */
export function trackedSplice(
  text: string,
  edits: readonly Edit[],
): { readonly text: string; readonly starts: readonly number[] } {
  const starts = new Array<number>(edits.length).fill(0);
  const pieces: string[] = [];
  let position = 0;
  let length = 0;
  for (const [index, edit] of inOrder(edits)) {
    if (edit.start < position || edit.end < edit.start || edit.end > text.length) {
      throw new JobFailure({ kind: 'internal', message: `edits overlap at offset ${edit.start}` });
    }
    pieces.push(text.slice(position, edit.start), edit.text);
    starts[index] = length + edit.start - position;
    length = starts[index] + edit.text.length;
    position = edit.end;
  }
  pieces.push(text.slice(position));
  return { text: pieces.join(''), starts };
}

// By start. At one offset insertions come before a replacement; each kind keeps the given order (the sort is stable).
function inOrder(edits: readonly Edit[]): [number, Edit][] {
  return [...edits.entries()].sort(([, a], [, b]) => a.start - b.start || a.end - b.end);
}

export function insertion(at: number, text: string): Edit {
  return { start: at, end: at, text };
}
