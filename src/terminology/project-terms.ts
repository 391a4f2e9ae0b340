/** The terminology of a config: its glossaries and style lists, as its files held them when they were read. */
import type { Fault } from '../config/fault.ts';
import type { Fingerprint } from '../job.ts';
import { baseLanguage, type LanguageTag } from '../language.ts';
import type { Policies, Project } from '../project.ts';
import type { LoadedGlossary, Terms } from './load-glossaries.ts';
import type { LoadedStyle } from './load-styles.ts';

/** The glossary and style files in force. */
export interface FilesInForce {
  readonly files: Terminology;
}

export interface Terminology {
  /** By name. */
  readonly glossaries: ReadonlyMap<string, LoadedGlossary>;
  /** By absolute file. */
  readonly styles: ReadonlyMap<string, LoadedStyle>;
  /** Faults because of which a file is not used. */
  readonly faults: readonly Fault[];
  /** Warnings: rules that the catalogue does not have. */
  readonly warnings: readonly Fault[];
  /** Notes about rows that are left out, with the reason. */
  readonly notes: readonly Fault[];
  /** A hash: equal for equal contents of all files. */
  readonly version: string;
}

/** The terms of one project in one language. */
export interface ProjectTerms {
  readonly terms?: Terms;
  /** Version of the style list. */
  readonly style?: string;
  /** Those whose file has a fault: what they held before is not known. Absent: none. */
  readonly faulty?: readonly TermsKind[];
}

/** As `retranslate_on` names them. */
type TermsKind = 'glossary' | 'style';

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
  const hasFault = (each: LoadedGlossary | LoadedStyle | undefined) =>
    each !== undefined && each.faults.length > 0;
  const faulty: readonly TermsKind[] = [
    ...(hasFault(loaded) ? (['glossary'] as const) : []),
    ...(hasFault(style) ? (['style'] as const) : []),
  ];
  return {
    ...(terms === undefined ? {} : { terms }),
    ...(style === undefined ? {} : { style: style.version }),
    ...(faulty.length === 0 ? {} : { faulty }),
  };
}

/** The style list of a project for a language; undefined also when the config names one by its id. */
export function styleFor(
  { styles }: Terminology,
  { rules }: Project,
  language: LanguageTag,
): LoadedStyle | undefined {
  const rule = rules.styles.get(language) ?? rules.styles.get(baseLanguage(language));
  return rule === undefined || 'id' in rule ? undefined : styles.get(rule.file);
}

/** Whether terms are a part of fingerprints. */
export function watchesTerms({ retranslateOn }: Policies): boolean {
  return retranslateOn.has('glossary') || retranslateOn.has('style');
}

/**
 * The part of a job's fingerprint for terms: a change of it makes the job new. Empty unless `retranslate_on` names `glossary` or `style`.
 * @param before the fingerprint of the job until now: a file with a fault changes nothing in it
 */
export function termsDigest(
  { terms, style, faulty = [] }: ProjectTerms,
  { retranslateOn }: Policies,
  before: Fingerprint | undefined,
): string {
  const [, glossaryBefore, styleBefore] = DIGESTS.exec(before ?? '') ?? [];
  const part = (kind: TermsKind, version: string | undefined, earlier: string | undefined) => {
    if (!retranslateOn.has(kind)) return '';
    if (faulty.includes(kind)) return earlier ?? '';
    return version ? `${kind[0]}${version.slice(0, 8)}` : '';
  };
  const glossary = part('glossary', terms?.version, glossaryBefore);
  return `${glossary}${part('style', style, styleBefore)}`;
}

/** What `termsDigest` returned, in a fingerprint. */
const DIGESTS = /-(g[0-9a-f]{8})?(s[0-9a-f]{8})?/;

/** All files of the terminology (absolute), also those that do not exist. */
export function terminologyFiles({ glossaries, styles }: Terminology): string[] {
  const files = [...glossaries.values()].flatMap((each) => each.files.map(({ path }) => path));
  return [...new Set([...files, ...styles.keys()])];
}
