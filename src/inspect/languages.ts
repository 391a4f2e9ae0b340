/** Whether the service knows the languages and rules of a config: what the bundled table cannot say for certain. Pure. */

import type { Fault } from '../config/fault.ts';
import type { SoundConfig } from '../config/parse.ts';
import type { Config, Project } from '../config.ts';
import { type LanguageTag, sameLanguage, sourceCode, targetCode } from '../language.ts';

/** A language as `/v3/languages` describes it. */
export interface ServiceLanguage {
  readonly lang: string;
  readonly usable_as_source: boolean;
  readonly usable_as_target: boolean;
  /** A feature is supported when its key is there. */
  readonly features: Readonly<Record<string, unknown>>;
}

export function checkLanguages(
  { config, faultAt }: { readonly config: Config; readonly faultAt: SoundConfig['faultAt'] },
  languages: readonly ServiceLanguage[],
): Fault[] {
  const known = new Map(languages.map((language) => [language.lang.toLowerCase(), language]));
  return config.projects.flatMap((project) => {
    const at = (setting: (string | number)[], message: string) =>
      faultAt(['projects', project.name, ...setting], message);
    return [...checkSource(project, { known, at }), ...checkTargets(project, { known, at })];
  });
}

interface Question {
  readonly known: ReadonlyMap<string, ServiceLanguage>;
  readonly at: (setting: (string | number)[], message: string) => Fault;
}

function checkSource({ source, locales }: Project, { known, at }: Question): Fault[] {
  if (source === 'auto') return [];
  const code = locales.get(source)?.api ?? sourceCode(source);
  if (known.get(code.toLowerCase())?.usable_as_source === true) return [];
  return [at(['source'], `the service does not translate from ${code}`)];
}

function checkTargets(project: Project, question: Question): Fault[] {
  const { source, targets, rules } = project;
  const isFirm = rules.formality === 'more' || rules.formality === 'less';
  return targets.flatMap((target, index) => {
    // Variants of the source go to text improvement.
    if (source !== 'auto' && sameLanguage(source, target)) return [];
    const code = codeOf(project, target);
    const language = question.known.get(code.toLowerCase());
    if (language?.usable_as_target !== true) {
      return [question.at(['targets', index], `the service does not translate into ${code}`)];
    }
    if (!isFirm || Object.hasOwn(language.features, 'formality')) return [];
    return [question.at(['formality'], `the service knows no formality for ${code}`)];
  });
}

function codeOf({ locales }: Project, target: LanguageTag): string {
  return locales.get(target)?.api ?? targetCode(target);
}
