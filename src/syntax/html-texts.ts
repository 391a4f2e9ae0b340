/** The texts of an HTML file: runs of inline content between block boundaries, and the attributes that readers see. */
import type { Part, Segment } from '../format.ts';
import {
  EscapeMemory,
  habitsOf,
  type Notation,
  readEscaped,
  writeEscaped,
} from '../text/escapes.ts';
import { hasLetters, normalizeParts } from '../text/parts.ts';
import { encodeParts } from '../text/segment.ts';
import {
  beginsReference,
  CHARACTER_REFERENCES,
  isCharacterReference,
  REFERENCE,
} from './entities.ts';
import { type HtmlAttribute, type HtmlEvent, htmlEvents } from './html-events.ts';

/** A text before it has an id and a line. */
export type HtmlText = Pick<Segment, 'start' | 'end' | 'parts' | 'encode'>;

const NOTATION: Notation = { lead: /&/, escapes: CHARACTER_REFERENCES };

export interface HtmlTexts {
  /** In file order, none inside another. */
  readonly texts: readonly HtmlText[];
  readonly lang: { readonly start: number; readonly end: number } | undefined;
}

export function htmlTexts(text: string): HtmlTexts {
  const { events, attributes, lang } = htmlEvents(text);
  const memory = new EscapeMemory();
  const runs = runsOf(text, events).flatMap((run) => runText(text, run, memory));
  // An attribute inside a run moves with its tag.
  const free = attributes.filter(({ start }) => !isCovered(runs, start));
  const texts = [...runs, ...free.flatMap((attribute) => attributeText(text, attribute, memory))];
  return { texts: texts.sort((a, b) => a.start - b.start), lang };
}

function isCovered(runs: readonly HtmlText[], offset: number): boolean {
  let low = 0;
  let high = runs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((runs[middle]?.end ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return (runs[low]?.start ?? Number.POSITIVE_INFINITY) <= offset;
}

type Run = readonly HtmlEvent[];

function runsOf(text: string, events: readonly HtmlEvent[]): Run[] {
  const runs: Run[] = [];
  let run: HtmlEvent[] = [];
  for (const event of events.flatMap((one) => withoutStrayTags(text, one))) {
    if (event.kind === 'boundary' || (run.at(-1)?.end ?? event.start) !== event.start) {
      runs.push(run);
      run = [];
    }
    if (event.kind !== 'boundary') run.push(event);
  }
  return [...runs, run];
}

// Text behind `</body>` is given as one node whose place includes the end tags.
function withoutStrayTags(text: string, event: HtmlEvent): HtmlEvent[] {
  const raw = text.slice(event.start, event.end);
  if (event.kind !== 'text' || !raw.includes('<')) return [event];
  const events: HtmlEvent[] = [];
  let { start } = event;
  for (const found of raw.matchAll(/<\/?[A-Za-z][^>]*>|<!--.*?-->/gs)) {
    const at = event.start + found.index;
    if (at > start) events.push({ kind: 'text', start, end: at });
    start = at + found[0].length;
    events.push({ kind: 'boundary', start: at, end: start });
  }
  if (event.end > start) events.push({ kind: 'text', start, end: event.end });
  return events;
}

function runText(text: string, run: Run, memory: EscapeMemory): HtmlText[] {
  const inner = trimmed(text, run);
  const [first] = inner;
  const last = inner.at(-1);
  if (first === undefined || last === undefined) return [];
  const parts = normalizeParts(partsOf(text, inner, memory));
  if (!hasLetters(parts)) return [];
  return [
    {
      start: first.start,
      end: last.end,
      parts,
      encode: (written) =>
        encodeParts(written, (one) => writeEscaped(fold(one), requiredInText, memory)).trim(),
    },
  ];
}

/** Without the blanks, comments and void tags at both ends. */
function trimmed(text: string, run: Run): HtmlEvent[] {
  const inner = [...run];
  while (inner.length > 0 && isOuter(text, inner[0])) inner.shift();
  while (inner.length > 0 && isOuter(text, inner.at(-1))) inner.pop();
  return inner.map((event, index) => {
    if (event.kind !== 'text') return event;
    const raw = text.slice(event.start, event.end);
    const start = index === 0 ? event.start + raw.length - raw.trimStart().length : event.start;
    const end = index === inner.length - 1 ? event.start + raw.trimEnd().length : event.end;
    return { ...event, start, end };
  });
}

function isOuter(text: string, event: HtmlEvent | undefined): boolean {
  if (event === undefined) return false;
  const raw = text.slice(event.start, event.end);
  if (event.kind === 'text') return raw.trim() === '';
  return raw.startsWith('<!--') || (event.kind === 'tag' && event.side === 'void');
}

function partsOf(text: string, run: Run, memory: EscapeMemory): Part[] {
  const sides = new Map<number, number>();
  for (const event of run) {
    if (event.kind === 'tag') sides.set(event.element, (sides.get(event.element) ?? 0) + 1);
  }
  return run.flatMap((event): Part[] => {
    const raw = text.slice(event.start, event.end);
    if (event.kind === 'text') return textParts(raw, memory);
    if (event.kind !== 'tag' || event.side === 'void' || sides.get(event.element) !== 2) {
      return [{ raw }];
    }
    return [{ raw, pair: { id: event.element, side: event.side } }];
  });
}

function textParts(raw: string, memory: EscapeMemory): Part[] {
  return raw
    .split(new RegExp(`(${REFERENCE.source})`))
    .filter((piece) => piece !== '')
    .map((piece) =>
      piece.startsWith('&') && REFERENCE.test(piece) && !isCharacterReference(piece)
        ? { raw: piece }
        : readEscaped(fold(piece), NOTATION, memory),
    );
}

// White space collapses in HTML: a sentence is sent in one line.
function fold(text: string): string {
  return text.replace(/[ \t\f]*[\r\n]\s*/g, ' ');
}

function requiredInText(character: string, index: number, text: string): string | undefined {
  if (character === '<') return '&lt;';
  return character === '&' && beginsReference(text, index, 'html') ? '&amp;' : undefined;
}

function attributeText(
  text: string,
  { start, end, quote }: HtmlAttribute,
  memory: EscapeMemory,
): HtmlText[] {
  const raw = text.slice(start, end);
  const parts = textParts(raw, memory);
  if (!hasLetters(parts)) return [];
  const required = (character: string, index: number, whole: string): string | undefined => {
    if (character === quote) return quote === '"' ? '&quot;' : '&#39;';
    return character === '&' && beginsReference(whole, index, 'html') ? '&amp;' : undefined;
  };
  return [
    {
      start,
      end,
      parts: normalizeParts(parts),
      encode: (written) => {
        const habits = habitsOf(raw, NOTATION, memory);
        return encodeParts(written, (one) => writeEscaped(fold(one), required, habits));
      },
    },
  ];
}
