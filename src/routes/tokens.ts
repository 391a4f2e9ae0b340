/** The tokens of patterns and templates, and the message for an unknown one. */
import { didYouMean } from './suggest.ts';

export const LANGUAGE_TOKENS = [
  'locale',
  'lang',
  'region',
  'locale_underscore',
  'android',
  'apple',
] as const;
export type LanguageToken = (typeof LANGUAGE_TOKENS)[number];

export const PATH_TOKENS = ['dir', 'name', 'ext', 'project'] as const;
export type PathToken = (typeof PATH_TOKENS)[number];
export type PatternToken = LanguageToken | PathToken;

export function isLanguageToken(name: string): name is LanguageToken {
  return (LANGUAGE_TOKENS as readonly string[]).includes(name);
}

export function isPathToken(name: string): name is PathToken {
  return (PATH_TOKENS as readonly string[]).includes(name);
}

/** A fault in a pattern or template; the message is for the person who wrote it. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

/** UTF-16 code units. Paths of all systems are at most a third of it; parsing takes up to the square of the length. */
const LONGEST_PATTERN = 10_000;

/** @throws PatternError */
export function refuseLong(text: string): void {
  if (text.length > LONGEST_PATTERN) throw new PatternError('is longer than 10,000 characters');
}

export function unknownToken(name: string, inside: 'pattern' | 'template'): PatternError {
  if (inside === 'pattern' && isPathToken(name)) {
    return new PatternError(`{${name}} belongs in "to"; a pattern has only language tokens`);
  }
  const known = inside === 'pattern' ? LANGUAGE_TOKENS : [...LANGUAGE_TOKENS, ...PATH_TOKENS];
  return new PatternError(`unknown token {${name}}${didYouMean(name, known)}`);
}
