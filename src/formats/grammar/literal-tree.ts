/** Literals of nested keys as a tree of spans: what JSON, PHP arrays and objects of JavaScript modules have in common. */

export type LiteralNode = LiteralObject | LiteralList | LiteralString | LiteralScalar;
export type LiteralGroup = LiteralObject | LiteralList;

interface Span {
  readonly start: number;
  readonly end: number;
}

export interface LiteralObject extends Span {
  readonly kind: 'object';
  /** No literal of the file but all of it: what stands in it is never taken out whole. */
  readonly isFrame?: true;
  /** Empty, and written as a list as well: `[]` of PHP. */
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

/** Number, boolean, null; `isLocal` for expressions, which mean something only where they stand. */
export interface LiteralScalar extends Span {
  readonly kind: 'literal';
  readonly isLocal?: true;
  /** It says that there is nothing: `null`, and `undefined` of JavaScript. */
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
  /** What stands between a key and its value, with blanks. */
  readonly colon: RegExp;
  readonly usualColon: string;
  readonly object: readonly [open: string, close: string];
  readonly list: readonly [open: string, close: string];
  readonly usualQuote: string;
  /** Keys that may stand without quotes where their neighbours do. */
  readonly bareKey?: RegExp;
}

/** How a file reads and writes its strings; spans exclude the quotes. */
export interface LiteralStrings {
  read(start: number, end: number): string;
  /** Replaces the content of a string. */
  rewrite(start: number, end: number, content: string): string;
  /** A new string with its quotes. */
  literal(content: string, quote: string): string;
}
