/** The physical lines of a page whose pieces are told apart. Of the source that was last seen, a line may not be known. Pure. */
import { TAG } from '../../parsing/markup.ts';
import { blockIn, readBlock, readLine } from './block-syntax.ts';
import type { FrameUnit } from './units.ts';

export interface UnitLine {
  readonly units: readonly FrameUnit[];
  /** Indices of its pieces: `from` belongs to it, `to` does not. */
  readonly from: number;
  readonly to: number;
  /** The keys of its texts. */
  readonly texts: readonly string[];
  /** Of the line, or of its texts. */
  readonly key: string;
  /** With one sign for each text; empty where it is not known. */
  readonly text: string;
  /** Nothing is on it but blanks and the signs of quotes. */
  readonly isEmpty: boolean;
  /** Code, a comment, an image: no text, and no part of a container. */
  readonly hasWords: boolean;
}

const TEXT = '\u{1}';

export function linesOfUnits(units: readonly FrameUnit[]): UnitLine[] {
  const lines: UnitLine[] = [];
  let from = 0;
  for (const [at, { kind }] of units.entries()) {
    const isEnd = kind === 'line' || kind === 'blank' || at === units.length - 1;
    if (!isEnd) continue;
    lines.push(lineOf(units.slice(from, at + 1), from));
    from = at + 1;
  }
  return lines;
}

function lineOf(units: readonly FrameUnit[], from: number): UnitLine {
  const texts = units.flatMap(({ kind, key }) => (kind === 'text' ? [key] : []));
  const isKnown = units.every(({ kind, piece }) => kind === 'text' || piece !== undefined);
  const parts = units.map(({ piece }) => (piece?.kind === 'line' ? piece.text : TEXT));
  const text = isKnown ? parts.join('') : '';
  const content = readLine(text).content;
  const isBlank = units.every(({ kind }) => kind === 'blank');
  return {
    units,
    from,
    to: from + units.length,
    texts,
    key: (texts.length > 0 ? texts : units.map(({ key }) => key)).join(''),
    text,
    isEmpty: isBlank || (isKnown && content === ''),
    hasWords: texts.length === 0 && isOwnBlock(text, content),
  };
}

function isOwnBlock(text: string, content: string): boolean {
  if (!/\p{L}{2}/u.test(content) || containerSigns(text).length > 0) return false;
  const { kind } = readBlock(content);
  return kind !== 'opening' && kind !== 'fence';
}

/** A tag, a shortcode or the line of a box, which opens or ends a container. */
export interface ContainerSign {
  readonly name: string;
  readonly isEnd: boolean;
  /** It may have no end. */
  readonly isAlone: boolean;
}

export function containerSigns(text: string): ContainerSign[] {
  const signs = [...text.matchAll(SIGN)].flatMap(([sign, call, liquid]): ContainerSign[] => {
    const name = call ?? liquid;
    if (name !== undefined) {
      const bare = name.replace(call === undefined ? /^end/ : /^\//, '');
      return [{ name: `{${bare}`, isEnd: bare !== name, isAlone: true }];
    }
    const [, end = '', tag = ''] = /^<(\/?)([\w.:-]+)/.exec(sign) ?? [];
    const isVoid = sign.endsWith('/>') || VOID.test(tag);
    return isVoid ? [] : [{ name: tag, isEnd: end !== '', isAlone: MAY_BE_OPEN.test(tag) }];
  });
  const block = blockIn(text);
  if (block.kind === 'end') return [{ name: block.signs.charAt(0), isEnd: true, isAlone: false }];
  const isBox = block.kind === 'opening' && block.box === 'directive' && !block.isClosed;
  return isBox ? [{ name: block.signs.charAt(0), isEnd: false, isAlone: false }, ...signs] : signs;
}

const SIGN = new RegExp(
  `\\{\\{[%<]-?\\s*(/?[\\w.-]+)[^{}]*[%>]\\}\\}|\\{%-?\\s*(\\w+)[^{}]*%\\}|${TAG}`,
  'g',
);
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i;
/** HTML ends these by itself. */
const MAY_BE_OPEN = /^(?:p|li|dt|dd|tr|td|th|thead|tbody|tfoot|option)$/i;
