/** Resolves the ids and options of a request to what an engine needs, for texts and documents. */
import { hash } from 'node:crypto';
import { baseLanguage, type LanguageTag } from '../language.ts';
import type { EngineRecipe } from './engine.ts';
import { dictionaryFor } from './glossary-store.ts';
import { WITH_FORMALITY, WITH_STYLES } from './language-table.ts';
import { findMemory } from './memories.ts';
import { callOwner } from './owned.ts';
import { badParameter, Refusal } from './refusal.ts';
import type { KeyCall, SandboxWorld } from './resource.ts';

export const FORMALITIES = ['default', 'more', 'less', 'prefer_more', 'prefer_less'] as const;
export type Formality = (typeof FORMALITIES)[number];

/** Languages in BCP 47 case, everything else as on the wire. */
export interface RecipeRequest {
  readonly source_lang: LanguageTag | undefined;
  readonly target_lang: LanguageTag;
  readonly formality?: Formality | undefined;
  readonly glossary_id?: string | undefined;
  readonly style_id?: string | undefined;
  readonly custom_instructions?: readonly string[] | undefined;
  readonly translation_memory_id?: string | undefined;
  /** Percent. */
  readonly translation_memory_threshold?: number | undefined;
  readonly tag_handling?: 'xml' | 'html' | undefined;
  readonly ignore_tags?: readonly string[] | undefined;
  readonly splits_lines?: boolean | undefined;
}

/** A recipe without source language, which is detected for each text if the request does not name it. */
export interface TranslationRecipe extends Omit<EngineRecipe, 'source'> {
  /** The texts are returned unchanged, like some deployments do when the glossary is gone (docs/design/api.md, "What is not documented"). */
  readonly untranslated?: true;
  /** Each line is translated by itself, like classic models do without `split_sentences` (docs/design/api.md, "Text translation"). */
  readonly splitsLines?: true;
}

/**
 * Looks up the ids of a request and checks that they fit its languages.
 * @throws Refusal 400 or 403 that names the parameter, 404 for unknown ids.
 */
export function resolveRecipe(
  world: SandboxWorld,
  call: KeyCall,
  request: RecipeRequest,
): TranslationRecipe {
  const lost = lostGlossary(world, call, request);
  const terms = lost === undefined ? termsOf(world, call, request) : undefined;
  return {
    ...(lost === 'untranslated' && { untranslated: true }),
    target: request.target_lang,
    marks: [
      ...formalityMark(request),
      ...styleMark(world, call, request),
      ...instructionsMark(request.custom_instructions ?? []),
      ...memoryMark(request),
    ],
    ...(terms && { terms }),
    ...(request.tag_handling && { tagHandling: request.tag_handling }),
    ...(request.ignore_tags && { ignoreTags: request.ignore_tags }),
    ...(request.splits_lines === true && { splitsLines: true }),
  };
}

/** A line that is equal for equal recipes; the counters compare it. */
export function describeRecipe(request: object): string {
  return JSON.stringify(request);
}

/** The fault that somebody deleted the glossary; undefined: it is there, or a missing one is not reported. */
function lostGlossary(
  world: SandboxWorld,
  call: KeyCall,
  { glossary_id }: RecipeRequest,
): 'untranslated' | undefined {
  const lost = glossary_id === undefined ? undefined : call.fault('delete_glossary');
  if (lost === undefined || glossary_id === undefined) return undefined;
  world.glossaries.delete(callOwner(call), glossary_id);
  return lost.answer === 'untranslated' ? 'untranslated' : undefined;
}

function termsOf(
  world: SandboxWorld,
  call: KeyCall,
  { glossary_id, source_lang, target_lang }: RecipeRequest,
): ReadonlyMap<string, string> | undefined {
  if (glossary_id === undefined) return undefined;
  if (source_lang === undefined) {
    throw badParameter(
      'glossary_id',
      'requires source_lang: detection and glossaries exclude each other',
    );
  }
  const glossary = world.glossaries.get(callOwner(call), glossary_id);
  const dictionary = dictionaryFor(glossary, { source_lang, target_lang });
  if (dictionary !== undefined) return dictionary.entries;
  const pair = `${baseLanguage(source_lang)} to ${baseLanguage(target_lang)}`;
  throw badParameter('glossary_id', `names a glossary without a dictionary from ${pair}`);
}

/** docs/design/api.md, "Translation rules", 5. */
function formalityMark({ formality, target_lang }: RecipeRequest): readonly string[] {
  if (formality === undefined || formality === 'default') return [];
  const supported = WITH_FORMALITY.includes(target_lang);
  if (supported) return [formality.replace('prefer_', '')];
  if (formality.startsWith('prefer_')) return [];
  throw badParameter('formality', `is not supported for target language ${target_lang}`);
}

function styleMark(world: SandboxWorld, call: KeyCall, request: RecipeRequest): readonly string[] {
  const { style_id, target_lang } = request;
  if (style_id === undefined) return [];
  if (call.key.account.lacks.includes('styles')) {
    throw new Refusal(403, 'Access denied: this account may not use styles (style_id).');
  }
  requireStyleLanguage('style_id', target_lang);
  const list = world.styles.get(callOwner(call), style_id);
  if (list.language !== baseLanguage(target_lang)) {
    throw badParameter('style_id', `names a list for ${list.language}, not for ${target_lang}`);
  }
  return [`style-${list.style_id.slice(0, 8)}.${list.version}`];
}

/** Custom instructions are accepted for the same languages as styles (docs/design/api.md, "What is not documented"). */
export function requireStyleLanguage(parameter: string, target: LanguageTag): void {
  if (!WITH_STYLES.includes(baseLanguage(target))) {
    throw badParameter(parameter, `is not supported for target language ${target}`);
  }
}

function instructionsMark(instructions: readonly string[]): readonly string[] {
  if (instructions.length === 0) return [];
  return [`instructions-${hash('sha1', JSON.stringify(instructions), 'hex').slice(0, 8)}`];
}

/** The threshold is 75 when absent (docs/design/api.md, "What is not documented"). */
function memoryMark(request: RecipeRequest): readonly string[] {
  const { translation_memory_id: id, translation_memory_threshold: threshold = 75 } = request;
  if (id === undefined) return [];
  return [`memory-${findMemory(id).translation_memory_id.slice(0, 8)}.${threshold}`];
}
