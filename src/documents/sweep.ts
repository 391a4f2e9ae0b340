/** Takes out of the spool what is older than config keeps, at the first call and then every hour. */
import type { Clock } from '../clock.ts';
import { isUnderWay } from './rules/purchase.ts';
import type { Shop } from './shop.ts';

const HOUR_MS = 60 * 60_000;

export interface SweepOptions {
  readonly shop: Pick<Shop, 'spool' | 'purchases'>;
  readonly clock: Clock;
  keepMs(): number;
}

export function hourlySweep({ shop, clock, keepMs }: SweepOptions): () => Promise<void> {
  let next = 0;
  return async () => {
    if (clock.now() < next) return;
    next = clock.now() + HOUR_MS;
    await shop.spool.sweep({ keepMs: keepMs(), clock }, (key) => {
      const purchase = shop.purchases.get(key);
      return purchase !== undefined && (isUnderWay(purchase) || purchase.stage.kind === 'intent');
    });
  };
}
