/**
 * The signs beside a text on its line belong to that text: `<dd>` before it, `</dd>` behind it, the mark of a list item. When new
 * paragraphs are inserted beside those of a person, each paragraph keeps its own signs. Pure.
 */
import { append } from '../../parsing/append.ts';
import { endsLine, type FramePiece, type PageFrames, pieceKey } from './frame.ts';
import type { MergedPiece } from './lines.ts';

export function withOwnLines(pieces: readonly MergedPiece[], sides: PageFrames): MergedPiece[] {
  const { tailOf, headOf, isNew } = linesIn(sides);
  const kept: MergedPiece[] = [];
  let above: FramePiece | undefined;
  let between: MergedPiece[] = [];
  for (const each of [...pieces, undefined]) {
    if (each?.piece.kind === 'line') {
      between.push(each);
      continue;
    }
    const below = each?.piece;
    const isBesideNew = [above, below].some((text) => text !== undefined && isNew(text));
    const [tail, head] = isBesideNew ? [above && tailOf(above), below && headOf(below)] : [];
    const isApart =
      (above === undefined || tail !== undefined) && (below === undefined || head !== undefined);
    if (isBesideNew && isApart) {
      const rest = withoutEnds(between, { tail: above !== undefined, head: below !== undefined });
      between = [...(tail ?? []), ...rest, ...(head ?? [])];
    }
    append(kept, between);
    if (each !== undefined) kept.push(each);
    [above, between] = [below, []];
  }
  return kept;
}

/** Lines without the end of the line of the text above, and without the beginning of the line of the text below. */
function withoutEnds(
  lines: readonly MergedPiece[],
  is: { readonly tail: boolean; readonly head: boolean },
): MergedPiece[] {
  const from = is.tail && lines[0] !== undefined && endsLine(lines[0].piece) ? 1 : 0;
  const last = lines.at(-1);
  const to = is.head && last !== undefined && !endsLine(last.piece) ? -1 : undefined;
  return lines.slice(from, to);
}

/** Pieces of the line of a text; undefined where another text is on that side of the line. */
type OwnLine = (text: FramePiece) => MergedPiece[] | undefined;

function linesIn({ before, source, target }: PageFrames): {
  readonly tailOf: OwnLine;
  readonly headOf: OwnLine;
  isNew(text: FramePiece): boolean;
} {
  const [inSource, inTarget] = [pieceIndices(source), pieceIndices(target)];
  const seen = new Map(before?.map((key, at) => [key, at]));
  /** The person's line stays where it differs from the source that was last seen. */
  const beside = (text: FramePiece, step: 1 | -1) => {
    const key = pieceKey(text);
    const mine = inTarget.get(key);
    const then = seen.get(key);
    const theirs = mine === undefined ? undefined : target[mine + step];
    const isSeen = then !== undefined && before?.[then + step] === (theirs && pieceKey(theirs));
    const [pieces, at] =
      mine === undefined || isSeen ? [source, inSource.get(key)] : [target, mine];
    const from = pieces === source ? ('source' as const) : ('target' as const);
    const [next, further] = at === undefined ? [] : [pieces[at + step], pieces[at + 2 * step]];
    return { next, further, from };
  };
  const indents = neighbourIndents({ source, target }, inTarget);
  const headOf: OwnLine = (text) => {
    const { next, further, from } = beside(text, -1);
    if (next === undefined || endsLine(next)) return [];
    const isOwn = next.kind === 'line' && (further === undefined || endsLine(further));
    const indent = indents.get(pieceKey(text));
    if (isOwn && indent !== undefined) return [{ piece: indent, from: 'target' }];
    return isOwn ? [{ piece: next, from }] : undefined;
  };
  const tailOf: OwnLine = (text) => {
    const { next, from } = beside(text, 1);
    return next !== undefined && endsLine(next) ? [{ piece: next, from }] : undefined;
  };
  return {
    isNew: (text) => !inTarget.has(pieceKey(text)),
    tailOf: (text) => headOf(text) && tailOf(text),
    headOf: (text) => tailOf(text) && headOf(text),
  };
}

function pieceIndices(pieces: readonly FramePiece[]): ReadonlyMap<string, number> {
  return new Map(pieces.map((piece, at) => [pieceKey(piece), at]));
}

/** By key of a new text: a person's blanks before the texts beside it. The source has the same blanks before all of them. */
function neighbourIndents(
  { source, target }: Pick<PageFrames, 'source' | 'target'>,
  inTarget: ReadonlyMap<string, number>,
): ReadonlyMap<string, FramePiece> {
  const indents = new Map<string, FramePiece>();
  const places = source.flatMap(({ kind }, at) => (kind === 'segment' ? [at] : []));
  for (const order of [places, places.toReversed()]) {
    let known: { readonly at: number; readonly own: FramePiece } | undefined;
    for (const at of order) {
      const [text, sign] = [source[at], source[at - 1]];
      if (text === undefined || !isIndent(sign, source[at - 2])) {
        known = undefined;
        continue;
      }
      const isBeside =
        known !== undefined &&
        Math.abs(at - known.at) === LINE_OF_TEXT &&
        pieceKey(sign) === pieceKey(source[known.at - 1] ?? sign);
      const key = pieceKey(text);
      const mine = inTarget.get(key);
      const own = mine === undefined ? known?.own : target[mine - 1];
      if (mine === undefined && isBeside && own !== undefined && !indents.has(key))
        indents.set(key, own);
      const isKnown = mine === undefined ? isBeside : isIndent(own, target[mine - 2]);
      known = isKnown && own !== undefined ? { at, own } : undefined;
    }
  }
  return indents;
}

/** Pieces of a line: its blanks, its text, its end. */
const LINE_OF_TEXT = 3;

function isIndent(
  sign: FramePiece | undefined,
  above: FramePiece | undefined,
): sign is FramePiece & { readonly kind: 'line' } {
  const isLineStart = above === undefined || endsLine(above);
  return isLineStart && sign?.kind === 'line' && /^[ \t]+$/.test(sign.text);
}
