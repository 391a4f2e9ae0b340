/** Literals with nested keys as a tree with spans: the common part of JSON, PHP arrays and objects of JavaScript modules. */
import type { Span } from '../../format.ts';

export type LiteralNode = LiteralObject | LiteralList | LiteralString | LiteralScalar;
export type LiteralGroup = LiteralObject | LiteralList;

export interface LiteralObject extends Span {
  readonly kind: 'object';
  /** The root of a file that is not a literal itself: its children are never removed whole. */
  readonly isFrame?: true;
  /** The file joins it with other literals, which are not read: it may be that they have a key that it lacks. */
  readonly isPart?: true;
  /** An empty group that may become a list or an object: `[]` of PHP. */
  readonly isEither?: true;
  readonly children: readonly LiteralEntry[];
}

export interface LiteralList extends Span {
  readonly kind: 'list';
  readonly children: readonly LiteralEntry[];
}

/** The span includes the quotes. */
export interface LiteralString extends Span {
  readonly kind: 'string';
}

/** Number, boolean, null; `isLocal` for expressions, which have a meaning only in their own file. */
export interface LiteralScalar extends Span {
  readonly kind: 'literal';
  readonly isLocal?: true;
  /** It has no value: `null`, and `undefined` of JavaScript. */
  readonly isNull?: true;
}

/** A member of an object or an element of a list. */
export interface LiteralEntry extends Span {
  /** The key, or the index in a list. */
  readonly step: string | number;
  /** End of the written key; the element's start in lists. */
  readonly keyEnd: number;
  readonly value: LiteralNode;
}

/** How a language writes its literals. */
export interface LiteralGrammar {
  /** The separator between a key and its value, with blanks. */
  readonly colon: RegExp;
  readonly usualColon: string;
  readonly object: readonly [open: string, close: string];
  readonly list: readonly [open: string, close: string];
  readonly usualQuote: string;
  /** Keys that may be unquoted if their neighbours are. */
  readonly bareKey?: RegExp;
}

/** Reads and writes the strings of a file; spans exclude the quotes. */
export interface LiteralStrings {
  read(start: number, end: number): string;
  /** Replaces the content of a string. */
  rewrite(start: number, end: number, content: string): string;
  /** A new string with its quotes. */
  literal(content: string, quote: string): string;
}
