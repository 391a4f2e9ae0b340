/** Which of a project's languages a lane writes. Pure. */

import type { Lane } from '../job.ts';
import { type LanguageTag, sameLanguage } from '../language.ts';
import type { Project } from '../project.ts';
import { convertsInto } from './capabilities.ts';

interface Languages {
  /** Variants of the source among them, where text improvement can convert into them. */
  readonly text: readonly LanguageTag[];
  readonly others: readonly LanguageTag[];
}

// Translating into a variant of the source language is billed and changes nothing (API document, rule 6).
const languages = new WeakMap<Project, Languages>();

export function languagesOf(project: Project, lane: Lane): readonly LanguageTag[] {
  const { text, others } = languagesOfLanes(project);
  return isBoughtByText(lane) ? text : others;
}

export function languagesOfLanes(project: Project): Languages {
  const known = languages.get(project) ?? chosenLanguages(project);
  languages.set(project, known);
  return known;
}

/** Variants of the source that neither translation nor text improvement writes. */
export function unwrittenVariants(project: Project): readonly LanguageTag[] {
  const { text } = languagesOfLanes(project);
  return project.targets.filter((target) => !text.includes(target));
}

function chosenLanguages(project: Project): Languages {
  const { source, targets } = project;
  if (source === 'auto') return { text: targets, others: targets };
  const others = targets.filter((target) => !sameLanguage(source, target));
  const text = targets.filter((target) => others.includes(target) || convertsInto(project, target));
  return { text, others };
}

/** Strings and speech are bought text by text; documents and recordings whole. */
export function isBoughtByText(lane: Lane): boolean {
  return lane === 'text' || lane === 'subtitle';
}
