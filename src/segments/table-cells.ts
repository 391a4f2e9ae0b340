/**
 * Finds the row and the column of table cells. A new cell in an existing row moves all cells behind it to other columns, and the last ones
 * out of the table. GFM shows only as many cells as the header has. Pure.
 */
import type { FeatureSides, PairingDoubt, TableCell, TextPairing } from './likeness.ts';

/** Finds the cell of each segment, reading a file from its start. */
export class CellReader {
  #html: TableCell | undefined;

  /**
   * @param before the text between the segment and the one before it
   * @param line the text before the segment on its line
   * @param start offset of the segment
   */
  next(before: string, line: string, start: number): TableCell | undefined {
    for (const { index, 1: tag } of before.matchAll(/<(\/?(?:tr|td|th|table))\b/gi)) {
      this.#html = afterTag(this.#html, tag?.toLowerCase(), start - before.length + index);
    }
    if (this.#html !== undefined) return this.#html.column > 0 ? this.#html : undefined;
    if (!/^[\s>]*\|/.test(line)) return undefined;
    return { row: start - line.length, column: line.replace(/\\./g, '').split('|').length - 1 };
  }
}

function afterTag(
  cell: TableCell | undefined,
  tag: string | undefined,
  at: number,
): TableCell | undefined {
  if (tag === 'tr') return { row: at, column: 0 };
  if (tag === 'td' || tag === 'th') return cell && { ...cell, column: cell.column + 1 };
  return tag === '/td' || tag === '/th' ? cell : undefined;
}

/**
 * A cell without partner takes the cell of its column, if its row has a partner row. If that cell is taken or missing, the cell is in
 * doubt.
 */
export function settleCells(pairing: TextPairing, { source, target }: FeatureSides): TextPairing {
  const rows = rowsOf(pairing, { source, target });
  const free = new Set([...pairing.added.target, ...pairing.doubts.flatMap((each) => each.target)]);
  const open = [...pairing.added.source, ...pairing.doubts.flatMap((each) => each.source)];
  const pairs = [...pairing.pairs];
  const doubts: PairingDoubt[] = [];
  const settled = new Set<number>();
  for (const a of open) {
    const cell = source[a]?.cell;
    const row = cell && rows.get(cell.row);
    if (row === undefined) continue;
    settled.add(a);
    const b = row.find((index) => target[index]?.cell?.column === cell?.column && free.has(index));
    if (b === undefined) doubts.push({ source: [a], target: row });
    else pairs.push({ a, b });
    if (b !== undefined) free.delete(b);
  }
  return settled.size === 0 ? pairing : { ...without(pairing, { settled, free }, doubts), pairs };
}

/** By row of the source: the cells of the partner row of the target. */
function rowsOf(
  { pairs }: TextPairing,
  { source, target }: FeatureSides,
): Map<number, readonly number[]> {
  const cells = Map.groupBy(target.keys(), (b) => target[b]?.cell?.row);
  return new Map(
    pairs.flatMap(({ a, b }): [number, readonly number[]][] => {
      const [cell, partner] = [source[a]?.cell, target[b]?.cell];
      if (cell === undefined || partner === undefined) return [];
      return [[cell.row, cells.get(partner.row) ?? []]];
    }),
  );
}

interface SettledCells {
  readonly settled: ReadonlySet<number>;
  /** Free cells of the target. */
  readonly free: ReadonlySet<number>;
}

/** Removes paired cells from the unclear cases. A case with cells on one side only is dropped. */
function without(
  pairing: TextPairing,
  { settled, free }: SettledCells,
  more: readonly PairingDoubt[],
): TextPairing {
  const left = pairing.doubts.map(({ source, target }) => ({
    source: source.filter((a) => !settled.has(a)),
    target: target.filter((b) => free.has(b)),
  }));
  const alone = left.filter(({ source, target }) => source.length === 0 || target.length === 0);
  return {
    ...pairing,
    doubts: [...left.filter((doubt) => !alone.includes(doubt)), ...more],
    added: {
      source: [
        ...pairing.added.source.filter((a) => !settled.has(a)),
        ...alone.flatMap((doubt) => doubt.source),
      ],
      target: [
        ...pairing.added.target.filter((b) => free.has(b)),
        ...alone.flatMap((doubt) => doubt.target),
      ],
    },
  };
}
