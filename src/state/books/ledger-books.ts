/** The books of one state folder. */
import type { Charge, LedgerView, OpenRequest } from '../../ledger.ts';
import { type Books, Sums } from '../books.ts';

/** Kept up with the ledger: charges are facts that are put once, so each look reads only the new ones, and all of them when old ones were folded. */
export class LedgerBooks implements Books {
  readonly #ledger: LedgerView;
  #sums = new Sums();
  #seen = 0;
  #last: Charge | undefined;

  constructor(ledger: LedgerView) {
    this.#ledger = ledger;
  }

  async charges(): Promise<Iterable<Charge>> {
    return this.#ledger.all('charges');
  }

  async requests(): Promise<Iterable<OpenRequest>> {
    return this.#ledger.all('requests');
  }

  /** Going to the end of all charges takes time: ask once, and use that for everything. */
  async sums(): Promise<Sums> {
    // Whoever folds takes earlier ones out: then another one stands where the last one stood, or none.
    const [standing] = this.#from(this.#seen - 1).take(1);
    if (this.#seen > 0 && standing !== this.#last) {
      this.#sums = new Sums();
      this.#seen = 0;
    }
    for (const charge of this.#from(this.#seen)) {
      this.#sums.add(charge);
      this.#seen += 1;
      this.#last = charge;
    }
    return this.#sums;
  }

  #from(nth: number): IteratorObject<Charge> {
    return Iterator.from(this.#ledger.all('charges')).drop(Math.max(0, nth));
  }
}
