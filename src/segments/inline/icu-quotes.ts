/**
 * Reads the quoting of ICU messages as Unicode ICU does. An apostrophe starts a quotation only before a brace, and before `#` in a plural
 * (ICU `MessagePattern`, `ApostropheMode.DOUBLE_OPTIONAL`; Flutter's intl does the same). The parser of formatjs also takes one before `<`
 * or `>`, and would lose the apostrophes of `<a href='x'>`. Pure.
 */
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';

/** @throws for no valid ICU message */
export function readIcu(text: string): readonly MessageFormatElement[] {
  const places = apostrophesAtTags(text);
  if (places.length === 0) return parse(text, OPTIONS);
  // A character that the text does not have replaces these apostrophes while the parser reads; so all offsets stay.
  const stand = unusedIn(text);
  const characters = text.split('');
  for (const at of places) characters[at] = stand;
  return parse(characters.join(''), OPTIONS).map((element) => withApostrophes(element, stand));
}

// Tags are read as text, since the parser refuses `<b>` without an end (measured on real messages).
const OPTIONS = { captureLocation: true, ignoreTag: true, shouldParseSkeletons: false } as const;

function unusedIn(text: string): string {
  let code = 0xe001;
  while (text.includes(String.fromCharCode(code))) code++;
  return String.fromCharCode(code);
}

function withApostrophes(element: MessageFormatElement, stand: string): MessageFormatElement {
  if (element.type === TYPE.literal) {
    return { ...element, value: element.value.replaceAll(stand, "'") };
  }
  if (element.type !== TYPE.plural && element.type !== TYPE.select) return element;
  const options = Object.entries(element.options).map(([selector, option]) => {
    const value = option.value.map((each) => withApostrophes(each, stand));
    return [selector, { ...option, value }];
  });
  return { ...element, options: Object.fromEntries(options) };
}

/** Offsets of the apostrophes before `<` or `>` that are text of the message. */
export function apostrophesAtTags(text: string): readonly number[] {
  if (!/'[<>]/.test(text)) return [];
  return scanned(text).single.filter((at) => /[<>]/.test(text.charAt(at + 1)));
}

/**
 * Whether the author doubles each apostrophe: some readers take every single apostrophe for the start of a quotation (gen-l10n of
 * Flutter with `use-escaping`).
 */
export function doublesApostrophes(text: string): boolean {
  if (!text.includes("''")) return false;
  const { single, doubled } = scanned(text);
  return doubled.length > 0 && single.length === 0;
}

function scanned(text: string): Scan {
  const scan: Scan = { text, single: [], doubled: [] };
  scanMessage(scan, { start: 0, isPlural: false, isNested: false });
  return scan;
}

/** Offsets of the apostrophes that are text of the message. */
interface Scan {
  readonly text: string;
  readonly single: number[];
  readonly doubled: number[];
}

interface MessagePlace {
  readonly start: number;
  /** A branch of a plural, in which `#` is the number. */
  readonly isPlural: boolean;
  readonly isNested: boolean;
}

/** @returns the offset of the brace that ends a branch, or of the end of the text */
function scanMessage(scan: Scan, { start, isPlural, isNested }: MessagePlace): number {
  const { text } = scan;
  let at = start;
  while (at < text.length) {
    const character = text.charAt(at);
    const next = text.charAt(at + 1);
    if (character === '}' && isNested) return at;
    if (character === '{') at = scanArgument(scan, at + 1);
    else if (character !== "'") at++;
    else if (next === '{' || next === '}' || (next === '#' && isPlural)) {
      at = quotationEnd(text, at + 1);
    } else {
      const isDoubled = next === "'";
      (isDoubled ? scan.doubled : scan.single).push(at);
      at += isDoubled ? 2 : 1;
    }
  }
  return at;
}

/** @param at behind the opening brace @returns the offset behind the closing one */
function scanArgument(scan: Scan, at: number): number {
  const { text } = scan;
  ARGUMENT_HEAD.lastIndex = at;
  const [head = '', type] = ARGUMENT_HEAD.exec(text) ?? [];
  const behind = at + head.length;
  if (type === undefined) return styleEnd(text, behind);
  const isPlural = type !== 'select';
  let position = behind;
  while (position < text.length && text.charAt(position) !== '}') {
    const opens = text.charAt(position) === '{';
    position = opens
      ? scanMessage(scan, { start: position + 1, isPlural, isNested: true }) + 1
      : position + 1;
  }
  return position + 1;
}

const ARGUMENT_HEAD = /[^{},]*,\s*(plural|select|selectordinal)\s*,|/y;

/** Offset behind the argument. In a style (`{d, date, h 'o''clock'}`) each apostrophe starts a quotation. */
function styleEnd(text: string, start: number): number {
  let depth = 1;
  let at = start;
  while (at < text.length && depth > 0) {
    const character = text.charAt(at);
    if (character === "'") at = quotationEnd(text, at + 1);
    else {
      if (character === '{') depth++;
      if (character === '}') depth--;
      at++;
    }
  }
  return at;
}

/** Offset behind the apostrophe that ends a quotation; two apostrophes do not end it. */
function quotationEnd(text: string, start: number): number {
  let at = text.indexOf("'", start);
  while (at >= 0 && text.charAt(at + 1) === "'") at = text.indexOf("'", at + 2);
  return at < 0 ? text.length : at + 1;
}
