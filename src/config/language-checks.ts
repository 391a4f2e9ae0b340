/**
 * What a project needs of the service for its languages: translations in the lanes of its routes, and the features that its rules use.
 * Pure. One language that lacks something fails alone; a project is refused where its source lacks it, or all its targets.
 */

import type { Lane } from '../job.ts';
import { type LanguageTag, sameLanguage, sourceCode, targetCode } from '../language.ts';
import type { Project, Route } from '../project.ts';
import { expandBraces } from '../routes/braces.ts';
import { lanesOf } from '../routes/lanes.ts';
import type { SettingPath } from '../setting.ts';
import {
  type Capabilities,
  type LanguageFeature,
  supportsFeature,
  type TranslatingLane,
} from './capabilities.ts';
import { mannerOf, noManner, preferring } from './rule-checks.ts';
import { lanesByRule } from './rule-reach.ts';
import type { Report } from './shape.ts';

/** A SubRip file is a `film`: it may go as texts or as a document. */
type TranslationKind = TranslatingLane | 'film';

type NeedingProject = Pick<Project, 'source' | 'targets' | 'locales' | 'rules' | 'convertible'>;

/** What is known of the service and of the files of a project. */
export interface KnownSupport {
  readonly capabilities: Capabilities;
  /** Capabilities of the deployment (`service.capabilities`). */
  readonly deployment: readonly string[];
  /** Whether the glossary of the project has terms for a language. Absent: it may have them for every language. */
  readonly hasTerms?: (language: LanguageTag) => boolean;
}

/** A target language for which the service lacks something that the config needs. Only jobs into this language fail. */
export interface LackingLanguage {
  readonly language: LanguageTag;
  readonly what: string;
  readonly advice: string;
}

/** Reports what the service lacks for the source or for all targets: then nothing can be done. @param report paths are relative to the project */
export function checkLanguages(project: Project, known: KnownSupport, report: Report): void {
  for (const demand of demandsOf(project, known)) {
    const { ofSource, setting, words, advice } = demand;
    if (ofSource !== undefined) report(ofSource.setting, ofSource.what);
    const lacking = project.targets.filter((target) => isLacking(demand, project, target));
    if (lacking.length < project.targets.length) continue;
    const bySetting = Map.groupBy(lacking, (target) => setting(target).join('\n'));
    for (const languages of bySetting.values()) {
      const [first] = languages;
      if (first === undefined) continue;
      const what = words(languages);
      report(setting(first), advice === undefined ? what : `${what}; ${advice}`);
    }
  }
}

/** The target languages for which the service lacks something. */
export function lackingLanguages(project: Project, known: KnownSupport): LackingLanguage[] {
  return demandsOf(project, known).flatMap((demand) =>
    project.targets
      .filter((target) => isLacking(demand, project, target))
      .map((target) => lackingLanguage(demand, target)),
  );
}

/** A job, by what the service has to have for it. */
export interface DemandingJob {
  readonly project: NeedingProject;
  readonly language: LanguageTag;
  readonly lane: Lane;
}

/** What the service lacks for a job; undefined: nothing, or it was not asked. */
export function lackOfJob(
  { project, language, lane }: DemandingJob,
  known: KnownSupport,
): LackingLanguage | undefined {
  const demands = [
    ...translationInto(TRANSLATION[lane], project, known),
    ...featuresOf(project, known).filter(({ lanes }) => lanes.includes(lane)),
  ];
  for (const demand of demands) {
    const lacking = lackingLanguage(demand, language);
    if (isLacking(demand, project, language)) return lacking;
    if (demand.ofSource !== undefined && isNeededIn(demand, project, language)) {
      return { ...lacking, what: demand.ofSource.what };
    }
  }
  return undefined;
}

const TRANSLATION: Readonly<Record<Lane, TranslatingLane>> = {
  text: 'text',
  subtitle: 'text',
  document: 'document',
  voice: 'voice',
};

/** Something that the service must have for each target language of a project. */
interface Demand {
  /** The setting that asks for it. */
  readonly setting: (language: LanguageTag) => SettingPath;
  /** The languages that need it. Variants of the source go to text improvement, all others to translation. */
  readonly of: 'translated' | 'variants';
  readonly has: (language: LanguageTag) => boolean;
  readonly words: (languages: readonly LanguageTag[]) => string;
  /** What to do; absent: only to take the language out of the config. */
  readonly advice?: string;
  /** Present: the service lacks it for the source. */
  readonly ofSource?: { readonly setting: SettingPath; readonly what: string };
}

interface FeatureDemand extends Demand {
  /** The lanes whose requests use the feature. */
  readonly lanes: readonly Lane[];
}

function isNeededIn(
  { of }: Demand,
  { source }: Pick<Project, 'source'>,
  language: LanguageTag,
): boolean {
  return (of === 'variants') === (source !== 'auto' && sameLanguage(source, language));
}

function isLacking(demand: Demand, project: NeedingProject, language: LanguageTag): boolean {
  return isNeededIn(demand, project, language) && !demand.has(language);
}

function lackingLanguage({ words, advice }: Demand, language: LanguageTag): LackingLanguage {
  const first = advice ?? `take ${language} out of "targets"`;
  const again = '"dragoman check --online" asks the service again';
  return { language, what: words([language]), advice: `${first}; ${again}` };
}

function demandsOf(project: Project, known: KnownSupport): Demand[] {
  const kinds = [...kindsOf(project)];
  return [
    ...kinds.flatMap((kind) => translationInto(kind, project, known)),
    ...featuresOf(project, known),
  ];
}

const WHAT: Readonly<Record<TranslationKind, string>> = {
  text: '',
  film: '',
  document: ' documents',
  voice: ' recordings',
};

/** @returns an empty list where the service was not asked */
function translationInto(
  kind: TranslationKind,
  { source, targets, locales }: NeedingProject,
  { capabilities }: KnownSupport,
): Demand[] {
  const ways = kind === 'film' ? (['text', 'document'] as const) : [kind];
  const known = ways.map((way) => capabilities.translations[way]);
  if (known.includes(undefined)) return [];
  const codeOf = (tag: LanguageTag) => locales.get(tag)?.api ?? targetCode(tag);
  const from = source === 'auto' ? undefined : (locales.get(source)?.api ?? sourceCode(source));
  const isUnknown =
    from !== undefined && !known.some((each) => each?.sources.has(from.toLowerCase()));
  const verb = `the service does not translate${WHAT[kind]}`;
  return [
    {
      setting: (language) => ['targets', targets.indexOf(language)],
      of: 'translated',
      has: (language) => known.some((each) => each?.targets.has(codeOf(language).toLowerCase())),
      words: (languages) => `${verb} into ${languages.map(codeOf).join(', ')}`,
      ...(isUnknown && { ofSource: { setting: ['source'], what: `${verb} from ${from}` } }),
    },
  ];
}

/** The features that the rules of a project use. */
function featuresOf(project: NeedingProject, known: KnownSupport): FeatureDemand[] {
  const { rules, locales } = project;
  const supports = (feature: LanguageFeature) => (tag: LanguageTag) =>
    supportsFeature(known.capabilities, feature, {
      tag,
      code: locales.get(tag)?.api ?? targetCode(tag),
    });
  const lanes = lanesByRule(new Set(known.deployment));
  const translated = (rule: 'formality' | 'customInstructions' | 'style') =>
    ({ of: 'translated', lanes: lanes.get(rule) ?? [] }) as const;
  const demands: FeatureDemand[] = [];
  const { formality, customInstructions, styles } = rules;
  if (formality === 'more' || formality === 'less') {
    demands.push({
      ...translated('formality'),
      setting: () => ['formality'],
      has: supports('formality'),
      words: (languages) => `the service has no formality for ${languages.join(', ')}`,
      advice: preferring(formality),
    });
  }
  if (customInstructions.length > 0) {
    demands.push({
      ...translated('customInstructions'),
      setting: () => ['custom_instructions'],
      has: supports('custom_instructions'),
      words: (languages) => `the service takes no custom instructions for ${languages.join(', ')}`,
      advice: 'a project without "custom_instructions" needs none',
    });
  }
  if (styles.size > 0) {
    demands.push({
      ...translated('style'),
      setting: (language) => ['style', language],
      has: (language) => !styles.has(language) || supports('style')(language),
      words: noStyleRules,
      advice: 'take such a language out of "style"',
    });
  }
  return [...demands, ...mannersOf(project, known), ...glossaryOf(project, known)];
}

/** A message for people. */
export function noStyleRules(languages: readonly string[]): string {
  return `the service has no style rules for ${languages.join(', ')}`;
}

/**
 * docs/design/api.md, "Text improvement": values without prefer_ give 400 for other languages. For targets that are no variants of the
 * source, its texts are improved in the source language, which `checkRules` looks at.
 */
function mannersOf(
  { rules: { improve }, convertible }: NeedingProject,
  { capabilities }: KnownSupport,
): FeatureDemand[] {
  const manner = improve && mannerOf(improve);
  if (manner === undefined) return [];
  const { feature, value } = manner;
  return [
    {
      setting: () => ['improve', feature],
      of: 'variants',
      lanes: ['text', 'subtitle'],
      has: (language) =>
        !convertible.has(language) || supportsFeature(capabilities, feature, language),
      words: (languages) => noManner(feature, languages),
      advice: preferring(value),
    },
  ];
}

/** Any source with any target is a pair of a glossary (docs/design/api.md, "Languages"). Without terms, no request names the glossary. */
function glossaryOf(
  { source, rules, targets }: NeedingProject,
  { capabilities, deployment, hasTerms = () => true }: KnownSupport,
): FeatureDemand[] {
  if (rules.glossary === undefined || source === 'auto') return [];
  const setting = ['glossary'];
  const words = (languages: readonly LanguageTag[]) =>
    `the service has no glossaries for ${languages.join(', ')}`;
  const isUnknown = !supportsFeature(capabilities, 'glossary', source) && targets.some(hasTerms);
  return [
    {
      setting: () => setting,
      of: 'translated',
      lanes: lanesByRule(new Set(deployment)).get('glossary') ?? [],
      has: (language) => !hasTerms(language) || supportsFeature(capabilities, 'glossary', language),
      words,
      advice: 'a project without "glossary" needs none',
      ...(isUnknown && { ofSource: { setting, what: words([source]) } }),
    },
  ];
}

/** The kinds of translation that all routes need. A route whose pattern does not decide the lane counts as text. */
function kindsOf({ routes }: Project): ReadonlySet<TranslationKind> {
  return new Set(
    routes.flatMap((route) =>
      [...(lanesOf(route) ?? (['text'] as const))].map((lane) => translationKindOf(lane, route)),
    ),
  );
}

function translationKindOf(lane: Lane, route: Route): TranslationKind {
  switch (lane) {
    case 'text':
      return 'text';
    case 'subtitle':
      return isSubRip(route) ? 'film' : 'text';
    case 'document':
    case 'voice':
      return lane;
  }
}

function isSubRip({ from, to }: Route): boolean {
  const written = typeof to === 'string' && !to.endsWith('{ext}') ? [to] : [];
  return [...expandBraces(from), ...written].every((path) => /\.srt$/i.test(path));
}
