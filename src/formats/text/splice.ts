/** Applies edits to a text: everything outside them stays, overlapping ones are refused. */

import { JobFailure } from '../../failure.ts';
import type { Edit } from '../../format.ts';

/** Edits at one offset apply in the order given. Throws JobFailure `internal` when two overlap or one lies outside the text. */
export function splice(text: string, edits: readonly Edit[]): string {
  return trackedSplice(text, edits).text;
}

/** `starts[i]` is where the text of `edits[i]` begins in the result. */
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

// By start; at one offset insertions come before a replacement, each kind in the order given (the sort is stable).
function inOrder(edits: readonly Edit[]): [number, Edit][] {
  return [...edits.entries()].sort(([, a], [, b]) => a.start - b.start || a.end - b.end);
}
