/** The front matter of a page at first contact: for a missing text, only its own line is added. Pure. */
import { readLine } from './block-syntax.ts';
import { endsLine, type FramePiece } from './frame.ts';
import { isRule } from './named-lines.ts';

export interface FirstFrontMatter {
  /** The position of the fence that closes it. */
  readonly end: number;
  /** Positions of what comes with a new text: its line, and the keys above it. An item of a list comes whole if all its texts are new. */
  readonly ofNew: ReadonlySet<number>;
}

/** Undefined: the page has none. */
export function frontMatterOf(
  pieces: readonly FramePiece[],
  isNew: (id: string) => boolean,
): FirstFrontMatter | undefined {
  const [first] = pieces;
  const fence = first?.kind === 'line' ? first.text.trim() : '';
  if (!FENCES.has(fence)) return undefined;
  const lines = matterLines(pieces);
  const given = lines.map(({ text, segments }) => ({ text, hasText: segments.length > 0 }));
  if (isRule(given)) return undefined;
  const last = lines.findIndex(({ text, segments }, at) => {
    return at > 0 && segments.length === 0 && text.trimEnd() === fence;
  });
  if (last < 0) return undefined;
  const own = lines.slice(1, last);
  const ofNew = own.flatMap((line, at) =>
    line.segments.some(isNew) ? [line, ...above(own, at), ...ofItem(own, at, isNew)] : [],
  );
  return {
    end: lines[last]?.places[0] ?? 0,
    ofNew: new Set(ofNew.flatMap(({ places }) => places)),
  };
}

const FENCES: ReadonlySet<string> = new Set(['---', '+++']);

interface MatterLine {
  /** The positions of its pieces. */
  readonly places: readonly number[];
  /** Up to its first segment. */
  readonly text: string;
  /** Ids. */
  readonly segments: readonly string[];
}

function matterLines(pieces: readonly FramePiece[]): MatterLine[] {
  const lines: { places: number[]; text: string; segments: string[] }[] = [];
  let isOpen = false;
  for (const [at, piece] of pieces.entries()) {
    const line = (isOpen && lines.at(-1)) || { places: [], text: '', segments: [] };
    if (!isOpen) lines.push(line);
    line.places.push(at);
    if (piece.kind === 'segment') line.segments.push(piece.id);
    else if (line.segments.length === 0) line.text += piece.text;
    isOpen = !endsLine(piece);
  }
  return lines;
}

/** The keys that a line is below (YAML), and the name of its table (TOML). */
function above(lines: readonly MatterLine[], at: number): MatterLine[] {
  let indent = indentOf(lines[at]);
  const keys = lines
    .slice(0, at)
    .toReversed()
    .filter((line) => {
      const isKey = line.text.trim() !== '' && indentOf(line) < indent;
      if (isKey) indent = indentOf(line);
      return isKey;
    });
  const table = lines.slice(0, at).findLast(({ text }) => text.startsWith('['));
  return table === undefined ? keys : [...keys, table];
}

/** The item of a list that the line is in, if all its texts are new. */
function ofItem(
  lines: readonly MatterLine[],
  at: number,
  isNew: (id: string) => boolean,
): readonly MatterLine[] {
  const inside = indentOf(lines[at]);
  const isHead = (line: MatterLine, place: number) =>
    beginsItem(line) && (place === at || indentOf(line) < inside);
  const first = lines.slice(0, at + 1).findLastIndex(isHead);
  const head = lines[first];
  if (head === undefined) return [];
  const end = lines.findIndex((line, place) => {
    return place > first && line.text.trim() !== '' && indentOf(line) <= indentOf(head);
  });
  const item = lines.slice(first, end < 0 ? lines.length : end);
  return item.every(({ segments }) => segments.every(isNew)) ? item : [];
}

function indentOf(line: MatterLine | undefined): number {
  return readLine(line?.text ?? '').indent;
}

function beginsItem({ text }: MatterLine): boolean {
  return readLine(text).containers[0]?.kind === 'item';
}
