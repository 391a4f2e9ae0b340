/** What is between the texts of a page, and the paragraphs there that only a person has. Pure. */
import { TAG } from '../../parsing/markup.ts';
import { commonSubsequence } from '../subsequence.ts';
import { blockIn } from './block-syntax.ts';
import type { FramePiece } from './frame.ts';
import type { FrameUnit } from './units.ts';

export interface FrameGap {
  /** The rest of the line of the text above. */
  readonly rest: readonly FrameUnit[];
  readonly lines: readonly FrameUnit[];
  /** The beginning of the line of the text below. */
  readonly sign: readonly FrameUnit[];
}

export function gapIn(units: readonly FrameUnit[], isBehindText: boolean): FrameGap {
  const end = units.at(-1)?.kind === 'sign' ? -1 : undefined;
  const [from, whole] = [isBehindText ? 1 : 0, units.slice(0, end)];
  const sign = end === undefined ? [] : units.slice(end);
  return { rest: whole.slice(0, from), lines: whole.slice(from), sign };
}

export interface SourceGaps {
  /** Behind a text, or at the start of the page; undefined where the text is gone. */
  behind(text: string | undefined): FrameGap | undefined;
  /** Before a text, or at the end of the page. */
  before(text: string | undefined): FrameGap | undefined;
  pieceOf(key: string): FramePiece | undefined;
}

export function gapsOf(units: readonly FrameUnit[]): SourceGaps {
  const texts = units.flatMap(({ kind }, at) => (kind === 'text' ? [at] : []));
  const gaps = [-1, ...texts].map((at, nth) => gapIn(units.slice(at + 1, texts[nth]), at >= 0));
  const places = new Map(texts.map((at, nth) => [units[at]?.key, nth]));
  const pieces = new Map(units.map(({ key, piece }) => [key, piece]));
  const indexBehind = (text: string) => places.get(text) ?? Number.NaN;
  return {
    behind: (text) => gaps[text === undefined ? 0 : indexBehind(text) + 1],
    before: (text) => gaps[text === undefined ? texts.length : indexBehind(text)],
    pieceOf: (key) => pieces.get(key),
  };
}

export function wordsIn({ lines }: Pick<FrameGap, 'lines'> = { lines: [] }): FrameUnit[] {
  return lines.filter(({ kind }) => kind !== 'blank');
}

/** Paragraphs that only the person has. They keep their order. */
export function ownParagraphs(
  { before, target }: Record<'before' | 'target', readonly FrameUnit[]>,
  texts: readonly string[],
) {
  const [theirs, mine] = [gapsOf(before), gapsOf(target)];
  return [undefined, ...texts].flatMap((text) => {
    const [then, now] = [wordsIn(theirs.behind(text)), wordsIn(mine.behind(text))];
    if (then.length === now.length) return [];
    const keys = (units: readonly FrameUnit[]) => units.map(({ key }) => key);
    const known = new Set(commonSubsequence(keys(then), keys(now)).map(({ b }) => b));
    return now.filter(({ piece }, at) => !known.has(at) && isParagraphLine(piece));
  });
}

function isParagraphLine(piece: FramePiece | undefined): boolean {
  if (piece?.kind !== 'line') return false;
  // The line of a box moves with its box.
  const { kind } = blockIn(piece.text);
  if (kind === 'opening' || kind === 'end') return false;
  return /\p{L}/u.test(piece.text.replace(/<!--.*?(?:-->|$)/g, '').replace(ANY_TAG, ''));
}

const ANY_TAG = new RegExp(TAG, 'g');
