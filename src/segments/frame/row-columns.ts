/** Columns of a table that the source moves or removes: the cells of a person's rows follow with their words and bars. Pure. */
import { type FramePiece, isSegmentKey, pieceKey } from './frame.ts';
import { type MergedPiece, piecesFrom } from './lines.ts';
import { isDelimiter } from './table-rows.ts';

export interface RowVersions {
  /** Keys of the row in the source that was last seen. */
  readonly before?: readonly string[];
  readonly source?: readonly FramePiece[];
  readonly target?: readonly FramePiece[];
}

/** Rows of tables in which not every row can follow: there, no row does, so that no cell is below the wrong head. */
export function rowsThatStay(
  pieces: readonly MergedPiece[],
  rows: ReadonlyMap<string, RowVersions>,
): ReadonlySet<string> {
  const staying = new Set<string>();
  for (const table of tablesIn(pieces, rows)) {
    const changed = table.filter((name) => hasOtherColumns(rows.get(name)));
    if (changed.every((name) => canFollow(rows.get(name)))) continue;
    for (const name of changed) staying.add(name);
  }
  return staying;
}

/** The names of rows that are right below one another. */
function tablesIn(
  pieces: readonly MergedPiece[],
  rows: ReadonlyMap<string, RowVersions>,
): readonly (readonly string[])[] {
  const tables: string[][] = [[]];
  let lineEnds = 0;
  for (const { piece } of pieces) {
    if (piece.kind === 'segment' && rows.has(piece.id)) {
      tables.at(-1)?.push(piece.id);
      lineEnds = 0;
      continue;
    }
    const isBetween = piece.kind === 'line' && /^[ \t]*[\r\n]*$/.test(piece.text);
    if (piece.kind === 'line' && /[\r\n]$/.test(piece.text)) lineEnds += 1;
    if (!isBetween || lineEnds > 1) tables.push([]);
  }
  return tables.filter((table) => table.length > 0);
}

function hasOtherColumns({ before, source, target }: RowVersions = {}): boolean {
  if (before === undefined || source === undefined || target === undefined) return false;
  const own = new Set(keysOfCells(target));
  // A new cell that has no place is held.
  if (!keysOfCells(source).every((key) => own.has(key))) return false;
  return before.filter(isSegmentKey).join() !== keysOfCells(source).join();
}

function canFollow(row: RowVersions = {}): boolean {
  const { before = [], target = [] } = row;
  return before.join() === target.map(pieceKey).join() || withColumns(row) !== undefined;
}

function keysOfCells(row: readonly FramePiece[]): string[] {
  return row.flatMap((piece) => (piece.kind === 'segment' ? [pieceKey(piece)] : []));
}

/** The person's row with the columns of the source. Undefined: there is more than texts between its bars. */
export function withColumns({ source = [], target = [] }: RowVersions): MergedPiece[] | undefined {
  const [theirs, mine] = [barsOf(source), barsOf(target)];
  if (theirs === undefined || mine === undefined) return undefined;
  const places = new Map(mine.cells.map((cell, at) => [pieceKey(cell), at]));
  const columns = theirs.cells.map((cell) => places.get(pieceKey(cell)) ?? -1);
  const dashes = mine.dashes === undefined ? [] : movedDashes(mine.dashes, columns);
  if (columns.includes(-1) || dashes === undefined) return undefined;
  const cells = theirs.cells.flatMap((cell, at) => [
    at === 0 ? mine.first : (mine.bars[at - 1] ?? mine.first),
    cell,
  ]);
  return piecesFrom('target', [...cells, mine.last, ...dashes]);
}

interface RowBars {
  readonly first: FramePiece;
  readonly cells: readonly FramePiece[];
  /** Between the cells. */
  readonly bars: readonly FramePiece[];
  readonly last: FramePiece;
  /** The row of dashes below a header. */
  readonly dashes: string | undefined;
}

/** Undefined: the row has code, or has no bar at one of its ends. */
function barsOf(row: readonly FramePiece[]): RowBars | undefined {
  const end = row.at(-1);
  const dashes = end?.kind === 'line' && isDelimiter(end.text) ? end.text : undefined;
  const own = dashes === undefined ? row : row.slice(0, -1);
  const [first, last] = [own[0], own.at(-1)];
  const isPlain = own.every((piece, at) =>
    at % 2 === 1 ? piece.kind === 'segment' : piece.kind === 'line' && isBar(piece.text),
  );
  if (!isPlain || own.length % 2 === 0 || first === undefined || last === undefined)
    return undefined;
  return {
    first,
    cells: own.filter((_, at) => at % 2 === 1),
    bars: own.filter((_, at) => at % 2 === 0 && at > 0 && at < own.length - 1),
    last,
    dashes,
  };
}

function isBar(text: string): boolean {
  return text.replace(/[\s>]+/g, '') === '|';
}

/** Undefined: the person's dashes have other columns than the person's header. */
function movedDashes(dashes: string, columns: readonly number[]): FramePiece[] | undefined {
  const [, start = '', inner = '', end = ''] = /^([\s>]*\|)(.*)(\|\s*)$/s.exec(dashes) ?? [];
  const own = inner.split('|');
  const cells = columns.flatMap((column) => own[column] ?? []);
  if (inner === '' || cells.length < columns.length) return undefined;
  return [{ kind: 'line', text: `${start}${cells.join('|')}${end}` }];
}
