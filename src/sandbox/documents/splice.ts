/** Replaces spans of a text; every character outside them stays. */

export interface Splice {
  /** UTF-16 offsets; an insertion where both are equal. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** @param splices in any order, without overlaps */
export function withSplices(text: string, splices: readonly Splice[]): string {
  const written: string[] = [];
  let at = 0;
  for (const { start, end, text: replacement } of splices.toSorted((a, b) => a.start - b.start)) {
    written.push(text.slice(at, start), replacement);
    at = end;
  }
  written.push(text.slice(at));
  return written.join('');
}
