/** Reads an answer of the service as text and tokens, in the form of the segment that was sent. Pure. */

import { XML_ENTITIES } from '../../files/xml-characters.ts';
import { partsText } from '../../format.ts';
import { append } from '../../parsing/append.ts';
import { ATTRIBUTES, TAG } from '../../parsing/markup.ts';
import type { Protected, ProtectedToken } from './protect.ts';

/** One stretch of an answer: text, or a token by its id. */
export type AnswerPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'token' | 'open' | 'close'; readonly id: number };

export interface Unreadable {
  readonly problem: string;
}

export function readAnswer(answer: string, sent: Protected): readonly AnswerPart[] | Unreadable {
  const text = answer.trim();
  if (sent.kind !== 'xml') return readLiteral(text, sent.tokens);
  return readTagged(hasBreak(sent.text) ? text : withoutBreaks(text), sent.tokens);
}

function hasBreak(text: string): boolean {
  return /[\r\n]/.test(text);
}

/** Where no line break was sent, or only as a tag, one in the answer is only its layout, and means a blank. */
function withoutBreaks(xml: string): string {
  return hasBreak(xml) ? xml.replace(/(?<![ \t])[ \t]*[\r\n]\s*/g, ' ') : xml;
}

/** The words of an answer, without any tag in it. */
export function readWords(answer: string, sent: Protected): string {
  const text = answer.trim();
  return sent.kind === 'xml' ? decodeEntities(text.replace(ANY_TAG, '')) : text;
}

const ANY_TAG = new RegExp(`<${ATTRIBUTES}>`, 'g');

/** All tokens are tags, except numbers: those are in the text. */
function readTagged(
  answer: string,
  tokens: readonly ProtectedToken[],
): readonly AnswerPart[] | Unreadable {
  const marks = readXml(answer);
  const numbers = literalsOf(tokens.map((token) => (token.kind === 'number' ? token : undefined)));
  if ('problem' in marks || numbers.size === 0) return marks;
  return marks.flatMap((mark) =>
    mark.kind === 'text' ? findLiterals(mark.text, numbers) : [mark],
  );
}

const XML = new RegExp(
  String.raw`<x\s+id\s*=\s*["'](?<token>\d+)["']\s*(?:\/>|>\s*<\/x\s*>)|<g\s+id\s*=\s*["'](?<empty>\d+)["']\s*\/>|<g\s+id\s*=\s*["'](?<open>\d+)["']\s*>|(?<close><\/g\s*>)|(?<foreign>${TAG}|<[!?][A-Za-z]${ATTRIBUTES}>)`,
  'g',
);

function readXml(answer: string): readonly AnswerPart[] | Unreadable {
  const marks: AnswerPart[] = [];
  const open: number[] = [];
  let position = 0;
  for (const match of answer.matchAll(XML)) {
    marks.push(textMark(decodeEntities(answer.slice(position, match.index))));
    position = match.index + match[0].length;
    const found = tagMarks(match.groups ?? {}, open);
    if ('problem' in found) return found;
    append(marks, found);
  }
  if (open.length > 0) return { problem: 'markup is opened and not closed' };
  marks.push(textMark(decodeEntities(answer.slice(position))));
  return marks;
}

/** @param open stack of the ids of the pairs that are open here; updated in place */
function tagMarks(
  tag: Readonly<Record<string, string | undefined>>,
  open: number[],
): readonly AnswerPart[] | Unreadable {
  const { token, empty, open: opening, foreign } = tag;
  if (foreign !== undefined) return { problem: `a tag that was not sent: ${foreign}` };
  if (token !== undefined) return [{ kind: 'token', id: Number(token) }];
  if (empty !== undefined) {
    return [
      { kind: 'open', id: Number(empty) },
      { kind: 'close', id: Number(empty) },
    ];
  }
  if (opening !== undefined) {
    open.push(Number(opening));
    return [{ kind: 'open', id: Number(opening) }];
  }
  const id = open.pop();
  return id === undefined
    ? { problem: 'markup is closed that was not opened' }
    : [{ kind: 'close', id }];
}

const ENTITIES = new Map([...XML_ENTITIES, ['nbsp', '\u00a0']]);

function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|(\w+));/g,
    (whole, decimal, hex, name) => {
      if (name !== undefined) return ENTITIES.get(name) ?? whole;
      const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
    },
  );
}

/** The source decides how a line break is written, not the answer. */
const ANY_BREAK = '\n';

/** Finds the tokens by their literal text; equal tokens are returned in the order in which they were sent. */
function readLiteral(answer: string, tokens: readonly ProtectedToken[]): readonly AnswerPart[] {
  if (tokens.length === 0 && !/[\r\n]/.test(answer)) return [textMark(answer)];
  const expected = literalsOf(tokens);
  if (!expected.has(ANY_BREAK)) expected.set(ANY_BREAK, []);
  return findLiterals(answer, expected);
}

/** The texts to look for, each with the marks of its tokens, in order. */
function literalsOf(tokens: readonly (ProtectedToken | undefined)[]): Map<string, AnswerPart[]> {
  const expected = new Map<string, AnswerPart[]>();
  const expect = (literal: string, mark: AnswerPart) =>
    expected.set(literal, [...(expected.get(literal) ?? []), mark]);
  for (const [id, token] of tokens.entries()) {
    if (token?.kind === 'newline') expect(ANY_BREAK, { kind: 'token', id });
    if (token?.kind === 'number') expect(token.sample, { kind: 'token', id });
    if (token?.kind === 'token') expect(partsText([token.part]), { kind: 'token', id });
    if (token?.kind === 'pair') {
      expect(partsText([token.open]), { kind: 'open', id });
      expect(partsText([token.close]), { kind: 'close', id });
    }
  }
  return expected;
}

/** A literal that occurs more often than it was sent becomes a token with an unknown id. */
function findLiterals(
  text: string,
  expected: ReadonlyMap<string, AnswerPart[]>,
): readonly AnswerPart[] {
  const marks: AnswerPart[] = [];
  let position = 0;
  for (const { start, found } of literalsIn(text, [...expected.keys()])) {
    marks.push(textMark(text.slice(position, start)));
    position = start + found.length;
    const key = found.trim() === '' ? ANY_BREAK : found;
    marks.push(expected.get(key)?.shift() ?? { kind: 'token', id: Number.MAX_SAFE_INTEGER });
  }
  marks.push(textMark(text.slice(position)));
  return marks;
}

/** UTF-16 units of the literals in one pattern. A pattern of some 50 kB, such as an image in an address, is refused. */
const MOST_IN_PATTERN = 5000;

interface FoundLiteral {
  readonly start: number;
  readonly found: string;
}

/** The next literal of a group from an offset on. */
type Finder = (text: string, from: number) => FoundLiteral | undefined;

/** The offsets of the literals, in order and without overlaps; at one offset the longest one counts. */
function* literalsIn(text: string, literals: readonly string[]): Generator<FoundLiteral> {
  const finders = groupsOf(literals).map(finderOf);
  const next = finders.map((find) => find(text, 0));
  for (;;) {
    const first = next.reduce(earlier, undefined);
    if (first === undefined) return;
    yield first;
    const position = first.start + first.found.length;
    for (const [nth, find] of finders.entries()) {
      const known = next[nth];
      if (known !== undefined && known.start < position) next[nth] = find(text, position);
    }
  }
}

function earlier(a: FoundLiteral | undefined, b: FoundLiteral | undefined) {
  if (a === undefined || b === undefined) return a ?? b;
  if (a.start !== b.start) return a.start < b.start ? a : b;
  return a.found.length >= b.found.length ? a : b;
}

function groupsOf(literals: readonly string[]): string[][] {
  const groups: string[][] = [];
  let left = 0;
  for (const literal of literals) {
    if (literal === '') continue;
    left -= literal.length;
    if (left >= 0) groups.at(-1)?.push(literal);
    else {
      groups.push([literal]);
      left = MOST_IN_PATTERN - literal.length;
    }
  }
  return groups;
}

function finderOf(group: readonly string[]): Finder {
  const [first = ''] = group;
  if (first.length > MOST_IN_PATTERN) {
    return (text, from) => {
      const start = text.indexOf(first, from);
      return start < 0 ? undefined : { start, found: first };
    };
  }
  const pattern = literalPattern(group);
  return (text, from) => {
    pattern.lastIndex = from;
    const match = pattern.exec(text);
    return match === null ? undefined : { start: match.index, found: match[0] };
  };
}

function literalPattern(literals: readonly string[]): RegExp {
  const alternatives = [...literals].sort((a, b) => b.length - a.length).map(alternative);
  return new RegExp(alternatives.join('|'), 'gu');
}

function alternative(literal: string): string {
  if (literal === ANY_BREAK) return String.raw`\s*[\r\n]\s*`;
  // A number inside a longer number is another number.
  if (/^\d+$/.test(literal)) return String.raw`(?<![\p{N}]|\p{N}[.,])${literal}(?!\p{N}|[.,]\p{N})`;
  return RegExp.escape(literal);
}

function textMark(text: string): AnswerPart {
  return { kind: 'text', text };
}
