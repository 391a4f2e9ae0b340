/**
 * The last check of headings, list items and quotes before a write. Each text has the signs that it had in the target, or those of its
 * source. A text with both would be a list in a list, or a heading above a rule. Pure.
 */
import { readBlock, readLine, underlineLevel } from '../../segments/block-syntax.ts';
import { endsLine, type FramePiece, isRowId, pieceKey } from '../../segments/frame.ts';
import type { Reader } from './open.ts';
import { refuseSegments } from './verify.ts';

interface PageSides {
  readonly source: readonly FramePiece[];
  readonly target: readonly FramePiece[];
}

/** @throws JobFailure whose cause is the list of SegmentProblems */
export function verifySigns(
  written: readonly FramePiece[],
  { source, target }: PageSides,
  reader: Reader,
): void {
  const [theirs, mine] = [signsIn(source), signsIn(target)];
  const problems = [...signsIn(written)].flatMap(([key, signs]) => {
    const own = mine.get(key);
    if (own === undefined || own === signs || theirs.get(key) === signs) return [];
    return [{ key: key.slice(1), message: 'would have other signs than its list or heading has' }];
  });
  refuseSegments(problems, reader);
}

/** The signs of each text: `> - `, `## `; an underline is a sign, too. Numbers and blanks do not count. */
function signsIn(pieces: readonly FramePiece[]): ReadonlyMap<string, string> {
  return new Map(
    pieces.flatMap((text, at) => {
      if (text.kind !== 'segment' || isRowId(text.id)) return [];
      const before = pieces[at - 1];
      const signs = before?.kind === 'line' && !endsLine(before) ? signsOf(before.text) : '';
      return [[pieceKey(text), `${signs}${underline(pieces, at)}`] as const];
    }),
  );
}

function signsOf(sign: string): string {
  const { containers, content } = readLine(sign);
  const kinds = containers.map((each) => {
    if (each.kind === 'quote') return '>';
    return `${each.number === '' ? '-' : '1'}${each.task === '' ? '' : 't'}`;
  });
  const block = readBlock(content);
  return `${kinds.join('')}${block.kind === 'heading' ? '#'.repeat(block.level) : ''}`;
}

function underline(pieces: readonly FramePiece[], at: number): string {
  const [rest, line] = [pieces[at + 1], pieces[at + 2]];
  if (rest?.kind !== 'line' || !endsLine(rest) || line?.kind !== 'line') return '';
  return '#'.repeat(underlineLevel(line.text));
}
