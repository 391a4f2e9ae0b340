/** Compares two texts word by word, by their longest common sequence of words. */

export interface DiffPiece {
  readonly kind: 'same' | 'added' | 'removed';
  readonly words: string;
}

/** Words of a text. A longer text is shown as replaced, since the costs of comparing grow with the square. */
const MOST_WORDS = 400;

export function diffWords(before: string, after: string): readonly DiffPiece[] {
  const [a, b] = [wordsAndGaps(before), wordsAndGaps(after)];
  if (a.length > MOST_WORDS || b.length > MOST_WORDS) {
    return [piece('removed', before), piece('added', after)].filter(({ words }) => words !== '');
  }
  const common = lengths(a, b);
  const pieces: DiffPiece[] = [];
  let [x, y] = [0, 0];
  while (x < a.length || y < b.length) {
    if (x < a.length && y < b.length && a[x] === b[y]) {
      pieces.push(piece('same', a[x++] ?? ''));
      y++;
    } else if (y >= b.length || (x < a.length && at(common, x + 1, y) >= at(common, x, y + 1))) {
      pieces.push(piece('removed', a[x++] ?? ''));
    } else pieces.push(piece('added', b[y++] ?? ''));
  }
  return joinedPieces(pieces);
}

function wordsAndGaps(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+|\s+|[^\p{L}\p{N}\s]/gu) ?? [];
}

/** For each pair of positions: the number of common words from there on. */
function lengths(a: readonly string[], b: readonly string[]): number[][] {
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let x = a.length - 1; x >= 0; x--) {
    for (let y = b.length - 1; y >= 0; y--) {
      const row = table[x];
      if (row === undefined) continue;
      row[y] =
        a[x] === b[y]
          ? at(table, x + 1, y + 1) + 1
          : Math.max(at(table, x + 1, y), at(table, x, y + 1));
    }
  }
  return table;
}

function at(table: readonly (readonly number[])[], x: number, y: number): number {
  return table[x]?.[y] ?? 0;
}

function piece(kind: DiffPiece['kind'], words: string): DiffPiece {
  return { kind, words };
}

function joinedPieces(pieces: readonly DiffPiece[]): DiffPiece[] {
  const result: DiffPiece[] = [];
  for (const each of pieces) {
    const last = result.at(-1);
    if (last?.kind === each.kind) {
      result[result.length - 1] = piece(each.kind, last.words + each.words);
    } else result.push(each);
  }
  return result;
}
