/** Developer keys and analytics, with the admin key (docs/design/api.md, "Usage and administration"). */

import * as z from 'zod';
import { DAY_MS } from '../clock.ts';
import { JobFailure } from '../failure.ts';
import { jsonAnswer } from './answer.ts';
import type { Ask, Call, CallOptions } from './call.ts';
import { type Constraint, requireConstraints } from './constraint.ts';
import { requireShape } from './shape.ts';

const DeveloperKey = z.object({
  key_id: z.string(),
  label: z.string(),
  creation_time: z.string(),
  deactivated_time: z.string().nullish(),
  is_deactivated: z.boolean(),
  usage_limits: z.object({ characters: z.int().nonnegative().nullish() }).nullish(),
});
/** `usage_limits.characters`: per one-month period; 0 allows none, null means that there is no limit. `key_id`: two UUIDs joined by `:`. */
export type DeveloperKey = z.infer<typeof DeveloperKey>;

const Count = z.int().nonnegative();
const UsageFigures = z.object({
  total_characters: Count,
  text_translation_characters: Count,
  document_translation_characters: Count,
  text_improvement_characters: Count,
  speech_to_text_minutes: z.number().nonnegative(),
});
/** Unicode code points, and minutes of audio. */
export type UsageFigures = z.infer<typeof UsageFigures>;

/** Deployments write date-times in place of days; only the day is used. */
const Day = z.string().transform((text) => text.replace(/^(\d{4}-\d{2}-\d{2})T.*$/s, '$1'));

const KeyUsage = z.object({
  api_key: z.string(),
  api_key_label: z.string(),
  usage: UsageFigures,
});
const UsageReport = z.object({
  total_usage: UsageFigures,
  group_by: z.string().optional(),
  start_date: Day,
  end_date: Day,
  key_usages: z.array(KeyUsage).optional(),
  key_and_day_usages: z.array(KeyUsage.extend({ usage_date: Day })).optional(),
});
/** Dates are YYYY-MM-DD; `api_key` is masked. `key_usages` when grouped by key, `key_and_day_usages` by key and day, neither otherwise. */
export type UsageReport = z.infer<typeof UsageReport>;

export interface AnalyticsQuery {
  /** ISO 8601 date; both are required and belong to the report, which may have 366 days. */
  readonly start_date: string;
  readonly end_date: string;
  readonly group_by?: 'key' | 'key_and_day' | undefined;
}

/** Available only on the main address and with an admin key; otherwise every method throws `unsupported`. */
export interface KeysResource {
  /** At most 25 keys may be active. @throws JobFailure `unanswered` when the answer was lost: list the keys before trying again */
  create(
    key: { readonly label?: string | undefined },
    options?: CallOptions,
  ): Promise<DeveloperKey>;
  /** Active and deactivated keys. */
  list(options?: CallOptions): Promise<readonly DeveloperKey[]>;
  /** Permanent: the key stops at once and cannot be activated again. */
  deactivate(key_id: string, options?: CallOptions): Promise<DeveloperKey>;
  rename(key_id: string, label: string, options?: CallOptions): Promise<DeveloperKey>;
  /** @param characters per one-month period; 0 allows none, null removes the limit */
  limit(key_id: string, characters: number | null, options?: CallOptions): Promise<DeveloperKey>;
}

export interface AnalyticsResource {
  report(query: AnalyticsQuery, options?: CallOptions): Promise<UsageReport>;
}

const readKey = jsonAnswer(DeveloperKey);
const readKeys = jsonAnswer(z.array(DeveloperKey));
const readReport = jsonAnswer(z.object({ usage_report: UsageReport }));

type AdminCall<T> = Pick<Call<T>, 'operation' | 'query' | 'json' | 'read'>;

function askAdmin<T>(ask: Ask, call: AdminCall<T>, options?: CallOptions): Promise<T> {
  const repeat = call.operation.startsWith('POST') ? 'once' : 'safe';
  return ask<T>(
    {
      ...call,
      auth: { kind: 'admin' },
      traffic: 'control',
      repeat,
      onRefusal({ status, operation, traceId }) {
        if (status !== 404 || operation.includes('/developer-keys/')) return undefined;
        throw noAdministration(traceId);
      },
    },
    options,
  );
}

export function keysResource(ask: Ask): KeysResource {
  const put = (
    path: 'deactivate' | 'label' | 'limits',
    json: ApiKeyChange,
    options?: CallOptions,
  ) => {
    const operation = `PUT /v2/admin/developer-keys/${path}` as const;
    requireShape(json, { operation, shape: KEY_SHAPES[path] });
    requireConstraints(json, { operation, constraints: KEY_RULES });
    return askAdmin(ask, { operation, json, read: readKey }, options);
  };
  return {
    async create(key, options) {
      const operation = 'POST /v2/admin/developer-keys';
      requireShape(key, { operation, shape: NEW_KEY_SHAPE });
      return askAdmin(ask, { operation, json: key, read: readKey }, options);
    },
    list: (options) =>
      askAdmin(ask, { operation: 'GET /v2/admin/developer-keys', read: readKeys }, options),
    deactivate: async (key_id, options) => put('deactivate', { key_id }, options),
    rename: async (key_id, label, options) => put('label', { key_id, label }, options),
    limit: async (key_id, characters, options) => put('limits', { key_id, characters }, options),
  };
}

export function analyticsResource(ask: Ask): AnalyticsResource {
  return {
    async report(query, options) {
      const operation = 'GET /v2/admin/analytics';
      requireShape(query, { operation, shape: ANALYTICS_SHAPE, name: 'query' });
      requireConstraints(query, { operation, constraints: ANALYTICS_RULES });
      const call = { operation, query: { ...query }, read: readReport } as const;
      return (await askAdmin(ask, call, options)).usage_report;
    },
  };
}

interface ApiKeyChange {
  readonly key_id: string;
  readonly label?: string;
  readonly characters?: number | null;
}

const NEW_KEY_SHAPE = z.looseObject({ label: z.string().optional() });
const OneKey = z.object({ key_id: z.string() });
const KEY_SHAPES = {
  deactivate: OneKey,
  label: OneKey.extend({ label: z.string() }),
  limits: OneKey.extend({
    characters: z.union([z.number(), z.null()], {
      error: 'must be a number, or null for no limit',
    }),
  }),
} as const;
const ANALYTICS_SHAPE = z.looseObject({
  start_date: z.string(),
  end_date: z.string(),
  group_by: z.enum(['key', 'key_and_day']).optional(),
});

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const KEY_ID = new RegExp(`^${UUID}:${UUID}$`, 'i');

const KEY_RULES: readonly Constraint<ApiKeyChange>[] = [
  {
    parameter: 'key_id',
    rule: 'must be two UUIDs joined by a colon, as the list of keys gives it',
    holds: ({ key_id }) => KEY_ID.test(key_id),
  },
  {
    parameter: 'label',
    rule: 'must not be empty',
    holds: ({ label }) => label !== '',
  },
  {
    parameter: 'characters',
    rule: 'must be a whole number from 0, or null for no limit',
    holds: ({ characters = null }) =>
      characters === null || (Number.isSafeInteger(characters) && characters >= 0),
  },
];

const MAX_DAYS = 366;

const ANALYTICS_RULES: readonly Constraint<AnalyticsQuery>[] = [
  ...(['start_date', 'end_date'] as const).map((parameter) => ({
    parameter,
    rule: 'must be a date as YYYY-MM-DD',
    holds: (query: AnalyticsQuery) => isDay(query[parameter]),
  })),
  {
    parameter: 'end_date',
    rule: `must not be before start_date, and the days from one to the other at most ${MAX_DAYS}`,
    holds: ({ start_date, end_date }) => {
      const days = (Date.parse(end_date) - Date.parse(start_date)) / DAY_MS + 1;
      return days >= 1 && days <= MAX_DAYS;
    },
  },
];

/** Date.parse reads February 30 as a day in March. */
function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function noAdministration(traceId: string | undefined): JobFailure {
  return new JobFailure(
    {
      kind: 'unsupported',
      what: 'this address has no administration endpoints',
      advice:
        'Administration exists only on the main address of the service: set service.url to it.',
    },
    traceId === undefined ? {} : { traceId },
  );
}
