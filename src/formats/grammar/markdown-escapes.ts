/** Writes texts into Markdown so that they are read as texts: no accidental emphasis, links, lists, headings or HTML. */
import type { Part, Raw } from '../../format.ts';
import { type EscapeMemory, writeEscaped } from '../text/escapes.ts';
import { beginsReference } from './entities.ts';
import { DESCRIBES } from './markdown-inline.ts';

/** The place of a text, which decides what must be escaped. */
export interface MarkdownPlace {
  /** `row`: the first cell of a table line. */
  readonly block: 'paragraph' | 'heading' | 'cell' | 'row';
  readonly isMdx: boolean;
  /** Labels that `[label]` could refer to. */
  readonly labels: ReadonlySet<string>;
  readonly memory: EscapeMemory;
  /** The current text, for its spelling of addresses. */
  readonly own: string;
}

export function encodeMarkdown(parts: readonly Part[], place: MarkdownPlace): string {
  const written = new WrittenText();
  for (const [index, part] of parts.entries()) {
    if (typeof part !== 'string') {
      written.add(spelledRaw(part, { before: written.last, after: parts[index + 1] }, place));
      continue;
    }
    // A line break would end or split the block.
    const text = part.replace(/(?<!\s)\s*[\r\n]+\s*/g, ' ');
    const next = parts[index + 1];
    const run = encodeRun(text, {
      ...place,
      before: written.last,
      after: next === undefined ? '' : typeof next === 'string' ? next : next.raw,
      isDescription: isDescription(parts[index - 1]),
      isLineStart: beginsLines(place) && written.endsInNewLine,
    });
    written.add(run);
  }
  return written.text.trim();
}

/** What is asked of the text before a part. A question to the text itself would copy all of it, once for each part. */
class WrittenText {
  text = '';
  /** The last character. */
  last = '';
  /** The text ends in a line without words. */
  endsInNewLine = true;

  add(more: string): void {
    this.text += more;
    this.last = more.at(-1) ?? this.last;
    let end = more.length;
    while (end > 0 && ' \t>'.includes(more.charAt(end - 1))) end -= 1;
    if (end > 0) this.endsInNewLine = /[\r\n]/.test(more.charAt(end - 1));
  }
}

/**
 * A bare address. A part consists of the address alone, or of raw text on earlier lines and the address behind it. An address does not end
 * with a mark of code, HTML or a template.
 */
const ADDRESS = /^(?:(https?:\/\/\S+)|([\s\S]*[\r\n][ \t>]*)(https?:\/\/[^\s`<>}]+))$/;

// A letter behind a bare address would belong to the address. Behind a letter, an address is no link (GFM 6.9).
function spelledRaw(
  part: Raw,
  { before, after }: { readonly before: string; readonly after: Part | undefined },
  { own, isMdx }: MarkdownPlace,
): string {
  const { raw } = part;
  const [, alone, head = '', address = alone] = ADDRESS.exec(raw) ?? [];
  if (isMdx || address === undefined) return raw;
  const next = after === undefined ? '' : typeof after === 'string' ? after : after.raw;
  const isFree =
    /(?:^|[\s*_~(])$/.test(before + head) && /^(?:\s|$|<|[.,;:!?)]+(?:\s|$))/.test(next);
  return isFree && !own.includes(`<${address}>`) ? raw : `${head}<${address}>`;
}

function beginsLines({ block }: MarkdownPlace): boolean {
  return block === 'paragraph' || block === 'row';
}

function isDescription(part: Part | undefined): boolean {
  return typeof part === 'object' && part.pair?.side === 'open' && part.raw === DESCRIBES;
}

interface PlacedRun extends MarkdownPlace {
  /** The text around the run. */
  readonly before: string;
  readonly after: string;
  readonly isLineStart: boolean;
  readonly isDescription: boolean;
}

function encodeRun(text: string, run: PlacedRun): string {
  const bracketsAreText = !run.isDescription && areHarmlessBrackets(text, run);
  const written = writeEscaped(
    run.isLineStart ? text.trimStart() : text,
    (character, index, whole) => {
      if (character === '[' || character === ']') {
        return bracketsAreText ? undefined : `\\${character}`;
      }
      return required(character, { index, text: whole }, run);
    },
    run.memory,
  );
  return run.isLineStart ? guardLineStart(written, run) : written;
}

interface EscapeSpot {
  readonly index: number;
  readonly text: string;
}

function required(character: string, spot: EscapeSpot, run: PlacedRun): string | undefined {
  const escaped = `\\${character}`;
  const { previous, next } = neighbours(spot, run);
  switch (character) {
    case '\\':
      return /[!-/:-@[-`{-~]/.test(next) || next === '' ? escaped : undefined;
    case '`':
      return escaped;
    case '*':
      return isEdgeOrSpace(previous) && isEdgeOrSpace(next) ? undefined : escaped;
    case '_':
      return isInert(previous, next) ? undefined : escaped;
    case '~':
      return spot.text.indexOf('~') !== spot.text.lastIndexOf('~') ? escaped : undefined;
    case '<':
      return run.isMdx || /[A-Za-z/!?]/.test(next) ? escaped : undefined;
    case '{':
    case '}':
      return run.isMdx ? escaped : undefined;
    case '|':
      return run.block === 'cell' || run.block === 'row' ? escaped : undefined;
    case '#':
      return run.block === 'heading' && endsText(spot, run) ? escaped : undefined;
    case '!':
      return next === '[' ? escaped : undefined;
    case '&':
      return beginsReference(spot.text, spot.index, 'markdown') ? '&amp;' : undefined;
    default:
      return undefined;
  }
}

function neighbours({ index, text }: EscapeSpot, { before, after }: PlacedRun) {
  return {
    previous: index === 0 ? before : text.charAt(index - 1),
    next: index + 1 < text.length ? text.charAt(index + 1) : after.charAt(0),
  };
}

function isEdgeOrSpace(character: string): boolean {
  return character === '' || /\s/.test(character);
}

// An underscore between letters is not emphasis, nor one between blanks (CommonMark 6.2).
function isInert(previous: string, next: string): boolean {
  const isWord = /[\p{L}\p{N}]/u;
  return (
    (isWord.test(previous) && isWord.test(next)) || (isEdgeOrSpace(previous) && isEdgeOrSpace(next))
  );
}

// Hashes at the end of a heading would be read as its closing.
function endsText({ index, text }: EscapeSpot, { after }: PlacedRun): boolean {
  return after.trim() === '' && /^#*\s*$/.test(text.slice(index));
}

/** Whether the brackets are balanced, refer to nothing, and are not a checkbox of a task list. */
function areHarmlessBrackets(text: string, { after, labels }: PlacedRun): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === '[') depth += 1;
    if (character === ']') depth -= 1;
    if (depth < 0 || depth > 1) return false;
  }
  if (depth !== 0 || /^\[[ xX]\]|\[[\^!]|\][([:]/.test(text.trimStart() + after)) return false;
  const used = text.matchAll(/\[([^\]]*)\]/g);
  return [...used].every(([, label = '']) => !labels.has(label.trim().toLowerCase()));
}

// Characters that begin a block: heading, quote, list, rule, fence, table, definition; in MDX a module statement.
function guardLineStart(written: string, { isMdx }: PlacedRun): string {
  const list = /^(\d{1,9})([.)])(?=\s|$)/.exec(written);
  if (list !== null) return `${list[1]}\\${written.slice(list[1]?.length)}`;
  if (
    /^(?:#{1,6}(?:\s|$)|>|[-+*](?:\s|$)|[=-]+\s*$|([-*_])(?:\s*\1){2,}\s*$|~~~|\||:{3,})/.test(
      written,
    )
  ) {
    return `\\${written}`;
  }
  if (isMdx && /^(?:import|export)\b/.test(written)) {
    return `&#${written.charCodeAt(0)};${written.slice(1)}`;
  }
  return written;
}
