/** Glossary terms inside a text: whole words, the longest first, case-sensitive; an answer shows them as `‹term›`. */

export interface TermPart {
  readonly text: string;
  /** The target phrase, when the part is a term. */
  readonly term?: string;
}

export function splitTerms(text: string, terms: ReadonlyMap<string, string>): readonly TermPart[] {
  const pattern = patternOf(terms);
  if (pattern === undefined) return [{ text }];
  const parts: TermPart[] = [];
  let at = 0;
  for (const found of text.matchAll(pattern)) {
    const term = terms.get(found[0]);
    if (term === undefined) continue;
    parts.push({ text: text.slice(at, found.index) }, { text: found[0], term });
    at = found.index + found[0].length;
  }
  parts.push({ text: text.slice(at) });
  return parts;
}

export function markTerms(term: string): string {
  return `‹${term}›`;
}

/** The dictionaries are immutable, so that a pattern is built once for each. */
const patterns = new WeakMap<ReadonlyMap<string, string>, RegExp>();

function patternOf(terms: ReadonlyMap<string, string>): RegExp | undefined {
  if (terms.size === 0) return undefined;
  const known = patterns.get(terms);
  if (known !== undefined) return known;
  const phrases = [...terms.keys()]
    .sort((a, b) => b.length - a.length)
    .map((p) => RegExp.escape(p));
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${phrases.join('|')})(?![\\p{L}\\p{N}])`, 'gu');
  patterns.set(terms, pattern);
  return pattern;
}
