/** Merges what is no text in one table row: code, and the signs and blanks between its cells. Pure. */
import { areSameKeys, type FramePiece, lineKey, pieceKey } from './frame.ts';
import { type MergedPiece, piecesFrom } from './lines.ts';
import type { FrameConflict, FrameInput } from './merge.ts';
import { type RowVersions, withColumns } from './row-columns.ts';
import { evenBlanks } from './table-rows.ts';

export interface MergedRow {
  readonly pieces: readonly MergedPiece[];
  /** The keys to remember. */
  readonly seen: readonly string[];
  readonly conflicts: readonly FrameConflict[];
}

/** A row that the target has stays a person's where they changed it; a new one is as in the source. */
export function mergeRow(
  { before, source = [], target = [] }: RowVersions,
  decide: FrameInput['decide'],
): MergedRow {
  const seen = source.map(pieceKey);
  const theirs = { pieces: piecesFrom('source', source), seen, conflicts: [] };
  const ours = { pieces: piecesFrom('target', target), seen, conflicts: [] };
  if (target.length === 0) return theirs;
  if (source.length === 0 || before === undefined) return ours;
  const now = target.map(pieceKey);
  if (areSameKeys(seen, before)) return ours;
  if (areSameKeys(now, before)) return theirs;
  if (seen.length === before.length && areSameKeys(segmentsOf(source), segmentsOf(target))) {
    return mergePieces({ before, source, target }, decide);
  }
  // The source changed the columns of a row that a person aligned.
  const followed = withColumns({ source, target });
  return followed === undefined ? ours : { ...ours, pieces: followed };
}

function mergePieces(
  { before = [], source = [], target = [] }: RowVersions,
  decide: FrameInput['decide'],
): MergedRow {
  if (source.length !== target.length) {
    return { pieces: piecesFrom('target', target), seen: source.map(pieceKey), conflicts: [] };
  }
  const conflicts: FrameConflict[] = [];
  const seen = source.map(pieceKey);
  const pieces = source.map((theirs, at): MergedPiece => {
    const mine = target[at] ?? theirs;
    if (theirs.kind === 'segment' || mine.kind === 'segment')
      return { piece: mine, from: 'target' };
    const text = mergedText({ before: before[at], theirs: theirs.text, mine: mine.text });
    if (text !== undefined) return { piece: { kind: 'line', text }, from: 'target' };
    const conflict = { source: theirs.text, target: mine.text };
    const choice = decide(conflict);
    if (choice === 'machine') return { piece: theirs, from: 'source' };
    if (choice === 'open') {
      conflicts.push(conflict);
      seen[at] = before[at] ?? '';
    }
    const own = typeof choice === 'object' ? choice.text : mine.text;
    return { piece: { kind: 'line', text: own }, from: 'target' };
  });
  return { pieces, seen, conflicts };
}

interface TextVersions {
  readonly before: string | undefined;
  readonly theirs: string;
  readonly mine: string;
}

/** Undefined: a conflict. */
function mergedText({ before, theirs, mine }: TextVersions): string | undefined {
  const isUnchanged = lineKey(theirs) === before || lineKey(evenBlanks(theirs)) === before;
  if (isUnchanged || bare(theirs) === bare(mine)) return mine;
  if (lineKey(mine) === before || lineKey(evenBlanks(mine)) === before)
    return aligned(theirs, mine);
  return undefined;
}

function bare(text: string): string {
  return evenBlanks(text).replace(/\s+/g, '');
}

/** The source's text in the column widths of the target. */
function aligned(theirs: string, mine: string): string {
  const [cells, own] = [theirs.split('|'), mine.split('|')];
  if (cells.length !== own.length) return theirs;
  return cells
    .map((cell, at) => {
      const there = own[at] ?? cell;
      if (cell.trim() === there.trim()) return there;
      const isWhole = at > 0 && at < cells.length - 1;
      return isWhole ? ` ${cell.trim()} `.padEnd(there.length) : cell;
    })
    .join('|');
}

function segmentsOf(pieces: readonly FramePiece[]): string[] {
  return pieces.flatMap((piece) => (piece.kind === 'segment' ? [piece.id] : []));
}
