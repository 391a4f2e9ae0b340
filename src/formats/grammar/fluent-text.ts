/**
 * The text of a Fluent pattern as parts: placeables are raw, line breaks are text, special characters at the start of a line are quoted.
 */
import type { PatternElement } from '@fluent/syntax';
import type { Part } from '../../format.ts';
import { EscapeMemory } from '../text/escapes.ts';
import { normalizeParts } from '../text/parts.ts';
import { encodeParts } from '../text/segment.ts';

export interface FluentSource {
  readonly text: string;
  readonly lineEnd: string;
}

export interface FluentText {
  readonly start: number;
  readonly end: number;
  readonly parts: readonly Part[];
  encode(parts: readonly Part[]): string;
}

/** A run of pattern elements without a select expression. Blanks around a pattern are not part of its text. */
export function fluentText(
  { text, lineEnd }: FluentSource,
  elements: readonly PatternElement[],
): FluentText {
  const from = elements[0]?.span?.start ?? 0;
  const raw = text.slice(from, elements.at(-1)?.span?.end ?? from);
  // Fluent has fewer blanks than JavaScript: a line separator (U+2028) alone is a text.
  const isBlank = raw.trim() === '';
  const start = isBlank ? from : from + raw.length - raw.trimStart().length;
  const end = from + (isBlank ? raw.length : raw.trimEnd().length);
  const read = (memory: EscapeMemory) =>
    elements.flatMap(({ type, span }) => {
      const from = Math.max(span?.start ?? 0, start);
      return elementParts(text.slice(from, Math.min(span?.end ?? 0, end)), type, memory);
    });
  return {
    start,
    end,
    // `{ "" }` alone is Fluent's only way to write an empty text.
    parts: EMPTY.test(raw)
      ? [{ raw: text.slice(start, end) }]
      : normalizeParts(read(new EscapeMemory())),
    encode(written) {
      // Layout and habits are read again when a text is written: 100,000 texts keep none in memory.
      const memory = new EscapeMemory();
      read(memory);
      return new Writer({ ...layoutOf(text, start, elements), lineEnd }, memory).write(written);
    },
  };
}

const BREAK = /\r?\n[ \t\r\n]*/g;
// A quoted character that would be syntax at its place: `{"["}`, `{ "{" }`, `{""}`.
const QUOTED_CHARACTER = /^\{\s*"([{}[*.]| *)"\s*\}$/;

const EMPTY = /^\s*(?:\{\s*""\s*\}\s*)+$/;

function elementParts(raw: string, type: PatternElement['type'], memory: EscapeMemory): Part[] {
  if (type === 'TextElement') return [raw.replace(BREAK, (found) => '\n'.repeat(lines(found)))];
  const quoted = QUOTED_CHARACTER.exec(raw)?.[1];
  if (quoted === undefined) return [{ raw }];
  memory.learnEscape(quoted, raw);
  return [quoted];
}

function lines(found: string): number {
  return found.split('\n').length - 1;
}

interface PatternLayout {
  /** The line breaks of the pattern's texts, with their indentation. */
  readonly breaks: readonly string[];
  readonly lineEnd: string;
  readonly indent: string;
  /** The pattern begins on a line of its own. */
  readonly isBlock: boolean;
  readonly isAtMargin: boolean;
}

function layoutOf(
  text: string,
  start: number,
  elements: readonly PatternElement[],
): Omit<PatternLayout, 'lineEnd'> {
  const breaks = elements
    .filter(({ type }) => type === 'TextElement')
    .flatMap(({ span }) => text.slice(span?.start, span?.end).match(BREAK) ?? []);
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const before = text.slice(lineStart, start);
  const own = /^ */.exec(before)?.[0] ?? '';
  const isBlock = before.trim() === '' && start > 0;
  return {
    breaks,
    indent:
      breaks.map(afterBreak).find((blanks) => blanks !== '') ??
      (isBlock && own !== '' ? own : `${own}    `),
    isBlock,
    isAtMargin: isBlock && own === '',
  };
}

function afterBreak(found: string): string {
  return found.slice(found.lastIndexOf('\n') + 1);
}

class Writer {
  readonly #layout: PatternLayout;
  readonly #memory: EscapeMemory;
  #breaks = 0;

  constructor(layout: PatternLayout, memory: EscapeMemory) {
    this.#layout = layout;
    this.#memory = memory;
  }

  write(parts: readonly Part[]): string {
    const last = parts.length - 1;
    const written = encodeParts(parts, (text, index) => {
      // Blanks at either end would be dropped, so they are quoted.
      const before = index === 0 ? (/^ +/.exec(text)?.[0] ?? '') : '';
      const after = index === last ? (/(?<! ) +$/.exec(text.slice(before.length))?.[0] ?? '') : '';
      const inner = text.slice(before.length, text.length - after.length);
      const middle = this.#text(inner, index === 0 && before === '');
      return this.#blanks(before) + middle + this.#blanks(after);
    });
    // A text at the margin is only allowed behind a placeable, so an empty one is put before it.
    return this.#layout.isAtMargin && !written.startsWith('{') ? `{""}${written}` : written;
  }

  #blanks(blanks: string): string {
    return blanks === '' ? '' : this.#quoted(blanks);
  }

  #text(text: string, isFirst: boolean): string {
    const pieces = text.replace(/[{}]/g, (brace) => this.#quoted(brace)).split(/(\n+)/);
    return pieces
      .map((piece, index) => {
        if (index % 2 === 1) return this.#break(piece.length);
        const isQuotedFirst = isFirst && this.#memory.escapeOf(piece.charAt(0)) !== undefined;
        const startsLine = index > 0 || (isFirst && this.#layout.isBlock);
        return startsLine || isQuotedFirst ? this.#lineStart(piece) : piece;
      })
      .join('');
  }

  #lineStart(line: string): string {
    return line.replace(/^(?: +|[.*[])/, (mark) => this.#quoted(mark));
  }

  #quoted(character: string): string {
    return this.#memory.escapeOf(character) ?? `{ "${character}" }`;
  }

  #break(count: number): string {
    const { breaks, lineEnd, indent } = this.#layout;
    const own = breaks[this.#breaks];
    this.#breaks += 1;
    const fits = own !== undefined && lines(own) === count && afterBreak(own) !== '';
    return fits ? own : lineEnd.repeat(count) + indent;
  }
}
