/** The result of every text of a request, also when the service accepts the request only in parts. */
import { type Failure, failureOf } from '../failure.ts';
import type { Part } from '../format.ts';
import { halve } from '../segments/batch.ts';
import type { TextOrder } from './order.ts';
import type { RequestKind } from './request.ts';

export type OrderResult =
  | { readonly kind: 'fit'; readonly parts: readonly Part[] }
  | { readonly kind: 'unfit'; readonly problem: string }
  | { readonly kind: 'failed'; readonly error: unknown };

export interface OrderOutcome {
  readonly order: TextOrder;
  readonly outcome: OrderResult;
}

/** Pays for texts that fit into one request. @throws JobFailure when there were no translations */
export type PurchaseTexts = (
  kind: RequestKind,
  orders: readonly TextOrder[],
) => Promise<readonly OrderOutcome[]>;

type Buy = (orders: readonly TextOrder[]) => Promise<readonly OrderOutcome[]>;

/**
 * Buys in one request if the service accepts it. After a 413 the request is halved; a rejected text is separated from the others. Never
 * rejects.
 */
export async function outcomesOf(
  buy: Buy,
  orders: readonly TextOrder[],
): Promise<readonly OrderOutcome[]> {
  if (orders.length === 0) return [];
  try {
    return await buy(orders);
  } catch (error) {
    const halves = halve(orders);
    const failure = failureOf(error);
    if (halves !== undefined && failure.kind === 'too-large') {
      return (await Promise.all(halves.map((half) => outcomesOf(buy, half)))).flat();
    }
    if (halves !== undefined && isAboutOneText(failure)) return await isolate(buy, orders);
    return failed(orders, error);
  }
}

// Rejected requests are not billed, so two probes are free. If both the first and the last text are rejected alone, the service rejects the
// request's settings (a wrong glossary, an unknown language pair) and not a text.
async function isolate(buy: Buy, orders: readonly TextOrder[]): Promise<readonly OrderOutcome[]> {
  const middle = orders.slice(1, -1);
  const [first, last] = await Promise.all([
    outcomesOf(buy, orders.slice(0, 1)),
    outcomesOf(buy, orders.slice(-1)),
  ]);
  const [refused] = first;
  if (refused?.outcome.kind === 'failed' && last[0]?.outcome.kind === 'failed') {
    return [...first, ...failed(middle, refused.outcome.error), ...last];
  }
  const halves = halve(middle) ?? [middle];
  const rest = await Promise.all(halves.map((half) => outcomesOf(buy, half)));
  return [...first, ...rest.flat(), ...last];
}

function isAboutOneText(failure: Failure): boolean {
  return failure.kind === 'rejected' || failure.kind === 'invalid-request';
}

function failed(orders: readonly TextOrder[], error: unknown): readonly OrderOutcome[] {
  return orders.map((order) => ({ order, outcome: { kind: 'failed', error } }));
}
