/** Whether the service knows the languages and rules of a config: what the bundled table cannot say for certain. Pure. */

import { isConvertible } from '../capabilities.ts';
import type { Fault } from '../config/fault.ts';
import type { SoundConfig } from '../config/parse.ts';
import type { Config, Project } from '../config.ts';
import {
  baseLanguage,
  type LanguageTag,
  sameLanguage,
  sourceCode,
  targetCode,
} from '../language.ts';
import type { Support } from './support.ts';

/** @param support what the service said of its resources; nothing is checked where it said nothing */
export function checkLanguages(
  { config, faultAt }: { readonly config: Config; readonly faultAt: SoundConfig['faultAt'] },
  { resources }: Support,
): Fault[] {
  const known = (resource: keyof Support['resources']) => byCode(resources[resource]);
  const tables = {
    text: known('translate_text'),
    glossary: known('glossary'),
    write: known('write'),
  };
  return config.projects.flatMap((project) => {
    const at = (setting: (string | number)[], message: string) =>
      faultAt(['projects', project.name, ...setting], message);
    return [
      ...checkSource(project, { ...tables, at }),
      ...checkTargets(project, { ...tables, at }),
      ...checkGlossary(project, { ...tables, at }),
      ...checkStyles(project, { ...tables, at }),
    ];
  });
}

type Language = NonNullable<Support['resources']['write']>[number];
/** By code in lower case; undefined: the service was not asked. */
type Table = ReadonlyMap<string, Language> | undefined;

interface Question {
  readonly text: Table;
  readonly glossary: Table;
  readonly write: Table;
  readonly at: (setting: (string | number)[], message: string) => Fault;
}

function byCode(languages: readonly Language[] | undefined): Table {
  return languages && new Map(languages.map((language) => [language.lang.toLowerCase(), language]));
}

function checkSource({ source, locales }: Project, { text, at }: Question): Fault[] {
  if (source === 'auto' || text === undefined) return [];
  const code = locales.get(source)?.api ?? sourceCode(source);
  if (text.get(code.toLowerCase())?.usable_as_source === true) return [];
  return [at(['source'], `the service does not translate from ${code}`)];
}

function checkTargets(project: Project, question: Question): Fault[] {
  const { text, write, at } = question;
  const { source, targets, rules } = project;
  const isFirm = rules.formality === 'more' || rules.formality === 'less';
  return targets.flatMap((target, index) => {
    const code = codeOf(project, target);
    // Variants of the source go to text improvement.
    if (source !== 'auto' && sameLanguage(source, target)) {
      if (!isConvertible(source, target) || write === undefined) return [];
      if (write.get(code.toLowerCase())?.usable_as_target === true) return [];
      return [at(['targets', index], `text improvement does not convert into ${code}`)];
    }
    if (text === undefined) return [];
    const language = text.get(code.toLowerCase());
    if (language?.usable_as_target !== true) {
      return [at(['targets', index], `the service does not translate into ${code}`)];
    }
    if (!isFirm || Object.hasOwn(language.features, 'formality')) return [];
    return [at(['formality'], `the service knows no formality for ${code}`)];
  });
}

/** Any source with any target is a pair (API document, "Languages"); dictionaries carry base codes. */
function checkGlossary({ source, targets, rules }: Project, { glossary, at }: Question): Fault[] {
  if (rules.glossary === undefined || glossary === undefined || source === 'auto') return [];
  const own = targets.filter((target) => !sameLanguage(source, target));
  const without = [source, ...own].filter((tag) => !glossary.has(baseLanguage(tag).toLowerCase()));
  if (without.length === 0) return [];
  return [at(['glossary'], `the service has no glossaries for ${without.join(', ')}`)];
}

function checkStyles(project: Project, { text, at }: Question): Fault[] {
  if (text === undefined) return [];
  return [...project.rules.styles.keys()].flatMap((target) => {
    const language = text.get(codeOf(project, target).toLowerCase());
    if (language === undefined || Object.hasOwn(language.features, 'style_rules')) return [];
    return [at(['style'], `the service has no style rules for ${target}`)];
  });
}

function codeOf({ locales }: Project, target: LanguageTag): string {
  return locales.get(target)?.api ?? targetCode(target);
}
