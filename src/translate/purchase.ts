/** Pays for one request. It is recorded durably before it is sent; the answer is remembered and booked before anybody uses it. */
import { type Clock, isoTime } from '../clock.ts';
import type { Events } from '../event.ts';
import { failureOf } from '../failure.ts';
import type { Semaphore } from '../files/semaphore.ts';
import type { Charge, Ledger, OpenRequest } from '../ledger.ts';
import { memoryKey, type Recipe, type RemoteIds } from '../plan/recipe.ts';
import { codePoints } from '../segments/bill.ts';
import { restore } from '../segments/inline/restore.ts';
import type { CallOptions } from '../service/call.ts';
import type { Service } from '../service/client.ts';
import type { TranslateResult } from '../service/text.ts';
import { OverBudget } from '../state/funds.ts';
import type { Remembered } from '../state/memory.ts';
import type { TextToBuy, Till, TillDecision } from '../state/till.ts';
import {
  type ChargeEntry,
  chargesFor,
  lostCharges,
  openRequest,
  wastedCharges,
} from './charges.ts';
import { isEcho } from './echo.ts';
import { askedFor, type TextOrder } from './order.ts';
import type { AcceptsKind, OrderOutcome, PurchaseTexts } from './outcome.ts';
import { type RequestKind, textRequestFor } from './request.ts';
import { sendOpened } from './sent-once.ts';
import { TagVersions } from './tag-versions.ts';
import { convertTexts } from './variants.ts';

export interface PurchaseSources {
  readonly service: Pick<Service, 'text' | 'writing'>;
  readonly ledger: Ledger;
  readonly till: Till;
  readonly clock: Clock;
  readonly events: Events;
  /** The ids of a recipe's glossary and style on the service now. */
  remoteIds(recipe: Recipe): Promise<RemoteIds>;
  /** The service did not know one of those ids: the next call of `remoteIds` asks the service. */
  doubt(recipe: Recipe): void;
  /** Reserves space for the answer in the state. @throws JobFailure `state-unwritable` */
  reserveSpace(order: { readonly characters: number; readonly texts: number }): Promise<Disposable>;
  /** Called with the charges when they are durable. */
  booked(charges: readonly Charge[]): void;
  /** Has twice as many slots as requests run at a time: the next requests are recorded while others wait for their answers. */
  readonly semaphore: Semaphore;
  /** Aborted when the process must end quickly: requests that still wait are not sent. */
  readonly stopWaiting: AbortSignal;
}

/** Pays for texts at this till. */
export function purchaseAt(sources: PurchaseSources): PurchaseTexts {
  const versions = new TagVersions(sources.ledger);
  return (asked, orders) =>
    versions.tried(asked, async (kind) => {
      try {
        return await buy(sources, kind, orders);
      } catch (error) {
        if (!isAboutRemoteId(error, kind)) throw error;
        // A refusal bills nothing. Somebody deleted the glossary or style list: it is created again, and the request is repeated.
        sources.doubt(kind.recipe);
        return await buy(sources, kind, orders);
      }
    });
}

/** Asks with an empty text, which bills nothing. */
export function acceptsAt({
  service,
  remoteIds,
  stopWaiting: hurry,
}: PurchaseSources): AcceptsKind {
  return async (kind) => {
    const { recipe } = kind;
    if (recipe.conversion !== undefined) return true;
    const version = recipe.tagHandlingVersion ?? 'v1'; // every pair has v1
    try {
      const lines = [{ text: '', note: undefined }];
      const empty = textRequestFor({ ...kind, version }, lines, await remoteIds(recipe));
      await service.text.translate(empty, { waiting: hurry });
      return true;
    } catch {
      return false;
    }
  };
}

/** Whether a refusal is about a glossary or style list that the service does not have, or no longer has. */
export function isAboutRemoteId(error: unknown, { recipe }: Pick<RequestKind, 'recipe'>): boolean {
  if (recipe.glossary === undefined && recipe.style === undefined) return false;
  const failure = failureOf(error);
  return (
    failure.kind === 'not-found' ||
    (failure.kind === 'rejected' && /glossary|style/i.test(failure.message))
  );
}

/** Buys texts. Those that another process is buying are asked for again when its request may have ended. */
async function buy(
  sources: PurchaseSources,
  kind: RequestKind,
  orders: readonly TextOrder[],
): Promise<readonly OrderOutcome[]> {
  const { outcomes, busy } = await buyFreeTexts(sources, kind, orders);
  if (busy.length === 0) return outcomes;
  await sources.till.othersEnd(sources.stopWaiting);
  return [...outcomes, ...(await buy(sources, kind, busy))];
}

/** `outcomes`: results of the texts that no other process is buying. `busy`: texts that another process is buying now. */
interface FreeTexts {
  readonly outcomes: readonly OrderOutcome[];
  readonly busy: readonly TextOrder[];
}

async function buyFreeTexts(
  sources: PurchaseSources,
  kind: RequestKind,
  orders: readonly TextOrder[],
): Promise<FreeTexts> {
  const { recipe } = kind;
  if (recipe.conversion !== undefined) {
    using _place = await sources.semaphore.enter();
    const paid = await pay(sources, orders, (own, options) =>
      convertTexts(sources.service, { recipe, texts: own.map(({ text }) => text) }, options),
    );
    return await settle(sources, paid);
  }
  const translateWith = (remote: RemoteIds, asked: readonly TextOrder[]) =>
    pay(sources, asked, (own, options) =>
      sources.service.text.translate(textRequestFor(kind, own.map(requestLineOf), remote), options),
    );
  // Glossary and style are brought up to date on the service before the request names them.
  const remote = await sources.remoteIds(recipe);
  using _place = await sources.semaphore.enter();
  const paid = await translateWith(remote, orders);
  const { bought } = paid;
  const renewed =
    bought !== undefined && isEcho(bought.orders, bought.answer)
      ? await renewedIds(sources, kind, remote)
      : undefined;
  if (bought === undefined || renewed === undefined) return await settle(sources, paid);
  const { open, answer } = bought;
  const wasted = wastedCharges(answer, bought);
  await sources.till.end(open, { entries: [], charges: wasted });
  reportCharges(sources, wasted, []);
  const again = await settle(sources, await translateWith(renewed, bought.orders));
  return {
    outcomes: [...paid.known, ...again.outcomes],
    busy: [...paid.busy, ...again.busy],
  };
}

function requestLineOf({ text, wanted: { note, place, scene } }: TextOrder) {
  return { text, note, place, scene };
}

/** The new ids when a glossary or style list of the request was gone; undefined when none was. */
async function renewedIds(
  sources: PurchaseSources,
  { recipe }: RequestKind,
  { glossary_id, style_id }: RemoteIds,
): Promise<RemoteIds | undefined> {
  if (glossary_id === undefined && style_id === undefined) return undefined;
  sources.doubt(recipe);
  const now = await sources.remoteIds(recipe);
  return now.glossary_id === glossary_id && now.style_id === style_id ? undefined : now;
}

/** One request that was answered. */
interface AnsweredRequest extends ChargeEntry {
  readonly answer: TranslateResult;
}

/** The result of sending some texts. */
interface PaidTexts {
  /** Results of texts that were not sent: bought before, or not to be bought now. */
  readonly known: readonly OrderOutcome[];
  readonly busy: readonly TextOrder[];
  /** Undefined: nothing had to be sent. */
  readonly bought: AnsweredRequest | undefined;
}

type SendRequest = (orders: readonly TextOrder[], options: CallOptions) => Promise<TranslateResult>;

/**
 * Sends the texts once. A durable record is written before the request is sent, but not before its turn comes. A request that still waits
 * has no record, so a kill does not count it as billed. The caller holds a slot of the semaphore until the answer is durable, so a kill
 * never costs more requests than there are slots.
 */
async function pay(
  sources: PurchaseSources,
  asked: readonly TextOrder[],
  request: SendRequest,
): Promise<PaidTexts> {
  const { stopWaiting: hurry, clock } = sources;
  const whole = openRequest(clock, asked);
  using _space = await sources.reserveSpace({ characters: whole.characters, texts: asked.length });
  const decisions = hurry.aborted ? [] : await sources.till.begin(whole, asked.map(textToBuy));
  const known = asked.flatMap((order, index) => decidedOutcome(order, decisions[index]) ?? []);
  const busy = asked.filter((_, index) => decisions[index]?.kind === 'busy');
  const orders = asked.filter((_, index) => (decisions[index]?.kind ?? 'ours') === 'ours');
  if (orders.length === 0) return { known, busy, bought: undefined };
  const open =
    orders.length === asked.length ? whole : { ...openRequest(clock, orders), id: whole.id };
  const options = { waiting: hurry };
  const answer = await sendOpened(sources, () => request(orders, options), {
    open,
    lostCharges: (attempt) => lostCharges({ open, orders }, attempt),
  });
  return { known, busy, bought: { open, orders, answer } };
}

/** Undefined: the text is sent, by this request or by another process. */
function decidedOutcome(
  order: TextOrder,
  decision: TillDecision | undefined,
): OrderOutcome | undefined {
  switch (decision?.kind) {
    case 'known':
      return { order, outcome: { kind: 'fit', parts: decision.parts } };
    case 'held':
      return { order, outcome: { kind: 'failed', error: new OverBudget(decision.hold) } };
    case 'ours':
    case 'busy':
    case undefined:
      return undefined;
  }
}

function textToBuy({ wanted, text }: TextOrder): TextToBuy {
  return { ...askedFor(wanted), job: wanted.job, characters: codePoints(text) };
}

async function settle(
  sources: PurchaseSources,
  { known, busy, bought }: PaidTexts,
): Promise<FreeTexts> {
  if (bought === undefined) return { outcomes: known, busy };
  const { answer, open, orders } = bought;
  const outcomes = orders.map((order, index) =>
    judgeAnswer(order, answer.translations[index]?.text ?? ''),
  );
  const charges = chargesFor(answer, bought);
  await sources.till.end(open, { entries: entriesOf(sources, open, outcomes), charges });
  reportCharges(sources, charges, orders);
  return { outcomes: [...known, ...outcomes], busy };
}

/** Reports the charges that are booked now. */
function reportCharges(
  sources: PurchaseSources,
  charges: readonly Charge[],
  orders: readonly TextOrder[],
): void {
  sources.booked(charges);
  const texts = Map.groupBy(orders, ({ wanted }): Charge['job'] => wanted.job);
  for (const charge of charges) {
    const { project, language, lane, characters, estimated } = charge;
    const bill = { project, language, lane, characters: characters ?? 0, estimated };
    sources.events.emit({ kind: 'billed', texts: texts.get(charge.job)?.length ?? 0, ...bill });
  }
}

function judgeAnswer(order: TextOrder, text: string): OrderOutcome {
  const { sent, wanted } = order;
  const restored = restore(text, sent, wanted.recipe.target);
  if ('problem' in restored)
    return { order, outcome: { kind: 'unfit', problem: restored.problem } };
  const problem = wanted.check?.(restored.parts);
  return problem === undefined
    ? { order, outcome: { kind: 'fit', parts: restored.parts } }
    : { order, outcome: { kind: 'unfit', problem, parts: restored.parts } };
}

/**
 * The entries for the memory: all texts of a request belong to one project. A translation that only the checks of its text refuse is one of
 * them. It is paid, and an equal text with other checks may use it.
 */
function entriesOf(
  { clock }: PurchaseSources,
  open: OpenRequest,
  outcomes: readonly OrderOutcome[],
): Remembered[] {
  const at = isoTime(clock);
  return outcomes.flatMap(({ order: { wanted }, outcome }) =>
    outcome.kind !== 'failed' && outcome.parts !== undefined
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
}
