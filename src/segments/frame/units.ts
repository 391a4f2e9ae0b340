/** The pieces of a page, told apart by what they are: texts, the signs before a text on its line, and whole lines. Pure. */
import {
  endsLine,
  type FramePiece,
  isBlankPiece,
  isSegmentKey,
  lineKey,
  pieceKey,
} from './frame.ts';

export interface FrameUnit {
  readonly key: string;
  /** `sign`: a part of a line, before a text or between two. `line`: up to a line end, also the rest of the line of a text. */
  readonly kind: 'text' | 'sign' | 'line' | 'blank';
  /** Undefined in the source that was last seen: only keys are remembered. */
  readonly piece: FramePiece | undefined;
}

export function frameUnitsOf(pieces: readonly FramePiece[]): FrameUnit[] {
  return pieces.map((piece) => ({ key: pieceKey(piece), kind: kindOf(piece), piece }));
}

function kindOf(piece: FramePiece): FrameUnit['kind'] {
  if (piece.kind === 'segment') return 'text';
  if (!endsLine(piece)) return 'sign';
  return isBlankPiece(piece) ? 'blank' : 'line';
}

interface PageUnits {
  readonly source: readonly FrameUnit[];
  readonly target: readonly FrameUnit[];
}

/** The pages of today know most keys. An unknown key before a text that has signs in the source counts as its signs. */
export function rememberedUnits(
  keys: readonly string[],
  { source, target }: PageUnits,
): FrameUnit[] {
  const known = new Map([...target, ...source].map(({ key, kind }) => [key, kind]));
  known.set(lineKey('\n'), 'blank');
  const signs = signsBeforeTexts(source);
  return keys.map((key, at) => {
    const next = keys[at + 1] ?? '';
    const kind = isSegmentKey(key)
      ? 'text'
      : (known.get(key) ?? (signs.has(next) ? 'sign' : 'line'));
    return { key, kind, piece: undefined };
  });
}

/** The signs before texts, by the key of the text. */
export function signsBeforeTexts(units: readonly FrameUnit[]): ReadonlyMap<string, FrameUnit> {
  return new Map(
    units.flatMap((unit, at) => {
      const text = units[at + 1];
      return unit.kind === 'sign' && text?.kind === 'text' ? [[text.key, unit] as const] : [];
    }),
  );
}
