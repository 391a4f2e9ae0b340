/** The attributes of an element that shows a text of one language. */
import { directionOf } from '../../language.ts';

interface LanguageAttributes {
  readonly lang?: string;
  readonly dir: 'ltr' | 'rtl' | 'auto';
}

/**
 * Not `dir="auto"`: there, the first letter decides, and a Hebrew text that begins with `{name}` goes from left to right.
 * @param language of the config; `auto`: not known
 */
export function inLanguage(language: string): LanguageAttributes {
  const dir = directionOf(language);
  return dir === 'auto' ? { dir } : { lang: language, dir };
}
