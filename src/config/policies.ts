/** Policies: the built-in defaults, and how `defaults`, a project and a route override them. */
import { parseLanguage } from '../language.ts';
import type { Policies, PolicySettings } from '../project.ts';

export const DEFAULT_POLICIES: Policies = {
  settleMs: 2000,
  settleIsExplicit: false,
  existing: 'adopt',
  humanEdits: 'conflict',
  deletedSource: 'trash',
  retranslateOn: new Set(['source']),
  checks: { placeholders: 'hold', tags: 'hold', length: 'warn', untranslated: 'warn' },
  review: { want: new Set(), unreviewed: 'off' },
};

/** @returns the policies, with each given setting in place of the old value */
export function overridePolicies(policies: Policies, settings: PolicySettings): Policies {
  const { unreviewed: _, ...checks } = settings.checks ?? {};
  return {
    settleMs: settings.settleMs ?? policies.settleMs,
    settleIsExplicit: settings.settleMs !== undefined || policies.settleIsExplicit,
    existing: settings.existing ?? policies.existing,
    humanEdits: settings.humanEdits ?? policies.humanEdits,
    deletedSource: settings.deletedSource ?? policies.deletedSource,
    retranslateOn: settings.retranslateOn ?? policies.retranslateOn,
    checks: { ...policies.checks, ...checks },
    review: overrideReview(policies.review, settings),
  };
}

function overrideReview(
  known: Policies['review'],
  { review, checks }: PolicySettings,
): Policies['review'] {
  const languages = review?.languages?.flatMap((code) => parseLanguage(code) ?? []);
  return {
    ...known,
    ...(review?.want === undefined ? {} : { want: review.want }),
    ...(languages === undefined ? {} : { languages }),
    unreviewed: checks?.unreviewed ?? known.unreviewed,
  };
}
