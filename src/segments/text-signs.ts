/** The signs of a text, which say what it is: a heading, an item of a list, a quote. Pure. */
import { readBlock, readLine, underlineLevel } from './block-syntax.ts';
import { endsLine, type FramePiece, isRowId } from './frame.ts';
import { isUnknown } from './table-rows.ts';

/** The kinds of texts by their positions. */
export interface TextSigns {
  readonly records: readonly (string | undefined)[];
  readonly wanted: readonly (string | undefined)[];
}

/** By id: `> - `, `## `; an underline is a sign, too. Numbers and blanks do not count. Without texts whose signs are not known. */
export function signsIn(pieces: readonly FramePiece[]): ReadonlyMap<string, string> {
  return new Map(
    pieces.flatMap((text, at) => {
      if (text.kind !== 'segment' || isRowId(text.id)) return [];
      const before = pieces[at - 1];
      if (before !== undefined && isUnknown(before)) return [];
      const signs = before?.kind === 'line' && !endsLine(before) ? signsOf(before.text) : '';
      return [[text.id, `${signs}${underline(pieces, at)}`] as const];
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
