/** `usage`: own books beside the account's figures, and the budgets. */
import type { AccountUsage, UsageReport } from '../control.ts';
import { describeFailure, failureOf } from '../failure.ts';
import { readBooks } from '../reports/usage.ts';
import type { DeskOptions } from './options.ts';

export async function usageReport(options: DeskOptions): Promise<UsageReport> {
  const { ledger, spending } = options;
  const books = readBooks(ledger, () => true);
  const { account, note } = await accountUsage(options);
  return {
    billed_characters: books.billed,
    estimated_characters: books.estimated,
    possibly_billed_twice: books.possiblyTwice,
    voice_seconds: books.voiceSeconds,
    voice_storage_bytes: books.voiceStorageBytes,
    by: books.by,
    budget: spending.budgets(),
    account,
    notes: note === undefined ? [] : [note],
  };
}

/** The document's way of saying that there is no limit (API document, "Usage"). */
const NO_LIMIT = 1_000_000_000_000;

async function accountUsage({
  service,
}: DeskOptions): Promise<{ account: AccountUsage | null; note?: string }> {
  try {
    const usage = await service.account.usage();
    const { character_count, character_limit, start_time, end_time } = usage;
    return {
      account: {
        character_count,
        character_limit: character_limit === NO_LIMIT ? null : character_limit,
        ...(start_time === undefined ? {} : { start_time }),
        ...(end_time === undefined ? {} : { end_time }),
      },
    };
  } catch (error) {
    return {
      account: null,
      note: `the account could not be asked: ${describeFailure(failureOf(error))}`,
    };
  }
}
