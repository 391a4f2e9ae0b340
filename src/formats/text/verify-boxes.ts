/**
 * The last check of boxes before a write. Each box that is opened is closed and has something in it. No text is in another number of boxes
 * than in its source or in the target before. A new text is in as many as in its source, if the known texts are. Pure.
 */
import { JobFailure } from '../../failure.ts';
import { boxesIn, type PageBoxes } from '../../segments/frame/boxes.ts';
import type { FramePiece } from '../../segments/frame/frame.ts';
import type { Reader } from './open.ts';

interface BoxSides {
  readonly source: readonly FramePiece[];
  readonly target: readonly FramePiece[];
}

/** @throws JobFailure; then the merge is tried another way */
export function verifyBoxes(
  written: readonly FramePiece[],
  { source, target }: BoxSides,
  { options }: Reader,
): void {
  const [now, theirs, mine] = [boxesIn(written), boxesIn(source), boxesIn(target)];
  const faults = faultsIn(now) - faultsIn(theirs) - faultsIn(mine);
  const depth = ({ depths }: PageBoxes, id: string) => depths.get(id) ?? 0;
  const isElsewhere = (id: string) =>
    ![theirs, mine].some((page) => depth(page, id) === depth(now, id));
  const [inSource, inTarget] = [textsOf(source), textsOf(target)];
  const known = inSource.intersection(inTarget);
  const moved = textsOf(written).intersection(known);
  const areAlike = known.values().every((id) => depth(theirs, id) === depth(mine, id));
  const added = areAlike ? textsOf(written).intersection(inSource).difference(inTarget) : NONE;
  const isMisplaced = (id: string) => depth(now, id) !== depth(theirs, id);
  const isAsMeant = !moved.values().some(isElsewhere) && !added.values().some(isMisplaced);
  if (faults <= 0 && isAsMeant) return;
  const message = 'a box would lose the line that opens it or the line that closes it';
  throw new JobFailure({ kind: 'malformed', where: { file: options.file }, message });
}

const NONE: ReadonlySet<string> = new Set();

function textsOf(pieces: readonly FramePiece[]): ReadonlySet<string> {
  return new Set(pieces.flatMap((piece) => (piece.kind === 'segment' ? [piece.id] : [])));
}

function faultsIn({ boxes, unpaired }: PageBoxes): number {
  return unpaired + boxes.filter(({ isEmpty }) => isEmpty).length;
}
