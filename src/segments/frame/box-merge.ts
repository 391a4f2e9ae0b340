/**
 * Boxes while the frames of a page are merged. Where a person gave a box a title of their own, its opening line counts as the source's
 * line meanwhile. It gets the person's words back afterwards. A box goes with its last text. Pure.
 */
import { type Box, boxesIn, untitledLine } from './boxes.ts';
import {
  type FramePiece,
  isBlankPiece,
  isSegmentKey,
  lineKey,
  type PageFrames,
  pieceKey,
} from './frame.ts';
import type { MergedPiece } from './lines.ts';

interface SourceOpenings {
  readonly target: readonly FramePiece[];
  /** The person's lines, by the first text of their box and the line of the source. */
  readonly own: ReadonlyMap<string, FramePiece>;
}

export function withSourceOpenings({ before, source, target }: PageFrames): SourceOpenings {
  const own = new Map<string, FramePiece>();
  const mine = before === undefined ? undefined : openingLines(target);
  if (before === undefined || mine === undefined || mine.size === 0) return { target, own };
  const replaced = new Map<number, FramePiece>();
  for (const [text, theirs] of openingLines(source)) {
    const lines = mine.get(text) ?? [];
    if (lines.length !== theirs.length) continue;
    for (const [nth, { at, piece }] of lines.entries()) {
      const line = theirs[nth]?.piece;
      if (line === undefined || pieceKey(line) === pieceKey(piece)) continue;
      if (!keysAbove(before, text).includes(pieceKey(line))) continue;
      own.set(openingId(text, line), piece);
      replaced.set(at, line);
    }
  }
  return { target: target.map((piece, at) => replaced.get(at) ?? piece), own };
}

interface OpeningLine {
  readonly at: number;
  readonly piece: FramePiece;
}

/** Opening lines without a title of their source, by the id of the first text in their box. */
function openingLines(pieces: readonly FramePiece[]): ReadonlyMap<string, OpeningLine[]> {
  const lines = new Map<string, OpeningLine[]>();
  for (const { from, opened, title, texts } of boxesIn(pieces).boxes) {
    const [first] = texts;
    const piece = pieces[from];
    if (first === undefined || title !== undefined || piece === undefined || opened !== from + 1)
      continue;
    lines.set(first, [...(lines.get(first) ?? []), { at: from, piece }]);
  }
  return lines;
}

function openingId(text: string, line: FramePiece): string {
  return `${pieceKey(line)} ${text}`;
}

/** The keys of the lines between a text and the one above it. */
function keysAbove(keys: readonly string[], text: string): readonly string[] {
  const at = keys.indexOf(`#${text}`);
  const above = keys.slice(0, Math.max(0, at));
  return above.slice(above.findLastIndex(isSegmentKey) + 1);
}

export function withPersonsOpenings(
  merged: readonly MergedPiece[],
  { own }: Pick<SourceOpenings, 'own'>,
): readonly MergedPiece[] {
  if (own.size === 0) return merged;
  const lines = openingLines(merged.map(({ piece }) => piece));
  const replaced = new Map<number, MergedPiece>();
  for (const [text, all] of lines) {
    for (const { at, piece } of all) {
      const line = own.get(openingId(text, piece));
      if (line !== undefined) replaced.set(at, { piece: line, from: 'target' });
    }
  }
  return merged.map((each, at) => replaced.get(at) ?? each);
}

/** Without the boxes that have nothing in them any more, each with one of the gaps around it. */
export function withoutEmptied(
  merged: readonly MergedPiece[],
  { source, target }: Omit<PageFrames, 'before'>,
): readonly MergedPiece[] {
  const pieces = merged.map(({ piece }) => piece);
  const empty = emptyBoxes(pieces);
  if (empty.length === 0) return merged;
  const known = new Set(
    [source, target].flatMap((page) => emptyBoxes(page).map((box) => lineOf(page, box))),
  );
  const gone = new Set<number>();
  for (const box of empty) {
    if (known.has(lineOf(pieces, box))) continue;
    for (let at = box.from; at < box.to; at += 1) gone.add(at);
    const isGap = box.from === 0 || isBlankPiece(pieces[box.from - 1]);
    for (let at = box.to; isGap && isBlankPiece(pieces[at]); at += 1) gone.add(at);
  }
  return merged.filter((_, at) => !gone.has(at));
}

function emptyBoxes(pieces: readonly FramePiece[]): Box[] {
  return boxesIn(pieces).boxes.filter(({ isEmpty, title }) => isEmpty && title === undefined);
}

function lineOf(pieces: readonly FramePiece[], { from, opened }: Box): string {
  return pieces.slice(from, opened).map(pieceKey).join('');
}

/**
 * Makes a place for each new title in the target, on the line that opens its box. That line must be the source's line without a title.
 * Blank lines of a person below it stay.
 */
export function withTitlePlaces(
  { before, source, target }: PageFrames,
  isNew: (id: string) => boolean,
): PageFrames {
  const titled = boxesIn(source).boxes.filter(({ title }) => title !== undefined && isNew(title));
  if (titled.length === 0) return { before, source, target };
  const lines = openingLines(target);
  const places = new Map<number, readonly FramePiece[]>();
  const keys = new Map<number, readonly string[]>();
  for (const { from, opened, texts } of titled) {
    const [head, , tail] = source.slice(from, opened);
    if (head?.kind !== 'line' || tail?.kind !== 'line' || opened !== from + 3) continue;
    const [text = ''] = texts;
    const untitled = lineKey(untitledLine(head.text, tail.text) ?? '');
    const line = lines.get(text)?.find(({ piece }) => pieceKey(piece) === untitled);
    if (line === undefined) continue;
    places.set(line.at, [head, withEndOf(line.piece, tail)]);
    const then = before?.lastIndexOf(untitled, before.indexOf(`#${text}`)) ?? -1;
    if (keysAbove(before ?? [], text).includes(untitled))
      keys.set(then, [head, tail].map(pieceKey));
  }
  return {
    before: before?.flatMap((key, at) => keys.get(at) ?? [key]),
    source,
    target: target.flatMap((piece, at) => places.get(at) ?? [piece]),
  };
}

function withEndOf(line: FramePiece, tail: FramePiece & { readonly kind: 'line' }): FramePiece {
  const [end = ''] = (line.kind === 'line' && /(?:\r\n|\n|\r)$/.exec(line.text)) || [];
  return { kind: 'line', text: tail.text.trimEnd() + end };
}
