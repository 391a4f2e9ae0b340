/** "did you mean": finds the known word nearest to a written one. */

/** @returns an ending for a message, such as `; did you mean "targets"?`; empty when no word is near */
export function didYouMean(written: string, known: Iterable<string>): string {
  const word = nearestWord(written, known);
  return word === undefined ? '' : `; did you mean "${word}"?`;
}

/** The known word nearest to a written one; undefined when none is near. */
export function nearestWord(written: string, known: Iterable<string>): string | undefined {
  return new KnownWords(known).nearest(written);
}

/** Known words for many questions: a thousand written ones against a thousand known ones took ten seconds. */
export class KnownWords {
  readonly #known: readonly { word: string; name: string; letters: number }[];

  constructor(known: Iterable<string>) {
    this.#known = Array.from(known, (word) => {
      const name = word.toLowerCase();
      return { word, name, letters: lettersOf(name) };
    });
  }

  /** @returns undefined when none is near */
  nearest(written: string): string | undefined {
    // Two mistakes, or a third of a long word: beyond that a suggestion would be a guess.
    const tolerance = written.length <= 2 ? 1 : Math.max(2, Math.floor(written.length / 3));
    const asked = written.toLowerCase();
    const letters = lettersOf(asked);
    let best: string | undefined;
    let most = tolerance;
    for (const { word, name, letters: own } of this.#known) {
      // A distance is at least the difference of the lengths; a file may have 100,000 keys.
      if (Math.abs(name.length - asked.length) > most) continue;
      // One mistake takes one letter away and adds another.
      if (bitsIn(letters ^ own) > 2 * most) continue;
      const distance = editDistance(asked, name, most);
      if (distance > most) continue;
      best = word;
      most = distance - 1;
    }
    return best;
  }
}

/** A bit for each letter that a name has; some letters share one. */
function lettersOf(name: string): number {
  let letters = 0;
  for (let at = 0; at < name.length; at++) letters |= 1 << (name.charCodeAt(at) & 31);
  return letters;
}

function bitsIn(mask: number): number {
  let bits = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) bits += 1;
  return bits;
}

/**
 * Levenshtein distance in UTF-16 code units; a swap of neighbours counts as one (optimal string alignment).
 * @param most above it, any number above it is returned
 */
function editDistance(a: string, b: string, most: number): number {
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
    if (Math.min(...above, ...current) > most) return most + 1;
    before = above;
    above = current;
  }
  return cell(above, b.length);
}

function cell(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
