/**
 * Titles of links and images are inside the raw part that closes a link, `](guide.md "The title")`. Each title is a text of its own: it
 * is bought beside its sentence and put back into the markup of the sentence. Pure.
 */
import type { Part, Raw } from '../../format.ts';
import { decodeEscaped } from '../text/escapes.ts';
import { hasLetters } from '../text/parts.ts';
import { beginsReference, MARKDOWN_NOTATION } from './entities.ts';

/** A destination in `<…>`, or without blanks and with balanced parentheses one level deep. */
const DESTINATION = String.raw`(?:<[^<>\r\n]*>|(?:[^\s<()\\]|\\.|\([^\s()]*\))(?:[^\s()\\]|\\.|\([^\s()]*\))*)`;
const QUOTED_TITLE = String.raw`"(?:[^"\\\r\n]|\\.)*"|'(?:[^'\\\r\n]|\\.)*'|\((?:[^()\\\r\n]|\\.)*\)`;
const INLINE = new RegExp(String.raw`(\]\(${DESTINATION}[ \t]+)(${QUOTED_TITLE})([ \t]*\))$`);
const DEFINITION = new RegExp(
  String.raw`(\]:\s*${DESTINATION}(?:[ \t]+|[ \t]*(?:\r\n|\n|\r)[ \t]*))(${QUOTED_TITLE})([ \t]*)$`,
);

interface QuotedTitle {
  readonly before: string;
  /** With its quotes. */
  readonly quoted: string;
  readonly after: string;
}

function findIn(raw: string, pattern: RegExp): QuotedTitle | undefined {
  const [all, before, quoted, after] = pattern.exec(raw) ?? [];
  if (all === undefined || before === undefined || quoted === undefined || after === undefined)
    return undefined;
  return { before: raw.slice(0, raw.length - all.length) + before, quoted, after };
}

/** @returns the titles with a letter, in order, of the raw parts that `isOpen` accepts */
export function titlesIn(
  parts: readonly Part[],
  isAsked: (piece: Raw) => boolean = () => true,
): string[] {
  return parts.flatMap((part) =>
    typeof part === 'string' || !isAsked(part) ? [] : (titleOf(part) ?? []),
  );
}

/** @param titles the translation of each title: a translation may have its links in another order */
export function withTitles(parts: readonly Part[], titles: ReadonlyMap<string, string>): Part[] {
  return parts.map((part) => {
    const before = titleOf(part);
    const title = before === undefined ? undefined : titles.get(before);
    return title === undefined || title === before ? part : retitled(part as Raw, title);
  });
}

function titleOf(part: Part): string | undefined {
  if (typeof part === 'string') return undefined;
  const found = findIn(part.raw, INLINE);
  return found && readTitle(found.quoted);
}

/** The text of a title, given with its quotes; undefined: it has no letter. */
export function readTitle(quoted: string): string | undefined {
  const text = decodeEscaped(quoted.slice(1, -1), MARKDOWN_NOTATION);
  return hasLetters([text]) ? text : undefined;
}

function retitled(part: Raw, title: string): Raw {
  const found = findIn(part.raw, INLINE);
  if (found === undefined) return part;
  const { before, quoted, after } = found;
  const quotes = [quoted.charAt(0), quoted.charAt(quoted.length - 1)];
  return { ...part, raw: before + quotes.join(writeTitle(title, quoted)) + after };
}

/** Keeps the quotes, and escapes characters that would end them or a table's cell. */
export function writeTitle(title: string, quoted: string): string {
  const quotes = quoted.charAt(0) === '(' ? '()' : quoted.charAt(0);
  return title
    .replace(/(?<!\s)\s*[\r\n]+\s*/g, ' ')
    .replace(/[\\&|"'()]/g, (character, index: number) => {
      if (character === '\\')
        return /[!-/:-@[-`{-~]|^$/.test(title.charAt(index + 1)) ? '\\\\' : character;
      if (character === '&') return beginsReference(title, index, 'markdown') ? '&amp;' : character;
      return character === '|' || quotes.includes(character) ? `\\${character}` : character;
    });
}

export interface DefinitionTitle {
  /** Offsets of the text between the quotes, from the start of the definition. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly quoted: string;
}

/** The title of `[label]: url "title"`, which may be on a line of its own. */
export function definitionTitle(raw: string): DefinitionTitle | undefined {
  const found = findIn(raw, DEFINITION);
  const text = found && readTitle(found.quoted);
  if (found === undefined || text === undefined) return undefined;
  const start = found.before.length + 1;
  return { start, end: start + found.quoted.length - 2, text, quoted: found.quoted };
}
