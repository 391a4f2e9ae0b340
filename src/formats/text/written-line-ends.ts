/**
 * A text gets the line breaks of the file that it is put into, in formats whose texts keep line breaks as they are (`readsLineEnds`).
 */
import { type Part, partsText, type Segment } from '../../format.ts';
import type { OpenFile } from './open.ts';

export interface LineEndPlace {
  readonly target: OpenFile;
  /** The segment of the source. */
  readonly source: Segment;
  /** The segment of the target that gets the text; undefined: its entry is inserted in the style of the source. */
  readonly existing: Segment | undefined;
}

/**
 * The text as a file with CRLF has it. A break that is written as an escape stays as it is. The same text is written and recorded, so
 * that the next run sees no edit.
 */
export function withLineEndsOf(parts: readonly Part[], place: LineEndPlace): readonly Part[] {
  const hasBreak = parts.some((part) => typeof part === 'string' && BARE.test(part));
  if (!hasBreak || !isOfCrlf(place)) return parts;
  const { source, existing } = place;
  const here = parts.map((part) => (typeof part === 'string' ? withCrlf(part) : part));
  const plain = (existing ?? source).encode(parts);
  const isAsItIs = existing === undefined || existing.encode(here) === withCrlf(plain);
  return BARE.test(plain) && isAsItIs ? here : parts;
}

/** Spreadsheets end rows with CRLF, and write LF inside of a field: there, a text keeps its LF. */
function isOfCrlf({ target: { text }, existing }: LineEndPlace): boolean {
  if (!/^[^\r\n]*\r\n/.test(text)) return false;
  return !BARE.test(text) || (existing !== undefined && partsText(existing.parts).includes('\r\n'));
}

const BARE = /(?<!\r)\n/;

function withCrlf(text: string): string {
  return text.replace(/(?<!\r)\n/g, '\r\n');
}
