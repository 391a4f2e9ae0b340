/** Joins the texts of many jobs into few requests and returns each answer to all jobs that want it; every text is bought once. */
import { type Clock, turnsOf } from '../clock.ts';
import { JobFailure } from '../failure.ts';
import { memoryKey, type Recipe } from '../plan/recipe.ts';
import { type Batch, Packer } from '../segments/batch.ts';
import { protect } from '../segments/inline/protect.ts';
import { nextSendForm, type SendForm } from '../segments/inline/send-form.ts';
import type { TextAnswer } from '../segments/record-for.ts';
import type { Memories } from '../state/memory.ts';
import {
  askedFor,
  firstSendForm,
  type JobText,
  type TextOrder,
  type TextPortions,
  textPurchaseKey,
} from './order.ts';
import {
  type AcceptsKind,
  type OrderResult,
  outcomesOf,
  type PurchaseTexts,
  RefusalStreak,
} from './outcome.ts';
import {
  type RequestKind,
  requestBytes,
  requestKindOf,
  requestLimit,
  whyNeverSent,
} from './request.ts';

/** Milliseconds of packing at a time: 100,000 texts take seconds. */
const TURN_MS = 10;

/**
 * Texts of one call per portion. Two portions are on their way at a time: one is packed while the one before it is answered. An order and
 * its waiting answer take 2 kB; 130,000 texts of one file took 250 MB. A request has 50 of them.
 */
const PORTION = 5000;
/** Milliseconds for which texts wait for those of other jobs: a job may read a slow file meanwhile. */
const PARTIAL_MS = 10_000;

/** A claimed job that may still add texts. Partial requests wait for it until it waits for an answer itself or is disposed. */
export interface Participant extends Disposable {
  /**
   * @returns one answer per text, in order; `refused` for texts that could be used in no form
   * @throws JobFailure when the service does not translate
   */
  translate(wanted: readonly JobText[]): Promise<readonly TextAnswer[]>;
  /**
   * The same for many texts: they are taken and answered in portions, so that neither texts nor answers of a whole file are held. Portions
   * do not cost requests: the next one fills the last request of the one before.
   */
  translateInPortions(wanted: TextPortions): AsyncGenerator<readonly TextAnswer[]>;
}

export interface TranslatorOptions {
  readonly clock: Pick<Clock, 'sleep'>;
  readonly memories: Memories;
  /** Pays for the texts of one request, books it, and remembers the answers that can be used. */
  readonly purchase: PurchaseTexts;
  /** Absent: the service accepts every kind; a refusal then concerns single texts. */
  readonly accepts?: AcceptsKind;
  /** Resolves when the service has the glossary and style of a recipe; undefined when it has them now. */
  ready?(recipe: Recipe): Promise<void> | undefined;
  /** Whether further jobs may join beside the `joined` ones; absent: yes, while a request is on its way. */
  mayGrow?(joined: number): boolean;
  /** Milliseconds after which a partial request is sent in any case; absent: 10,000. */
  readonly partialMs?: number;
}

export class Translator {
  readonly #memories: Memories;
  readonly #purchase: PurchaseTexts;
  readonly #accepts: AcceptsKind;
  readonly #ready: TranslatorOptions['ready'];
  readonly #mayGrow: (joined: number) => boolean;
  readonly #kinds = new Map<string, RequestKind>();
  /** By group. */
  readonly #refusals = new Map<string, RefusalStreak>();
  readonly #packer = new Packer<TextOrder>({
    fixedBytes: (group) => requestBytes(this.#kind(group)),
    maxBytes: (group) => requestLimit(this.#kind(group)),
  });
  /** By purchase key: equal texts wait for one answer. */
  readonly #underway = new Map<string, Promise<TextAnswer>>();
  readonly #answers = new Map<TextOrder, PromiseWithResolvers<TextAnswer>>();
  readonly #sending = new Set<Promise<void>>();
  #joined = 0;
  #waiting = 0;
  #stopped = false;
  readonly #clock: Pick<Clock, 'sleep'>;
  readonly #partialMs: number;
  /** Ends the wait of a partial request; undefined: none waits. */
  #partial: AbortController | undefined;

  constructor(options: TranslatorOptions) {
    const { clock, memories, purchase, ready } = options;
    const { mayGrow = () => true, partialMs = PARTIAL_MS, accepts = async () => true } = options;
    this.#clock = clock;
    this.#partialMs = partialMs;
    this.#memories = memories;
    this.#purchase = purchase;
    this.#accepts = accepts;
    this.#mayGrow = mayGrow;
    this.#ready = ready;
  }

  join(): Participant {
    this.#joined += 1;
    return {
      translate: async (wanted) => (await Array.fromAsync(this.#translate([wanted]))).flat(),
      translateInPortions: (wanted) => this.#translate(wanted),
      [Symbol.dispose]: () => {
        this.#joined -= 1;
        this.#flushIfNobodyCanAdd();
      },
    };
  }

  /** Refuses texts that were not sent yet with `stopped`; resolves when everything that was sent is booked. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#partial?.abort();
    for (const batch of this.#packer.flush()) {
      for (const order of batch.items) this.#reject(order, new JobFailure({ kind: 'stopped' }));
    }
    while (this.#sending.size > 0) await Promise.all(this.#sending);
  }

  async *#translate(wanted: TextPortions): AsyncGenerator<readonly TextAnswer[]> {
    let isPrepared = false;
    let underway: Promise<TextAnswer>[] = [];
    for await (const portion of portionsOf(wanted)) {
      if (!isPrepared) isPrepared = await this.#prepare(portion);
      const next = await this.#obtainAll(portion);
      yield await this.#answersOf(underway);
      underway = next;
    }
    yield await this.#answersOf(underway);
  }

  async #answersOf(underway: readonly Promise<TextAnswer>[]): Promise<TextAnswer[]> {
    if (underway.length === 0) return [];
    const answers = Promise.all(underway);
    this.#waiting += 1;
    try {
      this.#flushIfNobodyCanAdd();
      return await answers;
    } finally {
      this.#waiting -= 1;
    }
  }

  /**
   * Waits until the glossary for texts to be bought is up to date; requests of other jobs do not wait for it.
   * @returns false when the memory has all these texts: nothing is bought yet
   */
  async #prepare(wanted: readonly JobText[]): Promise<boolean> {
    const [first] = wanted;
    if (first === undefined) return false;
    const memory = await this.#memories.of(first.recipe);
    if ((await memory.find(wanted.map(askedFor))).every((found) => found !== undefined))
      return false;
    const ready = this.#ready?.(first.recipe);
    if (ready === undefined) return true;
    this.#waiting += 1;
    try {
      this.#flushIfNobodyCanAdd();
      await ready;
    } finally {
      this.#waiting -= 1;
    }
    return true;
  }

  async #obtainAll(wanted: readonly JobText[]): Promise<Promise<TextAnswer>[]> {
    const first = wanted[0];
    if (first === undefined) return [];
    const memory = await this.#memories.of(first.recipe);
    const found = await memory.find(wanted.map(askedFor));
    const turns = turnsOf(TURN_MS);
    const answers: Promise<TextAnswer>[] = [];
    for (const [index, text] of wanted.entries()) {
      if (turns.over()) await turns.next();
      const known = found[index];
      answers.push(
        known === undefined
          ? this.#obtain(text)
          : Promise.resolve({ kind: 'translated', parts: known }),
      );
    }
    return answers;
  }

  #obtain(wanted: JobText): Promise<TextAnswer> {
    const sendForm = firstSendForm(wanted);
    const sent = protect(wanted, sendForm);
    const id = textPurchaseKey(wanted, sent);
    const underway = this.#underway.get(id);
    if (underway !== undefined)
      return underway.then((answer) => this.#fitting(answer, wanted, sendForm));
    const answer = this.#place(wanted, sendForm, sent);
    const done = () => this.#underway.delete(id);
    // Its owners get a rejection; one before they await must not end the process.
    answer.then(done, done);
    this.#underway.set(id, answer);
    return answer;
  }

  /** The answer to an equal text; when this text cannot use it, it is bought in its next form. */
  async #fitting(answer: TextAnswer, wanted: JobText, sendForm: SendForm): Promise<TextAnswer> {
    const { parts } = answer;
    if (parts === undefined) return answer;
    const problem = wanted.check?.(parts);
    if (problem === undefined) return { kind: 'translated', parts };
    // The equal text was sent in all forms, and this one would get the same answers.
    if (answer.kind === 'refused') return { ...answer, problem };
    return await this.#inNextForm({ wanted, sendForm }, { problem, parts });
  }

  #place(
    wanted: JobText,
    sendForm: SendForm,
    sent = protect(wanted, sendForm),
  ): Promise<TextAnswer> {
    if (this.#stopped) return Promise.reject(new JobFailure({ kind: 'stopped' }));
    const problem = whyNeverSent(sent.text);
    if (problem !== undefined) return Promise.resolve({ kind: 'refused', problem });
    const { recipe, scene } = wanted;
    const kind = requestKindOf(wanted, sendForm, sent);
    const { form, version, content } = kind;
    const group = `${recipe.project} ${memoryKey({ recipe })} ${form} ${version} ${content}`;
    this.#kinds.set(group, kind);
    const pause = scene === undefined ? {} : { pause: scene.pause };
    const order: TextOrder = { wanted, sendForm, sent, group, text: sent.text, ...pause };
    const answer = Promise.withResolvers<TextAnswer>();
    this.#answers.set(order, answer);
    if (sendForm.alone) this.#send({ group, items: [order], bytes: 0 });
    else this.#pack(order);
    return answer.promise;
  }

  #pack(order: TextOrder): void {
    const packed = this.#packer.add(order);
    if (packed.kind === 'packed') {
      for (const batch of packed.full) this.#send(batch);
      this.#partial ??= this.#flushLater();
      return;
    }
    const problem = `${packed.bytes} bytes are more than one request may carry (${packed.limit})`;
    this.#answer(order, { kind: 'refused', problem });
  }

  // A partial request is sent only when no joined job can add to it. While a request is on its way, its answer may let a job end and the
  // next one begin. So the partial request waits for that job's texts. If there is no next job, it does not wait: a language for which the
  // service fails must not delay the others.
  #flushIfNobodyCanAdd(): void {
    if (this.#waiting < this.#joined) return;
    if (this.#sending.size > 0 && this.#mayGrow(this.#joined)) return;
    this.#flush();
  }

  #flushLater(): AbortController {
    const ending = new AbortController();
    this.#clock.sleep(this.#partialMs, ending.signal).then(
      () => this.#flush(),
      () => {},
    );
    return ending;
  }

  #flush(): void {
    this.#partial?.abort();
    this.#partial = undefined;
    for (const batch of this.#packer.flush()) this.#send(batch);
  }

  #send(batch: Batch<TextOrder>): void {
    const done = this.#buyBatch(batch).finally(() => {
      this.#sending.delete(done);
      // Runs after the owners have gone on: they may end, and others may join.
      setImmediate(() => this.#flushIfNobodyCanAdd());
    });
    this.#sending.add(done);
  }

  async #buyBatch({ group, items }: Batch<TextOrder>): Promise<void> {
    const kind = this.#kind(group);
    const refusals = this.#refusals.get(group) ?? new RefusalStreak();
    this.#refusals.set(group, refusals);
    const ports = {
      buy: (orders: readonly TextOrder[]) => this.#purchase(kind, orders),
      accepts: () => this.#accepts(kind),
      refusals,
    };
    for (const { order, outcome } of await outcomesOf(ports, items)) this.#conclude(order, outcome);
  }

  #conclude(order: TextOrder, outcome: OrderResult): void {
    switch (outcome.kind) {
      case 'fit':
        this.#answer(order, { kind: 'translated', parts: outcome.parts });
        break;
      case 'unfit':
        this.#tryAgain(order, outcome);
        break;
      case 'failed':
        this.#reject(order, outcome.error);
        break;
    }
  }

  #tryAgain(order: TextOrder, unfit: UnfitAnswer): void {
    this.#inNextForm(order, unfit).then(
      (answer) => this.#answer(order, answer),
      (error: unknown) => this.#reject(order, error),
    );
  }

  async #inNextForm(
    { wanted, sendForm }: Pick<TextOrder, 'wanted' | 'sendForm'>,
    { problem, parts }: UnfitAnswer,
  ): Promise<TextAnswer> {
    const { untagged } = wanted.recipe;
    const sent = protect(wanted, sendForm);
    const next = nextSendForm(sendForm, {
      ...sent,
      ...(untagged === undefined ? {} : { untagged }),
    });
    const last = { kind: 'refused', problem, ...(parts !== undefined && { parts }) } as const;
    if (next === undefined) return last;
    const answer = await this.#place(wanted, next);
    // In a later form it may have come back damaged.
    return answer.kind === 'refused' ? { ...last, ...answer } : answer;
  }

  #answer(order: TextOrder, answer: TextAnswer): void {
    this.#answers.get(order)?.resolve(answer);
    this.#answers.delete(order);
  }

  #reject(order: TextOrder, error: unknown): void {
    this.#answers.get(order)?.reject(error);
    this.#answers.delete(order);
  }

  #kind(group: string): RequestKind {
    const kind = this.#kinds.get(group);
    if (kind === undefined) throw new Error(`unknown group of texts: ${group}`);
    return kind;
  }
}

type UnfitAnswer = Pick<Extract<OrderResult, { kind: 'unfit' }>, 'problem' | 'parts'>;

/** Texts that came in any number at a time, `PORTION` at a time. */
async function* portionsOf(wanted: TextPortions): AsyncGenerator<readonly JobText[]> {
  let portion: JobText[] = [];
  for await (const some of wanted) {
    for (const text of some) {
      portion.push(text);
      if (portion.length < PORTION) continue;
      yield portion;
      portion = [];
    }
  }
  if (portion.length > 0) yield portion;
}
