/** Counts characters as the service bills them, and spreads one bill over the texts that shared a request. Pure. */

/** Unicode code points of a text; a lone surrogate counts as one (docs/design/api.md, "Translation rules", 8). */
export function codePoints(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length - 1; at++) {
    if (isHigh(text.charCodeAt(at)) && isLow(text.charCodeAt(at + 1))) {
      count--;
      at++;
    }
  }
  return count;
}

/**
 * Spreads the characters that one answer billed over its texts, by largest remainder, so that the
 * shares add up to `billed` exactly. Equal remainders go to the earlier text.
 * @param billed `billed_characters` of the answer, a non-negative integer
 * @param weights code points of each text as sent, in request order; all zero spreads evenly
 * @returns one share per weight, non-negative integers
 */
export function spreadBill(billed: number, weights: readonly number[]): number[] {
  const total = sum(weights);
  if (total === 0) return spreadEvenly(billed, weights.length);
  const shares = weights.map((weight) => Math.floor((billed * weight) / total));
  const byRemainder = weights
    .map((weight, index) => ({ index, remainder: (billed * weight) % total }))
    .sort((a, b) => b.remainder - a.remainder || a.index - b.index);
  for (const { index } of byRemainder.slice(0, billed - sum(shares))) {
    shares[index] = (shares[index] ?? 0) + 1;
  }
  return shares;
}

function spreadEvenly(billed: number, owners: number): number[] {
  return owners === 0
    ? []
    : spreadBill(
        billed,
        Array.from({ length: owners }, () => 1),
      );
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
