/** The answer of `usage`: own books, the account's figures, and the period of both. */
import type { Lane } from '../job.ts';

export interface UsageSummary {
  readonly billed_characters: number;
  readonly estimated_characters: number;
  readonly possibly_billed_twice: number;
  readonly voice_seconds: number;
  /** Bytes that the service stores for voice jobs. */
  readonly voice_storage_bytes: number;
  readonly by: readonly UsageLine[];
  readonly budget: readonly {
    readonly scope: string;
    readonly limit: number;
    readonly used: number;
  }[];
  readonly period: PeriodUsage;
  /** The service's figures; null when it could not be asked. */
  readonly account: AccountUsage | null;
  /** Own books beside the account's figures; null when the account was not asked, or the report is limited to a part. */
  readonly comparison: BooksComparison | null;
  readonly notes: readonly string[];
}

/** Characters of the running period. */
export interface PeriodUsage {
  /** ISO 8601; `end` is not part of the period. */
  readonly start: string;
  readonly end: string;
  /** Free and classic accounts report no period: then it is the calendar month in UTC. */
  readonly from: 'account' | 'calendar';
  readonly used: number;
  /** The account's limit, else the month budget; null when neither is known. */
  readonly limit: number | null;
  readonly limited_by: 'account' | 'budget' | null;
  /** Characters at the end of the period if work goes on as in the last seven days. */
  readonly forecast: number;
}

export interface BooksComparison {
  readonly own_characters: number;
  readonly account_characters: number;
  /** How much more the account has; negative when it has less. */
  readonly difference: number;
  /** Possible reasons; `characters` if the figure is known. */
  readonly reasons: readonly { readonly reason: string; readonly characters: number | null }[];
}

export interface UsageLine {
  readonly project: string;
  readonly language: string;
  readonly lane: Lane;
  /** UTC date. */
  readonly day: string;
  readonly billed_characters: number;
  /** Seconds of audio; voice only. */
  readonly voice_seconds?: number;
}

export interface AccountUsage {
  readonly character_count: number;
  /** Null: the account has no limit. */
  readonly character_limit: number | null;
  /** Characters of this key alone, if the service reports them. */
  readonly key_character_count?: number;
  /** Absent also when the key has no limit of its own. */
  readonly key_character_limit?: number;
  readonly start_time?: string;
  readonly end_time?: string;
}
