/** Features per resource and language, as `/v3/languages` lists them. */
import { baseLanguage } from '../language.ts';
import {
  DETECTED_LANGUAGES,
  LANGUAGES,
  type Language,
  ONLY_DOCUMENTS,
  WITH_FORMALITY,
  WITH_STYLES,
  WITH_WRITING_STYLE,
  WITHOUT_GLOSSARY,
  WRITE_TARGETS,
} from './language-table.ts';

export const RESOURCE_NAMES = [
  'translate_text',
  'translate_document',
  'glossary',
  'voice',
  'write',
] as const;
export type ResourceName = (typeof RESOURCE_NAMES)[number];

interface ResourceFeature {
  readonly name: string;
  readonly on: readonly ResourceName[];
  readonly needs: 'source' | 'target' | 'both';
  readonly status?: 'beta';
  /** From a third-party provider: listed only with `include=external`. */
  readonly external?: true;
  supports(language: Language): boolean;
}

const TRANSLATION: readonly ResourceName[] = ['translate_text', 'translate_document'];

const FEATURES: readonly ResourceFeature[] = [
  {
    name: 'formality',
    on: TRANSLATION,
    needs: 'target',
    supports: ({ lang }) => WITH_FORMALITY.includes(lang),
  },
  { name: 'tag_handling', on: ['translate_text'], needs: 'both', supports: () => true },
  { name: 'glossary', on: TRANSLATION, needs: 'both', supports: hasGlossary },
  {
    name: 'style_rules',
    on: ['translate_text'],
    needs: 'target',
    supports: ({ lang }) => WITH_STYLES.includes(baseLanguage(lang)),
  },
  {
    name: 'auto_detection',
    on: [...TRANSLATION, 'voice'],
    needs: 'source',
    supports: ({ lang, source }) => source && DETECTED_LANGUAGES.includes(lang),
  },
  {
    name: 'glossary',
    on: ['voice'],
    needs: 'both',
    status: 'beta',
    external: true,
    supports: hasGlossary,
  },
  { name: 'writing_style', on: ['write'], needs: 'target', supports: hasWritingStyle },
  { name: 'tone', on: ['write'], needs: 'target', supports: hasWritingStyle },
];

export function isResourceName(name: string): name is ResourceName {
  return RESOURCE_NAMES.some((each) => each === name);
}

export function languagesOf(resource: ResourceName): readonly Language[] {
  switch (resource) {
    case 'translate_text':
      return LANGUAGES;
    case 'translate_document':
      return [...LANGUAGES, ...ONLY_DOCUMENTS];
    case 'voice':
      return LANGUAGES.filter((each) => each.status === 'stable');
    case 'glossary':
      return LANGUAGES.filter((each) => each.source && hasGlossary(each));
    case 'write':
      return LANGUAGES.filter((each) => WRITE_TARGETS.includes(each.lang)).map((each) => ({
        ...each,
        source: true,
      }));
  }
}

/** Features of one language: a key for each supported one. */
export function featuresFor(
  resource: ResourceName,
  language: Language,
  include: readonly string[],
): Readonly<Record<string, { status: string }>> {
  const supported = FEATURES.filter(
    (feature) =>
      feature.on.includes(resource) &&
      feature.supports(language) &&
      (feature.status !== 'beta' || include.includes('beta') || include.includes('external')) &&
      (feature.external === undefined || include.includes('external')),
  );
  return Object.fromEntries(supported.map((f) => [f.name, { status: f.status ?? 'stable' }]));
}

/** Features of a resource, with the flags of 22 April 2026 (docs/design/api.md, "Languages"). */
export function resourceFeatures(resource: ResourceName): unknown {
  return FEATURES.filter((feature) => feature.on.includes(resource)).map(({ name, needs }) => ({
    name,
    ...(needs !== 'target' && { needs_source_support: true }),
    ...(needs !== 'source' && { needs_target_support: true }),
  }));
}

function hasGlossary(language: Language): boolean {
  return language.status === 'stable' && !WITHOUT_GLOSSARY.includes(baseLanguage(language.lang));
}

function hasWritingStyle(language: Language): boolean {
  return WITH_WRITING_STYLE.includes(language.lang);
}
