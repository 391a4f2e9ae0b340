/** The texts of an HTML file: runs of inline content between block boundaries, and the attributes that readers see. */
import type { Part, Segment } from '../../format.ts';
import { TAG } from '../../parsing/markup.ts';
import {
  EscapeMemory,
  habitsOf,
  type Notation,
  type Required,
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
import { type HtmlAttribute, type HtmlEvent, type HtmlEvents, htmlEvents } from './html-events.ts';

/** A text that has no id and no line yet. */
export type HtmlText = Pick<Segment, 'start' | 'end' | 'parts' | 'encode' | 'name'>;

const NOTATION: Notation = { lead: /&/, escapes: CHARACTER_REFERENCES };

export interface HtmlTexts extends Pick<HtmlEvents, 'unpaired'> {
  /** In file order, without overlaps. */
  readonly texts: readonly HtmlText[];
  readonly lang: { readonly start: number; readonly end: number } | undefined;
  /** Visible attributes of tags inside a sentence: they move with their tag. */
  readonly left: readonly { readonly start: number; readonly end: number }[];
}

export function htmlTexts(text: string): HtmlTexts {
  const { events, attributes, lang, unpaired } = htmlEvents(text);
  const memory = new EscapeMemory();
  const page = { text, memory, descriptions: attributes.filter(isInline) };
  const runs = runsOf(text, events).flatMap((run) => runText(page, run));
  // An attribute inside a run moves with its tag.
  const free = attributes.filter(({ start }) => !isCovered(runs, start));
  const texts = [...runs, ...free.flatMap((attribute) => attributeText(text, attribute, memory))];
  const left = attributes.filter(
    (attribute) => !isInline(attribute) && isCovered(runs, attribute.start),
  );
  return { texts: texts.sort((a, b) => a.start - b.start), lang, left, unpaired };
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

function isInline({ isDescription, quote }: HtmlAttribute): boolean {
  return isDescription && quote !== '';
}

type EventRun = readonly HtmlEvent[];

interface HtmlFile {
  readonly text: string;
  readonly memory: EscapeMemory;
  readonly descriptions: readonly HtmlAttribute[];
}

function runsOf(text: string, events: readonly HtmlEvent[]): EventRun[] {
  const runs: EventRun[] = [];
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

const STRAY = new RegExp(`${TAG}|<!--.*?-->`, 'gs');

// Text after `</body>` and between the rows of a table is one node, whose location includes the tags between.
function withoutStrayTags(text: string, event: HtmlEvent): HtmlEvent[] {
  const raw = text.slice(event.start, event.end);
  if (event.kind !== 'text' || !raw.includes('<')) return [event];
  const events: HtmlEvent[] = [];
  let { start } = event;
  for (const found of raw.matchAll(STRAY)) {
    const at = event.start + found.index;
    if (at > start) events.push({ kind: 'text', start, end: at });
    start = at + found[0].length;
    events.push({ kind: 'boundary', start: at, end: start });
  }
  if (event.end > start) events.push({ kind: 'text', start, end: event.end });
  return events;
}

function runText(page: HtmlFile, run: EventRun): HtmlText[] {
  const { text, memory } = page;
  const inner = trimmed(text, run);
  const [first] = inner;
  const last = inner.at(-1);
  if (first === undefined || last === undefined) return [];
  const parts = normalizeParts(eventParts(page, inner));
  if (!hasLetters(parts)) return [];
  return [
    {
      start: first.start,
      end: last.end,
      parts,
      encode: (written) =>
        encodeParts(written, (one, index) =>
          writeEscaped(fold(one), requiredAfter(written[index - 1]), memory),
        ).trim(),
    },
  ];
}

/** The run without blanks, comments and void tags at both ends. */
function trimmed(text: string, run: EventRun): HtmlEvent[] {
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

function eventParts({ text, memory, descriptions }: HtmlFile, run: EventRun): Part[] {
  const sides = new Map<number, number>();
  for (const event of run) {
    if (event.kind === 'tag') sides.set(event.element, (sides.get(event.element) ?? 0) + 1);
  }
  const shown = (event: HtmlEvent | undefined) =>
    event !== undefined && !isOuter(text, event) && event.kind === 'text';
  const [first, last] = [run.findIndex(shown), run.findLastIndex(shown)];
  return run.flatMap((event, index): Part[] => {
    const raw = text.slice(event.start, event.end);
    // Line breaks between the tags around a text are layout. In Markdown they decide whether the text is HTML.
    const isLayout = first < 0 || index < first || index > last;
    if (event.kind === 'text' && isLayout && /[\r\n]/.test(raw)) return [{ raw }];
    if (event.kind === 'text') return textParts(raw, memory);
    const description = descriptions.find(
      ({ start, end }) => event.start < start && end < event.end,
    );
    if (description !== undefined && event.kind === 'tag' && event.side === 'void') {
      const { start, end } = description;
      return [
        { raw: text.slice(event.start, start), pair: { id: event.element, side: 'open' } },
        ...textParts(text.slice(start, end), memory),
        { raw: text.slice(end, event.end), pair: { id: event.element, side: 'close' } },
      ];
    }
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

// HTML collapses white space, so a sentence is sent on one line.
function fold(text: string): string {
  return text.replace(/(?<![ \t\f])[ \t\f]*[\r\n]\s*/g, ' ');
}

/** Behind `<img alt="` a text is the value of an attribute. */
function requiredAfter(part: Part | undefined): Required {
  const quote = typeof part === 'object' ? /^<img\b.*=\s*(["'])$/is.exec(part.raw)?.[1] : undefined;
  return quote === undefined ? requiredInText : requiredIn(quote);
}

function requiredIn(quote: string): Required {
  return (character, index, text) => {
    if (character === quote) return quote === '"' ? '&quot;' : '&#39;';
    return character === '&' && beginsReference(text, index, 'html') ? '&amp;' : undefined;
  };
}

function requiredInText(character: string, index: number, text: string): string | undefined {
  if (character === '<') return '&lt;';
  return character === '&' && beginsReference(text, index, 'html') ? '&amp;' : undefined;
}

/** @param start start of the value, without quotes */
export function attributeText(
  text: string,
  { start, end, quote, name }: Omit<HtmlAttribute, 'isDescription'>,
  memory: EscapeMemory,
): HtmlText[] {
  const raw = text.slice(start, end);
  const parts = textParts(raw, memory);
  if (!hasLetters(parts)) return [];
  // An unquoted value ends at its first blank, so a new value gets quotes.
  const [mark, required] = quote === '' ? ['"', requiredIn('"')] : ['', requiredIn(quote)];
  return [
    {
      start,
      end,
      parts: normalizeParts(parts),
      ...(name === undefined ? {} : { name }),
      encode: (written) => {
        const habits = habitsOf(raw, NOTATION, memory);
        return (
          mark + encodeParts(written, (one) => writeEscaped(fold(one), required, habits)) + mark
        );
      },
    },
  ];
}
