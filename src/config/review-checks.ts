/** Checks the settings about reviews and reviewers. */
import type { HeadSettings } from '../config.ts';
import type { PolicySettings, Project } from '../project.ts';
import { readLanguage } from './languages.ts';
import type { Report } from './shape.ts';

export interface ReviewChecks {
  readonly project: Project;
  /** The policies as the file has them, before defaults. */
  readonly settings: PolicySettings;
  readonly head: HeadSettings | undefined;
  /** Paths are relative to the project. */
  readonly report: Report;
}

/** A review needs the lock file: the lock records who made a text and who reviewed it. */
export function checkReview({ project, settings, head, report }: ReviewChecks): void {
  for (const [index, code] of (settings.review?.languages ?? []).entries()) {
    const path = ['review', 'languages', index];
    const tag = readLanguage(code, { path, report });
    if (tag !== undefined && !project.targets.includes(tag)) {
      report(path, `${code} is no target of this project`, 'name');
    }
  }
  if (head === undefined || head.lock !== undefined) return;
  const isAsked = [project, ...project.routes].some(
    ({ policies: { review } }) => review.want.size > 0 || review.unreviewed !== 'off',
  );
  if (!isAsked) return;
  report(
    settings.review === undefined ? [] : ['review'],
    'a review needs the lock of the team: add "lock: dragoman.lock" to the config',
  );
}

/** The languages of a review in `defaults`. */
export function checkDefaultReview({ review }: PolicySettings, report: Report): void {
  for (const [index, code] of (review?.languages ?? []).entries()) {
    readLanguage(code, { path: ['review', 'languages', index], report });
  }
}

/** The reviewers of the page: each name once, each language a target of some project. */
export function checkReviewers(
  { page, lock }: Pick<HeadSettings, 'page' | 'lock'>,
  { projects, report }: { readonly projects: readonly Project[]; readonly report: Report },
): void {
  const reviewers = page === false ? [] : page.reviewers;
  const targets = new Set(projects.flatMap((project) => project.targets));
  for (const [index, { name, languages }] of reviewers.entries()) {
    const path = ['page', 'reviewers', index];
    if (reviewers.findIndex((other) => other.name === name) < index) {
      report([...path, 'name'], `"${name}" appears twice: the name identifies the link`);
    }
    for (const [at, code] of languages.entries()) {
      const place = [...path, 'languages', at];
      const tag = readLanguage(code, { path: place, report });
      if (tag !== undefined && !targets.has(tag)) {
        report(place, `${code} is a target of no project`);
      }
    }
  }
  if (reviewers.length === 0 || lock !== undefined) return;
  report(
    ['page', 'reviewers'],
    'a review needs the lock of the team: add "lock: dragoman.lock" to the config',
  );
}
