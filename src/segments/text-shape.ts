/** The form of a text that a translation keeps in any language: its end, sentences, brackets, quotes and markup. Pure. */

interface TextShape {
  readonly end: string;
  readonly sentences: number;
  readonly brackets: number;
  readonly isQuoting: boolean;
  readonly markup: number;
}

/** By object: each paragraph is compared with many. */
const shapes = new WeakMap<object, TextShape>();

function shapeOf(of: { readonly text: string }): TextShape {
  const before = shapes.get(of);
  if (before !== undefined) return before;
  const { text } = of;
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  const shape = {
    end: ENDS.get(LAST_SIGN.exec(text)?.[1] ?? '') ?? '',
    sentences: count(/[.!?](?=\s|$)|[。！？]/gu),
    brackets: count(/[(（]/gu),
    isQuoting: /["“«„「『]/u.test(text),
    markup: count(/<[a-z]|`+|\*\*|\]\(/giu),
  };
  shapes.set(of, shape);
  return shape;
}

/** The last sign of a text, also with closing quotes, brackets and markup behind it. */
const LAST_SIGN = /([.!…。！:：?？])["'”’»」』)）\]*_`]*\s*$/u;
const ENDS = new Map<string, string>([...'.!…。！'].map((sign) => [sign, '.'] as const));
for (const sign of ':：') ENDS.set(sign, ':');
for (const sign of '?？') ENDS.set(sign, '?');

/** The highest cost of a pair: the features depend on each other, so their costs must not add up without a limit. */
const HIGHEST_COST = 3;

/**
 * The cost of differences in form, measured on 184 pages. How much rarer is a difference between a paragraph and its translation than
 * between two paragraphs of a page? The cost is half of the logarithm of that number. With the whole logarithm, more pages that people
 * translated would be held.
 */
export function shapeCost(a: { readonly text: string }, b: { readonly text: string }): number {
  const [s, t] = [shapeOf(a), shapeOf(b)];
  const costs = [
    s.end === t.end ? 0 : 1.25,
    at(SENTENCES, s.sentences - t.sentences),
    at(BRACKETS, s.brackets - t.brackets),
    s.isQuoting === t.isQuoting ? 0 : 1.25,
    at(MARKUP, s.markup - t.markup),
  ];
  return Math.min(
    HIGHEST_COST,
    costs.reduce((sum, cost) => sum + cost, 0),
  );
}

/** The cost by the difference between the two numbers, here of sentences. */
const SENTENCES = [0, 0.75, 2];
const BRACKETS = [0, 0.75, 1];
const MARKUP = [0, 0.75, 1.25, 2];

function at(costs: readonly number[], difference: number): number {
  return costs[Math.min(Math.abs(difference), costs.length - 1)] ?? 0;
}
