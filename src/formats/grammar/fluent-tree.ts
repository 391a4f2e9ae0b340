/** A Fluent resource as entries with their texts: values, attributes, and the variants of select expressions. */
import {
  type Entry,
  FluentParser,
  type Message,
  type Pattern,
  type Placeable,
  type SelectExpression,
  type SyntaxNode,
  type Term,
  type Variant,
} from '@fluent/syntax';
import type { Span, Warning } from '../../format.ts';
import { isPluralCategory } from '../../segments/inline/plurals.ts';
import { positionsOf } from '../text/position.ts';
import { type FluentSource, type FluentText, fluentText } from './fluent-text.ts';

export interface FluentEntry {
  /** Its index in the file. */
  readonly index: number;
  /** `key`, or `-key` of a term; undefined for comments and text that is not Fluent. */
  readonly key: string | undefined;
  /** Offset of the key. */
  readonly keyStart: number;
  /** Including the comment above it. */
  readonly start: number;
  readonly end: number;
  readonly comment: string | undefined;
  readonly texts: readonly FluentLeaf[];
  /** Another entry with the same key is before it: a bundle refuses this one ("Attempt to override an existing message"). */
  readonly isShadowed: boolean;
}

export interface FluentLeaf extends FluentText {
  readonly id: string;
  /** The whole value or attribute that contains the text. */
  readonly block: Span;
  /** The default variant; a choice without one is not valid Fluent. */
  readonly isDefault?: true;
  /** The attribute or variant that consists of this text; absent for the value of a message. */
  readonly owner?: Span;
  readonly plural?: { readonly group: string; readonly category: string };
}

export interface FluentFile {
  readonly entries: readonly FluentEntry[];
  readonly warnings: readonly Warning[];
}

export function openFluent(text: string): FluentFile {
  const { body } = new FluentParser({ withSpans: true }).parse(text);
  const source = { text, lineEnd: fluentLineEnd(text) };
  const positionAt = positionsOf(text);
  const warnings = body
    .filter(({ type }) => type === 'Junk')
    .map(({ span }) => ({
      line: positionAt(span?.start ?? 0).line,
      message: 'no Fluent; left as it is',
      isDamage: true as const,
    }));
  const seen = new Set<string>();
  const entries = body.map((node, index): FluentEntry => {
    const entry = fluentEntry(source, node);
    const isShadowed = entry.key !== undefined && seen.has(entry.key);
    if (entry.key !== undefined) seen.add(entry.key);
    return { ...entry, index, isShadowed };
  });
  return { entries, warnings };
}

/** The first line end of a file. */
export function fluentLineEnd(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n';
}

function fluentEntry(
  source: FluentSource,
  entry: Entry,
): Omit<FluentEntry, 'index' | 'isShadowed'> {
  const { start, end } = fluentSpan(source.text, entry);
  if (entry.type !== 'Message' && entry.type !== 'Term') {
    return { key: undefined, keyStart: start, start, end, comment: undefined, texts: [] };
  }
  const key = (entry.type === 'Term' ? '-' : '') + entry.id.name;
  return {
    key,
    keyStart: (entry.id.span?.start ?? start) - (entry.type === 'Term' ? 1 : 0),
    start: entry.comment?.span?.start ?? start,
    end,
    comment: entry.comment?.content,
    texts: [...messageTexts(source, entry, key)],
  };
}

function* messageTexts(
  source: FluentSource,
  entry: Message | Term,
  key: string,
): Generator<FluentLeaf> {
  if (entry.value !== null) {
    const block = fluentSpan(source.text, entry.value);
    for (const leaf of patternTexts(source, entry.value, key)) yield { ...leaf, block };
  }
  for (const attribute of entry.attributes) {
    const block = fluentSpan(source.text, attribute);
    for (const leaf of patternTexts(source, attribute.value, `${key}.${attribute.id.name}`)) {
      yield { ...leaf, owner: leaf.owner ?? block, block };
    }
  }
}

// The span of a node may include the line break behind it.
function fluentSpan(text: string, { span }: SyntaxNode): Span {
  const start = span?.start ?? 0;
  let end = span?.end ?? text.length;
  while (end > start && BLANKS.has(text.charAt(end - 1))) end -= 1;
  return { start, end };
}

const BLANKS: ReadonlySet<string> = new Set([' ', '\t', '\r', '\n']);

type UnplacedLeaf = Omit<FluentLeaf, 'block'>;

// Text around select expressions is split into runs; each variant is a text.
function* patternTexts(
  source: FluentSource,
  pattern: Pattern,
  id: string,
): Generator<UnplacedLeaf> {
  const selects = pattern.elements.filter(isSelect);
  const [first] = selects;
  if (first === undefined) {
    if (pattern.elements.length > 0) yield { id, ...fluentText(source, pattern.elements) };
    return;
  }
  let run: Pattern['elements'] = [];
  let runs = 0;
  for (const element of pattern.elements) {
    if (!isSelect(element)) {
      run.push(element);
      continue;
    }
    if (!isBlankRun(source, run)) yield { id: `${id}~${runs}`, ...fluentText(source, run) };
    runs += 1;
    run = [];
    const name = selects.length > 1 ? `${id}~${runs}` : id;
    yield* variantTexts(source, element.expression, name);
  }
  if (!isBlankRun(source, run)) yield { id: `${id}~${runs}`, ...fluentText(source, run) };
}

/** Blanks between two selects are layout. */
function isBlankRun({ text }: FluentSource, run: Pattern['elements']): boolean {
  return text.slice(run[0]?.span?.start ?? 0, run.at(-1)?.span?.end ?? 0).trim() === '';
}

function isSelect(
  element: Pattern['elements'][number],
): element is Placeable & { expression: SelectExpression } {
  return element.type === 'Placeable' && element.expression.type === 'SelectExpression';
}

function* variantTexts(
  source: FluentSource,
  select: SelectExpression,
  id: string,
): Generator<UnplacedLeaf> {
  const isPlural = select.variants.every((variant) => isNumeric(variant));
  for (const variant of select.variants) {
    const name = variantKey(variant);
    const owner = fluentSpan(source.text, variant);
    const plural =
      isPlural && isPluralCategory(name) ? { plural: { group: `${id}[`, category: name } } : {};
    for (const leaf of patternTexts(source, variant.value, `${id}[${name}]`)) {
      // A nested choice has variants of its own.
      const marks = {
        owner: leaf.owner ?? owner,
        ...(variant.default && ({ isDefault: true } as const)),
      };
      yield leaf.id === `${id}[${name}]` ? { ...leaf, ...marks, ...plural } : { ...leaf, ...marks };
    }
  }
}

function variantKey({ key }: Variant): string {
  return key.type === 'Identifier' ? key.name : key.value;
}

// `[0]` and `[one]` beside a default `other` choose by number.
function isNumeric(variant: Variant): boolean {
  const name = variantKey(variant);
  return variant.default ? name === 'other' : isPluralCategory(name) || /^\d/.test(name);
}
