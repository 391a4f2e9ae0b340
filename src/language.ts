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

/**
 * The base language: `pt-BR` -> `pt`, `no` -> `nb` (Norwegian is Bokmål to the API).
 * Dictionaries of glossaries are made with base codes (API document, "Glossary (v3)").
 */
export function baseLanguage(tag: LanguageTag): LanguageTag {
  const language = tag.split('-', 1)[0] as LanguageTag;
  return language === 'no' ? ('nb' as LanguageTag) : language;
}

/** Made when first needed: it takes 8 ms. */
let languageNames: Intl.DisplayNames | undefined;

/** The English name, `Brazilian Portuguese`; undefined when Unicode knows no such language, so that `ed` is found out offline. */
export function languageName(tag: LanguageTag): string | undefined {
  languageNames ??= new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
  return languageNames.of(tag);
}

/**
 * Whether two tags are one language or variants of it: en and en-GB, pt-BR and pt-PT.
 * Translating between them is billed and changes nothing (API document, translation rule 6).
 */
export function sameLanguage(a: LanguageTag, b: LanguageTag): boolean {
  return baseLanguage(a) === baseLanguage(b);
}

/**
 * The tag that the API knows as a source: variants are named only as targets (`en-US` -> `en`, `zh-Hans` -> `zh`).
 */
export function sourceCode(tag: LanguageTag): LanguageTag {
  return baseLanguage(tag);
}

// CLDR parent locales: Spanish of these regions inherits from es-419, Spanish elsewhere from es.
const LATIN_AMERICA = new Set(
  '419 AR BO BR BZ CL CO CR CU DO EC GT HN MX NI PA PE PR PY SV US UY VE'.split(' '),
);

/**
 * The tag that the API knows as a target: `de-AT` -> `de`, `zh-TW` -> `zh-Hant`, `es-MX` -> `es-419`.
 * A base that needs a variant takes its likely one (CLDR likely subtags): `en` -> `en-US`, `pt` -> `pt-BR`.
 */
export function targetCode(tag: LanguageTag): LanguageTag {
  const known = targetCodes.get(tag);
  if (known !== undefined) return known;
  const code = codeOf(tag);
  targetCodes.set(tag, code);
  return code;
}

/** Asked for each job, of the few languages of a config: Unicode's rules took a tenth of a run with nothing to do. */
const targetCodes = new Map<LanguageTag, LanguageTag>();

function codeOf(tag: LanguageTag): LanguageTag {
  const { region, script } = new Intl.Locale(tag);
  const base = baseLanguage(tag);
  return (variantOf(base, region, script) ?? base) as LanguageTag;
}

function variantOf(base: string, region?: string, script?: string): string | undefined {
  switch (base) {
    case 'en':
      return region === undefined || region === 'US' ? 'en-US' : 'en-GB';
    case 'pt':
      return region === undefined || region === 'BR' ? 'pt-BR' : 'pt-PT';
    case 'es':
      return region !== undefined && LATIN_AMERICA.has(region) ? 'es-419' : undefined;
    case 'de':
      return region === 'CH' ? 'de-CH' : undefined;
    case 'fr':
      return region === 'CA' ? 'fr-CA' : undefined;
    case 'zh':
      return region === undefined && script === undefined
        ? undefined
        : `zh-${chineseScript(region, script)}`;
    default:
      return script === undefined ? undefined : `${base}-${script}`;
  }
}

function chineseScript(region?: string, script?: string): string {
  if (script !== undefined) return script;
  return new Intl.Locale(`zh-${region}`).maximize().script ?? 'Hans';
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
  return {
    locale: file ?? tag,
    lang: locale.language,
    region: locale.region ?? '',
    locale_underscore: tag.replaceAll('-', '_'),
    android: androidQualifier(locale, tag),
    apple: appleName(locale, tag),
  };
}

// java.util.Locale, which Android's resource lookup is built on, keeps the codes of before 1989.
const ANDROID_LANGUAGES: Readonly<Record<string, string>> = { he: 'iw', id: 'in', yi: 'ji' };

// https://developer.android.com/guide/topics/resources/providing-resources: `fr-rCA`; anything
// beyond a two- or three-letter language with a two-letter region needs the `b+` form.
function androidQualifier(locale: Intl.Locale, tag: LanguageTag): string {
  const language = ANDROID_LANGUAGES[locale.language] ?? locale.language;
  const rest = tag.slice(locale.language.length + 1);
  if (rest === '') return language;
  if (/^[A-Z]{2}$/.test(rest)) return `${language}-r${rest}`;
  return `b+${tag.replaceAll('-', '+')}`;
}

// Xcode names the two Chinese scripts, never mainland China or Taiwan; Hong Kong keeps its region.
function appleName(locale: Intl.Locale, tag: LanguageTag): string {
  if (tag === 'no') return 'nb';
  if (tag === 'zh-CN' || tag === 'zh-SG') return 'zh-Hans';
  if (tag === 'zh-TW') return 'zh-Hant';
  if (tag === 'zh') return 'zh-Hans';
  return locale.toString();
}

/** What the service has languages for, each a list of its own (API document, "Languages"). */
export const LANGUAGE_RESOURCES = [
  'translate_text',
  'translate_document',
  'glossary',
  'voice',
  'write',
] as const;
export type LanguageResourceName = (typeof LANGUAGE_RESOURCES)[number];

/** `1,200 files`: how many of something, in English. @param noun in the singular, one that takes an -s */
export function plural(amount: number, noun: string): string {
  return `${inEnglish(amount)} ${noun}${amount === 1 ? '' : 's'}`;
}

/** `1,200`. Small whole numbers need no rules of Unicode, which take 6 ms to load. */
export function inEnglish(amount: number): string {
  return Number.isInteger(amount) && amount >= 0 && amount < 1000
    ? String(amount)
    : amount.toLocaleString('en-US');
}
