/**
 * Folds old charges into one for each job and day. The sums of each day stay, and the ledger does not grow with every request for ever.
 * Pure.
 */
import { DAY_MS } from '../clock.ts';
import type { Charge, Fact, LedgerView } from '../ledger.ts';

/**
 * A charge is folded when it is older than so many milliseconds: two of the longest periods. Budgets and forecasts need the exact
 * time of charges in the present period, and only the day of older ones.
 */
export const CHARGES_STAND_MS = 62 * DAY_MS;

/** Facts that are committed together; the sums are right after each commit. */
const BATCH = 5000;

/** @param before milliseconds since the epoch; whole UTC days before it are folded */
export function* foldsOf(ledger: LedgerView, before: number): Generator<readonly Fact[]> {
  const firstKept = new Date(before).toISOString().slice(0, 10);
  // As strings, a day sorts before any time on it.
  const old = Iterator.from(ledger.all('charges')).filter(({ at }) => at < firstKept);
  let facts: Fact[] = [];
  for (const [key, charges] of Map.groupBy(old, (charge) => dayAndJobKey(charge, ledger))) {
    if (charges.length < 2) continue;
    const id = `folded ${key}`;
    const away = charges.filter((charge) => charge.id !== id);
    facts.push(...away.map((charge): Fact => ({ table: 'charges', remove: charge.id })), {
      table: 'charges',
      put: { ...together(charges), id, job: jobOf(charges[0], ledger) },
    });
    if (facts.length < BATCH) continue;
    yield facts;
    facts = [];
  }
  if (facts.length > 0) yield facts;
}

function dayAndJobKey(charge: Charge, ledger: LedgerView): string {
  const { at, project, language, lane, kind } = charge;
  return JSON.stringify([at.slice(0, 10), project, language, lane, kind, jobOf(charge, ledger)]);
}

/** Null when the job is gone: nobody asks for its sum any more. */
function jobOf(charge: Charge | undefined, ledger: LedgerView): Charge['job'] {
  const job = charge?.job ?? null;
  return job === null || ledger.get('jobs', job) === undefined ? null : job;
}

function together(charges: readonly Charge[]): Omit<Charge, 'id' | 'job'> {
  const [{ project, language, lane, kind }] = charges as readonly [Charge, ...Charge[]];
  const seconds = sumOf(charges.map((charge) => charge.seconds));
  const storageBytes = sumOf(charges.map((charge) => charge.storageBytes));
  return {
    project,
    language,
    lane,
    kind,
    at: charges.map(({ at }) => at).reduce((a, b) => (a < b ? a : b)),
    characters: sumOf(charges.map(({ characters }) => characters ?? undefined)) ?? null,
    estimated: sumOf(charges.map(({ estimated }) => estimated)) ?? 0,
    ...(seconds === undefined ? {} : { seconds }),
    ...(storageBytes === undefined ? {} : { storageBytes }),
  };
}

/** The sum of the known amounts; undefined when none is known. */
function sumOf(amounts: readonly (number | undefined)[]): number | undefined {
  const known = amounts.filter((amount) => amount !== undefined);
  return known.length === 0 ? undefined : known.reduce((a, b) => a + b, 0);
}
