/** The account's figures, as the service reports them, and how much of its limits is used. */

import { describeFailure, failureOf } from '../failure.ts';
import { inEnglish } from '../language.ts';
import { NEARLY_USED } from '../plan/budget.ts';
import { NO_LIMIT, type Usage } from '../service/account.ts';
import type { CallOptions } from '../service/call.ts';
import type { Service } from '../service/client.ts';
import type { AccountUsage } from './usage.ts';

/** @returns null with the reason when the service does not answer */
export async function askAccount(
  { service }: { readonly service: Pick<Service, 'account'> },
  options?: CallOptions,
): Promise<{ account: AccountUsage | null; note?: string }> {
  try {
    return { account: figuresOf(await service.account.usage(options)) };
  } catch (error) {
    const reason = describeFailure(failureOf(error));
    return { account: null, note: `the account could not be asked: ${reason}` };
  }
}

function figuresOf(usage: Usage): AccountUsage {
  const { character_count, character_limit, start_time, end_time } = usage;
  const { api_key_character_count: ofKey, api_key_character_limit: keyLimit } = usage;
  return {
    character_count,
    character_limit: character_limit === NO_LIMIT ? null : character_limit,
    ...(ofKey === undefined ? {} : { key_character_count: ofKey }),
    ...(keyLimit === undefined || keyLimit === NO_LIMIT ? {} : { key_character_limit: keyLimit }),
    ...(start_time === undefined ? {} : { start_time }),
    ...(end_time === undefined ? {} : { end_time }),
  };
}

/** How much of a limit is used. The service warns at 80 and at 100 % (docs/design/api.md, "Limits"). */
export interface LimitStatus {
  readonly scope: 'account' | 'key';
  readonly used: number;
  readonly limit: number;
}

const WARN_AT = [1, NEARLY_USED] as const;

/** @returns limits that have reached 80 or 100 % since `before` */
export function crossedLimits(
  before: AccountUsage | null,
  account: AccountUsage | null,
): LimitStatus[] {
  const known = new Map(limitsOf(before).map(({ scope, used, limit }) => [scope, used / limit]));
  return limitsOf(account).filter(({ scope, used, limit }) =>
    WARN_AT.some((share) => (known.get(scope) ?? 0) < share && used / limit >= share),
  );
}

/** One sentence for each limit that is nearly used up. */
export function limitNotes(account: AccountUsage | null): string[] {
  return crossedLimits(null, account).map(describeLimit);
}

export function describeLimit({ scope, used, limit }: LimitStatus): string {
  const share = Math.floor((100 * used) / limit);
  return `${share} % of the ${scope}’s limit of ${inEnglish(limit)} characters is used`;
}

function limitsOf(account: AccountUsage | null): LimitStatus[] {
  if (account === null) return [];
  const { character_count, character_limit, key_character_count, key_character_limit } = account;
  const limits: { scope: LimitStatus['scope']; used: number; limit: number | null }[] = [
    { scope: 'account', used: character_count, limit: character_limit },
    { scope: 'key', used: key_character_count ?? 0, limit: key_character_limit ?? null },
  ];
  return limits.flatMap(({ limit, ...rest }) =>
    limit === null || limit === 0 ? [] : [{ ...rest, limit }],
  );
}
