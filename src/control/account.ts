/** The account's own figures, asked of the service. */

import { describeFailure, failureOf } from '../failure.ts';
import { NO_LIMIT, type Usage } from '../service/account.ts';
import type { LocalControlOptions } from './options.ts';
import type { AccountUsage } from './usage.ts';

/** @returns null with the reason when the service does not answer */
export async function askAccount({
  service,
}: Pick<LocalControlOptions, 'service'>): Promise<{ account: AccountUsage | null; note?: string }> {
  try {
    return { account: figuresOf(await service.account.usage()) };
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
