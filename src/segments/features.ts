/** The features of a paragraph that can be compared with its translation: its position, and what a translation keeps. Pure. */
import { type Part, partsText, type Segment, sourceParts } from '../format.ts';
import { NO_TAG, TAG_REST } from '../parsing/markup.ts';
import { labelIn } from './frame/named-lines.ts';
import { numbersOf, tokenNames } from './inline/contents.ts';
import { type Features, LINE_BEFORE_PREFIX, PLACEHOLDER_PREFIX } from './likeness.ts';
import { elementIds } from './shared-ids.ts';
import { CellReader } from './table-cells.ts';

/** @param text from which the segments were read; @param segments in file order */
export function featuresOf(text: string, segments: readonly Segment[]): Features[] {
  let position = 0;
  const cells = new CellReader();
  return segments.map((segment) => {
    const before = text.slice(position, segment.start);
    const lineStart = text.lastIndexOf('\n', segment.start - 1) + 1;
    position = segment.end;
    const parts = sourceParts(segment);
    return {
      text: partsText(parts),
      line: segment.line,
      place: syntaxBefore(before),
      name: segment.name,
      label: labelIn(text.slice(lineStart, segment.start)),
      cell: cells.next(before, text.slice(lineStart, segment.start), segment.start),
      ids: elementIds(`${behindCode(before)}${syntaxOf(parts)}`),
      anchors: new Set([...anchorsOf(segment), ...linesBefore(before)]),
    };
  });
}

/** A code block has ids of its own. */
function behindCode(before: string): string {
  return before.slice(before.lastIndexOf('```') + 1);
}

/** The tags in a text, without its words and its code. */
function syntaxOf(parts: readonly Part[]): string {
  const raws = parts.flatMap((part) => (typeof part === 'string' ? [] : [part.raw]));
  return raws.filter((raw) => !raw.startsWith('`')).join('');
}

/** The characters before the text on its line, without values: `## `, `1. `, `title: `, `<p`. */
function syntaxBefore(before: string): string {
  const line = /(?<![^\r\n])[^\r\n]*$/.exec(before)?.[0] ?? '';
  const tag = LAST_TAG.exec(line)?.[1];
  if (tag !== undefined) return `<${tag.toLowerCase()}`;
  return line
    .replace(/\d+/g, '1')
    .replace(/[*+-](?=\s)/g, '-')
    .replace(/\s+/g, ' ')
    .trimStart();
}

const LAST_TAG = new RegExp(String.raw`<([\w:.-]+)(?:\s${TAG_REST})?>?${NO_TAG}$`);

/** It begins behind a character that no address has: else the search in a long word takes quadratic time. */
const ADDRESS = /(?<![^\s()"'<>[\]])[^\s()"'<>[\]]*(?:[^\s()"'<>[\]][/.]|#)[^\s()"'<>[\]]*/g;

function anchorsOf(segment: Segment): string[] {
  const parts = sourceParts(segment);
  const raws = parts.flatMap((part) => (typeof part === 'string' ? [] : [part.raw]));
  const addresses = raws.flatMap((raw) => raw.match(ADDRESS) ?? []);
  const code = raws.filter((raw) => /^`+[^`]/.test(raw) || /^[{<$].*[}>$]$/s.test(raw));
  const words = parts.flatMap((part) =>
    typeof part === 'string' ? (part.match(NAME_OR_CODE) ?? []) : [],
  );
  const numbers = numbersOf({ parts, syntax: segment.syntax }).filter((digits) => digits !== '');
  return [
    ...addresses.map(endOfAddress),
    ...code.map(plainCode),
    ...words,
    ...numbers,
    ...placeholdersOf(segment),
  ];
}

/** Translators write a function with or without its brackets, a file ending without its dot, and a name with a capital. */
function plainCode(code: string): string {
  if (!code.startsWith('`')) return code;
  return code.replace(/^(`+)\s*\.?(.*?)(?:\(\))?[.:]?\s*(`+)$/s, '$1$2$3').toLowerCase();
}

/**
 * Everything that looks like a placeholder pairs two texts. Others show that two texts are not a pair, but only in a format with
 * placeholders: `{a, an, the}` in HTML are words. Each must also have a name or number, because `%s` is in many texts.
 */
function placeholdersOf(segment: Segment): string[] {
  const names = tokenNames({ parts: sourceParts(segment), syntax: 'generic' }, 'placeholder');
  if (segment.syntax === 'markup') return names;
  return names.map((name) =>
    /[\s,]|^%[^{(<\d]/.test(name) ? name : `${PLACEHOLDER_PREFIX}${name}`,
  );
}

/** Names and code that are the same in every language: words with a capital, a digit or a sign inside. */
const NAME_OR_CODE =
  /(?<![\w@])(?:[A-Za-z][\w-]*[A-Z_@./][\w./-]*\w|[A-Z]{2,}|@?\w+\.\w{2,})(?!\w)/g;

/**
 * Translated pages link to pages of their own language, so only the end of an address is compared: `/en/guide/#start` and
 * `/fr/guide/#start` end alike.
 */
function endOfAddress(address: string): string {
  const parts = address.split(/[/#?]/).filter((part) => part !== '' && !LANGUAGE.test(part));
  return `…${parts.slice(-2).join('/')}`;
}

const LANGUAGE = /^[a-z]{2}(?:[-_][a-z]{2,4})?$/i;

/** The last so many lines before a paragraph are compared. */
const LINES_BEFORE = 3;

/** In every language, a code block is before the same paragraph. */
function linesBefore(before: string): string[] {
  return before
    .split(/[\r\n]+/)
    .slice(0, -1)
    .map((line) => line.trim())
    .filter((line) => /\w{4}/.test(line))
    .slice(-LINES_BEFORE)
    .map((line) => `${LINE_BEFORE_PREFIX}${line}`);
}
