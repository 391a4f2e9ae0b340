/** The markup of a paragraph that has values: ends of links, tags, template calls, code, anchors. Pairs the tokens of two versions of the paragraph. Pure. */

export interface MarkupValue {
  readonly start: number;
  readonly end: number;
  /** The value with the text before it: ` href="/x"`. */
  readonly text: string;
}

export interface MarkupToken {
  /** `link`, `code`, `anchor`, the name of a tag, or `{` and the name of a template call. */
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /**
   * The destination and title of a link, the attributes of a tag or of a heading, or the arguments of a call. An argument without a name has
   * its number.
   */
  readonly values: ReadonlyMap<string, MarkupValue>;
  /** Offset where another value is added. */
  readonly tail: number;
}

/** Every repetition is bounded, so that text which only begins like markup takes no quadratic time. */
const BLANKS = String.raw`\s{1,200}`;
const VALUE = String.raw`"[^"]{0,4000}"|'[^']{0,4000}'|\{[^{}]{0,4000}\}|[^\s"'<>{}]{1,4000}`;
const ATTRIBUTE = String.raw`${BLANKS}[^\s=<>/"'{}]{1,200}(?:\s{0,200}=\s{0,200}(?:${VALUE}))?`;
const DESTINATION = String.raw`<[^<>\n]{0,4000}>|(?:[^\s()<]|\([^\s()]{0,4000}\)){1,4000}`;
const TITLE = String.raw`${BLANKS}(?:"(?:[^"\\]|\\.){0,4000}"|'(?:[^'\\]|\\.){0,4000}'|\((?:[^()\\]|\\.){0,4000}\))`;
const LINK = String.raw`\]\(\s{0,200}(?<destination>${DESTINATION})(?<title>${TITLE})?\s{0,200}\)`;
const TAG = String.raw`<(?<name>[A-Za-z][\w.:-]{0,200})(?<attributes>(?:${ATTRIBUTE}){0,200})\s{0,200}/?>`;
const QUOTED = String.raw`"[^"\n]{0,4000}"|\x60[^\x60\n]{0,4000}\x60`;
const ARGUMENT = String.raw`${BLANKS}(?:[\w-]{1,200}=)?(?:${QUOTED}|[^\s"'\x60<>{}%=]{1,4000})`;
/** Hugo's `{{< icon name="x" >}}` and `{{% ref "a.md" %}}`, Jekyll's and Nunjucks' `{% image a.png %}`. */
const CALL = String.raw`(?:\{\{[<%]|\{%-?)\s{0,200}(?<call>[A-Za-z][\w./-]{0,200})(?<arguments>(?:${ARGUMENT}){0,200})\s{0,200}/?(?:[>%]\}\}|-?%\})`;
const CODE = String.raw`(?<!\x60)(?<ticks>\x60{1,9})(?!\x60)(?<code>[^\n]{1,200}?)(?<!\x60)\k<ticks>(?!\x60)`;
/** `{#id}`, `{ #id .class }` and kramdown's `{: #id}` at the end of a heading or a paragraph. */
const ANCHOR = String.raw`[ \t]{0,200}\{:?[ \t]{0,200}(?<anchor>[#.][^{}\r\n]{1,1000})\}(?=[ \t]{0,200}$)`;
const TOKEN = new RegExp(`${CODE}|${LINK}|${TAG}|${CALL}|${ANCHOR}`, 'dg');

/** @param text including its host syntax */
export function tokensIn(text: string): MarkupToken[] {
  return [...text.matchAll(TOKEN)].map((found) => {
    const { code, name, attributes = '', call, arguments: given = '', anchor } = found.groups ?? {};
    const at = { start: found.index, end: found.index + found[0].length, text: found[0] };
    if (code !== undefined) return { kind: 'code', ...at, values: new Map(), tail: at.end };
    const groups = found.indices?.groups ?? {};
    if (anchor !== undefined) {
      const [from = 0] = groups['anchor'] ?? [];
      const tail = from + anchor.trimEnd().length;
      return { kind: ANCHOR_KIND, ...at, values: anchorsIn(anchor, from), tail };
    }
    if (call !== undefined) {
      const [from = 0, tail = 0] = groups['arguments'] ?? [];
      return { kind: `{${call}`, ...at, values: argumentsIn(given, from), tail };
    }
    if (name === undefined) {
      const values = ['destination', 'title'].flatMap((key): [string, MarkupValue][] => {
        const [start, end] = groups[key] ?? [0, 0];
        return start === end ? [] : [[key, { start, end, text: text.slice(start, end) }]];
      });
      return { kind: 'link', ...at, values: new Map(values), tail: at.end - 1 };
    }
    const [from = 0, tail = 0] = groups['attributes'] ?? [];
    return { kind: name.toLowerCase(), ...at, values: attributesIn(attributes, from), tail };
  });
}

export const ANCHOR_KIND = 'anchor';

function anchorsIn(text: string, offset: number): Map<string, MarkupValue> {
  const all = [...text.matchAll(/(?<=[ \t]|^)[^ \t]{1,400}/g)];
  return new Map(
    all.map(({ 0: value, index }): [string, MarkupValue] => {
      const name = value.startsWith('#') ? '#' : (value.split('=')[0] ?? value);
      const blank = index === 0 ? 0 : 1;
      const place = { start: offset + index - blank, end: offset + index + value.length };
      return [name, { ...place, text: `${blank === 0 ? '' : ' '}${value}` }];
    }),
  );
}

function argumentsIn(text: string, offset: number): Map<string, MarkupValue> {
  const all = [...text.matchAll(new RegExp(ARGUMENT, 'g'))];
  return new Map(
    all.map((found, at): [string, MarkupValue] => {
      const start = offset + found.index;
      const [, name = String(at)] = /^\s*([\w-]+)=/.exec(found[0]) ?? [];
      return [name, { start, end: start + found[0].length, text: found[0] }];
    }),
  );
}

function attributesIn(text: string, offset: number): Map<string, MarkupValue> {
  return new Map(
    [...text.matchAll(new RegExp(ATTRIBUTE, 'g'))].map((found): [string, MarkupValue] => {
      const start = offset + found.index;
      const [name = ''] = found[0].trim().split(/(?<!\s)\s*=/);
      return [name, { start, end: start + found[0].length, text: found[0] }];
    }),
  );
}

/**
 * Pairs the tokens of two versions: first equal tokens, then tokens with the same destination. If both sides then have as many tokens
 * left, the most similar ones are pairs. Code has no likeness: only a single token left on each side is paired.
 */
export function pairTokens(
  ours: readonly MarkupToken[],
  theirs: readonly MarkupToken[],
): Map<MarkupToken, MarkupToken> {
  const pairs = new Map<MarkupToken, MarkupToken>();
  const others = Map.groupBy(theirs, ({ kind }) => kind);
  for (const [kind, own] of Map.groupBy(ours, (each) => each.kind)) {
    const sides = { left: own, right: others.get(kind) ?? [] };
    for (const keyOf of [(each: MarkupToken) => each.text, leadsTo]) pairEqual(sides, keyOf, pairs);
    const { left, right } = sides;
    if (left.length !== right.length || (kind === 'code' && left.length > 1)) continue;
    for (const [one, other] of mostAlike(left, right)) pairs.set(one, other);
  }
  return pairs;
}

interface TokenSides {
  left: readonly MarkupToken[];
  right: readonly MarkupToken[];
}

function pairEqual(
  sides: TokenSides,
  keyOf: (token: MarkupToken) => string | undefined,
  pairs: Map<MarkupToken, MarkupToken>,
): void {
  const right = [...sides.right];
  sides.left = sides.left.filter((token) => {
    const name = keyOf(token);
    const at = name === undefined ? -1 : right.findIndex((other) => keyOf(other) === name);
    const [found] = at < 0 ? [] : right.splice(at, 1);
    if (found !== undefined) pairs.set(token, found);
    return found === undefined;
  });
  sides.right = right;
}

function leadsTo({ values }: MarkupToken): string | undefined {
  return ['destination', 'href', 'src'].map((key) => values.get(key)?.text).find((text) => text);
}

/** Up to so many tokens, each is compared with each. */
const MOST_COMPARED = 100;

function mostAlike(left: readonly MarkupToken[], right: readonly MarkupToken[]) {
  if (left.length > MOST_COMPARED) return [];
  const choices = left.flatMap((one, at) =>
    right.map((other, to) => ({
      one,
      other,
      distance: Math.abs(at - to),
      likeness: likeness(one, other),
    })),
  );
  const best = choices.toSorted((a, b) => b.likeness - a.likeness || a.distance - b.distance);
  const taken = new Set<MarkupToken>();
  return best.flatMap(({ one, other }): [MarkupToken, MarkupToken][] => {
    if (taken.has(one) || taken.has(other)) return [];
    taken.add(one).add(other);
    return [[one, other]];
  });
}

/** How many steps of their destinations are equal, from the end, and how many of their other values. */
function likeness(one: MarkupToken, other: MarkupToken): number {
  const [ours, theirs] = [one, other].map((token) =>
    (leadsTo(token) ?? '')
      .replaceAll(/["'<>]/g, '')
      .split(/[/#?]/)
      .reverse(),
  );
  const differs = ours?.findIndex((step, at) => step !== theirs?.[at]) ?? 0;
  const steps = differs < 0 ? (ours?.length ?? 0) : differs;
  const same = [...one.values].filter(([name, { text }]) => other.values.get(name)?.text === text);
  return steps + same.length;
}
