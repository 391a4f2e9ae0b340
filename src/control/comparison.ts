/** Own books beside the account's figure for the same period, and what may make them differ. Pure. */
import type { AccountUsage, BooksComparison } from './usage.ts';

export interface OwnBooks {
  /** Characters of the period that the service billed, or that we counted where an answer carries no bill. */
  readonly characters: number;
  /** Those of them that we counted. */
  readonly counted: number;
  readonly possiblyTwice: number;
  /** Of requests that were sent and whose answer is not booked. */
  readonly unanswered: number;
  /** When the books begin; ISO 8601. */
  readonly since: string;
}

export interface ComparisonInput {
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
    'the account tells no period: its count may begin on another day than the first of the month',
  characters: null,
};

/** The account counted more. Known parts come with their figure; what is left of the difference has the last line. */
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
      'not by jobs of this config: other programs with this key, single commands such as "dragoman translate", another state folder',
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

/** The account counted less. */
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
