/** How similar two texts are, in any script: the share of common letter pairs (Dice's coefficient). Pure. */

/** @returns from 0, no letter pair in common, to 1, the same letter pairs */
export function alikeness(a: string, b: string): number {
  const [left, right] = [lettersInRow(a, 2), lettersInRow(b, 2)];
  const total = left.size + right.size;
  return total === 0 ? 0 : (2 * left.intersection(right).size) / total;
}

/** @returns the share of the three-letter runs of `part` that `whole` also has; 1 when `whole` contains it */
export function containment(part: string, whole: string): number {
  const own = lettersInRow(part, 3);
  return own.size === 0 ? 0 : own.intersection(lettersInRow(whole, 3)).size / own.size;
}

function lettersInRow(text: string, count: number): Set<string> {
  const letters = text.toLowerCase().replace(/\s+/g, ' ');
  const runs = Math.max(0, letters.length - count + 1);
  return new Set(Array.from({ length: runs }, (_, at) => letters.slice(at, at + count)));
}
