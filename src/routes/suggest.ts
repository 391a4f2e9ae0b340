/** "did you mean": finds the known word nearest to a written one. */

/** @returns an ending for a message, such as `; did you mean "targets"?`; empty when no word is near */
export function didYouMean(written: string, known: Iterable<string>): string {
  const word = nearestWord(written, known);
  return word === undefined ? '' : `; did you mean "${word}"?`;
}

/** The known word nearest to a written one; undefined when none is near. */
export function nearestWord(written: string, known: Iterable<string>): string | undefined {
  // Two mistakes, or a third of a long word: beyond that a suggestion would be a guess.
  const tolerance = written.length <= 2 ? 1 : Math.max(2, Math.floor(written.length / 3));
  const asked = written.toLowerCase();
  let best: { word: string; distance: number } | undefined;
  for (const word of known) {
    const name = word.toLowerCase();
    // A distance is at least the difference of the lengths; a file may have 100,000 keys.
    if (Math.abs(name.length - asked.length) > tolerance) continue;
    const distance = editDistance(asked, name);
    if (distance < (best?.distance ?? tolerance + 1)) best = { word, distance };
  }
  return best?.word;
}

/** Levenshtein distance in UTF-16 code units; a swap of neighbours counts as one (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      const swapped =
        row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        cell(above, column) + 1,
        cell(current, column - 1) + 1,
        cell(above, column - 1) + (same ? 0 : 1),
        swapped ? cell(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    before = above;
    above = current;
  }
  return cell(above, b.length);
}

function cell(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
