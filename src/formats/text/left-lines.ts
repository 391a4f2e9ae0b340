/** Finds lines that the source removed, but that are still in a target because people moved the lines around them. Pure. */
import { endsLine, type FramePiece, isBlankPiece, pieceKey } from '../../segments/frame/frame.ts';
import type { MergedPiece } from '../../segments/frame/lines.ts';
import type { FrameConflict, FrameInput, FrameMerge } from '../../segments/frame/merge.ts';

interface RemovedLines {
  /** Keys of the source when it was last read. */
  readonly before: readonly string[];
  readonly source: readonly FramePiece[];
  /** Conflicts of the merge so far: their lines are already reported. */
  readonly reported: readonly FrameConflict[];
  decide: FrameInput['decide'];
}

/** Such lines are a conflict until a person decides. Without the conflict, nobody would learn of the lines. */
export function withRemoved(merged: FrameMerge, removed: RemovedLines): FrameMerge {
  const left = new Set(leftIn(merged.pieces, removed));
  if (left.size === 0) return merged;
  const lines = [...left].map(({ piece }) => piece);
  const conflict = { source: '', target: lines.map(lineText).join('') };
  const choice = removed.decide(conflict);
  if (choice === 'human') return merged;
  if (choice === 'open') {
    // Their keys are stored at the start, away from all paragraphs: the next run finds them again, and does not relate them to a paragraph.
    const seen = [...new Set(lines.map(pieceKey)), ...merged.seen];
    return { ...merged, seen, conflicts: [...merged.conflicts, conflict] };
  }
  const [first] = left;
  const text = choice === 'machine' ? '' : choice.text;
  const written: MergedPiece = { piece: { kind: 'line', text }, from: 'target' };
  const pieces = merged.pieces.flatMap((each) => {
    if (each === first && text !== '') return written;
    return left.has(each) ? [] : each;
  });
  return { ...merged, pieces };
}

function leftIn(
  pieces: readonly MergedPiece[],
  { before, source, reported }: RemovedLines,
): readonly MergedPiece[] {
  const now = new Set(source.map(pieceKey));
  const gone = new Set(before.filter((key) => !now.has(key)));
  if (gone.size === 0) return [];
  return pieces.filter(({ piece, from }, at) => {
    const above = pieces[at - 1]?.piece;
    const isWhole = endsLine(piece) && (above === undefined || endsLine(above));
    if (from !== 'target' || !isWhole || isBlankPiece(piece) || !gone.has(pieceKey(piece)))
      return false;
    return !reported.some(({ target }) => target.includes(lineText(piece)));
  });
}

function lineText(piece: FramePiece): string {
  return piece.kind === 'line' ? piece.text : '';
}
