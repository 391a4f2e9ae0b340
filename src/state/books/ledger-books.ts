/** The books of one state folder. */
import type { JobId } from '../../job.ts';
import type { Charge, LedgerView, OpenRequest } from '../../ledger.ts';
import { type Books, Sums } from '../books.ts';

/**
 * Each call reads only the new charges, because a charge is put once and new ones come last. It reads all of them again after a
 * folding.
 */
export class LedgerBooks implements Books {
  readonly #ledger: LedgerView;
  #sums = new Sums();
  #seen = 0;
  #last: Charge | undefined;

  constructor(ledger: LedgerView) {
    this.#ledger = ledger;
  }

  async charges(of?: ReadonlySet<JobId>): Promise<Iterable<Charge>> {
    const all = Iterator.from(this.#ledger.all('charges'));
    return of === undefined ? all : all.filter(({ job }) => job !== null && of.has(job));
  }

  async requests(): Promise<Iterable<OpenRequest>> {
    return this.#ledger.all('requests');
  }

  /** A walk to the end of all charges takes time: call it once, and use the result for everything. */
  async sums(): Promise<Sums> {
    // A folding removes earlier charges: then there is another charge at the place of the last one, or none.
    const [present] = this.#from(this.#seen - 1).take(1);
    if (this.#seen > 0 && present !== this.#last) {
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
