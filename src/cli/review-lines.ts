/** The progress of reviews as lines for people, and its effect on an exit code. */
import type { Control, Scope } from '../control/control.ts';
import type { ReviewCounts, ReviewProgress } from '../control/review-report.ts';
import { plural } from '../language.ts';
import { REVIEW_STATES } from '../segments/review.ts';

export function countLine(counts: ReviewCounts): string {
  const named = REVIEW_STATES.filter((state) => counts[state] > 0);
  if (named.length === 0) return 'No texts.';
  return `${named.map((state) => `${counts[state]} ${state}`).join(', ')}.`;
}

/** One line for each language. */
export function progressLines(progress: readonly ReviewProgress[]): string[] {
  return progress.map(
    ({ project, language, counts }) => `review: ${project} ${language}: ${countLine(counts)}`,
  );
}

/** Texts that wait for a reviewer, in routes whose `checks.unreviewed` is not off. */
export interface Unreviewed {
  /** The number of texts for each project and language. */
  readonly unreviewed: readonly { project: string; language: string; texts: number }[];
  /** A line for people; undefined when there are no such texts. */
  readonly line: string | undefined;
  /** `checks.unreviewed` is `hold`: a command that would end with 0 ends with 2. */
  readonly holds: boolean;
}

export async function unreviewedIn(control: Control, scope: Scope): Promise<Unreviewed> {
  const waiting = (await control.reviewProgress(scope)).filter(({ asked }) => asked > 0);
  const unreviewed = waiting.map(({ project, language, asked }) => ({
    ...{ project, language },
    texts: asked,
  }));
  const sum = unreviewed.reduce((total, { texts }) => total + texts, 0);
  const languages = [...new Set(unreviewed.map(({ language }) => language))].join(' ');
  const line = `${plural(sum, 'text')} not reviewed (${languages}): "dragoman review list" names them`;
  const holds = waiting.some(({ check }) => check === 'hold');
  return { unreviewed, line: sum === 0 ? undefined : line, holds };
}
