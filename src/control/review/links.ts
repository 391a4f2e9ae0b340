/** Links for people who review some languages: creates, lists and revokes them. `page/` checks them with every request. */
import type { Config, ReviewerSettings } from '../../config.ts';
import { JobFailure } from '../../failure.ts';
import { type LanguageTag, parseLanguage } from '../../language.ts';
import { didYouMean } from '../../routes/suggest.ts';
import type { ReviewLinksRequest } from '../control.ts';
import type { LocalControlOptions } from '../options.ts';
import type { ReviewLinkLine, ReviewLinksReport } from '../review-report.ts';

type PageConfig = Exclude<Config['page'], false>;

/** @throws JobFailure `unsupported` for a name that the config does not have, and where no page is served */
export async function reviewLinks(
  options: LocalControlOptions,
  request: ReviewLinksRequest,
): Promise<ReviewLinksReport> {
  const { links } = options;
  const listed = () => linkLines(options);
  switch (request.act) {
    case 'list':
      return { links: listed(), address: null, revoked: 0 };
    case 'revoke': {
      const revoked = await links.revoke(request.name);
      return { links: listed(), address: null, revoked };
    }
    case 'make': {
      const page = pageWith(options.inForce.config, request.name);
      const { token } = await links.make(request);
      const origin = originOf(page, options.condition.page);
      return { links: listed(), address: `${origin}/#token=${token}`, revoked: 0 };
    }
  }
}

function linkLines({ links, inForce }: LocalControlOptions): ReviewLinkLine[] {
  return links.list().map(({ name, made, expires }) => {
    const languages = reviewerLanguages(reviewerOf(inForce.config, name));
    return { name, languages, made, expires };
  });
}

/** The present config of a reviewer; undefined: the config does not name this person. */
export function reviewerOf({ page }: Config, name: string): ReviewerSettings | undefined {
  return page === false ? undefined : page.reviewers.find((each) => each.name === name);
}

export function reviewerLanguages(reviewer: ReviewerSettings | undefined): LanguageTag[] {
  return reviewer?.languages.flatMap((code) => parseLanguage(code) ?? []) ?? [];
}

function pageWith(config: Config, name: string): PageConfig {
  const { page } = config;
  if (page === false) {
    throw new JobFailure({
      kind: 'unsupported',
      what: 'the config says "page: false", and a link opens the page',
      advice: 'Take that line out of dragoman.yaml.',
    });
  }
  if (reviewerOf(config, name) !== undefined) return page;
  const names = page.reviewers.map((each) => each.name);
  throw new JobFailure({
    kind: 'unsupported',
    what: `page.reviewers has no "${name}"${didYouMean(name, names)}`,
    advice: `Add { name: ${name}, languages: […] } to page.reviewers in dragoman.yaml.`,
  });
}

/**
 * The address of the page for people elsewhere; a proxy with TLS is expected before every host except this machine. @param served
 * address with the owner's token, when a daemon serves the page
 */
function originOf({ host, port, allowedHosts }: PageConfig, served: string | null): string {
  const [allowed] = allowedHosts;
  if (allowed !== undefined) return `https://${allowed}`;
  if (served !== null) return new URL(served).origin;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
