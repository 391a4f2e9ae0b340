/** The numbers of list items belong to their places, not to their texts. Pure. */
import { type ListMarker, markerBefore, markerText } from './block-syntax.ts';
import { type FramePiece, lineKey } from './frame.ts';
import { type FrameUnit, signsBeforeTexts } from './units.ts';

interface NumberedPage {
  readonly before: readonly FrameUnit[];
  readonly target: readonly FrameUnit[];
}

export function hasNumber(piece: FramePiece | undefined): boolean {
  return numberedMarker(piece) !== undefined;
}

/**
 * A sign of the source that was last seen, and that differs from the one of today only in its number, counts as unchanged. In the target it
 * gets the new number where no person changed it.
 */
export function withSourceNumbers(
  { before, target }: NumberedPage,
  source: readonly FrameUnit[],
): NumberedPage {
  const [now, seen] = [signsBeforeTexts(source), signsBeforeTexts(before)];
  const isRenumbered = renumberedBy([...source, ...target]);
  const newSign = (key = '') => {
    const [theirs, then] = [now.get(key), seen.get(key)];
    return theirs && then && isRenumbered(then, theirs) ? theirs : undefined;
  };
  const renumbered = (
    units: readonly FrameUnit[],
    isSeen: (unit: FrameUnit, key: string) => boolean,
  ) =>
    units.map((unit, at) => {
      const text = units[at + 1]?.key ?? '';
      return unit.kind === 'sign' && isSeen(unit, text) ? (newSign(text) ?? unit) : unit;
    });
  // A person who numbers one item otherwise counts otherwise.
  const isOwn = [...signsBeforeTexts(target)].some(
    ([key, { piece, key: sign }]) => hasNumber(piece) && (seen.get(key)?.key ?? sign) !== sign,
  );
  return {
    before: renumbered(before, () => true),
    target: isOwn ? target : renumbered(target, (unit, text) => seen.get(text)?.key === unit.key),
  };
}

/** Of the sign that was seen, only the key is known: it is compared with the keys of all numbers that the page has. */
function renumberedBy(units: readonly FrameUnit[]) {
  const numbers = new Set(units.flatMap(({ piece }) => numberedMarker(piece)?.number ?? []));
  const known = new Map<string, ReadonlySet<string>>();
  const keysLike = (marker: ListMarker) => {
    const style = markerText({ ...marker, number: '1' });
    const keys =
      known.get(style) ??
      new Set([...numbers].map((number) => lineKey(markerText({ ...marker, number }))));
    known.set(style, keys);
    return keys;
  };
  return (then: FrameUnit, theirs: FrameUnit) => {
    const marker = numberedMarker(theirs.piece);
    return marker !== undefined && keysLike(marker).has(then.key);
  };
}

function numberedMarker(piece: FramePiece | undefined): ListMarker | undefined {
  const marker = piece?.kind === 'line' ? markerBefore(piece.text) : undefined;
  return marker?.number === '' ? undefined : marker;
}
