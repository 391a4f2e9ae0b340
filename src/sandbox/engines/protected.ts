/** What no engine may touch: tags, entities, placeholders, ICU messages, addresses, and what markup says of its content. */
import { CDATA, keptSpans, type Markup } from './markup.ts';

/** Each takes linear time: repetitions are bounded, or start where nothing before could have started them. */
const PATTERNS = [
  '<[/!?]?[A-Za-z][^<>]*>', // tags
  '&(?:[A-Za-z][A-Za-z0-9]{0,31}|#[0-9]{1,7}|#x[0-9A-Fa-f]{1,6});', // entities
  '[$%#]?\\{(?:[^{}]|\\{(?:[^{}]|\\{(?:[^{}]|\\{[^{}]*\\})*\\})*\\})*\\}', // {name}, {{name}}, ${name}, %{name}, ICU
  '\\$t\\([^()]*\\)', // i18next nesting
  '%\\([A-Za-z0-9_.]+\\)[a-zA-Z]', // %(name)s
  '%(?:[0-9]{1,3}\\$)?[-+0#]{0,4}[0-9]{0,4}(?:\\.[0-9]{1,4})?(?:hh|h|ll|l|q|z|j|t)?[@sdiufFeEgGxXocp]', // printf
  '(?:https?|ftp|file|mailto):[^\\s<>"{}]+', // addresses
  '(?<![A-Za-z0-9_.+-])[A-Za-z0-9_.+-]+@[A-Za-z0-9-]+\\.[A-Za-z0-9.-]+', // mail
];

const PROTECTED = new RegExp(PATTERNS.join('|'), 'gu');

export interface Piece {
  readonly text: string;
  readonly kept: boolean;
  /** Stands in a CDATA section, where nothing is escaped. */
  readonly isLiteral?: true;
}

/** Cuts a text into pieces that may be translated and pieces that are kept. */
export function cut(text: string, markup: Markup = {}): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const { start, end } of keptSpans(text, markup)) {
    cutUnmarked(text.slice(at, start), pieces);
    if (end > start) pieces.push({ text: text.slice(start, end), kept: true });
    at = end;
  }
  cutUnmarked(at === 0 ? text : text.slice(at), pieces);
  return pieces;
}

function cutUnmarked(text: string, pieces: Piece[]): void {
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

/** Cuts a text at its line ends, which follow the line they end; those within what is kept end none. */
export function cutLines(text: string, markup: Markup = {}): readonly Line[] {
  const lines: { text: string; end: string }[] = [{ text: '', end: '' }];
  for (const piece of cut(text, markup)) {
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

export interface Line {
  readonly text: string;
  readonly end: string;
}
