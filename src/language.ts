/** Language tags (BCP 47, RFC 5646): parse them, compare them, and spell them for the API and for file names. */
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
 * Dictionaries of glossaries use base codes (docs/design/api.md, "Glossaries").
 */
export function baseLanguage(tag: LanguageTag): LanguageTag {
  const language = tag.split('-', 1)[0] as LanguageTag;
  return language === 'no' ? ('nb' as LanguageTag) : language;
}

/** Created at the first use: it takes 8 ms. */
let languageNames: Intl.DisplayNames | undefined;

/**
 * The English name, `Brazilian Portuguese`. Undefined when Unicode knows no such language: so a wrong code (`ed`) is found
 * without the service. Undefined also for a tag with extensions (`de-x-formal`), which have no names.
 */
export function languageName(tag: LanguageTag): string | undefined {
  if (new Intl.Locale(tag).baseName !== tag) return undefined;
  languageNames ??= new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
  return languageNames.of(tag);
}

const FROM_RIGHT_TO_LEFT = new Set('Adlm Arab Aran Hebr Mand Nkoo Rohg Samr Syrc Thaa'.split(' '));

/** The writing direction, as HTML names it. `auto`: the text decides, since nobody knows its language. */
export function directionOf(language: string): 'ltr' | 'rtl' | 'auto' {
  const tag = parseLanguage(language);
  const script = tag && new Intl.Locale(tag).maximize().script;
  if (script === undefined) return 'auto';
  return FROM_RIGHT_TO_LEFT.has(script) ? 'rtl' : 'ltr';
}

/**
 * Whether two tags are the same language or variants of it: en and en-GB, pt-BR and pt-PT.
 * A translation between them is billed and changes nothing (docs/design/api.md, "Translation rules", 6).
 */
export function sameLanguage(a: LanguageTag, b: LanguageTag): boolean {
  return baseLanguage(a) === baseLanguage(b);
}

/**
 * Finds the language that another program's code names. Such programs add a region (`de-DE` for `de`), leave one out (`pt` for `pt-BR`), or
 * name the script by the region (`zh-CN` for `zh-Hans`).
 * @param code also in the spelling of gettext: `pt_BR.UTF-8`, `sr@latin`
 * @returns every language that the code may name: none when it is another language or another variant, several when it is ambiguous
 */
export function languagesNamed<Tag extends string>(
  code: string,
  among: Iterable<Tag>,
): readonly Tag[] {
  const tag = parseLanguage(inBcp47(code));
  if (tag === undefined) return [];
  const known = [...among].map((own) => ({ own, tag: parseLanguage(own) }));
  for (const isNamed of NAMINGS) {
    const found = known.filter((each) => each.tag !== undefined && isNamed(tag, each.tag));
    if (found.length > 0) return found.map(({ own }) => own);
  }
  return [];
}

const MODIFIERS: ReadonlyMap<string, string> = new Map(
  Object.entries({ latin: '-Latn', cyrillic: '-Cyrl' }),
);

/** `ll_CC.charset@modifier` of POSIX as a tag. Undefined modifiers stay, and make it no tag. */
function inBcp47(code: string): string {
  const [, language = code, region = '', modifier = ''] =
    /^([a-z]{2,3})([_-][a-z]{2})?(?:\.[\w-]+)?(?:@(\w+))?$/i.exec(code.trim()) ?? [];
  if (modifier === '' || modifier === 'euro') return `${language}${region}`;
  return `${language}${MODIFIERS.get(modifier.toLowerCase()) ?? `@${modifier}`}${region}`;
}

/** From the strictest to the loosest: the first one that fits any language decides. */
const NAMINGS: readonly ((named: LanguageTag, own: LanguageTag) => boolean)[] = [
  (named, own) => named === own,
  (named, own) => shortest(named) === shortest(own),
  (named, own) => !isSpecial(named) && !isSpecial(own) && asSpoken(named) === asSpoken(own),
  // A code without a region contradicts none.
  (named, own) => isBase(named) && !isSpecial(own) && writtenAs(named) === writtenAs(own),
];

/** Without what is likely anyway (CLDR): `de-Latn-DE` and `de` are one language. */
function shortest(tag: LanguageTag): string {
  return new Intl.Locale(tag).minimize().toString();
}

/** Variants and private parts name what the service has no word for: `ca-valencia` is not `ca`. */
function isSpecial(tag: LanguageTag): boolean {
  const { language, script, region } = new Intl.Locale(tag);
  return tag !== [language, script, region].filter((part) => part !== undefined).join('-');
}

/** The service makes no difference between them: `de-AT` and `de`, `nb` and `no`. */
function asSpoken(tag: LanguageTag): string {
  return shortest(targetCode(tag));
}

function isBase(tag: LanguageTag): boolean {
  return !tag.includes('-');
}

function writtenAs(tag: LanguageTag): string {
  return `${baseLanguage(tag)}-${new Intl.Locale(tag).maximize().script}`;
}

/**
 * The source tag for the API, which knows variants only as targets (`en-US` -> `en`, `zh-Hans` -> `zh`).
 */
export function sourceCode(tag: LanguageTag): LanguageTag {
  return baseLanguage(tag);
}

// CLDR parent locales: Spanish of these regions inherits from es-419, Spanish elsewhere from es.
const LATIN_AMERICA = new Set(
  '419 AR BO BR BZ CL CO CR CU DO EC GT HN MX NI PA PE PR PY SV US UY VE'.split(' '),
);

/**
 * The target tag for the API: `de-AT` -> `de`, `zh-TW` -> `zh-Hant`, `es-MX` -> `es-419`.
 * A base language that needs a variant gets the most likely one (CLDR likely subtags): `en` -> `en-US`, `pt` -> `pt-BR`.
 */
export function targetCode(tag: LanguageTag): LanguageTag {
  const known = targetCodes.get(tag);
  if (known !== undefined) return known;
  const code = serviceCode(tag);
  targetCodes.set(tag, code);
  return code;
}

/** A cache: each job asks, but a config has few languages. Without it, `Intl.Locale` took a tenth of a run with nothing to do. */
const targetCodes = new Map<LanguageTag, LanguageTag>();

function serviceCode(tag: LanguageTag): LanguageTag {
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

/** The code as the API expects it: v3 in BCP 47 casing, v2 in upper case (docs/design/api.md, "Conventions"). */
export function apiCode(tag: LanguageTag, version: 'v2' | 'v3'): string {
  return version === 'v2' ? tag.toUpperCase() : tag;
}

/** How file names spell a language. The property names are the path tokens of the config. */
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

/** Spells a tag for file names. @param file the spelling of `{locale}` in the config; absent: the tag */
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

// The resource lookup of Android uses java.util.Locale, which has the codes from before 1989.
const ANDROID_LANGUAGES: ReadonlyMap<string, string> = new Map(
  Object.entries({ he: 'iw', id: 'in', yi: 'ji' }),
);

// https://developer.android.com/guide/topics/resources/providing-resources: `fr-rCA`; anything
// beyond a two- or three-letter language with a two-letter region needs the `b+` form.
function androidQualifier(locale: Intl.Locale, tag: LanguageTag): string {
  const language = ANDROID_LANGUAGES.get(locale.language) ?? locale.language;
  const rest = tag.slice(locale.language.length + 1);
  if (rest === '') return language;
  if (/^[A-Z]{2}$/.test(rest)) return `${language}-r${rest}`;
  return `b+${tag.replaceAll('-', '+')}`;
}

// Xcode uses the script for Chinese of mainland China, Singapore and Taiwan, and the region for Hong Kong.
function appleName(locale: Intl.Locale, tag: LanguageTag): string {
  if (tag === 'no') return 'nb';
  if (tag === 'zh-CN' || tag === 'zh-SG') return 'zh-Hans';
  if (tag === 'zh-TW') return 'zh-Hant';
  if (tag === 'zh') return 'zh-Hans';
  return locale.toString();
}

/** The features of the service that have a list of languages each (docs/design/api.md, "Languages"). */
export const LANGUAGE_RESOURCES = [
  'translate_text',
  'translate_document',
  'glossary',
  'voice',
  'write',
] as const;
export type LanguageResourceName = (typeof LANGUAGE_RESOURCES)[number];

/** `1,200 files`: a number with its noun. @param noun in the singular; its plural must end with -s */
export function plural(amount: number, noun: string): string {
  return `${inEnglish(amount)} ${noun}${amount === 1 ? '' : 's'}`;
}

/** `1,200`: a number in English. For whole numbers `Intl` is not needed, which takes 6 to 11 ms to load. */
export function inEnglish(amount: number): string {
  return Number.isSafeInteger(amount) && amount >= 0
    ? String(amount).replace(/\B(?=(?:\d{3})+$)/g, ',')
    : amount.toLocaleString('en-US');
}
