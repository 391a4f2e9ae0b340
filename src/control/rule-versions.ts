/** The glossary and style list of a recipe as they are now: names, ids on the service, versions of their files. */
import type { Project } from '../config.ts';
import type { LanguageTag } from '../language.ts';
import { keyOf } from '../sync/glossaries.ts';
import { styleKeyOf } from '../sync/styles.ts';
import type { TerminologyInForce } from '../sync/terminology-in-force.ts';
import { projectTerms, styleFor } from '../terminology/project-terms.ts';

export function ruleVersions(
  terminology: TerminologyInForce,
  project: Project,
  language: LanguageTag,
): Record<string, string> {
  return {
    ...glossaryOf(terminology, project, language),
    ...styleOf(terminology, project, language),
  };
}

function glossaryOf(
  { files, remote }: TerminologyInForce,
  project: Project,
  language: LanguageTag,
): Record<string, string> {
  const rule = project.rules.glossary;
  const loaded = rule === undefined || 'id' in rule ? undefined : files.glossaries.get(rule.name);
  if (loaded === undefined) return {};
  const { terms } = projectTerms(files, project, language);
  const id = remote.notes.read(keyOf(loaded))?.id ?? 'not on the service yet';
  const version = terms === undefined ? 'no terms for this language' : `version ${terms.version}`;
  return { glossary: `${loaded.name} (${id}, ${version})` };
}

function styleOf(
  { files, remote }: TerminologyInForce,
  project: Project,
  language: LanguageTag,
): Record<string, string> {
  const style = styleFor(files, project, language);
  if (style === undefined) return {};
  const id = remote.notes.read(styleKeyOf(style))?.id ?? 'not on the service yet';
  return { style: `${style.path} (${id}, version ${style.version})` };
}
