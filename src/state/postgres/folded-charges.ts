/** Finds the charges of a folder that a team's books lack, although the folder has replaced old charges by sums. */
import type { Charge } from '../../ledger.ts';
import type { Database } from './database.ts';

/**
 * @param charges whose ids the database does not have
 * @returns `charges` without the sums of days that the database has already: it got their charges one by one
 */
export async function unbooked(
  database: Database,
  charges: readonly Charge[],
): Promise<readonly Charge[]> {
  const [folded, others] = [charges.filter(isFolded), charges.filter((each) => !isFolded(each))];
  const unknown: Charge[] = [];
  for (const [key, sums] of Map.groupBy(folded, dayKey)) {
    const [booked] = await database.rows<{ characters: number; seconds: number }>(
      `select coalesce(sum(characters), 0)::float8 as characters, coalesce(sum(seconds), 0)::float8 as seconds from @.charges
       where project = $1 and (at at time zone 'utc')::date = $2::date and record->>'language' = $3
         and record->>'lane' = $4 and record->>'kind' = $5`,
      JSON.parse(key) as string[],
    );
    const { characters = 0, seconds = 0 } = booked ?? {};
    const isBooked =
      total(sums, (each) => each.characters) <= characters &&
      total(sums, (each) => each.seconds) <= seconds;
    if (!isBooked) unknown.push(...sums);
  }
  return [...others, ...unknown];
}

function isFolded({ id }: Charge): boolean {
  return id.startsWith('folded ');
}

/** The charges that a sum adds up, except for the job, which may be deleted. */
function dayKey({ project, at, language, lane, kind }: Charge): string {
  return JSON.stringify([project, at.slice(0, 10), language, lane, kind]);
}

function total(
  charges: readonly Charge[],
  amount: (charge: Charge) => number | null | undefined,
): number {
  return charges.reduce((sum, charge) => sum + (amount(charge) ?? 0), 0);
}
