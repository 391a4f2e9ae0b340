/** A ledger whose charges are also booked elsewhere, before they are committed. */
import type { SourceId, Step } from '../job.ts';
import type {
  Charge,
  Claim,
  Fact,
  Ledger,
  LedgerTables,
  OfferEnd,
  Settlement,
  SourceRecord,
  TableName,
} from '../ledger.ts';

export class BookedLedger implements Ledger {
  readonly #ledger: Ledger;
  readonly #book: (charges: readonly Charge[]) => Promise<void>;
  readonly #keptBy: 'ledger' | 'elsewhere';

  /**
   * @param book durable when it resolves; it may get the same charge again
   * @param keptBy `ledger`: the ledger keeps the charges too
   */
  constructor(
    ledger: Ledger,
    book: (charges: readonly Charge[]) => Promise<void>,
    keptBy: 'ledger' | 'elsewhere' = 'ledger',
  ) {
    this.#ledger = ledger;
    this.#book = book;
    this.#keptBy = keptBy;
  }

  get condition() {
    return this.#ledger.condition;
  }

  get<T extends TableName>(table: T, id: string): LedgerTables[T] | undefined {
    return this.#ledger.get(table, id);
  }

  all<T extends TableName>(table: T): IterableIterator<LedgerTables[T]> {
    return this.#ledger.all(table);
  }

  size(table: TableName): number {
    return this.#ledger.size(table);
  }

  presentSource(id: SourceId): Promise<SourceRecord | undefined> {
    return this.#ledger.presentSource(id);
  }

  async forgetLoss(): Promise<void> {
    await this.#ledger.forgetLoss();
  }

  async commit(facts: readonly Fact[]): Promise<void> {
    const charges = chargesIn(facts);
    // A commit must be visible at once: so there is no wait before it when there is nothing to book.
    if (charges.length > 0) await this.#book(charges);
    await this.#ledger.commit(this.#kept(facts));
  }

  onClosed(listener: Parameters<Ledger['onClosed']>[0]): void {
    this.#ledger.onClosed(listener);
  }

  claim(id: Parameters<Ledger['claim']>[0]): Promise<Claim | undefined> {
    return this.#ledger.claim(id);
  }

  step(claim: Claim, step: Step): Promise<void> {
    return this.#ledger.step(claim, step);
  }

  mayPublish(claim: Claim): boolean {
    return this.#ledger.mayPublish(claim);
  }

  async settle(claim: Claim, settlement: Settlement, offer?: OfferEnd): Promise<void> {
    const charges = chargesIn(settlement.facts ?? []);
    if (charges.length > 0) await this.#book(charges);
    const { facts } = settlement;
    await this.#ledger.settle(
      claim,
      facts ? { ...settlement, facts: this.#kept(facts) } : settlement,
      offer,
    );
  }

  checkpoint(): Promise<void> {
    return this.#ledger.checkpoint();
  }

  #kept<F extends Fact>(facts: readonly F[]): readonly F[] {
    return this.#keptBy === 'ledger' ? facts : facts.filter(({ table }) => table !== 'charges');
  }

  /** The opener of the ledger closes it. */
  async [Symbol.asyncDispose](): Promise<void> {}
}

/** None for a folding: it replaces charges, which are booked already, by their sums. */
function chargesIn(facts: readonly Fact[]): Charge[] {
  const isFolding = facts.some((fact) => fact.table === 'charges' && 'remove' in fact);
  if (isFolding) return [];
  return facts.flatMap((fact) => (fact.table === 'charges' && 'put' in fact ? [fact.put] : []));
}
