/**
 * The signs before a text on its line (the mark of a list item, `> `, `<dd>`) move with their text. Where a person has other signs than the
 * source, both count as equal while texts change places, and each text keeps those of the person. Pure.
 */
import { type FramePiece, isSegmentKey, pieceKey } from './frame.ts';
import { endsLine, type MergedPiece } from './frame-lines.ts';

interface MovedPage {
  /** Keys of the source that was last seen. */
  readonly before: readonly string[];
  readonly source: readonly FramePiece[];
  readonly target: readonly FramePiece[];
}

export interface SourceHeads {
  /** The target with the source's signs. */
  readonly target: readonly FramePiece[];
  /** The person's signs, by the key of their text. */
  readonly heads: ReadonlyMap<string, FramePiece>;
}

/** Undefined: no text changed its place, or all signs are those of the source. */
export function withSourceHeads({ before, source, target }: MovedPage): SourceHeads | undefined {
  const then = before.filter(isSegmentKey);
  const now = source.map(pieceKey).filter(isSegmentKey);
  if (!changesOrder(then, now)) return undefined;
  const seen = new Map(before.map((key, at) => [key, before[at - 1]]));
  const inSource = signsBeforeTexts(source);
  const heads = new Map<string, FramePiece>();
  const replaced = new Map<number, FramePiece>();
  for (const [key, { at, piece }] of signsBeforeTexts(target)) {
    const theirs = inSource.get(key)?.piece;
    if (theirs === undefined || seen.get(key) !== pieceKey(theirs)) continue;
    if (pieceKey(piece) === pieceKey(theirs)) continue;
    heads.set(key, piece);
    replaced.set(at, theirs);
  }
  if (heads.size === 0) return undefined;
  return { target: target.map((piece, at) => replaced.get(at) ?? piece), heads };
}

function changesOrder(then: readonly string[], now: readonly string[]): boolean {
  const [before, after] = [new Set(then), new Set(now)];
  const kept = now.filter((key) => before.has(key));
  return then.filter((key) => after.has(key)).some((key, at) => key !== kept[at]);
}

/** By the key of a text: the piece that is alone before it on its line. */
function signsBeforeTexts(pieces: readonly FramePiece[]) {
  return new Map(
    pieces.flatMap((text, index) => {
      const [above, piece] = [pieces[index - 2], pieces[index - 1]];
      const isHead = piece?.kind === 'line' && !endsLine(piece);
      const isAlone = isHead && (above === undefined || endsLine(above));
      return text.kind === 'segment' && isAlone
        ? [[pieceKey(text), { at: index - 1, piece }] as const]
        : [];
    }),
  );
}

export function withPersonsHeads(
  pieces: readonly MergedPiece[],
  { heads }: Pick<SourceHeads, 'heads'>,
): MergedPiece[] {
  return pieces.map((each, at): MergedPiece => {
    const next = pieces[at + 1]?.piece;
    const own = next?.kind === 'segment' ? heads.get(pieceKey(next)) : undefined;
    const isHead = each.piece.kind === 'line' && !endsLine(each.piece);
    return own !== undefined && isHead ? { piece: own, from: 'target' } : each;
  });
}
