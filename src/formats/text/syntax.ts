/** The placeholder syntax of texts in formats that do not fix it (JSON, YAML, CSV). */
import { type PlaceholderSyntax, partsText, type Segment } from '../../format.ts';

const ICU =
  /\{\s*[\w.]+\s*,\s*(?:plural|select|selectordinal|number|date|time|spellout|ordinal|duration)\b/;
const LARAVEL_PATH = /(?:^|\/)lang\/[\w-]+(?:\/|\.json$)/;
const LARAVEL = /(?<![\p{L}\d:]):[A-Za-z][A-Za-z_]+\b(?!:)/u;

/**
 * A text with a typed ICU argument is ICU. In a file of Laravel every text may have `:name`; in all other files no text has it. A path
 * and a `:name` show that a file is one of Laravel.
 */
export function syntaxOfTexts(
  segments: readonly Segment[],
  path: string,
): (segment: Segment) => PlaceholderSyntax {
  const isLaravel =
    LARAVEL_PATH.test(path) && segments.some(({ parts }) => LARAVEL.test(partsText(parts)));
  return ({ parts, state }) => {
    if (state === 'do-not-translate') return 'none';
    if (isLaravel) return 'laravel';
    return ICU.test(partsText(parts)) ? 'icu' : 'generic';
  };
}
