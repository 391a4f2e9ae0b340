/** Language tags: parse, compare, and spell them the way the API and each platform want them (BCP 47, RFC 5646). */
export type LanguageTag = string & { readonly __brand: 'LanguageTag' };

/**
 * Reads a language code in any casing and with `-` or `_`.
 * @returns the tag in BCP 47 casing (`zh-hans` -> `zh-Hans`), or undefined when it is not a well-formed tag.
 */
export function parseLanguage(code: string): LanguageTag | undefined {
  try {
    const [tag] = Intl.getCanonicalLocales(code.trim().replaceAll('_', '-'));
    return tag as LanguageTag | undefined;
  } catch {
    return undefined;
  }
}

/** The base language: `pt-BR` -> `pt`. Dictionaries of glossaries are made with base codes (API document, "Glossary (v3)"). */
export function baseLanguage(tag: LanguageTag): LanguageTag {
  return tag.split('-', 1)[0] as LanguageTag;
}

/**
 * Whether two tags are one language or variants of it: en and en-GB, pt-BR and pt-PT.
 * Translating between them is billed and changes nothing (API document, translation rule 6).
 */
export function sameLanguage(a: LanguageTag, b: LanguageTag): boolean {
  return baseLanguage(a) === baseLanguage(b);
}

/** The code as the API wants to see it: v3 in BCP 47 casing, v2 in upper case (API document, "Conventions"). */
export function apiCode(tag: LanguageTag, version: 'v2' | 'v3'): string {
  return version === 'v2' ? tag.toUpperCase() : tag;
}

/** How file names spell a language; the names are the path tokens of the config. */
export interface LanguageSpellings {
  /** `pt-BR`, or the project's `locales.<tag>.file` */
  readonly locale: string;
  /** `pt` */
  readonly lang: string;
  /** `BR`, empty when the tag has none */
  readonly region: string;
  /** `pt_BR` (POSIX, Java, Rails) */
  readonly locale_underscore: string;
  /** `pt-rBR`, `b+zh+Hans` (Android resource qualifiers) */
  readonly android: string;
  /** `pt-BR`, `zh-Hans` (Apple .lproj) */
  readonly apple: string;
}

/** Spells a tag for file names. `file` is the spelling that the config gives for `{locale}`. */
export function spellLanguage(tag: LanguageTag, file?: string): LanguageSpellings {
  const locale = new Intl.Locale(tag);
  const region = locale.region ?? '';
  return {
    locale: file ?? tag,
    lang: locale.language,
    region,
    locale_underscore: tag.replaceAll('-', '_'),
    android: androidQualifier(locale, tag),
    apple: tag,
  };
}

// https://developer.android.com/guide/topics/resources/providing-resources: `fr-rCA`; anything
// beyond a two- or three-letter language with a two-letter region needs the `b+` form.
function androidQualifier(locale: Intl.Locale, tag: LanguageTag): string {
  if (tag === locale.language) return tag;
  const region = locale.region;
  if (region !== undefined && /^[A-Z]{2}$/.test(region) && tag === `${locale.language}-${region}`) {
    return `${locale.language}-r${region}`;
  }
  return `b+${tag.replaceAll('-', '+')}`;
}
