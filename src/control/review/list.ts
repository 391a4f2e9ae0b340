/** Lists the translations that need a person, text by text. */
import { append } from '../../parsing/append.ts';
import type { ReviewState } from '../../segments/review.ts';
import type { ReviewQuery } from '../control.ts';
import type { ReviewFile, ReviewReport } from '../review-report.ts';
import type { ReviewText } from '../review-text.ts';
import { pairsIn, targetPathOf } from './files.ts';
import { countStates, type ReviewTexts } from './texts.ts';

export async function reviewList(
  reviews: ReviewTexts,
  { scope, states }: ReviewQuery,
): Promise<ReviewReport> {
  const { options } = reviews;
  const lock = options.inForce.config.lock ?? null;
  if (options.condition.state === 'not running') await options.scan();
  const files: ReviewFile[] = [];
  const unreadable: ReviewReport['unreadable'][number][] = [];
  const all: ReviewText[] = [];
  for (const pair of pairsIn(options, scope)) {
    const read = await reviews.read(pair);
    const target = targetPathOf(pair);
    if (typeof read === 'string') {
      unreadable.push({ file: target, reason: read });
      continue;
    }
    append(all, read.texts);
    const texts = read.texts.filter(({ state }) => isAsked(state, states));
    if (texts.length === 0) continue;
    const { project, source, language } = pair;
    files.push({
      project: project.name,
      source: source.path,
      target,
      source_language: project.source,
      language,
      texts,
    });
  }
  return { lock, files, counts: countStates(all), unreadable };
}

function isAsked(state: ReviewState, states: readonly ReviewState[]): boolean {
  return states.length === 0 || states.includes(state);
}
