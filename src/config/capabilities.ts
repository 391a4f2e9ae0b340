/** Which languages each feature of the service supports: as the service says, else as documented. */
import {
  baseLanguage,
  type LanguageResourceName,
  type LanguageTag,
  sameLanguage,
  targetCode,
} from '../language.ts';

/** A feature that not every target language has. */
export type LanguageFeature =
  | 'formality'
  | 'style'
  | 'custom_instructions'
  | 'writing_style'
  | 'tone'
  | 'rephrase'
  | 'glossary';

/** The resources of the service that translate. */
export type TranslatingLane = 'text' | 'document' | 'voice';

/** Language codes in lower case. A code of `style`, `custom_instructions` or `glossary` covers all variants of its language. */
export interface Capabilities {
  readonly features: Readonly<Record<LanguageFeature, Codes>>;
  /** Absent: the service was not asked, and nothing is refused. */
  readonly translations: Readonly<
    Partial<Record<TranslatingLane, { sources: Codes; targets: Codes }>>
  >;
  /** Languages whose texts may hold tags. Source and target must both be among them. Absent: the service does not say. */
  readonly tagged?: Codes;
}

type Codes = Pick<ReadonlySet<string>, 'has' | typeof Symbol.iterator>;

const ALL_CODES: Codes = { has: () => true, [Symbol.iterator]: () => [].values() };

const STYLED = codes('de en es fr it ja ko zh');
const IN_STYLE = codes('de en-gb en-us es fr it pt-br pt-pt');

/** The documented capabilities: they count until the service is asked for the first time. */
export const DOCUMENTED: Capabilities = {
  features: {
    // docs/design/api.md, "Text translation", formality
    formality: codes('de fr it es es-419 nl pl pt-br pt-pt ja ru'),
    // docs/design/api.md, "Text translation", style_id
    style: STYLED,
    // Custom instructions are accepted for the languages of style rules (docs/design/api.md, "What is not documented").
    custom_instructions: STYLED,
    // docs/design/api.md, "Text improvement"
    writing_style: IN_STYLE,
    tone: IN_STYLE,
    rephrase: codes('de en-gb en-us es fr it ja ko pt-br pt-pt zh zh-hans'),
    // The documentation names no languages.
    glossary: ALL_CODES,
  },
  translations: {},
};

/** A service that supports everything. A config that is sound with it is at fault for its languages alone. */
export const ANYTHING: Capabilities = {
  features: {
    formality: ALL_CODES,
    style: ALL_CODES,
    custom_instructions: ALL_CODES,
    writing_style: ALL_CODES,
    tone: ALL_CODES,
    rephrase: ALL_CODES,
    glossary: ALL_CODES,
  },
  translations: {},
};

/** One language of a list of the service (docs/design/api.md, "Languages"). */
export interface ListedLanguage {
  readonly lang: string;
  readonly usable_as_source: boolean;
  readonly usable_as_target: boolean;
  /** A feature is supported when its key is present. */
  readonly features: Readonly<Record<string, unknown>>;
}

/** By resource; one that was not asked for is absent. */
export type LanguageLists = {
  readonly [R in LanguageResourceName]?: readonly ListedLanguage[] | undefined;
};

/** Whether a list can be true. A list without any language to translate into is a damaged answer: nothing is refused by it. */
export function isPlausible(list: readonly ListedLanguage[]): boolean {
  return list.some(({ usable_as_target }) => usable_as_target);
}

/** The capabilities in the lists of the service; if a list is absent, or no list, the documented ones. */
export function capabilitiesOf(lists: LanguageLists): Capabilities {
  const { features } = DOCUMENTED;
  const listOf = (resource: LanguageResourceName) => {
    const list = lists[resource];
    return list !== undefined && isPlausible(list) ? list : undefined;
  };
  const [text, write, glossary] = [listOf('translate_text'), listOf('write'), listOf('glossary')];
  const [documents, voice] = [listOf('translate_document'), listOf('voice')];
  const styled = text && having(text, 'style_rules');
  return {
    features: {
      formality: text ? having(text, 'formality') : features.formality,
      style: styled ?? features.style,
      custom_instructions: styled ?? features.custom_instructions,
      writing_style: write ? having(write, 'writing_style') : features.writing_style,
      tone: write ? having(write, 'tone') : features.tone,
      rephrase: write ? targetsIn(write) : features.rephrase,
      // Any of its languages with any other is a pair.
      glossary: glossary ? new Set(glossary.map(lowerCode)) : features.glossary,
    },
    translations: {
      ...(text && { text: sidesOf(text) }),
      ...(documents && { document: sidesOf(documents) }),
      ...(voice && { voice: sidesOf(voice) }),
    },
    ...(text && taggedIn(text)),
  };
}

/** A service that names the feature for no language does not report the feature. */
function taggedIn(list: readonly ListedLanguage[]): Pick<Capabilities, 'tagged'> {
  const tagged = having(list, 'tag_handling');
  return tagged.size === 0 ? {} : { tagged };
}

function codes(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}

function lowerCode({ lang }: ListedLanguage): string {
  return lang.toLowerCase();
}

function having(list: readonly ListedLanguage[], feature: string): ReadonlySet<string> {
  return new Set(list.filter(({ features }) => Object.hasOwn(features, feature)).map(lowerCode));
}

function targetsIn(list: readonly ListedLanguage[]): ReadonlySet<string> {
  return new Set(list.filter(({ usable_as_target }) => usable_as_target).map(lowerCode));
}

function sidesOf(list: readonly ListedLanguage[]) {
  const sources = new Set(list.filter(({ usable_as_source }) => usable_as_source).map(lowerCode));
  return { sources, targets: targetsIn(list) };
}

/** Whether the service has the feature for this target language; for `glossary`, any language. @param target its tag, or its tag with the API code that config gives it */
export function supportsFeature(
  { features }: Capabilities,
  feature: LanguageFeature,
  target: LanguageTag | { readonly tag: LanguageTag; readonly code: string },
): boolean {
  const { tag, code } =
    typeof target === 'string' ? { tag: target, code: targetCode(target) } : target;
  const known = features[feature];
  if (known.has(code.toLowerCase())) return true;
  switch (feature) {
    case 'style':
    case 'custom_instructions':
    case 'glossary':
      return known.has(baseLanguage(tag).toLowerCase());
    case 'formality':
    case 'writing_style':
    case 'tone':
    case 'rephrase':
      return false;
  }
}

/** The code that text improvement has for exactly this tag. Undefined: it has none, and recognizes the variant from the text. */
export function rephraseCode({ features }: Capabilities, tag: LanguageTag): string | undefined {
  return features.rephrase.has(tag.toLowerCase()) ? tag : undefined;
}

/** Whether text improvement works in this language or in at least one of its variants. */
export function isImprovable({ features }: Capabilities, tag: LanguageTag): boolean {
  return hasAnyVariant(features.rephrase, tag);
}

/** Whether text improvement has writing styles, or tones, for this language or for at least one of its variants. */
export function hasManners(
  { features }: Capabilities,
  manner: 'writing_style' | 'tone',
  tag: LanguageTag,
): boolean {
  return hasAnyVariant(features[manner], tag);
}

function hasAnyVariant(known: Codes, tag: LanguageTag): boolean {
  const base = baseLanguage(tag);
  if (known.has(base)) return true;
  for (const code of known) if (code.startsWith(`${base}-`)) return true;
  return false;
}

/**
 * Whether text improvement converts a text into this variant of its language. The variant needs a code of its own
 * (docs/design/api.md, "Text improvement": target_lang): `en-GB` and `pt-PT` have one, `de-AT` and `es-419` have none.
 */
export function isConvertible(capabilities: Capabilities, target: LanguageTag): boolean {
  return targetCode(target).includes('-') && supportsFeature(capabilities, 'rephrase', target);
}

/** Whether a project writes a target that is a variant of its source. */
export function convertsInto(
  {
    source,
    convertible,
  }: { readonly source: LanguageTag | 'auto'; readonly convertible: ReadonlySet<LanguageTag> },
  target: LanguageTag,
): boolean {
  // A source whose detected language is the target language is not a variant of it.
  const isVariant = source !== 'auto' && source !== target && sameLanguage(source, target);
  return isVariant && convertible.has(target);
}

/** Common languages among those that detection can name (docs/design/api.md, "Language detection"). */
export const DETECTABLE: readonly string[] =
  'en de fr es pt it nl pl ru zh ja bg cs da el et fi hu lt lv ro sk sl sv tr id uk ko nb ar vi he th'.split(
    ' ',
  );
