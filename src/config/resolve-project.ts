/** One project of the file -> `Project`: language tags, absolute paths, defaults and checked rules. */
import { resolve } from 'node:path';
import { baseLanguage, type LanguageTag } from '../language.ts';
import type {
  Budget,
  BudgetSettings,
  Policies,
  Project,
  ProjectHead,
  Rules,
  StyleRule,
} from '../project.ts';
import { entriesByCode } from '../setting.ts';
import { type Capabilities, isConvertible, rephraseCode, supportsFeature } from './capabilities.ts';
import { readLanguage, readTargets } from './languages.ts';
import { overridePolicies } from './policies.ts';
import { checkRules } from './rule-checks.ts';
import type { Report } from './shape.ts';

export interface ResolveContext {
  readonly name: string;
  /** Absolute folder of the config file. */
  readonly base: string;
  readonly defaults: Policies;
  readonly onExceed: Budget['onExceed'];
  /** The known capabilities of the service. */
  readonly capabilities: Capabilities;
  /** Paths are relative to the project. */
  readonly report: Report;
}

/** @returns the project without routes; undefined when its source language is unknown. Faults are reported. */
export function resolveProject(
  head: ProjectHead,
  context: ResolveContext,
): Omit<Project, 'routes'> | undefined {
  const { report, capabilities } = context;
  const source = readSource(head.source, report);
  if (source === undefined) return undefined;
  const targets = readTargets(head.targets, { path: ['targets'], report, source });
  const locales = readLocales(head, { source, targets, report });
  checkRules({ head, source, targets, capabilities, report });
  return {
    name: context.name,
    root: resolve(context.base, head.root),
    source,
    detect: head.detect,
    targets,
    convertible: new Set(targets.filter((target) => isConvertible(capabilities, target))),
    locales,
    budget: resolveBudget(head.budget ?? {}, context.onExceed),
    rules: resolveRules(head, { source, targets, context }),
    policies: overridePolicies(context.defaults, head),
  };
}

export function resolveBudget(settings: BudgetSettings, onExceed: Budget['onExceed']): Budget {
  return { ...settings, onExceed: settings.onExceed ?? onExceed };
}

function readSource(code: string, report: Report): LanguageTag | 'auto' | undefined {
  return code === 'auto' ? 'auto' : readLanguage(code, { path: ['source'], report });
}

interface ProjectLanguages {
  readonly source: LanguageTag | 'auto';
  readonly targets: readonly LanguageTag[];
  readonly report: Report;
}

function readLocales(
  head: ProjectHead,
  { source, targets, report }: ProjectLanguages,
): Project['locales'] {
  const locales = new Map<LanguageTag, { file?: string; api?: string }>();
  for (const [code, spelling] of entriesByCode(head.locales)) {
    const tag = readLanguage(code, { path: ['locales', code], report });
    if (tag === undefined) continue;
    if (tag !== source && !targets.includes(tag)) {
      report(['locales', code], 'is neither the source nor a target of this project', 'name');
    }
    if (spelling.file !== undefined && /^\.|[/\\\0]/.test(spelling.file)) {
      report(['locales', code, 'file'], 'must be a plain name, without "/" and leading "."');
    }
    locales.set(tag, spelling);
  }
  return locales;
}

interface RuleSources {
  readonly source: LanguageTag | 'auto';
  readonly targets: readonly LanguageTag[];
  readonly context: ResolveContext;
}

function resolveRules(head: ProjectHead, sources: RuleSources): Rules {
  return given<Rules>({
    formality: head.formality,
    model: head.model,
    context: head.context,
    customInstructions: head.customInstructions,
    translationMemory: head.translationMemory,
    tagHandlingVersion: head.tagHandlingVersion,
    improve: resolveImprovement(head.improve, sources),
    glossary: head.glossary,
    styles: resolveStyles(head, sources),
  });
}

function resolveImprovement(
  improve: ProjectHead['improve'],
  { source, context }: RuleSources,
): Rules['improve'] {
  if (improve === undefined) return undefined;
  const code = source === 'auto' ? undefined : rephraseCode(context.capabilities, source);
  return { ...improve, ...(code === undefined ? {} : { code }) };
}

function resolveStyles(head: ProjectHead, sources: RuleSources): Rules['styles'] {
  const named = new Map<string, unknown>(entriesByCode(head.style ?? {}));
  const id = named.get('id');
  // No style list is for Indonesian, so a lone `id` is the id of a list, not a language code.
  if (typeof id === 'string' && named.size === 1) {
    return styleForAll(id, sources);
  }
  return stylesByLanguage(head, sources);
}

function styleForAll(id: string, { targets, context }: RuleSources): Rules['styles'] {
  const able = targets.filter((target) => supportsFeature(context.capabilities, 'style', target));
  if (new Set(able.map(baseLanguage)).size !== 1) {
    context.report(['style', 'id'], 'a style list is for one language: write { de: { id: … } }');
  }
  return new Map(able.map((target) => [target, { id }]));
}

// A style of a base language applies to all its variants among the targets that have no style of their own.
function stylesByLanguage(head: ProjectHead, { targets, context }: RuleSources): Rules['styles'] {
  const styles = new Map<LanguageTag, StyleRule>();
  const named = entriesByCode(head.style ?? {}).toSorted(([a], [b]) => a.length - b.length);
  for (const [code, setting] of named) {
    const path = ['style', code];
    const tag = readLanguage(code, { path, report: context.report });
    if (tag === undefined) continue;
    const meant = targets.filter((target) => target === tag || baseLanguage(target) === tag);
    if (meant.length === 0) context.report(path, `${code} is no target of this project`, 'name');
    const rule = typeof setting === 'string' ? { file: resolve(context.base, setting) } : setting;
    for (const target of meant) styles.set(target, rule);
  }
  return styles;
}

/** A copy without the properties that are undefined, as `exactOptionalPropertyTypes` requires. */
export function given<T extends object>(settings: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(
    Object.entries(settings).filter(([, value]) => value !== undefined),
  ) as T;
}
