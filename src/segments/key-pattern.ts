/** Patterns over segment keys (`debug.*`, `nav.**`), as `keys:` in a route gives them. Pure. */
import { keyName } from '../format.ts';

const compiled = new Map<string, RegExp>();

/** Whether one of the patterns names the key as people write it; `*` stands for any run of characters, dots included, `?` for one. */
export function matchesKey(patterns: readonly string[], key: string): boolean {
  const name = keyName(key);
  return patterns.some((pattern) => regExpFor(pattern).test(name));
}

/** The smallest limit, in Unicode code points, that the patterns set for a key. */
export function maxLengthOf(limits: ReadonlyMap<string, number>, key: string): number | undefined {
  const named = [...limits].filter(([pattern]) => matchesKey([pattern], key));
  return named.length === 0 ? undefined : Math.min(...named.map(([, limit]) => limit));
}

function regExpFor(pattern: string): RegExp {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const source = pattern
    .replaceAll(/[\\^$.|+()[\]{}]/g, '\\$&')
    .replaceAll(/\*+/g, '.*')
    .replaceAll('?', '.');
  const expression = new RegExp(`^${source}$`, 'su');
  compiled.set(pattern, expression);
  return expression;
}
