/**
 * Finds the contents that a text and its translation must have in common: placeholders, tags, links, numbers, emoji. They are compared
 * as multisets. Pure.
 */
import { TAG_REST } from '../../parsing/markup.ts';
import { type Translatable, takeApart } from './pieces.ts';
import { findPlaceholders, type Placeholder } from './placeholders.ts';

export interface Difference {
  readonly missing: readonly string[];
  readonly extra: readonly string[];
  /** All names of the source: a name of `missing` or `extra` may be there a different number of times. */
  readonly wanted: readonly string[];
}

export function difference(wanted: readonly string[], found: readonly string[]): Difference {
  const named = numbered(wanted, found);
  return { missing: without(named, found), extra: without(found, named), wanted: named };
}

/** The rest of a list, where each of the others has taken away the first equal name that was left. */
function without(names: readonly string[], others: readonly string[]): string[] {
  const taken = countsOf(others);
  return names.filter((name) => {
    const left = taken.get(name) ?? 0;
    taken.set(name, left - 1);
    return left <= 0;
  });
}

function countsOf(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** The sentences of findings. */
export function differenceSentences({ missing, extra, wanted }: Difference): string[] {
  const known = countsOf(wanted);
  const repeated = countsOf(extra.filter((name) => known.has(name)));
  return [
    ...missing.map((name) => `${name} is missing`),
    ...extra.filter((name) => !known.has(name)).map((name) => `${name} is not in the source`),
    ...[...repeated].map(([name, more]) => {
      const count = known.get(name) ?? 0;
      return `${name} is in the text ${times(count + more)}, and in the source ${times(count)}`;
    }),
  ];
}

function times(count: number): string {
  return count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`;
}

/** `%s of %s` may become `%2$s von %1$s`: the placeholders of the source get the numbers of their order. */
function numbered(wanted: readonly string[], found: readonly string[]): readonly string[] {
  const isPositional = (name: string) => /^%\d+\$/.test(name);
  if (!found.some(isPositional) || wanted.some(isPositional)) return wanted;
  let count = 0;
  return wanted.map((name) => (/^%[^%{(<#]/.test(name) ? name.replace('%', `%${++count}$`) : name));
}

/** Tokens that a translation must have as its source does. */
export type HeldToken = 'placeholder' | 'tag';
type Sort = HeldToken | 'link';

/**
 * The tokens of one sort, as they are written. Host syntax counts as tags; an `element` is a tag without the values of its attributes. Line breaks, entities and the quotes around a text of Android are
 * left out, since they may differ.
 */
export function tokenNames(source: Translatable, sort: Sort | 'element'): string[] {
  const parts = source.parts.map((part) =>
    typeof part !== 'string' && part.sample !== undefined ? part.raw : part,
  );
  const ofText = sort === 'element' ? 'tag' : sort;
  return parts.flatMap((part) => {
    if (typeof part !== 'string') {
      const isTag = !['', '"'].includes(part.raw.trim()) && !/[\r\n]/.test(part.raw);
      if (!isTag || ofText !== 'tag') return [];
      const name = markupName(part.raw);
      return [sort === 'element' ? withoutValues(name) : name];
    }
    return findPlaceholders(part, source.syntax)
      .filter(({ kind }) => SORTS[kind] === ofText)
      .map(placeholderName);
  });
}

/**
 * A translated link may lead to another page, and its title is translated. The same is true of the attributes that readers see and of the
 * anchor of a heading. So only their presence is compared. The attributes of `xliff:g` of Android say what it is; its content is compared.
 */
function markupName(raw: string): string {
  return raw
    .replace(/^\]\(.*\)$/, '](…)')
    .replace(/^\s*\{:?[ \t]*[#.][^{}]*\}$/, ANCHOR)
    .replace(/^"(?=<)|(?<=>)"$/g, '')
    .replace(XLIFF_G, '<xliff:g>')
    .replace(OF_READERS, '$1=…');
}

function withoutValues(name: string): string {
  return name.replace(/(?<=[\s"'])([\w:.-]+)=(?:"[^"]*"|'[^']*'|\{[^{}]*\})/g, '$1=…');
}

/** The anchor of a heading. A page may have one where its source has none. */
export const ANCHOR = '{#…}';

const XLIFF_G = new RegExp(`^<xliff:g\\b${TAG_REST}>`);
const OF_READERS = /\b(href|src|to|title|alt|label|placeholder|aria-label)=(?:"[^"]*"|'[^']*')/g;

/**
 * `:name`, `:Name` and `:NAME` are one argument of Laravel; it writes the first letter or all letters in capitals. `%'d` and `%Id` are `%d`
 * in the digits of a language.
 */
function placeholderName({ kind, text }: Placeholder): string {
  if (kind === 'laravel') return text.toLowerCase();
  if (kind === 'grouped') return text.replaceAll(',', '');
  return PRINTF.has(kind) ? text.replace(/^(%(?:\d{1,2}\$)?)['I]+/, '$1') : text;
}

const PRINTF: ReadonlySet<Placeholder['kind']> = new Set(['printf', 'maybePrintf', 'position']);

/** The kind of check for each kind of placeholder. A new kind does not compile without its line here. */
const SORTS: Readonly<Record<Placeholder['kind'], Sort | undefined>> = {
  tag: 'tag',
  numberedTag: 'tag',
  url: 'link',
  urlRest: 'link',
  email: 'link',
  newline: undefined,
  entity: undefined,
  comment: undefined,
  choice: undefined,
  mustache: 'placeholder',
  template: 'placeholder',
  nesting: 'placeholder',
  rubyName: 'placeholder',
  rubyFormat: 'placeholder',
  pythonName: 'placeholder',
  pluralVariable: 'placeholder',
  position: 'placeholder',
  grouped: 'placeholder',
  printf: 'placeholder',
  maybePrintf: 'placeholder',
  percent: 'placeholder',
  qt: 'placeholder',
  place: 'placeholder',
  symfony: 'placeholder',
  brace: 'placeholder',
  linked: 'placeholder',
  laravel: 'placeholder',
  shell: 'placeholder',
  built: 'placeholder',
  argument: 'placeholder',
};

/** Numbers outside placeholders, without the separators that differ between languages (1,000.5 and 1.000,5). */
export function numbersOf(source: Translatable): string[] {
  return (
    plainText(source)
      .match(/\p{Nd}+(?:[.,'’\u00a0\u202f]\p{Nd}+)*/gu)
      ?.map(digits) ?? []
  );
}

function digits(number: string): string {
  if (/^[0-9]+$/.test(number)) return number;
  return number.replace(/[^\p{Nd}]/gu, '').replace(/\p{Nd}/gu, (digit) => `${digitValue(digit)}`);
}

/** Decimal digits of every script are ten consecutive code points that start with zero (Unicode, "Numeric Values"). */
function digitValue(digit: string): number {
  const point = digit.codePointAt(0) ?? 0;
  // Nearly all digits are ASCII.
  if (point < 128) return point - 48;
  let zero = point;
  while (point - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return point - zero;
}

export function emojiOf(source: Translatable): string[] {
  return plainText(source).match(/\p{Extended_Pictographic}/gu) ?? [];
}

function plainText(source: Translatable): string {
  return takeApart(source)
    .inner.map((piece) => (piece.kind === 'text' ? piece.text : ' '))
    .join('');
}
