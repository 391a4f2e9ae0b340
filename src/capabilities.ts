/** What the API document says of languages, for decisions that must not wait for the network; `check --online` asks the service. */
import { baseLanguage, type LanguageTag, sameLanguage, targetCode } from './language.ts';

/** A feature that not every target language has. */
export type LanguageFeature =
  | 'formality'
  | 'style'
  | 'custom_instructions'
  | 'writing_style'
  | 'rephrase';

/** Target codes per feature; codes of `style` and `custom_instructions` stand for all variants of their language. */
const TARGETS: Readonly<Record<LanguageFeature, ReadonlySet<string>>> = {
  // API document, "Text translation request fields", formality
  formality: codes('de fr it es es-419 nl pl pt-BR pt-PT ja ru'),
  // API document, style_id: "de, en, es, fr, it, ja, ko, zh and their variants"
  style: codes('de en es fr it ja ko zh'),
  // open-points.md: "same languages as styles"
  custom_instructions: codes('de en es fr it ja ko zh'),
  // API document, "Text improvement (rephrase)"
  writing_style: codes('de en-GB en-US es fr it pt-BR pt-PT'),
  rephrase: codes('de en-GB en-US es fr it ja ko pt-BR pt-PT zh zh-Hans'),
};

function codes(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}

/** Whether the API document names the feature for this target language. */
export function supportsFeature(feature: LanguageFeature, target: LanguageTag): boolean {
  const known = TARGETS[feature];
  switch (feature) {
    case 'style':
    case 'custom_instructions':
      return known.has(baseLanguage(target));
    case 'formality':
    case 'writing_style':
    case 'rephrase':
      return known.has(targetCode(target));
  }
}

/** The code by which text improvement knows a language as it is written here; undefined: it tells the variant from the text. */
export function rephraseCode(tag: LanguageTag): string | undefined {
  return TARGETS.rephrase.has(tag) ? tag : undefined;
}

/** Whether text improvement works in this language, whatever the variant. */
export function isImprovable(tag: LanguageTag): boolean {
  const base = baseLanguage(tag);
  return [...TARGETS.rephrase].some((code) => code === base || code.startsWith(`${base}-`));
}

/** The same for its writing styles and tones. */
export function hasWritingStyles(tag: LanguageTag): boolean {
  const base = baseLanguage(tag);
  return [...TARGETS.writing_style].some((code) => code === base || code.startsWith(`${base}-`));
}

/**
 * Whether text improvement converts a text into this variant of its own language: it must know the variant by a code
 * of its own (API document, "Text improvement": target_lang), so `en-GB` and `pt-PT`, but neither `de-AT` nor `es-419`.
 */
export function isConvertible(source: LanguageTag, target: LanguageTag): boolean {
  const isVariant = sameLanguage(source, target) && targetCode(target).includes('-');
  return isVariant && supportsFeature('rephrase', target);
}

/** Languages that detection can name (API document, "Language detection"): the ones that people mean most often. */
export const DETECTABLE: readonly string[] =
  'en de fr es pt it nl pl ru zh ja bg cs da el et fi hu lt lv ro sk sl sv tr id uk ko nb ar vi he th'.split(
    ' ',
  );
