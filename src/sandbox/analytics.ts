/** `GET /v2/admin/analytics`: the usage of an organization's keys, in total, by key, or by key and day. */
import { charactersIn, usageOf } from './billing.ts';
import type { ApiKey } from './keyring.ts';
import { requiredQuery } from './page.ts';
import { badParameter } from './refusal.ts';
import { type Dialect, jsonReply, type Resource, type SandboxWorld } from './resource.ts';
import type { UsageTally } from './tally.ts';

export const analytics: Resource = (world) => [
  {
    method: 'GET',
    path: '/v2/admin/analytics',
    access: 'admin',
    answer({ query, key }) {
      const range = readRange(query, world);
      const grouping = readGrouping(query);
      const shown = dateOf(world.dialect);
      return jsonReply({ usage_report: report(key.account.keys, range, { grouping, shown }) });
    },
  },
];

type Grouping = 'none' | 'key' | 'key_and_day';

/** ISO dates, both days included. */
interface Days {
  readonly start_date: string;
  readonly end_date: string;
}

const DAY = 24 * 60 * 60 * 1000;

/** A day alone; deployments write midnight (UTC) of the day (docs/design/api.md, "Where deployments differ"). */
function dateOf(dialect: Dialect): (day: string) => string {
  return (day) => (dialect === 'deployed' ? `${day}T00:00:00Z` : day);
}

function readRange(query: URLSearchParams, { dialect, limits }: SandboxWorld): Days {
  const mostDays = limits.analytics_days;
  const start_date = readDate(query, 'start_date', dialect);
  const end_date = readDate(query, 'end_date', dialect);
  const days = (Date.parse(end_date) - Date.parse(start_date)) / DAY + 1;
  if (days < 1) throw badParameter('end_date', 'lies before start_date');
  if (days > mostDays)
    throw badParameter('end_date', `lies more than ${mostDays} days after start_date`);
  return { start_date, end_date };
}

function readDate(query: URLSearchParams, name: string, dialect: Dialect): string {
  const given = requiredQuery(query, name);
  const value = dialect === 'deployed' ? (MOMENT.exec(given)?.[1] ?? given) : given;
  const time = /^\d{4}-\d{2}-\d{2}$/u.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== value) {
    throw badParameter(name, 'must be a date: YYYY-MM-DD');
  }
  return value;
}

/** A date-time as deployments write it; the first group is its day. */
const MOMENT = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?$/u;

function readGrouping(query: URLSearchParams): Grouping {
  const value = query.get('group_by');
  if (value === null) return 'none';
  if (value === 'key' || value === 'key_and_day') return value;
  throw badParameter('group_by', 'must be key or key_and_day');
}

interface ReportForm {
  readonly grouping: Grouping;
  /** How a day is written. */
  readonly shown: (day: string) => string;
}

function report(keys: readonly ApiKey[], range: Days, { grouping, shown }: ReportForm): unknown {
  const total = keys.map((key) => usageIn(key, range)).reduce(add);
  const head = {
    total_usage: usage(total),
    start_date: shown(range.start_date),
    end_date: shown(range.end_date),
  };
  switch (grouping) {
    case 'none':
      return head;
    case 'key':
      return { ...head, group_by: grouping, key_usages: byKey(keys, range) };
    case 'key_and_day':
      return { ...head, group_by: grouping, key_and_day_usages: byKeyAndDay(keys, range, shown) };
  }
}

function byKey(keys: readonly ApiKey[], range: Days): unknown {
  return keys
    .map((key) => ({ key, tally: usageIn(key, range) }))
    .filter(({ tally }) => isUsed(tally))
    .map(({ key, tally }) => ({ ...maskedKey(key), usage: usage(tally) }));
}

function byKeyAndDay(
  keys: readonly ApiKey[],
  range: Days,
  shown: (day: string) => string,
): unknown {
  return keys.flatMap((key) =>
    [...key.days]
      .filter(([day, tally]) => day >= range.start_date && day <= range.end_date && isUsed(tally))
      .map(([day, tally]) => ({ ...maskedKey(key), usage_date: shown(day), usage: usage(tally) })),
  );
}

function usageIn(key: ApiKey, range: Days): UsageTally {
  const end = new Date(Date.parse(range.end_date) + DAY).toISOString();
  return usageOf(key, { start: range.start_date, end });
}

function isUsed(tally: UsageTally): boolean {
  return charactersIn(tally) > 0 || tally.minutes > 0;
}

function add(a: UsageTally, b: UsageTally): UsageTally {
  return {
    text: a.text + b.text,
    document: a.document + b.document,
    write: a.write + b.write,
    minutes: a.minutes + b.minutes,
  };
}

function maskedKey(key: ApiKey): Record<string, string> {
  return { api_key: mask(key.key_id), api_key_label: key.label };
}

/** `1b9d****bed4`: enough to tell keys apart, not enough to use one. */
function mask(id: string): string {
  return `${id.slice(0, 4)}****${id.slice(-4)}`;
}

function usage(tally: UsageTally): unknown {
  return {
    total_characters: charactersIn(tally),
    text_translation_characters: tally.text,
    document_translation_characters: tally.document,
    text_improvement_characters: tally.write,
    speech_to_text_minutes: tally.minutes,
  };
}
