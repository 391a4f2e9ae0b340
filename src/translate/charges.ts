/** Charges of one request: the record that it is on its way, and each job's share of its bill. Pure except for the id of the request. */
import { randomUUID } from 'node:crypto';
import { type Clock, isoTime } from '../clock.ts';
import type { Charge, OpenRequest } from '../ledger.ts';
import { memoryLanguage } from '../plan/recipe.ts';
import { codePoints, spreadBill, sum } from '../segments/bill.ts';
import type { TranslateResult } from '../service/text.ts';
import type { TextOrder } from './order.ts';

/** One request with its texts and the jobs that they are for. */
export interface ChargeEntry {
  readonly open: OpenRequest;
  readonly orders: readonly TextOrder[];
}

export function openRequest(clock: Clock, orders: readonly TextOrder[]): OpenRequest {
  const first = orders[0]?.wanted;
  if (first === undefined) throw new Error('a request without texts');
  return {
    id: randomUUID(),
    project: first.project,
    language: memoryLanguage(first.recipe),
    lane: first.lane,
    jobs: [...new Set(orders.map(({ wanted }) => wanted.job))],
    characters: sum(orders.map(({ text }) => codePoints(text))),
    at: isoTime(clock),
  };
}

/** One charge per job. The shares add up to the bill of the answer exactly. */
export function chargesFor(answer: TranslateResult, { open, orders }: ChargeEntry): Charge[] {
  const weights = orders.map(({ text }) => codePoints(text));
  const shares = spreadBill(answer.billed_characters, weights);
  const kind = answer.billed_by_service ? 'billed' : 'counted';
  return perJob({ open, orders }, { kind, id: open.id, shares });
}

/** Charges for an answer that was lost: it may be billed twice. @param attempt 1 for the first */
export function lostCharges(entry: ChargeEntry, attempt: number): Charge[] {
  const shares = entry.orders.map(({ text }) => codePoints(text));
  return perJob(entry, { kind: 'possibly-twice', id: entry.open.id + '?'.repeat(attempt), shares });
}

/** Charges for an answer that cannot be used. The planned characters are those of the purchase that follows. */
export function wastedCharges(answer: TranslateResult, entry: ChargeEntry): Charge[] {
  return chargesFor(answer, entry).map((charge) => ({ ...charge, estimated: 0 }));
}

interface Bill {
  readonly kind: Charge['kind'];
  readonly id: string;
  /** Code points for each order. */
  readonly shares: readonly number[];
}

function perJob({ open, orders }: ChargeEntry, { kind, id, shares }: Bill): Charge[] {
  const priced = orders.map((order, index) => ({ order, share: shares[index] ?? 0 }));
  return [...Map.groupBy(priced, ({ order }) => order.wanted.job)].map(([job, items]) => ({
    id: `${id} ${job}`,
    job,
    project: items[0]?.order.wanted.project ?? open.project,
    language: items[0]?.order.wanted.recipe.target ?? open.language,
    lane: items[0]?.order.wanted.lane ?? 'text',
    at: open.at,
    kind,
    characters: sum(items.map(({ share }) => share)),
    estimated: kind === 'possibly-twice' ? 0 : sum(items.map(({ order }) => expected(order))),
  }));
}

/** What is sent again in another form was not planned. */
function expected({ sendForm, text, wanted }: TextOrder): number {
  return sendForm.alone || wanted.unplanned ? 0 : codePoints(text);
}
