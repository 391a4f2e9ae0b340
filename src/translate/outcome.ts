/** The result of every text of a request, also when the service accepts the request only in parts. */
import { type Failure, failureOf } from '../failure.ts';
import type { Part } from '../format.ts';
import { halve } from '../segments/batch.ts';
import type { TextOrder } from './order.ts';
import type { RequestKind } from './request.ts';

export type OrderResult =
  | { readonly kind: 'fit'; readonly parts: readonly Part[] }
  /** `parts`: a whole translation that only the checks of this text refuse. */
  | { readonly kind: 'unfit'; readonly problem: string; readonly parts?: readonly Part[] }
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

/**
 * Whether the service takes requests of this kind at all; if not, a refusal is about its settings (a wrong glossary, an unknown language
 * pair) and not about a text.
 */
export type AcceptsKind = (kind: RequestKind) => Promise<boolean>;

export interface RequestPorts {
  buy(orders: readonly TextOrder[]): Promise<readonly OrderOutcome[]>;
  accepts(): Promise<boolean>;
}

/**
 * Buys in one request if the service accepts it. A request that is too large (413), or in which texts are rejected, is halved until each
 * rejected text is alone, and all others are bought: 2n requests at most for n texts. A rejected request bills nothing. Never rejects.
 */
export async function outcomesOf(
  { buy, accepts }: RequestPorts,
  orders: readonly TextOrder[],
): Promise<readonly OrderOutcome[]> {
  if (orders.length === 0) return [];
  try {
    return await buy(orders);
  } catch (error) {
    const failure = failureOf(error);
    if (orders.length === 1) return failed(orders, error);
    if (failure.kind === 'too-large') return await inHalves({ buy, accepts }, orders);
    if (!isAboutOneText(failure)) return failed(orders, error);
    return await separate({ buy, accepts }, orders);
  }
}

/** The settings are in doubt until the service takes a request with them; then each further refusal is about a text. */
async function separate(
  { buy, accepts }: RequestPorts,
  orders: readonly TextOrder[],
): Promise<readonly OrderOutcome[]> {
  const ports = { buy, accepts: async () => true };
  if (await accepts()) return await inHalves(ports, orders);
  const [first, ...others] = orders;
  const outcomes = await outcomesOf(ports, first === undefined ? [] : [first]);
  const [refused] = outcomes;
  return refused?.outcome.kind === 'failed'
    ? [...outcomes, ...failed(others, refused.outcome.error)]
    : [...outcomes, ...(await outcomesOf(ports, others))];
}

async function inHalves(
  ports: RequestPorts,
  orders: readonly TextOrder[],
): Promise<readonly OrderOutcome[]> {
  const halves = halve(orders) ?? [orders];
  return (await Promise.all(halves.map((half) => outcomesOf(ports, half)))).flat();
}

function isAboutOneText(failure: Failure): boolean {
  return failure.kind === 'rejected' || failure.kind === 'invalid-request';
}

function failed(orders: readonly TextOrder[], error: unknown): readonly OrderOutcome[] {
  return orders.map((order) => ({ order, outcome: { kind: 'failed', error } }));
}
