/** Pays for one request: durable before it is sent, remembered and booked before anybody hears of the answer. */
import { type Clock, isoTime } from '../clock.ts';
import type { Events } from '../event.ts';
import { failureOf } from '../failure.ts';
import type { Semaphore } from '../files/semaphore.ts';
import type { Charge, Fact, Ledger, OpenRequest } from '../ledger.ts';
import { memoryKey, type Recipe, type RemoteRules } from '../plan/recipe.ts';
import { restore } from '../segments/restore.ts';
import type { CallOptions } from '../service/call.ts';
import type { Service } from '../service/client.ts';
import type { TranslateResult } from '../service/text.ts';
import type { Memories } from '../state/memory.ts';
import { chargesFor, type Entry, lostCharges, openRequest, wastedCharges } from './charges.ts';
import { isEcho } from './echo.ts';
import type { Order } from './order.ts';
import type { OrderOutcome, Purchase } from './outcome.ts';
import { type RequestKind, requestFor } from './request.ts';
import { TagVersions } from './tag-versions.ts';
import { convertTexts } from './variants.ts';

export interface PurchaseSources {
  readonly service: Pick<Service, 'text' | 'writing'>;
  readonly ledger: Ledger;
  readonly memories: Memories;
  readonly clock: Clock;
  readonly events: Events;
  /** What a recipe's glossary and style are called on the service now. */
  remoteRules(recipe: Recipe): Promise<RemoteRules>;
  /** The service did not know one of those ids: the next question makes sure. */
  doubt(recipe: Recipe): void;
  /** Sets room for the answer aside where it is kept. @throws JobFailure `state-unwritable` */
  room(order: { readonly characters: number; readonly texts: number }): Promise<Disposable>;
  /** Hears of every charge when it is durable. */
  booked(charges: readonly Charge[]): void;
  /** Lets a few more requests in than can be on their way: they are noted while others wait for their answers. */
  readonly semaphore: Semaphore;
  /** Somebody is in a hurry: what waits to be sent is not sent any more. */
  readonly hurry: AbortSignal;
}

/** How texts are paid for at this till. */
export function purchaseAt(sources: PurchaseSources): Purchase {
  const versions = new TagVersions(sources.ledger);
  return (asked, orders) =>
    versions.tried(asked, async (kind) => {
      try {
        return await buy(sources, kind, orders);
      } catch (error) {
        if (!isAboutRules(error, kind)) throw error;
        // A refusal bills nothing. Somebody deleted the glossary or style list: it is made again, and the work goes on.
        sources.doubt(kind.recipe);
        return await buy(sources, kind, orders);
      }
    });
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
  sources: PurchaseSources,
  kind: RequestKind,
  orders: readonly Order[],
): Promise<readonly OrderOutcome[]> {
  const { recipe } = kind;
  if (recipe.conversion !== undefined) {
    using _place = await sources.semaphore.enter();
    const texts = orders.map(({ text }) => text);
    const bought = await pay(sources, orders, (options) =>
      convertTexts(sources.service, { recipe, texts }, options),
    );
    return await settle(sources, bought, orders);
  }
  const lines = orders.map(({ text, wanted: { note, place, scene } }) => ({
    text,
    note,
    place,
    scene,
  }));
  const translateWith = async (remote: RemoteRules) => {
    const body = requestFor(kind, lines, remote);
    return await pay(sources, orders, (options) => sources.service.text.translate(body, options));
  };
  // What the request names on the service is brought in step before.
  const remote = await sources.remoteRules(recipe);
  using _place = await sources.semaphore.enter();
  const bought = await translateWith(remote);
  const renewed = isEcho(orders, bought.answer)
    ? await renewedRules(sources, kind, remote)
    : undefined;
  if (renewed === undefined) return await settle(sources, bought, orders);
  const entry = { open: bought.open, orders: [] };
  await book(sources, entry, wastedCharges(bought.answer, { ...entry, orders }));
  return await settle(sources, await translateWith(renewed), orders);
}

/** What a request has to name instead, when a glossary or style list that it named was gone; undefined when none was. */
async function renewedRules(
  sources: PurchaseSources,
  { recipe }: RequestKind,
  { glossary_id, style_id }: RemoteRules,
): Promise<RemoteRules | undefined> {
  if (glossary_id === undefined && style_id === undefined) return undefined;
  sources.doubt(recipe);
  const now = await sources.remoteRules(recipe);
  return now.glossary_id === glossary_id && now.style_id === style_id ? undefined : now;
}

/** One request that was answered. */
interface Bought {
  readonly open: OpenRequest;
  readonly answer: TranslateResult;
}

/**
 * Sends the texts once; that it happens is durable before. It is noted shortly before the request has its turn: what only
 * waited when the process was killed was not billed. The caller holds a place of the semaphore until the answer is durable,
 * so that a kill never costs more requests than there are places.
 */
async function pay(
  sources: PurchaseSources,
  orders: readonly Order[],
  request: (options: CallOptions) => Promise<TranslateResult>,
): Promise<Bought> {
  const open = openRequest(sources.clock, orders);
  using _room = await sources.room({ characters: open.characters, texts: orders.length });
  if (!sources.hurry.aborted) await sources.ledger.commit([{ table: 'requests', put: open }]);
  const options = { waiting: sources.hurry };
  return { open, answer: await send(sources, () => request(options), { open, orders }) };
}

/** One more try of an answer that was lost costs a request at most. */
const TRIES = 2;

// An answer lost on the way may have been billed: each is booked as possibly billed twice, the last one too. So is an
// answer that is not valid: nobody knows what it billed, and another try would bring the same.
// What was never sent, or answered with an error, is not billed.
async function send(
  sources: PurchaseSources,
  request: () => Promise<TranslateResult>,
  entry: Entry,
): Promise<TranslateResult> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await request();
    } catch (error) {
      const { kind } = failureOf(error);
      const isLost = kind === 'unanswered' || kind === 'bad-answer';
      if (isLost) await bookLost(sources, entry, attempt);
      if (kind !== 'unanswered' || attempt === TRIES) throw await forget(sources, entry, error);
    }
  }
}

async function bookLost({ ledger }: PurchaseSources, entry: Entry, attempt: number): Promise<void> {
  const charges = lostCharges(entry, attempt);
  await ledger.commit(charges.map((put) => ({ table: 'charges', put })));
}

async function forget(
  { ledger }: PurchaseSources,
  { open }: Entry,
  error: unknown,
): Promise<unknown> {
  await ledger.commit([{ table: 'requests', remove: open.id }]);
  return error;
}

// Memory first, then the books: a crash in between finds the request open and its answer in the memory.
async function settle(
  sources: PurchaseSources,
  bought: Bought,
  orders: readonly Order[],
): Promise<readonly OrderOutcome[]> {
  const { answer, open } = bought;
  const outcomes = orders.map((order, index) =>
    judge(order, answer.translations[index]?.text ?? ''),
  );
  await remember(sources, open, outcomes);
  await book(sources, { open, orders }, chargesFor(answer, { open, orders }));
  return outcomes;
}

async function book(
  sources: PurchaseSources,
  { open, orders }: Entry,
  charges: readonly Charge[],
): Promise<void> {
  await sources.ledger.commit([
    { table: 'requests', remove: open.id },
    ...charges.map((put): Fact => ({ table: 'charges', put })),
  ]);
  sources.booked(charges);
  const texts = Map.groupBy(orders, ({ wanted }): Charge['job'] => wanted.job);
  for (const charge of charges) {
    const { project, language, lane, characters, estimated } = charge;
    const bill = { project, language, lane, characters: characters ?? 0, estimated };
    sources.events.emit({ kind: 'billed', texts: texts.get(charge.job)?.length ?? 0, ...bill });
  }
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
  { memories, clock }: PurchaseSources,
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
