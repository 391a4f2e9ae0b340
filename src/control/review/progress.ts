/** The progress of the review of each language, if the config asks for reviews. */
import type { Project } from '../../project.ts';
import type { Scope } from '../control.ts';
import type { ReviewCounts, ReviewProgress } from '../review-report.ts';
import { pairsIn } from './files.ts';
import { type ReviewTexts, sumOfCounts } from './texts.ts';

export async function reviewProgress(
  reviews: ReviewTexts,
  scope: Scope,
): Promise<readonly ReviewProgress[]> {
  const { options } = reviews;
  if (!options.inForce.config.projects.some(wantsReviews)) return [];
  if (options.condition.state === 'not running') await options.scan();
  const pairs = [...pairsIn(options, scope)].filter(({ project }) => wantsReviews(project));
  const groups = Map.groupBy(pairs, ({ project, language }) => `${project.name}\n${language}`);
  const progress: ReviewProgress[] = [];
  for (const group of groups.values()) {
    const [first] = group;
    if (first === undefined) continue;
    const files: CountedFile[] = [];
    for (const pair of group) {
      const counts = await reviews.counts(pair);
      if (counts !== undefined) {
        files.push({ check: pair.route.policies.review.unreviewed, counts });
      }
    }
    const { project, language } = first;
    progress.push({ project: project.name, language, ...progressOf(files) });
  }
  return progress;
}

interface CountedFile {
  /** The setting of its route. */
  readonly check: ReviewProgress['check'];
  readonly counts: ReviewCounts;
}

function progressOf(files: readonly CountedFile[]): Omit<ReviewProgress, 'project' | 'language'> {
  const waiting = files.filter(({ counts }) => counts.unreviewed > 0);
  const graver = (waiting.length > 0 ? waiting : files).map(({ check }) => check);
  return {
    check: (['hold', 'warn'] as const).find((check) => graver.includes(check)) ?? 'off',
    counts: sumOfCounts(files.map(({ counts }) => counts)),
    asked: waiting
      .filter(({ check }) => check !== 'off')
      .reduce((sum, { counts }) => sum + counts.unreviewed, 0),
  };
}

/** Without reviews in the config, no file is read. */
export function wantsReviews({ policies, routes }: Project): boolean {
  const all = [policies, ...routes.map((route) => route.policies)];
  return all.some(({ review }) => review.want.size > 0 || review.unreviewed !== 'off');
}
