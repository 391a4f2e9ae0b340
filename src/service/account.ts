/** Usage and quota: `GET /v2/usage` (docs/design/api.md, "Usage and administration"). */
import * as z from 'zod';
import { jsonAnswer } from './answer.ts';
import type { Ask, CallOptions } from './call.ts';
import type { HttpAnswer } from './http.ts';

/** The number that means "no limit", for account and key. */
export const NO_LIMIT = 1_000_000_000_000;

const Count = z.int().nonnegative();

const Usage = z.object({
  character_count: Count,
  character_limit: Count,
  products: z
    .array(
      z.object({
        product_type: z.string(),
        character_count: Count,
        api_key_character_count: Count.optional(),
      }),
    )
    .optional(),
  api_key_character_count: Count.optional(),
  api_key_character_limit: Count.optional(),
  start_time: z.string().optional(),
  end_time: z.string().optional(),
});

/**
 * Characters (Unicode code points) of the billing period. Free and classic accounts get only `character_count` and `character_limit`. The
 * figures are late and move in steps: use them as a check, not as the bill (docs/design/api.md, "What is not documented").
 */
export type Usage = z.infer<typeof Usage>;

export const readUsage = jsonAnswer(Usage);

export interface AccountResource {
  /** Asks for the usage. This also works while paid work is stopped. */
  usage(options?: CallOptions): Promise<Usage>;
  /** The usage and the answer's `Date` header (RFC 9110, 6.6.1), to compare clocks: the time windows of voice jobs depend on the clock. */
  inspect(options?: CallOptions): Promise<Inspection>;
}

export interface Inspection {
  readonly usage: Usage;
  /** Milliseconds since the epoch, whole seconds; absent when the service does not say. */
  readonly serverTime?: number;
}

const USAGE = { operation: 'GET /v2/usage', traffic: 'control', repeat: 'safe' } as const;

export function accountResource(ask: Ask): AccountResource {
  return {
    usage: (options) => ask({ ...USAGE, read: readUsage }, options),
    inspect: (options) => ask({ ...USAGE, read: readInspection }, options),
  };
}

async function readInspection(answer: HttpAnswer): Promise<Inspection> {
  const usage = await readUsage(answer);
  const serverTime = Date.parse(answer.header('date') ?? '');
  return { usage, ...(Number.isNaN(serverTime) ? {} : { serverTime }) };
}

/** Whether account and key may still translate at least one character. */
export function hasQuotaLeft(usage: Usage): boolean {
  const { api_key_character_count: count = 0, api_key_character_limit: limit = NO_LIMIT } = usage;
  return isBelow(usage.character_count, usage.character_limit) && isBelow(count, limit);
}

function isBelow(count: number, limit: number): boolean {
  return limit >= NO_LIMIT || count < limit;
}
