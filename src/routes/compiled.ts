/** One compiled route: the paths that it matches, their targets, and the source of a target. */

import type { Lane, TargetPaths } from '../job.ts';
import { type LanguageSpellings, type LanguageTag, spellLanguage } from '../language.ts';
import type { Project, Route } from '../project.ts';
import { extensionOf, laneOf, targetExtension } from './extensions.ts';
import type { GlobPath } from './glob.ts';
import { PathPattern } from './path-pattern.ts';
import { SourcePattern } from './source-pattern.ts';
import { commonPrefix, sourceFinder, type TargetShape, targetPaths } from './target-pattern.ts';
import { fillTemplate, hasPatternToken, parseTemplate, type Template } from './template.ts';
import { LANGUAGE_TOKENS, PatternError } from './tokens.ts';

/** The role of a path in its project. */
export type PathMatch =
  | {
      readonly kind: 'source';
      readonly route: Route;
      readonly lane: Lane;
      /** The extension does not decide the lane: `laneByContent` of routes/extensions.ts does. */
      readonly contentDecides: boolean;
      readonly targets: (language: LanguageTag) => TargetPaths;
      /** The languages of its targets, when the path names them; absent: all of the project. */
      readonly languages?: readonly LanguageTag[];
    }
  | ({ readonly kind: 'target'; readonly route: Route } & TargetOrigin)
  | { readonly kind: 'skipped'; readonly because: SkipCause; readonly reason: string };

/** `no-route`: no route matches the path. All other causes get a line in the plan. */
export type SkipCause = 'no-route' | 'excluded' | 'lane' | 'contested' | 'state';

/** The output that a template is for. Every lane except voice has only `file`. */
export type Output = 'file' | 'transcript' | 'subtitles' | 'speech';

/** The source of a target. */
export interface TargetOrigin {
  /** Name of the project that writes the target; it may be another one when roots overlap. */
  readonly project: string;
  readonly language: LanguageTag;
  readonly output: Output;
  /** The path of the source; undefined when the template does not determine it (it drops the extension). */
  readonly source: () => string | undefined;
}

interface OutputOfLanguage {
  readonly output: Output;
  readonly language: LanguageTag;
  readonly paths: readonly GlobPath[];
  readonly expand: (source: string) => string;
  readonly sourceOf: (target: string) => string | undefined;
}

export class CompiledRoute {
  readonly project: Project;
  readonly route: Route;
  readonly from: SourcePattern;
  /** The outputs of each language. */
  readonly outputs: readonly OutputOfLanguage[];
  /** Source and targets may be one file: the format holds all languages, or targets hold their source. */
  readonly multiLocale: boolean;
  readonly templates: readonly { readonly output: Output; readonly template: Template }[];
  /** The patterns of `outputs`, in the same order. */
  readonly #patterns: readonly (readonly PathPattern[])[];
  readonly #prefix: string;

  /** @throws PatternError with the setting it is about in `cause` */
  constructor(project: Project, route: Route) {
    this.project = project;
    this.route = route;
    const source = spell(project, project.source === 'auto' ? undefined : project.source);
    const languages = route.embeddedSource
      ? project.targets.map((target) => spell(project, target))
      : [source];
    this.from = atSetting('from', () => new SourcePattern(route, languages));
    this.multiLocale = isMultiLocale(route, this.from);
    this.templates = readTemplates(route);
    this.outputs = project.targets.flatMap((language) => this.#outputsIn(language, source));
    this.#patterns = this.outputs.map(({ paths }) => paths.map((path) => new PathPattern(path)));
    this.#prefix = commonPrefix(this.outputs.flatMap(({ paths }) => paths));
  }

  /** Whether a target is the path of its source in another language, without a template. */
  get mirrored(): boolean {
    return this.templates.length === 0 && !this.multiLocale;
  }

  /** Whether every target has the language in its path. */
  get namesLanguage(): boolean {
    return this.templates.every(({ template }) =>
      LANGUAGE_TOKENS.some((token) => hasPatternToken(template, token)),
    );
  }

  /** The origin of a path that this route writes; undefined for every other path. */
  origin(path: string): TargetOrigin | undefined {
    if (!path.startsWith(this.#prefix)) return undefined;
    const output = this.outputs.find((_, index) =>
      this.#patterns[index]?.some((pattern) => pattern.matches(path)),
    );
    if (output === undefined) return undefined;
    return {
      project: this.project.name,
      language: output.language,
      output: output.output,
      source: () => output.sourceOf(path),
    };
  }

  /** With `embedded_source`, the languages of a path; undefined for all other routes. */
  ownLanguages(path: string): LanguageTag[] | undefined {
    if (!this.route.embeddedSource) return undefined;
    return this.outputs.flatMap(({ language }, index) =>
      this.#patterns[index]?.some((pattern) => pattern.matches(path)) ? [language] : [],
    );
  }

  /** @param source a path that the route matches */
  targets(source: string, language: LanguageTag): TargetPaths {
    const targets: Partial<Record<Output, string>> = {};
    for (const each of this.outputs)
      if (each.language === language) targets[each.output] = each.expand(source);
    return targets as TargetPaths;
  }

  lane(extension: string): ReturnType<typeof laneOf> {
    return laneOf(extension.toLowerCase(), this.route.lane);
  }

  #outputsIn(language: LanguageTag, source: LanguageSpellings): OutputOfLanguage[] {
    const spellings = spell(this.project, language);
    if (this.route.embeddedSource) return [this.#itself(language, spellings)];
    if (this.templates.length === 0) return [this.#sameFile(language, { source, spellings })];
    return this.templates.map(({ output, template }) => {
      const shape = this.#shape(template, spellings);
      return {
        output,
        language,
        paths: targetPaths(shape),
        expand: (path) => this.#expand(template, { path, spellings }),
        sourceOf: sourceFinder(shape),
      };
    });
  }

  #itself(language: LanguageTag, spellings: LanguageSpellings): OutputOfLanguage {
    const paths = this.from.inLanguage(spellings);
    return { output: 'file', language, paths, expand: (path) => path, sourceOf: (path) => path };
  }

  // Without a template, the target is the path of the source in another language, or the source itself.
  #sameFile(
    language: LanguageTag,
    { source, spellings }: Record<'source' | 'spellings', LanguageSpellings>,
  ): OutputOfLanguage {
    const translate = this.from.translator(source, spellings);
    return {
      output: 'file',
      language,
      paths: this.from.inLanguage(spellings),
      expand: (path) => this.#withExtension(translate(path) ?? path),
      sourceOf: this.from.translator(spellings, source),
    };
  }

  #shape(template: Template, spellings: LanguageSpellings): TargetShape {
    return {
      template,
      from: this.from,
      project: this.project.name,
      spellings,
      extension: (ext) => this.#extension(ext),
    };
  }

  #expand(
    template: Template,
    { path, spellings }: { path: string; spellings: LanguageSpellings },
  ): string {
    const { dir, name, ext } = this.from.parts(path);
    const project = this.project.name;
    return fillTemplate(template, { ...spellings, dir, name, project, ext: this.#extension(ext) });
  }

  #extension(ext: string): string {
    return targetExtension(ext, { lane: this.route.lane, pdfTo: this.route.pdfTo });
  }

  #withExtension(path: string): string {
    const ext = extensionOf(path);
    const extension = ext === '' ? ext : this.#extension(ext);
    return extension === ext ? path : path.slice(0, -ext.length) + extension;
  }
}

function spell(project: Project, language: LanguageTag | undefined): LanguageSpellings {
  // When the source language is unknown, a pattern with language tokens is refused.
  const unknown = '' as LanguageTag;
  if (language === undefined) {
    return { locale: '', lang: '', region: '', locale_underscore: '', android: '', apple: unknown };
  }
  return spellLanguage(language, project.locales.get(language)?.file);
}

function isMultiLocale(route: Route, from: SourcePattern): boolean {
  if (route.embeddedSource) return true;
  if ((route.columns?.targets.size ?? 0) > 0) return true;
  return from.extensions?.every((extension) => extension === 'xcstrings') ?? false;
}

function readTemplates({ to }: Pick<Route, 'to'>): { output: Output; template: Template }[] {
  if (to === undefined) return [];
  const named = typeof to === 'string' ? { file: to } : to;
  return Object.entries(named).map(([output, text]) => {
    const setting = typeof to === 'string' ? 'to' : `to.${output}`;
    return { output: output as Output, template: atSetting(setting, () => parseTemplate(text)) };
  });
}

/** The faults of a route's templates, also when `from` cannot be read. */
export function templateErrors({ to }: Route): PatternError[] {
  if (to === undefined) return [];
  const texts = typeof to === 'string' ? { file: to } : to;
  return Object.entries(texts).flatMap(([output, text]) => {
    try {
      readTemplates({ to: typeof to === 'string' ? text : { [output]: text } });
      return [];
    } catch (error) {
      if (error instanceof PatternError) return [error];
      throw error;
    }
  });
}

/** Adds the setting to a PatternError, as its `cause`. */
function atSetting<T>(setting: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof PatternError) throw new PatternError(error.message, { cause: setting });
    throw error;
  }
}
