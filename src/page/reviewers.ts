/** Who comes with a link: what they may see is looked up in links and config as they are now. */
import type { Config } from '../config.ts';
import { languagesOf, reviewerOf } from '../control/review/links.ts';
import type { LanguageTag } from '../language.ts';
import type { ReviewLink, ReviewLinks } from '../state/review-links.ts';

/** They read and edit texts of these languages, and nothing else. */
export interface Reviewer {
  readonly kind: 'reviewer';
  readonly name: string;
  readonly languages: readonly LanguageTag[];
  /** Milliseconds since the epoch. */
  readonly until: number;
  /** Names the link. */
  readonly link: string;
}

export interface Reviewers {
  find(token: string): Reviewer | undefined;
  /** @param link as `Reviewer` names it */
  of(link: string): Reviewer | undefined;
  /** Hears when a link was made or revoked. @returns what ends that */
  subscribe(listener: () => void): () => void;
}

/** @param config as it is in force now */
export function reviewersOf(
  links: Pick<ReviewLinks, 'find' | 'named' | 'subscribe'>,
  config: () => Config,
): Reviewers {
  const reviewer = (link: ReviewLink | undefined): Reviewer | undefined => {
    if (link === undefined) return undefined;
    const settings = reviewerOf(config(), link.name);
    if (settings === undefined) return undefined;
    return {
      ...{ kind: 'reviewer', name: link.name, link: link.hash },
      languages: languagesOf(settings),
      until: Date.parse(link.expires),
    };
  };
  return {
    find: (token) => reviewer(links.find(token)),
    of: (link) => reviewer(links.named(link)),
    subscribe: (listener) => links.subscribe(listener),
  };
}
