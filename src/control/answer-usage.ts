/** `usage`: own books beside the account's figures, the budgets, and where the period leads to. */

import { parseLanguage } from '../language.ts';
import type { Charge, LedgerView, OpenRequest } from '../ledger.ts';
import { askAccount, limitNotes } from './account.ts';
import { readBooks } from './books.ts';
import { compareBooks } from './comparison.ts';
import type { Scope } from './control.ts';
import type { LocalControlOptions } from './options.ts';
import { accountPeriod, billedByDay, periodUsage } from './period.ts';
import type { AccountUsage, BooksComparison, UsageReport } from './usage.ts';

/** More than the forecast looks at. */
const DAYS = 30;

export async function usageReport(
  options: LocalControlOptions,
  scope: Scope,
): Promise<UsageReport> {
  const { ledger, spending, clock } = options;
  const entries = {
    charges: [...(await options.books.charges())],
    requests: [...(await options.books.requests())],
  };
  const budget = await spending.budgets();
  const books = readBooks(entries.charges, (charge) => isWanted(charge, scope));
  const { account, note } = await askAccount(options);
  const isNarrow = scope.projects.length + scope.languages.length > 0;
  const billedOn = (wanted: string) =>
    sum(books.by.filter(({ day }) => day === wanted).map((line) => line.billed_characters));
  const period = periodUsage({
    own: accountPeriod(account),
    // What the whole account or a budget of all projects has used says nothing of a part.
    account: isNarrow ? null : account,
    budget: isNarrow ? [] : budget,
    days: billedByDay(billedOn, { days: DAYS, now: clock.now() }),
    usedSince: (start) => ownBooks(entries, { start, scope }).characters,
    now: clock.now(),
  });
  return {
    billed_characters: books.billed,
    estimated_characters: books.estimated,
    possibly_billed_twice: books.possiblyTwice,
    voice_seconds: books.voiceSeconds,
    voice_storage_bytes: books.voiceStorageBytes,
    by: books.by,
    budget,
    period,
    account,
    comparison: isNarrow ? null : comparison({ ledger, entries }, account, period),
    notes: [...(note === undefined ? [] : [note]), ...limitNotes(account)],
  };
}

function comparison(
  { ledger, entries }: { readonly ledger: LedgerView; readonly entries: Entries },
  account: AccountUsage | null,
  period: UsageReport['period'],
): BooksComparison | null {
  if (account === null) return null;
  const own = ownBooks(entries, { start: Date.parse(period.start) });
  return compareBooks({
    own: { ...own, since: sinceOf(ledger, entries, period.end) },
    account,
    period,
  });
}

/** What is on the books. */
interface Entries {
  readonly charges: readonly Charge[];
  readonly requests: readonly OpenRequest[];
}

interface Part {
  /** Milliseconds since the epoch. */
  readonly start: number;
  readonly scope?: Scope;
}

function ownBooks({ charges, requests }: Entries, { start, scope }: Part) {
  const [characters, counted, possiblyTwice] = [0, 0, 0];
  const books = { characters, counted, possiblyTwice, unanswered: 0 };
  for (const charge of charges) {
    if (Date.parse(charge.at) < start || (scope && !isWanted(charge, scope))) continue;
    const amount = charge.characters ?? 0;
    if (charge.kind === 'possibly-twice') books.possiblyTwice += amount;
    else books.characters += amount;
    if (charge.kind === 'counted') books.counted += amount;
  }
  for (const request of requests) {
    if (Date.parse(request.at) >= start) books.unanswered += request.characters;
  }
  return books;
}

/** The oldest thing that this state knows of; `otherwise` when it knows nothing. */
function sinceOf(ledger: LedgerView, { charges }: Entries, otherwise: string): string {
  let since = otherwise;
  for (const { at } of charges) if (at < since) since = at;
  for (const source of ledger.all('sources')) if (source.since < since) since = source.since;
  return since;
}

function isWanted({ project, language }: Charge, { projects, languages }: Scope): boolean {
  if (projects.length > 0 && !projects.includes(project)) return false;
  return languages.length === 0 || languages.some((code) => parseLanguage(code) === language);
}

function sum(figures: readonly number[]): number {
  return figures.reduce((total, figure) => total + figure, 0);
}
