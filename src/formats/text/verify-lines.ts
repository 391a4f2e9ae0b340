/**
 * The last check of lines and elements before a write. A line that the source did not add is not added, and one that it did not remove is not
 * removed. No element loses all that is in it. Pure.
 */
import { JobFailure } from '../../failure.ts';
import { ATTRIBUTES } from '../../parsing/markup.ts';
import { isMarkAlone, isQuoteLine } from '../../segments/frame/block-syntax.ts';
import {
  endsLine,
  type FramePiece,
  isBlankPiece,
  isSegmentKey,
  pieceKey,
} from '../../segments/frame/frame.ts';
import { isDelimiter } from '../../segments/frame/table-rows.ts';
import type { Reader } from './open.ts';

interface LineSides {
  readonly source: readonly FramePiece[];
  readonly target: readonly FramePiece[];
}

/**
 * @param before keys of the source that was last seen
 * @throws JobFailure; then the merge is tried another way
 */
export function verifyLines(
  written: readonly FramePiece[],
  { source, target }: LineSides,
  { before, options }: Reader & { readonly before: readonly string[] },
): void {
  const [now, theirs, mine] = [wholeLines(written), wholeLines(source), wholeLines(target)];
  // The rest of the line of a text is no whole line.
  const then = countsOf(before.filter((_, at) => !isSegmentKey(before[at - 1] ?? '')));
  const isWrong = (key: string) => {
    const [seen, own] = [then.get(key) ?? 0, mine.get(key) ?? 0];
    const [change, wanted] = [(now.get(key) ?? 0) - own, (theirs.get(key) ?? 0) - seen];
    const isKnown = seen > 0 && theirs.has(key);
    return isKnown && (change > Math.max(0, wanted) || change < Math.min(0, wanted));
  };
  if (![...now.keys(), ...mine.keys()].some(isWrong)) return;
  const message = 'a line that the source only moved would be there twice, or be lost';
  throw new JobFailure({ kind: 'malformed', where: { file: options.file }, message });
}

/** @throws JobFailure; then the merge is tried another way */
export function verifyMarks(
  written: readonly FramePiece[],
  { source, target }: LineSides,
  { options }: Reader,
): void {
  const [now, theirs, mine] = [marksAlone(written), marksAlone(source), marksAlone(target)];
  if (now.items <= theirs.items + mine.items && now.quotes <= theirs.quotes + mine.quotes) return;
  const message = 'a list item or a quote would lose all that is in it';
  throw new JobFailure({ kind: 'malformed', where: { file: options.file }, message });
}

/** The number of list markers with nothing behind them, and of quotes without a line that has content. */
function marksAlone(pieces: readonly FramePiece[]): { items: number; quotes: number } {
  const lines = withSigns(pieces).split('\n');
  let quotes = 0;
  let quote: 'none' | 'empty' | 'full' = 'none';
  for (const line of [...lines, '']) {
    if (isQuoteLine(line, 'any')) {
      quote = quote !== 'full' && isQuoteLine(line, 'alone') ? 'empty' : 'full';
      continue;
    }
    if (quote === 'empty') quotes += 1;
    quote = 'none';
  }
  return { items: lines.filter(isMarkAlone).length, quotes };
}

/** @throws JobFailure; then the merge is tried another way */
export function verifyElements(
  written: readonly FramePiece[],
  { source, target }: LineSides,
  { options }: Reader,
): void {
  const [theirs, mine] = [emptyIn(source), emptyIn(target)];
  const most = (name: string) => Math.max(theirs.get(name) ?? 0, mine.get(name) ?? 0);
  const emptied = [...emptyIn(written)].find(([name, count]) => count > most(name));
  if (emptied === undefined) return;
  const message = `an element <${emptied[0]}> would lose all that is in it`;
  throw new JobFailure({ kind: 'malformed', where: { file: options.file }, message });
}

/** The number of whole lines with words or signs, by their keys. */
function wholeLines(pieces: readonly FramePiece[]): ReadonlyMap<string, number> {
  const lines = pieces.filter((piece, at) => {
    const above = pieces[at - 1];
    const isWhole = endsLine(piece) && (above === undefined || endsLine(above));
    return isWhole && !isBlankPiece(piece) && piece.kind === 'line' && !isDelimiter(piece.text);
  });
  return countsOf(lines.map(pieceKey));
}

function countsOf(keys: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

const EMPTY_ELEMENT = new RegExp(
  `<([\\w.:-]+)${ATTRIBUTES}(?<!/)>\\s*</\\1\\s*>|\\{\\{[<%]\\s*([\\w/-]+)[^{}]*[%>]\\}\\}\\s*\\{\\{[<%]\\s*/\\2\\s*[%>]\\}\\}`,
  'g',
);

/** The number of empty elements, by their names. */
function emptyIn(pieces: readonly FramePiece[]): ReadonlyMap<string, number> {
  return countsOf(
    [...withSigns(pieces).matchAll(EMPTY_ELEMENT)].map(([, tag, call]) => tag ?? call ?? ''),
  );
}

/** Each text is one sign. */
function withSigns(pieces: readonly FramePiece[]): string {
  return pieces.map((piece) => (piece.kind === 'line' ? piece.text : '\u{1}')).join('');
}
