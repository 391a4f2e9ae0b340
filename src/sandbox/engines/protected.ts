/**
 * Splits off the parts that no engine changes: tags, entities, placeholders, ICU messages, addresses, and content that the markup keeps.
 */
import { CDATA, keptSpans, type Markup } from '../markup.ts';

/** Each takes linear time: its repetitions are bounded, or it starts only where no earlier match could start. */
const PATTERNS = [
  '<[/!?]?[A-Za-z](?:=\\s*"[^"]*"|=\\s*\'[^\']*\'|(?!=\\s*["\'])[^<>])*>|<[/!?]?[A-Za-z][^<>]*>', // tags
  '&(?:[A-Za-z][A-Za-z0-9]{0,31}|#[0-9]{1,7}|#x[0-9A-Fa-f]{1,6});', // entities
  '[$%#]?\\{(?:[^{}]|\\{(?:[^{}]|\\{(?:[^{}]|\\{[^{}]*\\})*\\})*\\})*\\}', // {name}, {{name}}, ${name}, %{name}, ICU
  '\\$t\\([^()]*\\)', // i18next nesting
  '%\\([A-Za-z0-9_.]+\\)[a-zA-Z]', // %(name)s
  '%(?:[0-9]{1,3}\\$)?[-+0#]{0,4}[0-9]{0,4}(?:\\.[0-9]{1,4})?(?:hh|h|ll|l|q|z|j|t)?[@sdiufFeEgGxXocp]', // printf
  '(?:https?|ftp|file|mailto):[^\\s<>"{}]+', // addresses
  '(?<![A-Za-z0-9_.+-])[A-Za-z0-9_.+-]+@[A-Za-z0-9-]+\\.[A-Za-z0-9.-]+', // mail
];

const PROTECTED = new RegExp(PATTERNS.join('|'), 'gu');

export interface ProtectedPiece {
  readonly text: string;
  readonly kept: boolean;
  /** It is in a CDATA section, where nothing is escaped. */
  readonly isLiteral?: true;
}

/** Splits a text into pieces that may be translated and pieces that are kept. */
export function cutPieces(text: string, markup: Markup = {}): readonly ProtectedPiece[] {
  const pieces: ProtectedPiece[] = [];
  let at = 0;
  for (const { start, end } of keptSpans(text, markup)) {
    cutUnmarked(text.slice(at, start), pieces);
    if (end > start) pieces.push({ text: text.slice(start, end), kept: true });
    at = end;
  }
  cutUnmarked(at === 0 ? text : text.slice(at), pieces);
  return pieces;
}

function cutUnmarked(text: string, pieces: ProtectedPiece[]): void {
  const literal = pieces.at(-1)?.text === CDATA ? ({ isLiteral: true } as const) : {};
  let at = 0;
  for (const found of text.matchAll(PROTECTED)) {
    if (found.index > at) {
      pieces.push({ text: text.slice(at, found.index), kept: false, ...literal });
    }
    pieces.push({ text: found[0], kept: true });
    at = found.index + found[0].length;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), kept: false, ...literal });
}

/** Splits a text at its line ends; a line end belongs to the line before it. Line ends in kept pieces do not split. */
export function cutLines(text: string, markup: Markup = {}): readonly TextLine[] {
  const lines: { text: string; end: string }[] = [{ text: '', end: '' }];
  for (const piece of cutPieces(text, markup)) {
    const parts = piece.kept ? [piece.text] : piece.text.split(/((?:\r\n|\n|\r)+)/u);
    for (const [index, part] of parts.entries()) {
      const line = lines.at(-1) as { text: string; end: string };
      if (index % 2 === 0) line.text += part;
      else {
        line.end = part;
        lines.push({ text: '', end: '' });
      }
    }
  }
  return lines;
}

export interface TextLine {
  readonly text: string;
  readonly end: string;
}
