/** `GET /v2/usage`: the usage and the limits of account and key in the current period. */
import {
  charactersIn,
  charactersOfAccount,
  periodAt,
  type UsagePeriod,
  usageOf,
} from './billing.ts';
import { type ApiKey, UNLIMITED } from './keyring.ts';
import { jsonReply, type Resource } from './resource.ts';
import type { UsageTally } from './tally.ts';

export const account: Resource = (world) => [
  {
    method: 'GET',
    path: '/v2/usage',
    answer: (call) => jsonReply(usage(call.key, periodAt(world.clock))),
  },
];

/** Free and classic plans get the short answer (docs/design/api.md, "Usage and administration"). */
function usage(key: ApiKey, period: UsagePeriod): unknown {
  const short = {
    character_count: charactersOfAccount(key.account, period),
    character_limit: key.account.character_limit,
  };
  if (key.account.plan !== 'paid') return short;
  const own = usageOf(key, period);
  return {
    ...short,
    products: [product('translate', key, period), product('write', key, period)],
    api_key_character_count: charactersIn(own),
    api_key_character_limit: key.limit ?? UNLIMITED,
    start_time: period.start,
    end_time: period.end,
  };
}

function product(product_type: 'translate' | 'write', key: ApiKey, period: UsagePeriod): unknown {
  const count = (tally: UsageTally) =>
    product_type === 'write' ? tally.write : tally.text + tally.document;
  return {
    product_type,
    api_key_character_count: count(usageOf(key, period)),
    character_count: key.account.keys.reduce((sum, each) => sum + count(usageOf(each, period)), 0),
  };
}
