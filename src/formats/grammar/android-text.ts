/**
 * Texts of Android string resources: backslash escapes, quotes that keep blanks, blanks that fold into one
 * (https://developer.android.com/guide/topics/resources/string-resource, "Handle special characters").
 */

import type { Part } from '../../format.ts';
import { type OwnForm, type XmlContent, type XmlStyle, XmlTexts } from './xml-text.ts';
import type { XmlElement } from './xml-tree.ts';

const NEEDED: ReadonlyMap<string, string> = new Map([
  ["'", "\\'"],
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\t', '\\t'],
]);

const STYLE: XmlStyle = {
  lead: /\\/,
  escapes: [
    {
      pattern: /\\u([0-9a-fA-F]{4})/y,
      read: ([, hex = '']) => String.fromCharCode(Number.parseInt(hex, 16)),
    },
    { pattern: /\\n/y, read: () => '\n' },
    { pattern: /\\t/y, read: () => '\t' },
    { pattern: /\\(['"\\@?#])/y, read: ([, sign = '']) => sign },
  ],
  isOpaque: ({ name }) => name === 'xliff:g',
  required:
    ({ isFirst, isLast, own }) =>
    (character, index, text) => {
      const isStart = isFirst && index === 0;
      if (isStart && !own.isQuoted && (character === '@' || character === '?')) {
        return `\\${character}`;
      }
      if (character === "'" && own.isQuoted) return undefined;
      // Attributes of markup in a CDATA section keep the quotes that their author gave them.
      if (character === '"' && own.isCdata && /(?<!\\)"/.test(own.raw ?? '')) return undefined;
      if (character === ' ') {
        if (own.isQuoted) return undefined;
        if (isStart || (isLast && index === text.length - 1)) return '\\u0020';
        // A second blank folds into the first: who wrote two meant one.
        const isFolded = text.charAt(index - 1) === ' ' && !TWO_BLANKS.test(own.raw ?? '');
        return isFolded ? '\\u0020' : undefined;
      }
      if (character === '\\' && isBare(own) && !/^(?:[\\ntu'"@?#]|$)/.test(text.slice(index + 1))) {
        return undefined;
      }
      return NEEDED.get(character);
    },
  trims: true,
  unfold: (raw) => raw.replace(/[ \t]*[\r\n]\s*/g, ' '),
  syntax: /((?<!\\)")/,
};

const TWO_BLANKS = / {2}/;
/** A backslash that escapes nothing: aapt2 drops it (`\F` of `C:\Files`), and nobody asked for another one. */
const BARE_BACKSLASH = /(?<=(?<!\\)(?:\\\\)*)\\(?![\\ntu'"@?#])/;

function isBare({ raw = '' }: OwnForm): boolean {
  return BARE_BACKSLASH.test(raw) && !raw.includes('\\\\');
}

export class AndroidTexts {
  readonly #text: string;
  readonly #texts: XmlTexts;

  constructor(text: string) {
    this.#text = text;
    this.#texts = new XmlTexts(text, STYLE);
  }

  /** The content without quotes around the whole, which only keep its blanks. */
  read(element: XmlElement): XmlContent {
    const content = this.#texts.read(element);
    const { parts, start, end } = content;
    if (content.raw === '""') {
      return { ...content, start: start + 1, end: end - 1, parts: [], raw: '', isQuoted: true };
    }
    const blanks = this.#text.slice(element.openEnd, element.closeStart);
    // aapt drops them, and their author did not.
    if (/^[ \t]+$/.test(blanks)) {
      return {
        ...content,
        start: element.openEnd,
        end: element.closeStart,
        parts: [{ raw: blanks }],
      };
    }
    const inner = parts.slice(1, -1);
    const isQuoted = parts.length > 1 && isQuote(parts[0]) && isQuote(parts.at(-1));
    if (!isQuoted || inner.some(isQuote)) return content;
    const raw = content.raw?.slice(1, -1) ?? '';
    return { ...content, start: start + 1, end: end - 1, parts: inner, raw, isQuoted: true };
  }

  write(parts: readonly Part[], form: OwnForm): string {
    return this.#texts.write(parts, form);
  }
}

function isQuote(part: Part | undefined): boolean {
  return typeof part === 'object' && part.raw === '"';
}
