/** Patterns over segment keys (`debug.*`, `nav.**`), as `keys:` of a route has them. Pure. */
import { fitsPieces, type Wildcard } from '../files/wildcards.ts';
import { keyName } from '../format.ts';

const compiled = new Map<string, readonly Wildcard[]>();

/** Whether a pattern matches the key as people write it. `*` is any run of characters, dots included; `?` is one character. */
export function matchesKey(patterns: readonly string[], key: string): boolean {
  if (patterns.length === 0) return false;
  const name = keyName(key);
  return patterns.some((pattern) => fitsPieces(wildcards(pattern), name));
}

/** The smallest limit, in Unicode code points, that the patterns set for a key. */
export function maxLengthOf(limits: ReadonlyMap<string, number>, key: string): number | undefined {
  const named = [...limits].filter(([pattern]) => matchesKey([pattern], key));
  return named.length === 0 ? undefined : Math.min(...named.map(([, limit]) => limit));
}

/** The notes of the config for a key, in the order of the config; undefined: none. */
export function noteOf(notes: ReadonlyMap<string, string>, key: string): string | undefined {
  const named = [...notes].flatMap(([pattern, note]) => (matchesKey([pattern], key) ? [note] : []));
  return named.length === 0 ? undefined : named.join('; ');
}

function wildcards(pattern: string): readonly Wildcard[] {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const pieces = Array.from(pattern.matchAll(/\*+|\?|[^*?]+/g), ([text]): Wildcard => {
    if (text.startsWith('*')) return { kind: 'star' };
    return text === '?' ? { kind: 'one' } : { kind: 'text', text };
  });
  compiled.set(pattern, pieces);
  return pieces;
}
