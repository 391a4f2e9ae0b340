/** Parses patterns of source paths: `**`, `*`, `?`, `{a,b}`, `[a-z]`, `\` and language tokens. Matching and the overlap check use the result. */

import type { Range, Wildcard } from '../files/wildcards.ts';
import { expandBraces } from './braces.ts';
import {
  isLanguageToken,
  type LanguageToken,
  PatternError,
  refuseLong,
  unknownToken,
} from './tokens.ts';

export type GlobPiece = Wildcard | { readonly kind: 'token'; readonly token: LanguageToken };

/** One folder or file name; `deep` matches any number of folders, also none. */
export type GlobSegment = 'deep' | readonly GlobPiece[];

/** One alternative of a pattern, from the root down; the last segment is the file name. */
export type GlobPath = readonly GlobSegment[];

/**
 * Parses a pattern into its alternatives, with expanded braces.
 * @throws PatternError for a pattern that no path can match, or that does not mean what people expect
 */
export function parseGlob(pattern: string): readonly GlobPath[] {
  refuseLong(pattern);
  const plain = pattern.normalize('NFC').replace(/^(\.\/)+/, '');
  checkOutline(plain);
  return expandBraces(plain).map(parseAlternative);
}

function checkOutline(pattern: string): void {
  if (pattern.startsWith('/')) throw new PatternError('must be relative to the root');
  if (/(^|\/)\.\.?(\/|$)/.test(pattern))
    throw new PatternError('must not hold "." or ".." folders');
  if (pattern.endsWith('/')) throw new PatternError(`names a folder; write ${pattern}**`);
  if (pattern.includes('//')) throw new PatternError('has an empty folder name');
  if (/[^/]\*\*|\*\*[^/]/.test(pattern)) {
    throw new PatternError('"**" must be a whole folder name, as in **/*.json');
  }
}

function parseAlternative(text: string): GlobPath {
  const segments = splitFolders(text)
    .filter((segment, index, all) => segment !== '**' || all[index - 1] !== '**')
    .map((segment) => (segment === '**' ? 'deep' : parseSegment(segment)));
  // `docs/**` means every file below.
  return segments.at(-1) === 'deep' ? [...segments, [{ kind: 'star' }]] : segments;
}

// A slash inside a class would not be a separator, and no file name has one, so it is refused.
function splitFolders(text: string): string[] {
  for (let start = text.indexOf('['); start >= 0; ) {
    const end = text.indexOf(']', start);
    if (end < 0) break;
    if (text.slice(start, end).includes('/')) throw new PatternError('"[…]" must not hold "/"');
    start = text.indexOf('[', end);
  }
  return text.split('/');
}

const PIECE =
  /\\(?<escaped>.)|\[(?<negated>[!^]?)(?<set>\]?[^\]]*)\]|\{(?<token>\w+)\}|\*+|\?|./gsu;
/** For the text after the last `]`, where no class ends: looking for the end of each `[` there would take quadratic time. */
const PIECE_AFTER_CLASSES = /\\(?<escaped>.)|\{(?<token>\w+)\}|\*+|\?|./gsu;

function parseSegment(segment: string): readonly GlobPiece[] {
  const pieces: GlobPiece[] = [];
  const end = segment.lastIndexOf(']') + 1;
  const matches = [
    ...segment.slice(0, end).matchAll(PIECE),
    ...segment.slice(end).matchAll(PIECE_AFTER_CLASSES),
  ];
  for (const match of matches) {
    const piece = pieceOf(match[0], match.groups ?? {});
    const last = pieces.at(-1);
    if (piece.kind === 'text' && last?.kind === 'text') {
      pieces[pieces.length - 1] = { kind: 'text', text: last.text + piece.text };
    } else {
      pieces.push(piece);
    }
  }
  return pieces;
}

function pieceOf(
  text: string,
  { escaped, negated, set, token }: Partial<Record<string, string>>,
): GlobPiece {
  if (escaped !== undefined) return { kind: 'text', text: escaped };
  if (set !== undefined) return { kind: 'class', negated: negated !== '', ranges: readRanges(set) };
  if (token !== undefined) {
    if (!isLanguageToken(token)) throw unknownToken(token, 'pattern');
    return { kind: 'token', token };
  }
  if (text.startsWith('*')) return { kind: 'star' };
  return text === '?' ? { kind: 'one' } : { kind: 'text', text };
}

function readRanges(set: string): Range[] {
  const characters = [...set].map((character) => character.codePointAt(0) ?? 0);
  const dash = 0x2d;
  const ranges: Range[] = [];
  for (let at = 0; at < characters.length; at++) {
    const from = characters[at] ?? 0;
    const to = characters[at + 1] === dash ? characters[at + 2] : undefined;
    if (to !== undefined && to < from) throw new PatternError(`"[${set}]" runs backwards`);
    ranges.push([from, to ?? from]);
    if (to !== undefined) at += 2;
  }
  if (ranges.length === 0) throw new PatternError('"[]" matches nothing');
  return ranges;
}

/** The pattern with a spelling in place of every language token. */
export function spellTokens(
  path: GlobPath,
  spellings: Readonly<Record<LanguageToken, string>>,
): GlobPath {
  return path.map((segment) =>
    segment === 'deep' ? segment : segment.map((piece) => spellPiece(piece, spellings)),
  );
}

export function spellPiece(
  piece: GlobPiece,
  spellings: Readonly<Record<LanguageToken, string>>,
): Wildcard {
  return piece.kind === 'token' ? { kind: 'text', text: spellings[piece.token] } : piece;
}

/** Whether the pattern matches only one path. */
export function isLiteral(path: GlobPath): boolean {
  return path.every((segment) => segment !== 'deep' && segment.every((p) => p.kind === 'text'));
}

/** The text that every path of the pattern begins with. */
export function literalPrefix(path: GlobPath): string {
  let prefix = '';
  for (const segment of path) {
    if (segment === 'deep') return prefix;
    for (const piece of segment) {
      if (piece.kind !== 'text') return prefix;
      prefix += piece.text;
    }
    prefix += '/';
  }
  return prefix.slice(0, -1);
}

/** The text that every path of the pattern ends with. */
export function literalSuffix(path: GlobPath): string {
  const last = path.at(-1);
  const end = last === undefined || last === 'deep' ? undefined : last.at(-1);
  return end?.kind === 'text' ? end.text : '';
}
