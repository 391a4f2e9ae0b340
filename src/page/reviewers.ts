/** Reviewers with a link. Their rights are looked up in the present links and config. */
import type { Config } from '../config.ts';
import { reviewerLanguages, reviewerOf } from '../control/review/links.ts';
import type { LanguageTag } from '../language.ts';
import type { ReviewLink, ReviewLinks } from '../state/review-links.ts';

/** A person who can read and edit texts of these languages, and nothing else. */
export interface Reviewer {
  readonly kind: 'reviewer';
  readonly name: string;
  readonly languages: readonly LanguageTag[];
  /** Milliseconds since the epoch. */
  readonly until: number;
  /** Id of the link. */
  readonly link: string;
}

export interface Reviewers {
  find(token: string): Reviewer | undefined;
  /** @param link id, as in `Reviewer` */
  of(link: string): Reviewer | undefined;
  /** Calls the listener when a link is made or revoked. @returns a function that ends the subscription */
  subscribe(listener: () => void): () => void;
}

/** @param inForce its config is read at each question */
export function reviewersOf(
  links: Pick<ReviewLinks, 'find' | 'named' | 'subscribe'>,
  inForce: { readonly config: Config },
): Reviewers {
  const reviewer = (link: ReviewLink | undefined): Reviewer | undefined => {
    if (link === undefined) return undefined;
    const settings = reviewerOf(inForce.config, link.name);
    if (settings === undefined) return undefined;
    return {
      ...{ kind: 'reviewer', name: link.name, link: link.hash },
      languages: reviewerLanguages(settings),
      until: Date.parse(link.expires),
    };
  };
  return {
    find: (token) => reviewer(links.find(token)),
    of: (link) => reviewer(links.named(link)),
    subscribe: (listener) => links.subscribe(listener),
  };
}
