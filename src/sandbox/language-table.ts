/** The languages that the sandbox knows, and what each can do per resource. */
import type { LanguageTag } from '../language.ts';
import { badParameter } from './refusal.ts';

export interface Language {
  readonly lang: LanguageTag;
  readonly source: boolean;
  readonly target: boolean;
  readonly status: 'stable' | 'beta';
}

const VARIANTS = ['en-GB', 'en-US', 'es-419', 'pt-BR', 'pt-PT', 'zh-Hans', 'zh-Hant'];
const BETA = ['bn', 'ca', 'gl', 'hi'];
const BETA_VARIANTS = ['de-CH', 'fr-CA'];

/** The values of `detected_language` (docs/design/api.md, "Language detection"). */
export const DETECTED_LANGUAGES = tags(
  'en de fr es pt it nl pl ru zh ja bg cs da el et fi hu lt lv ro sk sl sv tr id uk ko nb ar vi he th',
);

/** docs/design/api.md, "Text translation", `formality`. */
export const WITH_FORMALITY = tags('de fr it es es-419 nl pl pt-BR pt-PT ja ru');

/** docs/design/api.md, "Text translation", `style_id`; their variants too. */
export const WITH_STYLES = tags('de en es fr it ja ko zh');

/** docs/design/api.md, "Text improvement". */
export const WRITE_TARGETS = tags('de en-GB en-US es fr it ja ko pt-BR pt-PT zh zh-Hans');
export const WITH_WRITING_STYLE = tags('de en-GB en-US es fr it pt-BR pt-PT');

/** Without glossaries and without a next-gen model, so that both refusals and both fallbacks can be tested. */
export const WITHOUT_GLOSSARY = tags('th he');
export const WITHOUT_NEXT_GEN = tags('et lt lv');

/** Only for document translation, so that the fallback of subtitles can be tested. */
export const ONLY_DOCUMENTS: readonly Language[] = tags('is').map((lang) =>
  language(lang, 'stable', true),
);

export const LANGUAGES: readonly Language[] = [
  ...DETECTED_LANGUAGES.map((lang) => language(lang, 'stable', true)),
  ...tags(VARIANTS.join(' ')).map((lang) => language(lang, 'stable', false)),
  ...tags(BETA.join(' ')).map((lang) => language(lang, 'beta', true)),
  ...tags(BETA_VARIANTS.join(' ')).map((lang) => language(lang, 'beta', false)),
].sort((a, b) => (a.lang < b.lang ? -1 : 1));

const byCode = new Map(LANGUAGES.map((each) => [each.lang.toLowerCase(), each]));

/** Finds a code in any case. @throws Refusal 400 that names the parameter. */
export function targetLanguage(code: string, parameter = 'target_lang'): LanguageTag {
  const found = byCode.get(code.toLowerCase());
  if (!found?.target) throw badParameter(parameter, `has an unsupported value: '${code}'`);
  return found.lang;
}

/** The same for documents. @throws Refusal 400 that names the parameter. */
export function documentTarget(code: string): LanguageTag {
  return documentLanguage(code) ?? targetLanguage(code);
}

/** @throws Refusal 400 that names the parameter. */
export function documentSource(code: string): LanguageTag {
  return documentLanguage(code) ?? sourceLanguage(code);
}

function documentLanguage(code: string): LanguageTag | undefined {
  return ONLY_DOCUMENTS.find(({ lang }) => lang === code.toLowerCase())?.lang;
}

/** @throws Refusal 400 that names the parameter; a variant is not a source language. */
export function sourceLanguage(code: string, parameter = 'source_lang'): LanguageTag {
  const found = byCode.get(code.toLowerCase());
  if (!found?.source) throw badParameter(parameter, `has an unsupported value: '${code}'`);
  return found.lang;
}

const names = new Intl.DisplayNames('en', { type: 'language', languageDisplay: 'standard' });

/** Each list of languages needs them all, and it takes 3 ms to ask for them. */
const knownNames = new Map<LanguageTag, string>();

/** The English name: `Portuguese (Brazil)`. */
export function englishName(lang: LanguageTag): string {
  const name = knownNames.get(lang) ?? names.of(lang) ?? lang;
  knownNames.set(lang, name);
  return name;
}

function language(lang: LanguageTag, status: 'stable' | 'beta', source: boolean): Language {
  return { lang, source, target: true, status };
}

function tags(list: string): readonly LanguageTag[] {
  return list.split(' ') as unknown as readonly LanguageTag[];
}
