/**
 * Cells of a table belong to a row and a column. A cell that goes into a row which is there already moves all cells behind it
 * out of their columns, and the last ones out of the table: GFM shows as many as the header has. Pure.
 */
import type { PairingDoubt, Sides, TableCell, TextPairing } from './likeness.ts';

/** Reads a file from its start: which cell each of its segments stands in. */
export class CellReader {
  #html: TableCell | undefined;

  /**
   * @param before what stands between the segment and the one before it
   * @param line what stands before it on its line
   * @param start where the segment begins
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

/** Cells without partner take the cell of their column where their row has a partner; where that is taken or missing, they are in doubt. */
export function settleCells(pairing: TextPairing, { source, target }: Sides): TextPairing {
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

/** By row of the source: the cells of the target's row that holds the partners of its cells. */
function rowsOf({ pairs }: TextPairing, { source, target }: Sides): Map<number, readonly number[]> {
  const cells = Map.groupBy(target.keys(), (b) => target[b]?.cell?.row);
  return new Map(
    pairs.flatMap(({ a, b }): [number, readonly number[]][] => {
      const [cell, partner] = [source[a]?.cell, target[b]?.cell];
      if (cell === undefined || partner === undefined) return [];
      return [[cell.row, cells.get(partner.row) ?? []]];
    }),
  );
}

interface Settled {
  readonly settled: ReadonlySet<number>;
  /** Of the target. */
  readonly free: ReadonlySet<number>;
}

/** The rest of a doubt that has one side only is no doubt. */
function without(
  pairing: TextPairing,
  { settled, free }: Settled,
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
