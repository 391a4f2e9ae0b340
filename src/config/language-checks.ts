/** Whether the service translates between the languages of a project, in every lane of its routes, as it said itself. Pure. */
import type { Capabilities, Translation } from '../capabilities.ts';
import type { Project } from '../config.ts';
import type { Lane } from '../job.ts';
import {
  baseLanguage,
  type LanguageTag,
  sameLanguage,
  sourceCode,
  targetCode,
} from '../language.ts';
import { lanesOf } from '../route/lanes.ts';
import type { Report } from './shape.ts';

/** Nothing is reported where the service was not asked. @param report paths are relative to the project */
export function checkLanguages(project: Project, capabilities: Capabilities, report: Report): void {
  for (const translation of translationsOf(project)) {
    checkTranslation(project, { capabilities, translation, report });
  }
  checkGlossary(project, capabilities, report);
}

const WHAT: Readonly<Record<Translation, string>> = {
  text: '',
  document: ' documents',
  voice: ' recordings',
};

interface Question {
  readonly capabilities: Capabilities;
  readonly translation: Translation;
  readonly report: Report;
}

function checkTranslation(
  { source, targets, locales }: Project,
  { capabilities, translation, report }: Question,
): void {
  const known = capabilities.translations[translation];
  if (known === undefined) return;
  const what = `the service does not translate${WHAT[translation]}`;
  if (source !== 'auto') {
    const code = locales.get(source)?.api ?? sourceCode(source);
    if (!known.sources.has(code.toLowerCase())) report(['source'], `${what} from ${code}`);
  }
  for (const [index, target] of targets.entries()) {
    // Variants of the source go to text improvement.
    if (source !== 'auto' && sameLanguage(source, target)) continue;
    const code = locales.get(target)?.api ?? targetCode(target);
    if (!known.targets.has(code.toLowerCase())) report(['targets', index], `${what} into ${code}`);
  }
}

/** Any source with any target is a pair (API document, "Languages"); dictionaries carry base codes. */
function checkGlossary(
  { source, targets, rules }: Project,
  { glossaries }: Capabilities,
  report: Report,
): void {
  if (rules.glossary === undefined || glossaries === undefined || source === 'auto') return;
  const own = targets.filter((target) => !sameLanguage(source, target));
  const isMissing = (tag: LanguageTag) => !glossaries.has(baseLanguage(tag).toLowerCase());
  const without = [source, ...own].filter(isMissing);
  if (without.length === 0) return;
  report(['glossary'], `the service has no glossaries for ${without.join(', ')}`, 'name');
}

/** Where a pattern leaves the lane open, texts are what is likely. */
function translationsOf({ routes }: Project): ReadonlySet<Translation> {
  const lanes = routes.flatMap((route) => [...(lanesOf(route) ?? (['text'] as const))]);
  return new Set(lanes.map(translationOf));
}

function translationOf(lane: Lane): Translation {
  switch (lane) {
    case 'text':
    case 'subtitle':
      return 'text';
    case 'document':
    case 'voice':
      return lane;
  }
}
