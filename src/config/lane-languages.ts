/** Which target languages of a project a lane writes. Pure. */

import type { Lane } from '../job.ts';
import { type LanguageTag, sameLanguage } from '../language.ts';
import type { Project } from '../project.ts';
import { convertsInto } from './capabilities.ts';

interface TargetsByLane {
  /** The languages of the lanes text and subtitle: with the variants of the source that text improvement can convert into. */
  readonly text: readonly LanguageTag[];
  /** The languages of all other lanes: without variants of the source. */
  readonly others: readonly LanguageTag[];
}

// A translation into a variant of the source language is billed and changes nothing (docs/design/api.md, "Translation rules", 6).
const languages = new WeakMap<Project, TargetsByLane>();

export function laneLanguages(project: Project, lane: Lane): readonly LanguageTag[] {
  const { text, others } = languagesOfLanes(project);
  return isBoughtByText(lane) ? text : others;
}

export function languagesOfLanes(project: Project): TargetsByLane {
  const known = languages.get(project) ?? chosenLanguages(project);
  languages.set(project, known);
  return known;
}

/** Variants of the source that neither translation nor text improvement writes. */
export function unwrittenVariants(project: Project): readonly LanguageTag[] {
  const { text } = languagesOfLanes(project);
  return project.targets.filter((target) => !text.includes(target));
}

function chosenLanguages(project: Project): TargetsByLane {
  const { source, targets } = project;
  if (source === 'auto') return { text: targets, others: targets };
  const others = targets.filter((target) => !sameLanguage(source, target));
  const text = targets.filter((target) => others.includes(target) || convertsInto(project, target));
  return { text, others };
}

/** Whether the lane sends single texts. The other lanes send whole documents or recordings. */
export function isBoughtByText(lane: Lane): boolean {
  return lane === 'text' || lane === 'subtitle';
}
