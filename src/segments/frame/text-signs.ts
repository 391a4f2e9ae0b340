/** The signs of a text, which say what it is: a heading, an item of a list, a quote. Pure. */
import { ATTRIBUTES } from '../../parsing/markup.ts';
import { type LineBlock, readBlock, readLine, underlineLevel } from './block-syntax.ts';
import { endsLine, type FramePiece, isRowId } from './frame.ts';
import { isUnknown } from './table-rows.ts';
import { containerSigns } from './unit-lines.ts';

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

/** The same, with the name of the innermost list, table or other element around a text of HTML: `ul<li`. */
export function signsInElements(pieces: readonly FramePiece[]): ReadonlyMap<string, string> {
  const signs = signsIn(pieces);
  const open: string[] = [];
  return new Map(
    pieces.flatMap((piece) => {
      if (piece.kind === 'line') follow(open, piece.text);
      const sign = piece.kind === 'segment' ? signs.get(piece.id) : undefined;
      if (piece.kind === 'line' || sign === undefined) return [];
      return [[piece.id, sign.startsWith('<') ? `${open.at(-1) ?? ''}${sign}` : sign] as const];
    }),
  );
}

/** @param open names of the elements that are open, the outermost first */
function follow(open: string[], text: string): void {
  for (const { name, isEnd, isAlone } of text.includes('<') ? containerSigns(text) : []) {
    if (isAlone || !ELEMENT.test(name)) continue;
    const element = name.replace(/^ol$/i, 'ul').toLowerCase();
    const at = isEnd ? open.lastIndexOf(element) : -1;
    if (!isEnd) open.push(element);
    else if (at >= 0) open.splice(at);
  }
}

/** Texts stand in these beside each other. */
const ELEMENT =
  /^(?:article|aside|blockquote|details|div|dl|figure|footer|header|main|nav|ol|section|table|ul)$/i;

/** Without the depth and the kind of a list, and without the level of a heading. */
export function blockOfSign(sign: string): string {
  if (sign.includes('#')) return '#';
  const [element] = /\w*<\w*$/.exec(sign) ?? [];
  if (element !== undefined) return element;
  return sign.at(-1)?.replace(/[1t]/, '-') ?? '';
}

function signsOf(sign: string): string {
  const { containers, content } = readLine(sign);
  const kinds = containers.map((each) => {
    if (each.kind === 'quote') return '>';
    return `${each.number === '' ? '-' : '1'}${each.task === '' ? '' : 't'}`;
  });
  const block = readBlock(content);
  return `${kinds.join('')}${blockSign(block, content)}`;
}

/** `:` before the title of a box, `<` behind a tag, with the name of its block, `|` before a cell. */
function blockSign(block: LineBlock, content: string): string {
  if (block.kind === 'heading') return '#'.repeat(block.level);
  if (block.kind === 'opening') return ':';
  const [, element = ''] = BLOCK_TAG.exec(content) ?? [];
  return content.startsWith('<') ? `<${element.toLowerCase()}` : content.startsWith('|') ? '|' : '';
}

/** The levels of headings are one kind, as in Markdown. */
const BLOCK_TAG = new RegExp(
  String.raw`<(p|li|h(?=[1-6])|t[dh]|d[dt]|summary|figcaption|caption)[1-6]?(?:\s${ATTRIBUTES})?>$`,
  'i',
);

function underline(pieces: readonly FramePiece[], at: number): string {
  const [rest, line] = [pieces[at + 1], pieces[at + 2]];
  if (rest?.kind !== 'line' || !endsLine(rest) || line?.kind !== 'line') return '';
  // `- ` before a text begins an item.
  if (pieces[at + 3]?.kind === 'segment' && !endsLine(line)) return '';
  return '#'.repeat(underlineLevel(line.text));
}
