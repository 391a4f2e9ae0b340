/** The progress of the review of each language, if the config asks for reviews. */
import type { Project } from '../../project.ts';
import type { Scope } from '../control.ts';
import type { ReviewProgress } from '../review-report.ts';
import { pairsIn } from './files.ts';
import { type ReviewTexts, sumOfCounts } from './texts.ts';

export async function reviewProgress(
  reviews: ReviewTexts,
  scope: Scope,
): Promise<readonly ReviewProgress[]> {
  const { options } = reviews;
  if (!options.inForce.config.projects.some(wantsReviews)) return [];
  if (options.condition.state === 'not running') await options.look();
  const pairs = [...pairsIn(options, scope)].filter(({ project }) => wantsReviews(project));
  const groups = Map.groupBy(pairs, ({ project, language }) => `${project.name}\n${language}`);
  const progress: ReviewProgress[] = [];
  for (const group of groups.values()) {
    const [first] = group;
    if (first === undefined) continue;
    const counts = [];
    for (const pair of group) counts.push((await reviews.counts(pair)) ?? []);
    const { project, language } = first;
    progress.push({
      project: project.name,
      language,
      check: project.policies.review.unreviewed,
      counts: sumOfCounts(counts.flat()),
    });
  }
  return progress;
}

/** Without reviews in the config, no file is read. */
export function wantsReviews({ policies: { review } }: Project): boolean {
  return review.want.size > 0 || review.unreviewed !== 'off';
}
