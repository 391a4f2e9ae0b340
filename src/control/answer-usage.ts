/** `usage`: the own books beside the account's figures, the budgets, and the forecast for the period. */
import { parseLanguage } from '../language.ts';
import type { Charge, LedgerView, OpenRequest } from '../ledger.ts';
import { sum } from '../segments/bill.ts';
import { askAccount, limitNotes } from './account.ts';
import type { Scope } from './control.ts';
import type { LocalControlOptions } from './options.ts';
import { accountPeriod, billedByDay, periodUsage } from './period.ts';
import type { AccountUsage, BooksComparison, UsageLine, UsageSummary } from './usage.ts';

/** More days than the forecast needs. */
const DAYS = 30;

export async function usageReport(
  options: LocalControlOptions,
  scope: Scope,
): Promise<UsageSummary> {
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
    // Figures of the whole account, or of a budget for all projects, say nothing about a part.
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
  { ledger, entries }: { readonly ledger: LedgerView; readonly entries: BookEntries },
  account: AccountUsage | null,
  period: UsageSummary['period'],
): BooksComparison | null {
  if (account === null) return null;
  const own = ownBooks(entries, { start: Date.parse(period.start) });
  return compareBooks({
    own: { ...own, since: sinceOf(ledger, entries, period.end) },
    account,
    period,
  });
}

/** Entries of the books. */
interface BookEntries {
  readonly charges: readonly Charge[];
  readonly requests: readonly OpenRequest[];
}

interface UsagePart {
  /** Milliseconds since the epoch. */
  readonly start: number;
  readonly scope?: Scope;
}

function ownBooks({ charges, requests }: BookEntries, { start, scope }: UsagePart) {
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

/** When the oldest entry of this state was made. @param otherwise for a state without entries */
function sinceOf(ledger: LedgerView, { charges }: BookEntries, otherwise: string): string {
  let since = otherwise;
  for (const { at } of charges) if (at < since) since = at;
  for (const source of ledger.all('sources')) if (source.since < since) since = source.since;
  return since;
}

function isWanted({ project, language }: Charge, { projects, languages }: Scope): boolean {
  if (projects.length > 0 && !projects.includes(project)) return false;
  return languages.length === 0 || languages.some((code) => parseLanguage(code) === language);
}

// Sums of the books: billed characters and seconds, by day, project, language and lane.

/** The sums of the charges that were asked for. */
interface BookReport {
  readonly billed: number;
  readonly estimated: number;
  readonly possiblyTwice: number;
  readonly voiceSeconds: number;
  readonly voiceStorageBytes: number;
  readonly by: readonly UsageLine[];
}

/**
 * Sums the charges that `counts` accepts. Charges that may have been billed twice are summed separately, because nobody can know whether they
 * were.
 */
export function readBooks(
  charges: Iterable<Charge>,
  counts: (charge: Charge) => boolean,
): BookReport {
  const lines = new Map<string, UsageLine>();
  let [billed, estimated, possiblyTwice, voiceSeconds, voiceStorageBytes] = [0, 0, 0, 0, 0];
  for (const charge of charges) {
    if (!counts(charge)) continue;
    voiceSeconds += charge.seconds ?? 0;
    voiceStorageBytes += charge.storageBytes ?? 0;
    const characters = charge.characters ?? 0;
    if (charge.kind === 'possibly-twice') {
      possiblyTwice += characters;
      continue;
    }
    billed += characters;
    estimated += charge.estimated;
    addTo(lines, charge, characters);
  }
  const by = [...lines.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line);
  return { billed, estimated, possiblyTwice, voiceSeconds, voiceStorageBytes, by };
}

function addTo(lines: Map<string, UsageLine>, charge: Charge, characters: number): void {
  const { project, language, lane } = charge;
  const day = charge.at.slice(0, 10);
  const key = [day, project, language, lane].join('\n');
  const before = lines.get(key);
  const seconds = (before?.voice_seconds ?? 0) + (charge.seconds ?? 0);
  lines.set(key, {
    project,
    language,
    lane,
    day,
    billed_characters: (before?.billed_characters ?? 0) + characters,
    ...(seconds > 0 ? { voice_seconds: seconds } : {}),
  });
}

/** The own books for the period of the account's figure. Pure. */
export interface OwnBooks {
  /** Characters of the period that the service billed, or that dragoman counted when an answer has no bill. */
  readonly characters: number;
  /** The part of `characters` that dragoman counted. */
  readonly counted: number;
  readonly possiblyTwice: number;
  /** Requests that were sent and whose answer is not booked. */
  readonly unanswered: number;
  /** When the books begin; ISO 8601. */
  readonly since: string;
}

interface ComparisonInput {
  readonly own: OwnBooks;
  readonly account: AccountUsage;
  readonly period: { readonly start: string; readonly from: 'account' | 'calendar' };
}

type Reason = BooksComparison['reasons'][number];

export function compareBooks(input: ComparisonInput): BooksComparison {
  const { own, account } = input;
  const difference = account.character_count - own.characters;
  return {
    own_characters: own.characters,
    account_characters: account.character_count,
    difference,
    reasons: reasonsFor(input, difference),
  };
}

function reasonsFor(input: ComparisonInput, difference: number): Reason[] {
  if (difference === 0) return [];
  const always = input.period.from === 'calendar' ? [UNKNOWN_PERIOD] : [];
  return difference > 0
    ? [...moreReasons(input, difference), ...always]
    : [...lessReasons(input), ...always];
}

const UNKNOWN_PERIOD: Reason = {
  reason:
    'the account reports no period: its count may begin on another day than the first of the month',
  characters: null,
};

/** Reasons why the account counted more. Known parts have a figure; the last line is the rest of the difference. */
function moreReasons(input: ComparisonInput, difference: number): Reason[] {
  const known = knownParts(input);
  const explained = known.reduce((sum, { characters }) => sum + characters, 0);
  const { own, period } = input;
  const begins =
    own.since > period.start
      ? [
          {
            reason: `these books begin on ${own.since.slice(0, 10)}, later than the period`,
            characters: null,
          },
        ]
      : [];
  const rest = difference - explained;
  const others = {
    reason:
      'not used by jobs of this config, but by other programs with this key, single commands such as "dragoman translate", or another state folder',
    characters: rest,
  };
  return [...known, ...begins, ...(rest > 0 ? [others] : [])];
}

function knownParts({ own, account }: ComparisonInput): (Reason & { characters: number })[] {
  const ofOtherKeys =
    account.character_count - (account.key_character_count ?? account.character_count);
  return [
    { reason: 'billed to other keys of the account', characters: ofOtherKeys },
    { reason: 'at most: sent a second time after a lost answer', characters: own.possiblyTwice },
    {
      reason: 'at most: sent, and the answer is not here yet or was lost',
      characters: own.unanswered,
    },
  ].filter(({ characters }) => characters > 0);
}

/** Reasons why the account counted less. */
function lessReasons({ own }: ComparisonInput): Reason[] {
  const counted = {
    reason: 'at most: counted here, because answers to improvement and detection carry no bill',
    characters: own.counted,
  };
  return [
    ...(own.counted > 0 ? [counted] : []),
    { reason: 'the account’s figures lag behind and move in steps', characters: null },
    {
      reason: 'these books hold what was billed to another key or account before',
      characters: null,
    },
  ];
}
