/** The result of every text of a request, also when the service accepts the request only in parts. */

import { type Failure, failureOf } from '../failure.ts';
import type { Part } from '../format.ts';
import { append } from '../parsing/append.ts';
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
 * Whether the service takes requests of this kind at all. If not, a refusal is about its settings (a wrong glossary, an unknown language
 * pair) and not about a text.
 */
export type AcceptsKind = (kind: RequestKind) => Promise<boolean>;

export interface RequestPorts {
  buy(orders: readonly TextOrder[]): Promise<readonly OrderOutcome[]>;
  accepts(): Promise<boolean>;
  /** Of all requests of this kind. */
  readonly refusals: RefusalStreak;
}

/** Texts that were refused alone, one after the other, without an accepted request of their kind between them. */
export class RefusalStreak {
  #inARow = 0;

  add(): void {
    this.#inARow += 1;
  }

  end(): void {
    this.#inARow = 0;
  }

  /** The service seems to take no text of this kind. */
  get areMany(): boolean {
    return this.#inARow >= MANY_REFUSALS;
  }
}

/** The number is in docs/recovery.md. */
const MANY_REFUSALS = 10;

/**
 * Buys in one request if the service accepts it. A request that is too large (413), or in which texts are rejected, is halved until each
 * rejected text is alone. All others are bought, with at most 2n requests for n texts. After many rejected texts in a row, two texts decide
 * about the rest. A rejected request bills nothing. Never rejects.
 */
export async function outcomesOf(
  ports: RequestPorts,
  orders: readonly TextOrder[],
): Promise<readonly OrderOutcome[]> {
  if (orders.length === 0) return [];
  const answer = await tryToBuy(ports, orders);
  if (answer.kind === 'bought') return answer.outcomes;
  const { kind, error } = answer;
  if (kind === 'failed' || orders.length === 1) return failed(orders, error);
  if (kind === 'rejected') return await separate(ports, orders);
  return (await Promise.all(halvesOf(orders).map((half) => outcomesOf(ports, half)))).flat();
}

type TryResult =
  | { readonly kind: 'bought'; readonly outcomes: readonly OrderOutcome[] }
  /** `rejected`: because of one of the texts, as far as the answer says. */
  | { readonly kind: 'rejected' | 'too-large' | 'failed'; readonly error: unknown };

async function tryToBuy(
  { buy, refusals }: RequestPorts,
  orders: readonly TextOrder[],
): Promise<TryResult> {
  try {
    const outcomes = await buy(orders);
    refusals.end();
    return { kind: 'bought', outcomes };
  } catch (error) {
    const failure = failureOf(error);
    if (failure.kind === 'too-large') return { kind: 'too-large', error };
    if (!isAboutOneText(failure)) return { kind: 'failed', error };
    if (orders.length === 1) refusals.add();
    return { kind: 'rejected', error };
  }
}

/** The settings are in doubt until the service takes a request with them; then each further refusal is about a text. */
async function separate(
  ports: RequestPorts,
  orders: readonly TextOrder[],
): Promise<readonly OrderOutcome[]> {
  const [first, ...others] = orders;
  if (first === undefined) return [];
  if (ports.refusals.areMany) return await afterEnds(ports, orders);
  const trusting = { ...ports, accepts: async () => true };
  if (await ports.accepts()) return await inParts(trusting, orders);
  const answer = await tryToBuy(ports, [first]);
  if (answer.kind !== 'bought') return failed(orders, answer.error);
  return [...answer.outcomes, ...(await outcomesOf(trusting, others))];
}

/** One part after the other: in parts at the same time, many texts are refused before the first one is counted. */
async function inParts(
  ports: RequestPorts,
  orders: readonly TextOrder[],
): Promise<readonly OrderOutcome[]> {
  const outcomes: OrderOutcome[] = [];
  let parts = halvesOf(orders);
  for (let [part, ...others] = parts; part !== undefined; [part, ...others] = parts) {
    if (ports.refusals.areMany) return [...outcomes, ...(await afterEnds(ports, parts.flat()))];
    const answer = await tryToBuy(ports, part);
    const isWhole = answer.kind === 'bought' || answer.kind === 'failed' || part.length === 1;
    parts = isWhole ? others : [...halvesOf(part), ...others];
    if (answer.kind === 'bought') append(outcomes, answer.outcomes);
    else if (isWhole) append(outcomes, failed(part, answer.error));
  }
  return outcomes;
}

/** When the first and the last text are rejected too, the others fail with that reason, and are not sent. */
async function afterEnds(
  ports: RequestPorts,
  orders: readonly TextOrder[],
): Promise<readonly OrderOutcome[]> {
  const [first, ...others] = orders;
  if (first === undefined) return [];
  const atFirst = await outcomesOf(ports, [first]);
  if (!ports.refusals.areMany) return [...atFirst, ...(await outcomesOf(ports, others))];
  const last = others.pop();
  const atLast = await outcomesOf(ports, last === undefined ? [] : [last]);
  if (!ports.refusals.areMany) return [...atFirst, ...(await outcomesOf(ports, others)), ...atLast];
  const [reason] = [...atLast, ...atFirst];
  const error = reason?.outcome.kind === 'failed' ? reason.outcome.error : undefined;
  return [...atFirst, ...failed(others, error), ...atLast];
}

function halvesOf(orders: readonly TextOrder[]): readonly (readonly TextOrder[])[] {
  return halve(orders) ?? [orders];
}

function isAboutOneText(failure: Failure): boolean {
  return failure.kind === 'rejected' || failure.kind === 'invalid-request';
}

function failed(orders: readonly TextOrder[], error: unknown): readonly OrderOutcome[] {
  return orders.map((order) => ({ order, outcome: { kind: 'failed', error } }));
}
