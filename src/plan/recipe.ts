/** The recipe of a translation: everything beside the source text that the config says about it. Pure. */
import { hash } from 'node:crypto';
import { relative } from 'node:path';
import type { Fingerprint, Hash, RecipeKey } from '../job.ts';
import { baseLanguage, type LanguageTag, sameLanguage, targetCode } from '../language.ts';
import type { Project, Route, Rules } from '../project.ts';

/**
 * The settings of a project for translations into one language. It has the name or the file of glossary and style, as in the config.
 * Their versions are recorded elsewhere; a new version buys a translation again only if `retranslate_on` says so.
 */
export interface Recipe {
  readonly key: RecipeKey;
  /** The project that has the glossary and the style; not part of the key. */
  readonly project: string;
  /** Hash of the recipe without glossary and style: `retranslate_on: [options]` is about this. */
  readonly options: string;
  /** Absent: the service detects it. */
  readonly source?: LanguageTag;
  readonly target: LanguageTag;
  readonly formality?: NonNullable<Rules['formality']>;
  readonly model?: NonNullable<Rules['model']>;
  readonly context?: string;
  readonly customInstructions: readonly string[];
  readonly translationMemory?: NonNullable<Rules['translationMemory']>;
  readonly tagHandlingVersion?: NonNullable<Rules['tagHandlingVersion']>;
  readonly glossary?: string;
  readonly style?: string;
  /**
   * The target is a variant of the source language: text improvement converts the text, in this manner. The other settings do
   * not apply.
   */
  readonly conversion?: Manner;
  /** The service accepts no tags in texts of this pair of languages: placeholders are sent as they are. Not part of the key. */
  readonly untagged?: true;
  /** How texts of the source are improved before they are translated. */
  readonly polish?: Recipe;
  /**
   * Another target of the project that is the same language for the service and has the same settings (bn-BD for bn-IN). Texts are
   * bought once, with the key of that target, and are kept in its memory. Not part of the key.
   */
  readonly shared?: Pick<Recipe, 'key' | 'target'>;
}

/** How text improvement works on a text. */
export interface Manner {
  readonly writingStyle?: string;
  readonly tone?: string;
  /** The language as the API spells it; absent: the service detects it. */
  readonly code?: string;
}

type RecipeParts = Omit<Recipe, 'key' | 'project' | 'options' | 'shared' | 'untagged'>;

export function recipeFor(project: Project, target: LanguageTag): Recipe {
  const recipe = finished(project, ingredientsFor(project, target));
  const { targets, locales } = project;
  // Two different languages are not the same one to the service, unless the config gives both the same spelling.
  const mayBeOne = (other: LanguageTag) =>
    sameLanguage(other, target) || (locales.get(other) ?? locales.get(target))?.api !== undefined;
  const first = targets.find(
    (other) =>
      other === target || (mayBeOne(other) && asked(project, other) === asked(project, target)),
  );
  if (first === undefined || first === target) return recipe;
  const { key } = finished(project, ingredientsFor(project, first));
  return { ...recipe, shared: { key, target: first } };
}

function ingredientsFor(project: Project, target: LanguageTag): RecipeParts {
  const { source } = project;
  const isVariant = source !== 'auto' && sameLanguage(source, target);
  return isVariant
    ? improvementFor(project, target, targetCode(target))
    : translationFor(project, target);
}

/** Equal for targets with equal requests to the service. */
function asked(project: Project, target: LanguageTag): string {
  const code = project.locales.get(target)?.api ?? targetCode(target);
  return recipeDigest({ ...ingredientsFor(project, target), target: code.toLowerCase() });
}

function finished(project: Project, recipe: RecipeParts): Recipe {
  const { glossary: _glossary, style: _style, ...options } = recipe;
  return {
    key: recipeDigest(recipe) as RecipeKey,
    project: project.name,
    options: recipeDigest(options).slice(0, 8),
    ...recipe,
  };
}

function improvementFor(
  { source, rules }: Project,
  target: LanguageTag,
  code: string | undefined,
): RecipeParts {
  return {
    ...(source === 'auto' ? {} : { source }),
    target,
    customInstructions: [],
    conversion: { ...rules.improve, ...(code === undefined ? {} : { code }) },
  };
}

/** The recipe that improves the texts of the source in their own language. */
function polishFor(project: Project): Pick<Recipe, 'polish'> {
  const { source, rules } = project;
  if (source === 'auto' || rules.improve === undefined) return {};
  return { polish: finished(project, improvementFor(project, source, rules.improve.code)) };
}

function translationFor(project: Project, target: LanguageTag): RecipeParts {
  const { rules } = project;
  const style = rules.styles.get(target) ?? rules.styles.get(baseLanguage(target));
  return {
    ...(project.source === 'auto' ? {} : { source: project.source }),
    target,
    ...(rules.formality === undefined ? {} : { formality: rules.formality }),
    ...(rules.model === undefined ? {} : { model: rules.model }),
    ...(rules.context === undefined ? {} : { context: rules.context }),
    customInstructions: rules.customInstructions,
    ...polishFor(project),
    ...(rules.translationMemory === undefined
      ? {}
      : { translationMemory: rules.translationMemory }),
    ...(rules.tagHandlingVersion === undefined
      ? {}
      : { tagHandlingVersion: rules.tagHandlingVersion }),
    ...(rules.glossary === undefined
      ? {}
      : { glossary: 'id' in rules.glossary ? rules.glossary.id : rules.glossary.name }),
    ...(style === undefined
      ? {}
      : { style: 'id' in style ? style.id : relative(project.root, style.file) }),
  };
}

function recipeDigest(recipe: object): string {
  const canonical = JSON.stringify(Object.entries(recipe).sort(([a], [b]) => (a < b ? -1 : 1)));
  return hash('sha256', canonical).slice(0, 16);
}

/** The key of the memory for a recipe. @param scope a file whose texts are not shared with other files; absent: all files */
export function memoryKey({ recipe, scope }: { recipe: Recipe; scope?: string }): RecipeKey {
  const { key } = recipe.shared ?? recipe;
  return scope === undefined ? key : (`${key}/${scope}` as RecipeKey);
}

/** The language of the memory for a recipe. */
export function memoryLanguage({ shared, target }: Recipe): LanguageTag {
  return shared?.target ?? target;
}

/**
 * The hash of the source and the key of the recipe, both readable. Equal fingerprints: there is nothing to buy.
 * @param versions of glossary, style and notes, where `retranslate_on` names them
 */
export function fingerprint(source: Hash, recipe: RecipeKey, versions = ''): Fingerprint {
  return `${source}.${recipe}${versions === '' ? '' : `-${versions}`}` as Fingerprint;
}

/** Names the notes of keys, where `retranslate_on` has `notes`: a change plans the job again. */
export function notesDigest({ keys, policies }: Pick<Route, 'keys' | 'policies'>): string {
  if (!policies.retranslateOn.has('notes') || keys.notes.size === 0) return '';
  return `n${hash('sha256', JSON.stringify([...keys.notes])).slice(0, 8)}`;
}

/** The glossary, style list and language codes of a recipe, as a request names them. */
export interface RemoteIds {
  readonly glossary_id?: string;
  readonly style_id?: string;
  readonly source_lang?: string;
  readonly target_lang?: string;
}
