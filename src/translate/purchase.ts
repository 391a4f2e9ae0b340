/** Pays for one request: durable before it is sent, remembered and booked before anybody hears of the answer. */
import { randomUUID } from 'node:crypto';
import { type Clock, isoTime } from '../clock.ts';
import type { Events } from '../event.ts';
import { failureOf } from '../failure.ts';
import type { Charge, Fact, Ledger, OpenRequest } from '../ledger.ts';
import type { Memories } from '../memory.ts';
import { memoryKey, type Recipe } from '../recipe.ts';
import { codePoints, spreadBill } from '../segments/bill.ts';
import { restore } from '../segments/restore.ts';
import type { Service } from '../service/client.ts';
import type { TranslateResult } from '../service/text.ts';
import type { Order } from '../translate.ts';
import { convertTexts } from '../variants.ts';
import type { OrderOutcome, Purchase } from './outcome.ts';
import { type RemoteRules, type RequestKind, requestFor } from './request.ts';

export interface Till {
  readonly service: Pick<Service, 'text' | 'writing'>;
  readonly ledger: Ledger;
  readonly memories: Memories;
  readonly clock: Clock;
  readonly events: Events;
  /** What a recipe's glossary and style are called on the service now. */
  remoteRules(recipe: Recipe): Promise<RemoteRules>;
  /** The service did not know one of those ids: the next question makes sure. */
  doubt(recipe: Recipe): void;
  /** Hears of every charge when it is durable. */
  booked(charges: readonly Charge[]): void;
  /** Somebody is in a hurry: what waits to be sent is not sent any more. */
  readonly hurry: AbortSignal;
}

/** How texts are paid for at this till. */
export function purchaseAt(till: Till): Purchase {
  return async (kind, orders) => {
    try {
      return await buy(till, kind, orders);
    } catch (error) {
      if (!isAboutRules(error, kind)) throw error;
      // A refusal bills nothing. Somebody deleted the glossary or style list: it is made again, and the work goes on.
      till.doubt(kind.recipe);
      return await buy(till, kind, orders);
    }
  };
}

/** Whether a refusal is about a glossary or style list that the service does not know (any more). */
export function isAboutRules(error: unknown, { recipe }: Pick<RequestKind, 'recipe'>): boolean {
  if (recipe.glossary === undefined && recipe.style === undefined) return false;
  const failure = failureOf(error);
  return (
    failure.kind === 'not-found' ||
    (failure.kind === 'rejected' && /glossary|style/i.test(failure.message))
  );
}

async function buy(
  till: Till,
  kind: RequestKind,
  orders: readonly Order[],
): Promise<readonly OrderOutcome[]> {
  const request = await requestOf(till, kind, orders);
  const open = openRequest(till.clock, orders);
  await till.ledger.commit([{ table: 'requests', put: open }]);
  const answer = await send(till, request, { open, orders });
  return await settle(till, answer, { open, orders });
}

/** Sends the texts once; what the request names on the service is brought in step before. */
async function requestOf(
  till: Till,
  kind: RequestKind,
  orders: readonly Order[],
): Promise<() => Promise<TranslateResult>> {
  const { recipe } = kind;
  if (recipe.conversion !== undefined) {
    const texts = orders.map(({ text }) => text);
    return () => convertTexts(till.service, recipe, texts);
  }
  const remote = await till.remoteRules(recipe);
  const lines = orders.map(({ text, wanted: { note, scene } }) => ({ text, note, scene }));
  const body = requestFor(kind, lines, remote);
  return () => till.service.text.translate(body, { waiting: till.hurry });
}

/** One request on the books: what it buys, and for whom. */
interface Entry {
  readonly open: OpenRequest;
  readonly orders: readonly Order[];
}

// An answer lost on the way may have been billed. One more try costs a request at most; it is booked as possibly
// billed twice (decisions.md 18). What was never sent, or answered with an error, is not billed.
async function send(
  till: Till,
  request: () => Promise<TranslateResult>,
  entry: Entry,
): Promise<TranslateResult> {
  try {
    return await request();
  } catch (error) {
    if (failureOf(error).kind !== 'unanswered') throw await forget(till, entry, error);
    await till.ledger.commit(lostCharges(entry).map((put) => ({ table: 'charges', put })));
    try {
      return await request();
    } catch (again) {
      throw await forget(till, entry, again);
    }
  }
}

async function forget({ ledger }: Till, { open }: Entry, error: unknown): Promise<unknown> {
  await ledger.commit([{ table: 'requests', remove: open.id }]);
  return error;
}

// Memory first, then the books: a crash in between finds the request open and its answer in the memory.
async function settle(
  till: Till,
  answer: TranslateResult,
  { open, orders }: Entry,
): Promise<readonly OrderOutcome[]> {
  const outcomes = orders.map((order, index) =>
    judge(order, answer.translations[index]?.text ?? ''),
  );
  await remember(till, open, outcomes);
  const charges = chargesFor(answer, { open, orders });
  await till.ledger.commit([
    { table: 'requests', remove: open.id },
    ...charges.map((put): Fact => ({ table: 'charges', put })),
  ]);
  till.booked(charges);
  for (const charge of charges) announce(till.events, charge);
  return outcomes;
}

function judge(order: Order, text: string): OrderOutcome {
  const { sent, wanted } = order;
  const restored = restore(text, sent, wanted.recipe.target);
  if ('problem' in restored)
    return { order, outcome: { kind: 'unfit', problem: restored.problem } };
  const problem = wanted.check?.(restored.parts);
  return problem === undefined
    ? { order, outcome: { kind: 'fit', parts: restored.parts } }
    : { order, outcome: { kind: 'unfit', problem } };
}

async function remember(
  { memories, clock }: Till,
  open: OpenRequest,
  outcomes: readonly OrderOutcome[],
): Promise<void> {
  const at = isoTime(clock);
  const byProject = Map.groupBy(outcomes, ({ order }) => order.wanted.project);
  await Promise.all(
    [...byProject].map(async ([project, bought]) => {
      const memory = await memories.open(project, open.language);
      const entries = bought.flatMap(({ order: { wanted }, outcome }) =>
        outcome.kind === 'fit'
          ? [
              {
                recipe: memoryKey(wanted),
                source: wanted.parts,
                translation: outcome.parts,
                request: open.id,
                at,
              },
            ]
          : [],
      );
      await memory.remember(entries);
    }),
  );
}

function openRequest(clock: Clock, orders: readonly Order[]): OpenRequest {
  const first = orders[0]?.wanted;
  if (first === undefined) throw new Error('a request without texts');
  return {
    id: randomUUID(),
    project: first.project,
    language: first.recipe.target,
    lane: first.lane,
    jobs: [...new Set(orders.map(({ wanted }) => wanted.job))],
    characters: sum(orders.map(({ text }) => codePoints(text))),
    at: isoTime(clock),
  };
}

/** One charge per job: its share of the bill, so that the shares agree with the answer to the character (decisions.md 21). */
function chargesFor(answer: TranslateResult, { open, orders }: Entry): Charge[] {
  const weights = orders.map(({ text }) => codePoints(text));
  const shares = spreadBill(answer.billed_characters, weights);
  const kind = answer.billed_by_service ? 'billed' : 'counted';
  return perJob({ open, orders }, { kind, id: open.id, shares });
}

function lostCharges(entry: Entry): Charge[] {
  const shares = entry.orders.map(({ text }) => codePoints(text));
  return perJob(entry, { kind: 'possibly-twice', id: `${entry.open.id}?`, shares });
}

interface Bill {
  readonly kind: Charge['kind'];
  readonly id: string;
  /** Code points for each order. */
  readonly shares: readonly number[];
}

function perJob({ open, orders }: Entry, { kind, id, shares }: Bill): Charge[] {
  const priced = orders.map((order, index) => ({ order, share: shares[index] ?? 0 }));
  return [...Map.groupBy(priced, ({ order }) => order.wanted.job)].map(([job, items]) => ({
    id: `${id} ${job}`,
    job,
    project: items[0]?.order.wanted.project ?? open.project,
    language: open.language,
    lane: items[0]?.order.wanted.lane ?? 'text',
    at: open.at,
    kind,
    characters: sum(items.map(({ share }) => share)),
    estimated: kind === 'possibly-twice' ? 0 : sum(items.map(({ order }) => expected(order))),
  }));
}

/** A repeated attempt was in nobody's plan. */
function expected({ attempt, text, wanted }: Order): number {
  return attempt.alone || wanted.unplanned ? 0 : codePoints(text);
}

function announce(
  events: Events,
  { project, language, lane, characters, estimated }: Charge,
): void {
  events.emit({ kind: 'billed', project, language, lane, characters: characters ?? 0, estimated });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
