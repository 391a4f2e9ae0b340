/** Who works on a purchase: copies of a document share one, and two at a time would send or fetch it twice. */
import type { PurchaseKey } from '../../state/document-purchase.ts';

export class InProgress {
  readonly #keys = new Set<PurchaseKey>();

  has(key: PurchaseKey): boolean {
    return this.#keys.has(key);
  }

  /** Until it is disposed, the purchase is taken. */
  begin(key: PurchaseKey): Disposable {
    this.#keys.add(key);
    return { [Symbol.dispose]: () => void this.#keys.delete(key) };
  }
}

/** Milliseconds until a job asks again for a purchase that another one is just working on. */
export const BUSY_MS = 1000;
