/** Reads and writes ICU message syntax. Pure. */
import {
  type MessageFormatElement,
  type PluralElement,
  type SelectElement,
  TYPE,
} from '@formatjs/icu-messageformat-parser';
import { type Part, partsText, type Raw } from '../../format.ts';
import { readIcu } from './icu-quotes.ts';
import type { Translatable } from './pieces.ts';

/** An argument with branches. */
export type Branching = PluralElement | SelectElement;

export function isBranching(element: MessageFormatElement): element is Branching {
  return element.type === TYPE.plural || element.type === TYPE.select;
}

/** A message for the ICU parser: host syntax in it (inline codes of XLIFF) is replaced by arguments with names that no message uses. */
export interface IcuSource {
  readonly text: string;
  /** The host syntax, by the name of its argument. */
  readonly hosts: ReadonlyMap<string, Raw>;
}

export function icuSource(parts: readonly Part[]): IcuSource {
  const source = behindArguments(parts);
  if (!source.text.includes('{{') || parseIcu(source.text) !== undefined) return source;
  return behindArguments(parts.flatMap(mustachesApart));
}

function behindArguments(parts: readonly Part[]): IcuSource {
  const hosts = new Map<string, Raw>();
  const text = parts.map((part) => {
    if (typeof part === 'string') return part;
    const name = `\uE000${hosts.size}`;
    hosts.set(name, part);
    return `{${name}}`;
  });
  return { text: text.join(''), hosts };
}

/** `{{name}}` is not ICU syntax: libraries replace it before or after ICU. Beside a plural it is treated like host syntax. */
function mustachesApart(part: Part): Part[] {
  if (typeof part !== 'string') return [part];
  return part
    .split(/(\{\{[^{}\n]*\}\})/)
    .map((piece, nth): Part => (nth % 2 === 1 ? { raw: piece } : piece))
    .filter((piece) => piece !== '');
}

/** Whether a segment is read as an ICU message: its format says so, or its format allows ICU and the text has branches. */
export function isIcu({ parts, syntax }: Translatable): boolean {
  switch (syntax) {
    case 'icu':
      return true;
    case 'generic':
    case 'numbered':
    case 'laravel':
      return (
        parts.some((part) => typeof part === 'string' && part.includes('{')) &&
        /\{\s*[\w.]+\s*,\s*(?:plural|select|selectordinal)\s*,/.test(behindArguments(parts).text)
      );
    case 'none':
    case 'printf':
    case 'apple':
    case 'qt':
    case 'shell':
    case 'markup':
    case 'subtitle':
      return false;
  }
}

/** A text of a message as a segment: its arguments are raw parts already, and the other placeholders of its format may occur in it. */
export function sentenceOf(parts: readonly Part[], { syntax }: Translatable): Translatable {
  return { parts, syntax: syntax === 'icu' ? 'generic' : syntax };
}

/** @returns undefined for no valid ICU message */
export function parseIcu(text: string): readonly MessageFormatElement[] | undefined {
  const known = lately.get(text);
  if (known !== undefined) return known === NO_MESSAGE ? undefined : known;
  if (lately.size >= LATELY) lately.clear();
  const read = tryToRead(text);
  lately.set(text, read ?? NO_MESSAGE);
  return read;
}

// The last parsed messages: a check parses a message and its translation several times, for arguments, texts and branches.
const LATELY = 8;
const NO_MESSAGE = Symbol('no message');
const lately = new Map<string, readonly MessageFormatElement[] | typeof NO_MESSAGE>();

/** Braces in braces: a choice has two. The parser calls itself, and how deeply it can depends on the thread. */
const DEEPEST = 100;

function tryToRead(text: string): readonly MessageFormatElement[] | undefined {
  if (depthOf(text) > DEEPEST) return undefined;
  try {
    return readIcu(text);
  } catch {
    return undefined;
  }
}

function depthOf(text: string): number {
  let [depth, most] = [0, 0];
  for (const [brace] of text.matchAll(/[{}]/g)) {
    depth += brace === '{' ? 1 : -1;
    most = Math.max(most, depth);
  }
  return most;
}

/** The names of a message's arguments, each once. @returns undefined for no valid ICU message */
export function argumentsOf(parts: readonly Part[]): readonly string[] | undefined {
  const { text, hosts } = icuSource(parts);
  const names = parseIcu(text)?.flatMap(argumentNames);
  const own = names?.filter((name) => !hosts.has(name.slice(1, -1)));
  return own && [...new Set(own)].sort();
}

function argumentNames(element: MessageFormatElement): string[] {
  switch (element.type) {
    case TYPE.literal:
    case TYPE.pound:
      return [];
    case TYPE.plural:
    case TYPE.select: {
      const branches = Object.values(element.options).flatMap(({ value }) => value);
      return [`{${element.value}}`, ...branches.flatMap(argumentNames)];
    }
    case TYPE.tag:
      return element.children.flatMap(argumentNames);
    case TYPE.argument:
    case TYPE.number:
    case TYPE.date:
    case TYPE.time:
      return [`{${element.value}}`];
  }
}

/** Whether a branch shows the number of its plural. */
export function saysNumber(elements: readonly MessageFormatElement[], name: string): boolean {
  return elements.some((element) => {
    if (element.type === TYPE.pound) return true;
    if (isBranching(element)) {
      return Object.values(element.options).some(({ value }) => saysNumber(value, name));
    }
    return element.type !== TYPE.literal && element.type !== TYPE.tag && element.value === name;
  });
}

/** Whether a text is an ICU message with a plural or a select. */
export function hasBranches(source: Translatable): boolean {
  return (
    isIcu(source) && CHOICE.test(partsText(source.parts)) && choosersOf(source.parts).length > 0
  );
}

const CHOICE = /,\s*(?:plural|select|selectordinal)\s*,/;

/** The arguments that choose branches, as `{name}`. @param type only those of this one */
export function choosersOf(parts: readonly Part[], type?: Branching['type']): readonly string[] {
  const choosers = (element: MessageFormatElement): string[] => {
    if (!isBranching(element)) return [];
    const within = Object.values(element.options).flatMap(({ value }) => value.flatMap(choosers));
    const isAsked = type === undefined || element.type === type;
    return isAsked ? [`{${element.value}}`, ...within] : within;
  };
  return parseIcu(icuSource(parts).text)?.flatMap(choosers) ?? [];
}

/** The texts of a message, in order. @returns undefined for no valid ICU message */
export function literalsOf(parts: readonly Part[]): readonly string[] | undefined {
  return parseIcu(icuSource(parts).text)?.flatMap(literalTexts);
}

function literalTexts(element: MessageFormatElement): string[] {
  if (element.type === TYPE.literal) return [element.value];
  if (!isBranching(element)) return [];
  return Object.values(element.options).flatMap(({ value }) => value.flatMap(literalTexts));
}

/** How a text of a message is written. */
export interface IcuSpelling {
  readonly within: 'plural' | 'other';
  /** The author writes an apostrophe before `<` or `>` once. Else it is doubled, since formatjs would read a quotation. */
  readonly onceAtTags?: boolean;
  /** The author doubles each apostrophe. */
  readonly doublesAll?: boolean;
}

/**
 * Escapes text for a message. Braces are quoted, within a plural `#` too. An apostrophe is doubled only where it would start a quotation,
 * or could before an argument (Unicode ICU, "Quoting/Escaping").
 */
export function escapeIcu(text: string, spelling: IcuSpelling): string {
  const { within, onceAtTags = false, doublesAll = false } = spelling;
  const special = within === 'plural' ? /[{}#][{}#']*|'/g : /[{}][{}']*|'/g;
  const isSpecial = within === 'plural' ? /^(?:[{}#<>|']|$)/ : /^(?:[{}<>|']|$)/;
  return text.replace(special, (found, at: number) => {
    if (found !== "'") return `'${found.replaceAll("'", "''")}'`;
    if (!doublesAll && !isSpecial.test(text.slice(at + 1, at + 2))) return "'";
    return onceAtTags && /[<>]/.test(text.charAt(at + 1)) ? "'" : "''";
  });
}
