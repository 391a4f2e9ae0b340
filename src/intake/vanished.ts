/** Sources that vanished together, on record until they are back or a person confirms that they are gone. */
import type { SourceId } from '../job.ts';
import {
  commitDecision,
  type Fact,
  type Ledger,
  type LedgerView,
  type SourceRecord,
} from '../ledger.ts';

/** On record, because the other daemons of a tree and the next process must know it, too. */
export function asVanished(source: SourceRecord): SourceRecord {
  return { ...source, vanished: true };
}

export function vanishedOf(ledger: LedgerView, ids: readonly SourceId[]): SourceId[] {
  return ids.filter((id) => ledger.get('sources', id)?.vanished === true);
}

/** These sources are back: their jobs wait no longer. @returns those that are still on record, to be planned */
export async function returned(ledger: Ledger, back: readonly SourceId[]): Promise<SourceRecord[]> {
  const present = () => back.flatMap((id) => ledger.get('sources', id) ?? []);
  if (back.length === 0) return [];
  await commitDecision(ledger, () =>
    present().flatMap((from): Fact[] => {
      const { vanished, ...put } = from;
      return vanished === true ? [{ table: 'sources', put, from }] : [];
    }),
  );
  return present();
}
