/** The tokens of paths: which there are, and what is said of one that is unknown. */
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

/** A pattern or template that cannot be meant as it stands; the message is for the person who wrote it. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

/** Characters. No system has paths of a third of it; what is read of a pattern takes up to the square of its length. */
const LONGEST = 10_000;

/** @throws PatternError */
export function refuseLong(text: string): void {
  if (text.length > LONGEST) throw new PatternError('is longer than 10,000 characters');
}

export function unknownToken(name: string, inside: 'pattern' | 'template'): PatternError {
  if (inside === 'pattern' && isPathToken(name)) {
    return new PatternError(`{${name}} belongs in "to"; a pattern has only language tokens`);
  }
  const known = inside === 'pattern' ? LANGUAGE_TOKENS : [...LANGUAGE_TOKENS, ...PATH_TOKENS];
  return new PatternError(`unknown token {${name}}${didYouMean(name, known)}`);
}
