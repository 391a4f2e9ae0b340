/** How alike two texts are, in any script: the letter pairs that they share (Dice's coefficient). Pure. */

/** @returns 0 for nothing in common to 1 for the same letter pairs */
export function alikeness(a: string, b: string): number {
  const [left, right] = [letterPairs(a), letterPairs(b)];
  const total = left.size + right.size;
  return total === 0 ? 0 : (2 * left.intersection(right).size) / total;
}

function letterPairs(text: string): Set<string> {
  const letters = text.toLowerCase().replace(/\s+/g, ' ');
  return new Set(
    Array.from({ length: Math.max(0, letters.length - 1) }, (_, at) => letters.slice(at, at + 2)),
  );
}
