/** The books by day, and where they lead to: what the rest of a period is likely to bill. Pure. */
import type { DayLine } from './report.ts';

const DAY_MS = 86_400_000;

/** The last days up to and with today in UTC, oldest first; days on which nothing was billed are there with 0. */
export function billedByDay(
  billedOn: (day: string) => number,
  { days, now }: { days: number; now: number },
): DayLine[] {
  return Array.from({ length: days }, (_, nth) => {
    const day = new Date(now - (days - 1 - nth) * DAY_MS).toISOString().slice(0, 10);
    return { day, billed_characters: billedOn(day) };
  });
}

export interface ForecastInput {
  /** Milliseconds since the epoch; `end` is not part of the period. */
  readonly period: { readonly start: number; readonly end: number };
  readonly now: number;
  /** Characters used in the period so far. */
  readonly used: number;
  /** The last days, oldest first; the pace is that of the last seven. */
  readonly days: readonly DayLine[];
}

const PACE_DAYS = 7;

/** @returns characters at the end of the period when work goes on as in the last seven days */
export function forecast({ period, now, used, days }: ForecastInput): number {
  const recent = days.slice(-PACE_DAYS);
  const perDay =
    recent.reduce((sum, { billed_characters }) => sum + billed_characters, 0) / PACE_DAYS;
  return Math.round(used + (perDay * Math.max(0, period.end - now)) / DAY_MS);
}
