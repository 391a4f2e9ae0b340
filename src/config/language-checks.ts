/** Checks that the service translates between the languages of a project, in every lane of its routes. Pure. */

import type { Lane } from '../job.ts';
import { type LanguageTag, sameLanguage, sourceCode, targetCode } from '../language.ts';
import type { Project, Route } from '../project.ts';
import { expandBraces } from '../routes/braces.ts';
import { lanesOf } from '../routes/lanes.ts';
import { type Capabilities, hasGlossaries, type TranslatingLane } from './capabilities.ts';
import type { Report } from './shape.ts';

/** The kind of translation that a route needs from the service. A `film` is a SubRip file: it may go as texts or as a document. */
type Demand = TranslatingLane | 'film';

/** Reports nothing where the service was not asked. @param report paths are relative to the project */
export function checkLanguages(project: Project, capabilities: Capabilities, report: Report): void {
  for (const demand of demandsOf(project)) {
    checkTranslation(project, { capabilities, demand, report });
  }
  checkGlossary(project, capabilities, report);
}

/** A message for people: the service does not translate this. @param into language code as the API spells it */
export function lackWords(demand: Demand, into: string): string {
  return `the service does not translate${WHAT[demand]} into ${into}`;
}

/** A target language that the service lacks, or has no glossaries for, while it has other targets: only jobs into this language fail. */
export interface LackingLanguage {
  readonly language: LanguageTag;
  readonly what: string;
}

/** @returns an empty list where the service was not asked */
export function lackingLanguages(project: Project, capabilities: Capabilities): LackingLanguage[] {
  const untranslated = [...demandsOf(project)].flatMap((demand) => {
    const lacking = lackingOf(project, { capabilities, demand });
    return lacking.map(({ language, code }) => ({ language, what: lackWords(demand, code) }));
  });
  const without = languagesWithoutGlossary(project, capabilities);
  return [
    ...untranslated,
    ...without.map((language) => ({ language, what: lackOfGlossary([language]) })),
  ];
}

/** A message for people. */
export function lackOfGlossary(languages: readonly LanguageTag[]): string {
  return `the service has no glossaries for ${languages.join(', ')}; a project without "glossary" needs none`;
}

/** The targets of a project with a glossary for which the service has no glossaries; an empty list where it was not asked. */
export function languagesWithoutGlossary(
  { source, targets, rules }: Pick<Project, 'source' | 'targets' | 'rules'>,
  capabilities: Pick<Capabilities, 'glossaries'>,
): LanguageTag[] {
  if (rules.glossary === undefined || source === 'auto') return [];
  return targets.filter(
    (target) => !sameLanguage(source, target) && !hasGlossaries(capabilities, target),
  );
}

const WHAT: Readonly<Record<Demand, string>> = {
  text: '',
  film: '',
  document: ' documents',
  voice: ' recordings',
};

interface Question {
  readonly capabilities: Capabilities;
  readonly demand: Demand;
  readonly report: Report;
}

/** Reports a source that the service lacks, and targets when the service lacks all of them: then nothing can be done. */
function checkTranslation(project: Project, { capabilities, demand, report }: Question): void {
  const { source, targets, locales } = project;
  const known = waysOf(demand).map((way) => capabilities.translations[way]);
  if (known.includes(undefined)) return;
  if (source !== 'auto') {
    const code = locales.get(source)?.api ?? sourceCode(source);
    const isKnown = known.some((each) => each?.sources.has(code.toLowerCase()));
    if (!isKnown) {
      report(['source'], `the service does not translate${WHAT[demand]} from ${code}`);
    }
  }
  const lacking = lackingOf(project, { capabilities, demand });
  if (lacking.length < targets.length) return;
  for (const { index, code } of lacking) report(['targets', index], lackWords(demand, code));
}

/** The targets that the service lacks, with their index in config and their API code. */
function lackingOf(
  { source, targets, locales }: Project,
  { capabilities, demand }: Pick<Question, 'capabilities' | 'demand'>,
) {
  const known = waysOf(demand).map((way) => capabilities.translations[way]);
  if (known.includes(undefined)) return [];
  return (
    targets
      .map((language, index) => ({ language, index }))
      // Variants of the source go to text improvement.
      .filter(({ language }) => source === 'auto' || !sameLanguage(source, language))
      .map((each) => ({
        ...each,
        code: locales.get(each.language)?.api ?? targetCode(each.language),
      }))
      .filter(({ code }) => !known.some((each) => each?.targets.has(code.toLowerCase())))
  );
}

function waysOf(demand: Demand): readonly TranslatingLane[] {
  return demand === 'film' ? ['text', 'document'] : [demand];
}

/**
 * Reports a source that the service has no glossaries for, and targets when it has none for all of them. Any source with any target is a
 * pair of a glossary (docs/design/api.md, "Languages").
 */
function checkGlossary(project: Project, capabilities: Capabilities, report: Report): void {
  const { source, targets, rules } = project;
  if (rules.glossary === undefined || source === 'auto') return;
  const translated = targets.filter((target) => !sameLanguage(source, target));
  const without = languagesWithoutGlossary(project, capabilities);
  const missing = hasGlossaries(capabilities, source) ? [] : [source];
  if (without.length > 0 && without.length === translated.length) missing.push(...without);
  if (missing.length > 0) report(['glossary'], lackOfGlossary(missing), 'name');
}

/** The demands of all routes. A route whose pattern does not decide the lane counts as text. */
function demandsOf({ routes }: Project): ReadonlySet<Demand> {
  return new Set(
    routes.flatMap((route) =>
      [...(lanesOf(route) ?? (['text'] as const))].map((lane) => demandOf(lane, route)),
    ),
  );
}

function demandOf(lane: Lane, route: Route): Demand {
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
