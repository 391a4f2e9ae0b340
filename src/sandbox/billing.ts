/** Billing: characters and minutes per key and day, the usage period, and refusals with 456. */
import type { Clock } from '../clock.ts';
import { type Account, type ApiKey, UNLIMITED } from './keyring.ts';
import { Refusal } from './refusal.ts';
import type { UsageTally } from './tally.ts';

/** The operations that bill characters. */
export type Product = 'text' | 'document' | 'write';

/** A key crossed 80 or 100 % of its limit (docs/design/api.md, "Limits"). */
export interface BillingWarning {
  readonly key_label: string;
  readonly account: string;
  readonly percent: 80 | 100;
  readonly at: string;
}

/**
 * Books characters on a key, all or nothing.
 * @returns the warnings that this booking causes.
 * @throws Refusal 456 when they exceed the limit of the key or the account.
 */
export function book(
  key: ApiKey,
  charge: { product: Product; characters: number },
  clock: Clock,
): readonly BillingWarning[] {
  const period = periodAt(clock);
  const before = charactersOf(key, period);
  const limit = key.limit ?? UNLIMITED;
  const { account } = key;
  if (before >= limit || before + charge.characters > limit) {
    throw keyQuota();
  }
  if (charactersOfAccount(account, period) + charge.characters > account.character_limit) {
    throw new Refusal(456, 'Quota exceeded. The character limit of the account has been reached.');
  }
  tallyOf(key, clock)[charge.product] += charge.characters;
  return warningsFor(key, { before, after: before + charge.characters }, clock);
}

/** Takes a booking back. */
export function unbook(
  key: ApiKey,
  charge: { product: Product; characters: number },
  clock: Clock,
): void {
  tallyOf(key, clock)[charge.product] -= charge.characters;
}

/** @throws Refusal 456 when the key has used up its limit: it may not change glossaries then (docs/design/api.md, "Errors"). */
export function refuseExhausted(key: ApiKey, clock: Clock): void {
  if (charactersOf(key, periodAt(clock)) < (key.limit ?? UNLIMITED)) return;
  throw keyQuota();
}

function keyQuota(): Refusal {
  return new Refusal(456, 'Quota exceeded. The character limit of this key has been reached.');
}

/** Books recognised speech, which does not count in `character_count`. */
export function bookMinutes(key: ApiKey, minutes: number, clock: Clock): void {
  tallyOf(key, clock).minutes += minutes;
}

/** A usage period is a calendar month in UTC. */
export interface UsagePeriod {
  readonly start: string;
  readonly end: string;
}

export function periodAt(clock: Clock): UsagePeriod {
  const now = new Date(clock.now());
  const month = (offset: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 1)).toISOString();
  return { start: month(0), end: month(1) };
}

/** Adds up the usage of a key from `start` to before `end` (ISO 8601). */
export function usageOf(key: ApiKey, range: UsagePeriod): UsageTally {
  const sum: UsageTally = { text: 0, document: 0, write: 0, minutes: 0 };
  for (const [day, tally] of key.days) {
    if (day < range.start.slice(0, 10) || day >= range.end.slice(0, 10)) continue;
    sum.text += tally.text;
    sum.document += tally.document;
    sum.write += tally.write;
    sum.minutes += tally.minutes;
  }
  return sum;
}

export function charactersOf(key: ApiKey, period: UsagePeriod): number {
  return charactersIn(usageOf(key, period));
}

export function charactersOfAccount(account: Account, period: UsagePeriod): number {
  return account.keys.reduce((sum, key) => sum + charactersOf(key, period), 0);
}

export function charactersIn(tally: UsageTally): number {
  return tally.text + tally.document + tally.write;
}

/** Code points, not UTF-16 units (docs/design/api.md, "Translation rules", 8). */
export function countCharacters(texts: readonly string[]): number {
  let count = 0;
  for (const text of texts) {
    count += text.length;
    for (let i = 0; i < text.length - 1; i++) {
      if (isPair(text.charCodeAt(i), text.charCodeAt(i + 1))) count--;
    }
  }
  return count;
}

function isPair(high: number, low: number): boolean {
  return high >= 0xd800 && high <= 0xdbff && low >= 0xdc00 && low <= 0xdfff;
}

function tallyOf(key: ApiKey, clock: Clock): UsageTally {
  const day = new Date(clock.now()).toISOString().slice(0, 10);
  const tally = key.days.get(day) ?? { text: 0, document: 0, write: 0, minutes: 0 };
  key.days.set(day, tally);
  return tally;
}

function warningsFor(
  key: ApiKey,
  count: { before: number; after: number },
  clock: Clock,
): readonly BillingWarning[] {
  const { limit } = key;
  if (limit === null || limit === 0) return [];
  const crossed = ([80, 100] as const).filter(
    (percent) => count.before < (limit * percent) / 100 && count.after >= (limit * percent) / 100,
  );
  const at = new Date(clock.now()).toISOString();
  return crossed.map((percent) => ({
    key_label: key.label,
    account: key.account.name,
    percent,
    at,
  }));
}

/** Sets the characters that a key has used in the current period, as if they were text translation of today. */
export function setCharacters(key: ApiKey, characters: number, clock: Clock): void {
  const { start } = periodAt(clock);
  for (const day of key.days.keys()) {
    if (day >= start.slice(0, 10)) key.days.delete(day);
  }
  tallyOf(key, clock).text = characters;
}
