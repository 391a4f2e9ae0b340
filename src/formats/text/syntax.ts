/** Which placeholders the texts of a file may hold, where the format itself leaves it open (JSON, YAML, CSV). */
import { type PlaceholderSyntax, partsText, type Segment } from '../../format.ts';

const ICU =
  /\{\s*[\w.]+\s*,\s*(?:plural|select|selectordinal|number|date|time|spellout|ordinal|duration)\b/;
const LARAVEL_PATH = /(?:^|\/)lang\/[\w-]+(?:\/|\.json$)/;
const LARAVEL = /(?<![\p{L}\d:]):[A-Za-z][A-Za-z_]+\b(?!:)/u;

/**
 * An ICU argument with a type makes that one text ICU. A file of Laravel, told by its path and by a `:name` in it, may have
 * `:name` in every text; all other files have it in none.
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
