/** Everything about a document job: its route, paths, recipe, the fields of its request, and the rules that a request cannot have. */
import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { unrouted } from '../../failure.ts';
import { type Hash, type Job, sourceHashOf, sourceId, targetList } from '../../job.ts';
import { apiCode, sourceCode, targetCode } from '../../language.ts';
import type { LedgerView, SourceRecord } from '../../ledger.ts';
import { type Planner, sourcePath } from '../../plan/planner.ts';
import type { Recipe, RemoteIds } from '../../plan/recipe.ts';
import type { Project, Route } from '../../project.ts';
import { extensionOf } from '../../routes/extensions.ts';
import type { UploadRequest } from '../../service/documents.ts';
import {
  type DocumentRecipe,
  type PurchaseKey,
  purchaseKey,
} from '../../state/document-purchase.ts';
import type { ProjectTerms } from '../../terminology/project-terms.ts';
import { lackOf, mayLackEnd } from '../../watch/look.ts';
import { canBeMinified, isOpaque } from './decisions/kinds.ts';

export interface DocumentCase {
  readonly job: Job;
  readonly project: Project;
  readonly route: Route;
  readonly recipe: Recipe;
  readonly source: SourceRecord;
  /** Absolute paths. */
  readonly sourcePath: string;
  readonly targetFile: string;
  /** Relative to the project's root. */
  readonly targetPath: string;
  /** Lower-case, without the dot. */
  readonly extension: string;
  readonly output: string;
  readonly minify: boolean;
  readonly key: PurchaseKey;
  /** Terms and style by the files in force. */
  readonly projectTerms: ProjectTerms;
  /** Whether a result was made with terms or a style that have changed since, where `retranslate_on` names them. */
  isOutdated(result: Hash): boolean;
  /** Which rules of the project do not apply to documents here, for people. */
  readonly notes: readonly string[];
}

export interface DocumentCaseSources {
  readonly ledger: LedgerView;
  readonly planner: Planner;
  /** Whether this deployment accepts styles and memories for documents. */
  readonly styles: 'accepted' | 'unknown';
}

/** @throws JobFailure `unsupported` when no route matches the source any more */
export function documentCase(
  job: Job,
  { ledger, planner, styles }: DocumentCaseSources,
): DocumentCase {
  const project = planner.project(job.project);
  const source = ledger.get('sources', sourceId(job.project, job.source));
  const route = planner.routeOf(job.project, job.source);
  const [targetPath] = targetList(job.targets);
  if (!project || !source || !route || targetPath === undefined) throw unrouted(job.source);
  const recipe = planner.recipe(project, job.language);
  const extension = extensionOf(job.source).toLowerCase();
  const output = extensionOf(targetPath).toLowerCase();
  return {
    job,
    project,
    route,
    recipe,
    source,
    sourcePath: sourcePath(project, source),
    targetFile: join(project.root, targetPath),
    targetPath,
    extension,
    output,
    minify: route.minify && canBeMinified(extension),
    key: purchaseKey(
      sourceHashOf(job.fingerprint),
      recipeOf(recipe, { extension, output, styles, target: spelledTarget(project, recipe) }),
    ),
    projectTerms: termsOf(planner.terms(project, job.language), styles),
    isOutdated: () => false,
    notes: [
      ...(styles === 'accepted' ? [] : notesFor(project, recipe)),
      ...unreadNotes({ project, route, extension }),
      ...documentDamage(sourcePath(project, source), job.source),
    ],
  };
}

/** The fields of the upload. @param remote ids and language codes of the service */
export function uploadRequestFor(
  { job, recipe, extension, output }: DocumentCase,
  remote: RemoteIds,
  styles: DocumentCaseSources['styles'],
): Omit<UploadRequest, 'file'> {
  const source_lang = remote.source_lang ?? sourceLanguageCode(recipe);
  const memory = recipe.translationMemory?.id;
  return {
    filename: basename(job.source),
    target_lang: remote.target_lang ?? targetOf(recipe),
    ...(source_lang === undefined ? {} : { source_lang }),
    ...(recipe.formality === undefined ? {} : { formality: recipe.formality }),
    ...(remote.glossary_id === undefined ? {} : { glossary_id: remote.glossary_id }),
    // For `doc`, the output format is always sent: so a target with another extension fails before it is billed.
    ...(output === extension && extension !== 'doc' ? {} : { output_format: output }),
    ...(styles === 'accepted' && remote.style_id !== undefined
      ? { style_id: remote.style_id }
      : {}),
    ...(styles === 'accepted' && memory !== undefined ? { translation_memory_id: memory } : {}),
  };
}

interface RequestFormat
  extends Pick<DocumentCase, 'extension' | 'output'>,
    Pick<DocumentCaseSources, 'styles'> {
  /** The target language as the request spells it. */
  readonly target: string;
}

/** Only settings that change the result: context, model and instructions are not parameters of documents. */
function recipeOf(
  recipe: Recipe,
  { extension, output, styles, target }: RequestFormat,
): DocumentRecipe {
  const source_lang = sourceLanguageCode(recipe);
  const { formality, glossary, style, translationMemory } = recipe;
  return {
    target_lang: target,
    output,
    // The same bytes with another extension may be another kind of file to the service.
    ...(extension === output ? {} : { input: extension }),
    ...(source_lang === undefined ? {} : { source_lang }),
    ...(formality === undefined ? {} : { formality }),
    ...(glossary === undefined ? {} : { glossary }),
    ...(styles === 'accepted' && style !== undefined ? { style } : {}),
    ...(styles === 'accepted' && translationMemory ? { memory: translationMemory.id } : {}),
  };
}

function sourceLanguageCode({ source }: Recipe): string | undefined {
  return source === undefined ? undefined : apiCode(sourceCode(source), 'v2');
}

/** The config may give two languages the same spelling. */
function spelledTarget({ locales }: Project, recipe: Recipe): string {
  return locales.get(recipe.target)?.api ?? targetOf(recipe);
}

function targetOf({ target }: Recipe): string {
  return apiCode(targetCode(target), 'v2');
}

function notesFor({ name }: Project, recipe: Recipe): string[] {
  const given = [
    recipe.style === undefined ? undefined : 'style',
    recipe.translationMemory === undefined ? undefined : 'translation_memory',
    recipe.customInstructions.length === 0 ? undefined : 'custom_instructions',
    recipe.context === undefined ? undefined : 'context',
  ].filter((rule) => rule !== undefined);
  if (given.length === 0) return [];
  return [`${name}: the service takes no ${given.join(', no ')} with documents`];
}

/** Without the style, where it is not sent with documents: then its change changes no document. */
function termsOf(
  { style, ...words }: ProjectTerms,
  styles: DocumentCaseSources['styles'],
): ProjectTerms {
  return styles === 'accepted' && style !== undefined ? { ...words, style } : words;
}

function unreadNotes({
  project: { name, rules },
  route: { policies },
  extension,
}: Pick<DocumentCase, 'project' | 'route' | 'extension'>): string[] {
  if (rules.glossary === undefined || !policies.retranslateOn.has('glossary')) return [];
  if (!isOpaque(extension)) return [];
  return [`${name}: a changed glossary buys no ${extension} again: only the service can read it`];
}

/** Warnings about a file without its end. It is sent in any case, because `</html>` may be left out. @param name for people */
export function documentDamage(path: string, name: string): string[] {
  if (!mayLackEnd(path)) return [];
  const reason = lackOf(path, statSync(path, { throwIfNoEntry: false })?.size ?? 0);
  return reason === undefined ? [] : [`${name}: ${reason}: it may be cut off`];
}
