/** Which placeholder syntax the texts of a file use, where the format itself leaves it open (JSON, YAML, CSV). */
import { type PlaceholderSyntax, partsText, type Segment } from '../../format.ts';

const I18NEXT = /\{\{[^{}\n]*\}\}|\$t\(/;
const ICU =
  /\{\s*[\w.]+\s*,\s*(?:plural|select|selectordinal|number|date|time|spellout|ordinal|duration)\b/;
const LARAVEL_PATH = /(?:^|\/)lang\/[\w-]+(?:\/|\.json$)/;
const LARAVEL = /(?<![\p{L}\d:]):[a-z][a-z_]+\b(?!:)/u;

/**
 * Asks all texts once: one `{{name}}` makes a file i18next's; an ICU argument with a type makes that one text ICU
 * (formats.md 4.1: rules are chosen per format and project, since `:name` and `%n` are no placeholders elsewhere).
 */
export function syntaxOfTexts(
  segments: readonly Segment[],
  path: string,
): (segment: Segment) => PlaceholderSyntax {
  const texts = segments.map(({ parts }) => partsText(parts));
  const fallback = fileSyntax(texts, path);
  return ({ parts, state }) => {
    if (state === 'do-not-translate') return 'none';
    if (fallback === 'i18next') return fallback;
    return ICU.test(partsText(parts)) ? 'icu' : fallback;
  };
}

function fileSyntax(texts: readonly string[], path: string): PlaceholderSyntax {
  if (texts.some((text) => I18NEXT.test(text))) return 'i18next';
  if (LARAVEL_PATH.test(path) && texts.some((text) => LARAVEL.test(text))) return 'laravel';
  return 'generic';
}
