/**
 * The tags of an element of HTML with one text, as parts of the line of that text. They may be on lines of their own. So a paragraph
 * corresponds to the same paragraph of the other page, whose tags are on the line of the text. Pure.
 */
import { append } from '../../parsing/append.ts';
import { TAG } from '../../parsing/markup.ts';
import { endsLine, type FramePiece, isBlankPiece, isSegmentKey, pieceKey } from './frame.ts';
import type { MergedPiece } from './lines.ts';
import type { FrameConflict, FrameMerge } from './merge.ts';
import type { NamedPage } from './named-merge.ts';

/** Pages whose elements with one text are joined, and the way back. */
export interface LeafBlocks extends NamedPage {
  /** A conflict as the pages have it. */
  shown(conflict: FrameConflict): FrameConflict;
  /** Lines as the pages have them. */
  separated(merge: FrameMerge): FrameMerge;
}

/** The pieces beside a text that are its tags. */
interface TagsOfText {
  readonly head: readonly FramePiece[];
  readonly tail: readonly FramePiece[];
}

export function withLeafBlocks(sides: NamedPage): LeafBlocks {
  const blocks = new JoinedTags();
  const [source, target] = [blocks.join(sides.source), blocks.join(sides.target)];
  const [before, seen] = [sides.before, sides.seen].map((keys) => keys && blocks.joinKeys(keys));
  return {
    ...{ source, target, before, seen },
    shown: shownConflict,
    separated: ({ pieces, conflicts, seen: now }) => ({
      pieces: pieces.flatMap((each) => blocks.separate(each)),
      conflicts: conflicts.map(shownConflict),
      seen: now.flatMap((key) => blocks.keysOf(key)),
    }),
  };
}

/** Stands behind a start tag whose text begins the next line. A piece that ends a line would be no part of the line of the text. */
const NO_LINE_END = '\u{2}';

function shownConflict({ source, target }: FrameConflict): FrameConflict {
  return {
    source: source.replaceAll(NO_LINE_END, ''),
    target: target.replaceAll(NO_LINE_END, ''),
  };
}

class JoinedTags {
  readonly #parts = new Map<FramePiece, readonly FramePiece[]>();
  /** A merge makes some pieces again. The target's line ends count: those of the source are converted to them. */
  readonly #ofText = new Map<string, readonly FramePiece[]>();
  readonly #keys = new Map<string, readonly string[]>();
  /** By the keys of both tags: the keys of the joined pieces. */
  readonly #leaves = new Map<string, readonly [head: string[], tail: string[]]>();

  /** Numbers of pieces of the heads and tails. */
  readonly #sizes = new Map<string, readonly [head: number, tail: number]>();

  join(pieces: readonly FramePiece[]): FramePiece[] {
    const joined: FramePiece[] = [];
    let from = 0;
    for (const [at, piece] of pieces.entries()) {
      const leaf = piece.kind === 'segment' ? leafAt(pieces, at, from) : undefined;
      if (leaf === undefined) continue;
      const { head, tail } = leaf;
      const own = [this.#joinPieces(head, true), this.#joinPieces(tail, false)] as const;
      const [headKeys, tailKeys] = own.map((part) => part.map(pieceKey));
      this.#sizes.set(`${head.length} ${tail.length}`, [head.length, tail.length]);
      this.#leaves.set(leafKey(head.map(pieceKey), tail.map(pieceKey)), [
        headKeys ?? [],
        tailKeys ?? [],
      ]);
      const start = at - head.length;
      append(joined, [...pieces.slice(from, start), ...own[0], piece, ...own[1]]);
      from = at + 1 + tail.length;
    }
    return [...joined, ...pieces.slice(from)];
  }

  #joinPieces(parts: readonly FramePiece[], isHead: boolean): FramePiece[] {
    const [last] = parts.slice(-1);
    const isAlone = isHead && last !== undefined && endsLine(last);
    if (parts.length < 2 && !isAlone) return [...parts];
    const lines = parts.map((piece) => (piece.kind === 'line' ? piece.text : ''));
    const text = lines.join('').replace(/\r\n?/g, '\n') + (isAlone ? NO_LINE_END : '');
    const piece: FramePiece = { kind: 'line', text };
    this.#parts.set(piece, parts);
    this.#ofText.set(text, parts);
    this.#keys.set(pieceKey(piece), parts.map(pieceKey));
    return [piece];
  }

  /** Of the last source only keys are known: an element that one of the pages has, too, is joined. */
  joinKeys(keys: readonly string[]): string[] {
    if (this.#leaves.size === 0) return [...keys];
    const joined: string[] = [];
    let from = 0;
    for (const [at, key] of keys.entries()) {
      if (!isSegmentKey(key)) continue;
      for (const [head, tail] of this.#sizes.values()) {
        const start = at - head;
        const end = at + 1 + tail;
        const leaf = this.#leaves.get(leafKey(keys.slice(start, at), keys.slice(at + 1, end)));
        if (start < from || leaf === undefined) continue;
        append(joined, [...keys.slice(from, start), ...leaf[0], key, ...leaf[1]]);
        from = end;
        break;
      }
    }
    return [...joined, ...keys.slice(from)];
  }

  separate({ piece, from }: MergedPiece): MergedPiece[] {
    const again = piece.kind === 'line' ? this.#ofText.get(piece.text) : undefined;
    return (this.#parts.get(piece) ?? again ?? [piece]).map((part) => ({ piece: part, from }));
  }

  keysOf(key: string): readonly string[] {
    return this.#keys.get(key) ?? [key];
  }
}

function leafKey(head: readonly string[], tail: readonly string[]): string {
  return `${head.join(' ')}|${tail.join(' ')}`;
}

/** @param from the first piece that belongs to no element before; @returns undefined where all tags are on the line of the text */
function leafAt(pieces: readonly FramePiece[], at: number, from: number): TagsOfText | undefined {
  const head = headOf(pieces.slice(Math.max(from, at - MOST_TAG_LINES), at));
  const tail = tailOf(pieces.slice(at + 1, at + 3));
  if (head === undefined || tail === undefined) return undefined;
  const isOnLine = head.length === 1 && tail.length === 1 && !head.some(endsLine);
  const name = startName(head);
  return isOnLine || name === undefined || name !== endName(tail.at(-1))
    ? undefined
    : { head, tail };
}

/** The lines of a start tag, with the blanks before its text. */
const MOST_TAG_LINES = 16;

/** @param above the pieces before the text */
function headOf(above: readonly FramePiece[]): readonly FramePiece[] | undefined {
  const [sign] = above.slice(-1);
  if (sign === undefined || sign.kind === 'segment') return undefined;
  const from = above.findLastIndex((piece) => piece.kind === 'segment' || piece.text.includes('<'));
  const head = above.slice(Math.max(from, 0));
  const outer = above[from - 1];
  // The rest of the line of the text above is no tag of this text.
  const isWhole = outer === undefined || outer.kind === 'line';
  return startName(head) !== undefined && isWhole ? head : undefined;
}

/** @param below up to two pieces behind the text */
function tailOf(below: readonly FramePiece[]): readonly FramePiece[] | undefined {
  const [rest] = below;
  if (rest === undefined || !endsLine(rest)) return undefined;
  const tail = below.slice(0, isBlankPiece(rest) ? 2 : 1);
  return tail.every(endsLine) && endName(tail.at(-1)) !== undefined ? tail : undefined;
}

/** @param head the lines of a tag; behind it are at most a line end and blanks */
function startName(head: readonly FramePiece[]): string | undefined {
  const text = head.map((piece) => (piece.kind === 'line' ? piece.text : '')).join('');
  const tag = text.slice(text.lastIndexOf('<'));
  return TAG_ALONE.test(tag) ? /^<([a-z][\w-]*)/i.exec(tag)?.[1]?.toLowerCase() : undefined;
}

const TAG_ALONE = new RegExp(`^(?:${TAG})(?:[ \\t]*(?:\\r\\n?|\\n))?[ \\t]*$`);

function endName(piece: FramePiece | undefined): string | undefined {
  const name = piece?.kind === 'line' && /^\s*<\/([a-z][\w-]*)\s*>/i.exec(piece.text)?.[1];
  return name ? name.toLowerCase() : undefined;
}
