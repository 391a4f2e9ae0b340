/** What a company wants its words to be: the glossaries and style lists of a config, as their files hold them at one moment. */
import type { Fault } from '../config/fault.ts';
import { baseLanguage, type LanguageTag } from '../language.ts';
import type { Policies, Project } from '../project.ts';
import type { LoadedGlossary, Terms } from './load-glossaries.ts';
import type { LoadedStyle } from './load-styles.ts';

export interface Terminology {
  /** By name. */
  readonly glossaries: ReadonlyMap<string, LoadedGlossary>;
  /** By absolute file. */
  readonly styles: ReadonlyMap<string, LoadedStyle>;
  /** What keeps a file from being used. */
  readonly faults: readonly Fault[];
  /** What a person should know of: rules that the catalogue does not have. */
  readonly warnings: readonly Fault[];
  /** What is left out of the files, and why. */
  readonly notes: readonly Fault[];
  /** Equal for equal contents of all files. */
  readonly version: string;
}

/** What holds for one project in one language. */
export interface ProjectTerms {
  readonly terms?: Terms;
  /** Version of the style list. */
  readonly style?: string;
}

export function projectTerms(
  terminology: Terminology,
  project: Project,
  language: LanguageTag,
): ProjectTerms {
  const { glossary } = project.rules;
  const style = styleFor(terminology, project, language);
  const { source } = project;
  const loaded =
    glossary === undefined || 'id' in glossary
      ? undefined
      : terminology.glossaries.get(glossary.name);
  const terms =
    source === 'auto'
      ? undefined
      : loaded?.terms({ source: baseLanguage(source), target: baseLanguage(language) });
  return {
    ...(terms === undefined ? {} : { terms }),
    ...(style === undefined ? {} : { style: style.version }),
  };
}

/** The style list that a project applies to a language; undefined also where config names one by its id. */
export function styleFor(
  { styles }: Terminology,
  { rules }: Project,
  language: LanguageTag,
): LoadedStyle | undefined {
  const rule = rules.styles.get(language) ?? rules.styles.get(baseLanguage(language));
  return rule === undefined || 'id' in rule ? undefined : styles.get(rule.file);
}

/** What of the words makes a job new when it changes: part of its fingerprint, empty unless `retranslate_on` names it. */
export function termsMark({ terms, style }: ProjectTerms, { retranslateOn }: Policies): string {
  const glossary = retranslateOn.has('glossary') ? terms?.version : undefined;
  const list = retranslateOn.has('style') ? style : undefined;
  return [glossary && `g${glossary.slice(0, 8)}`, list && `s${list.slice(0, 8)}`]
    .filter((part) => part !== undefined)
    .join('');
}

/** Every file of the terminology, whether it exists now or not. */
export function terminologyFiles({ glossaries, styles }: Terminology): string[] {
  const files = [...glossaries.values()].flatMap((each) => each.files.map(({ path }) => path));
  return [...new Set([...files, ...styles.keys()])];
}
