/** The texts that a text job has to buy, and what the service would bill for them. */

import type { SegmentRecord } from '../baseline.ts';
import { turnsOf } from '../clock.ts';
import { keyName, partsText, type Segment, sourceParts } from '../format.ts';
import {
  type OwnMarkup,
  ownMarkup,
  type ReplacedParagraph,
} from '../formats/grammar/own-markup.ts';
import { codePoints } from '../segments/bill.ts';
import { buys, type Decision } from '../segments/decision.ts';
import { type CheckedTranslation, findUntranslated, worstHold } from '../segments/inline/check.ts';
import { protect, worthSending } from '../segments/inline/protect.ts';
import { maxLengthOf } from '../segments/key-pattern.ts';
import type { TextAnswer } from '../segments/record-for.ts';
import { type Sentences, sentencesFor } from '../segments/sentences.ts';
import type { Memory } from '../state/memory.ts';
import type { TextFindings, TextInspection } from './inspection.ts';
import { askedFor, firstSendForm, type JobText, textPurchaseKey } from './order.ts';
import {
  cutFor,
  excerpt,
  type OrderableText,
  openText,
  type PlacedSegment,
  type SegmentPurchase,
} from './orderable-text.ts';
import { isUnsendable, requestKindOf } from './request.ts';
import type { TextCase } from './text-case.ts';
import { changedTitles, newTitles, titlePurchase, unseenTitles } from './title-orders.ts';

/** The answer for each segment, by id. @param answers one per text of the purchases, in order */
export function boughtBy(
  purchases: readonly SegmentPurchase[],
  answers: readonly TextAnswer[],
): ReadonlyMap<string, TextAnswer> {
  const rest = answers.values();
  return new Map(purchases.map((each) => [each.id, each.join([...rest.take(each.texts.length)])]));
}

export function purchasesOf(
  text: TextCase,
  seen: TextInspection & Pick<TextFindings, 'base'>,
): SegmentPurchase[] {
  const { decisions } = seen.merge;
  return decisions.flatMap((decision, index) => {
    const segment = seen.segments[index];
    if (segment === undefined || !buys(decision)) return [];
    const before = decisions[index - 1];
    // If the paragraph before is also bought, it is next to this one in the request anyway.
    const neighbour = before === undefined || buys(before) ? undefined : seen.segments[index - 1];
    const isKeyed = seen.reader.format.shape === 'keyed';
    const place = isKeyed ? keyPlace(segment) : neighbour && `behind "${excerpt(neighbour)}"`;
    const isBought = seen.base.get(segment.id)?.unseen !== undefined;
    const current = isBought && decision.kind === 'buy' ? decision.current : null;
    if (current !== null) return [unseenTitles(text, segment, current.parts)];
    const titles = isKeyed ? undefined : changedTitles(decision, segment, seen.base);
    if (titles !== undefined) return [newTitles(text, segment, titles)];
    const replaced = isKeyed ? undefined : replacedBy(decision, seen.base.get(segment.id));
    return [purchaseOf(text, { segment, place, replaced })];
  });
}

/** A new paragraph keeps the markup that a person changed in the old one, where the source's markup has not changed. */
function replacedBy(
  decision: Decision,
  before: SegmentRecord | undefined,
): ReplacedParagraph | undefined {
  if (decision.kind !== 'buy' || decision.current === null || before === undefined)
    return undefined;
  const { parts: current, origin } = decision.current;
  const isOurs = origin === 'machine' || decision.reason === 'recipe';
  return { source: before.previousSource ?? before.source, current, isOurs };
}

/** A key path shows whether a text is a button or a heading. A key that is the text itself (gettext, string catalogs) shows nothing. */
function keyPlace(segment: Segment): string | undefined {
  const key = keyName(segment.id);
  return key.includes(partsText(sourceParts(segment))) ? undefined : key;
}

/**
 * For each segment to buy, the number of its texts. It is negative for a conflict: its text is only the version that a person may choose.
 * As objects, those of 500,000 segments blocked the event loop for 230 ms when they came from a thread.
 */
export type PurchaseSizes = Int32Array;

export function sizesOf(
  purchases: readonly SegmentPurchase[],
  { decisions }: TextInspection['merge'],
): PurchaseSizes {
  const plain = new Set(decisions.flatMap(({ id, kind }) => (kind === 'buy' ? [id] : [])));
  return Int32Array.from(purchases, ({ id, texts }) =>
    plain.has(id) ? texts.length : -texts.length,
  );
}

function purchaseOf(text: TextCase, placed: PlacedSegment): SegmentPurchase {
  const { segment, replaced } = placed;
  const source = { parts: sourceParts(segment), syntax: segment.syntax };
  const sentences = worthSending(source)
    ? cutFor(text, sentencesFor(source, text.job.language))
    : { texts: [], join: (): TextAnswer => ({ kind: 'translated', parts: source.parts }) };
  const own = replaced && ownMarkup(source.parts, replaced);
  const titles = titlePurchase(text, segment, own);
  return new WholePurchase(text, placed, { sentences, own, titles });
}

/** A class that keeps few values: functions and what they remembered took 140 MB more for 500,000 texts. */
class WholePurchase implements SegmentPurchase {
  readonly texts: readonly OrderableText[];
  readonly #text: TextCase;
  readonly #segment: Segment;
  /** How many of the texts are sentences; titles are behind them. */
  readonly #sentences: number;
  readonly #joined: Sentences['join'];
  readonly #titled: ReturnType<typeof titlePurchase>['join'];
  readonly #own: OwnMarkup | undefined;

  constructor(text: TextCase, placed: PlacedSegment, { sentences, own, titles }: WholeParts) {
    const opened = sentences.texts.map((sentence) => openText(text, placed, sentence));
    this.texts = [...opened, ...titles.texts];
    this.#text = text;
    this.#segment = placed.segment;
    this.#sentences = opened.length;
    this.#joined = sentences.join;
    this.#titled = titles.join;
    this.#own = own;
  }

  get id(): string {
    return this.#segment.id;
  }

  join(answers: readonly TextAnswer[]): TextAnswer {
    const joined = this.#joined(answers.slice(0, this.#sentences));
    const whole = checkedWhole(joined, this.#text, this.#segment);
    if (whole.kind === 'refused') return whole;
    const parts = this.#own?.applied(whole.parts) ?? whole.parts;
    return this.#titled(parts, answers.slice(this.#sentences));
  }
}

interface WholeParts {
  readonly sentences: Sentences;
  readonly own: OwnMarkup | undefined;
  readonly titles: ReturnType<typeof titlePurchase>;
}

/** The texts of a segment as they would be sent. */
export function sentTexts(text: TextCase, segment: Segment): readonly string[] {
  return purchaseOf(text, { segment, place: undefined }).texts.map((each) => {
    const wanted = wantedFrom(text, each);
    return protect(wanted, firstSendForm(wanted)).text;
  });
}

export function wantedFrom(
  { job, recipe, route }: TextCase,
  { form, ...source }: OrderableText,
): JobText {
  const { language } = job;
  const checked = { source, language, ...(form === undefined ? {} : { form }) };
  const { checks } = route.policies;
  return {
    job: job.id,
    project: job.project,
    lane: job.lane,
    recipe,
    ...source,
    // Without the length: another form would bill again and not make the text shorter. `joined` checks the length.
    check: (target) => worstHold({ ...checked, target }, { ...checks, length: 'off' }),
  };
}

/** Checks the whole message, since sentences that are correct one by one may still form a message that is not. */
function checkedWhole(whole: TextAnswer, text: TextCase, segment: Segment): TextAnswer {
  if (whole.kind === 'refused') return whole;
  const source = { parts: sourceParts(segment), syntax: segment.syntax };
  const translation = { source, target: whole.parts, ...limitsOf(text, segment) };
  const problem =
    worstHold(translation, text.route.policies.checks) ?? untranslatedProblem(translation, text);
  return problem === undefined ? whole : { kind: 'refused', problem };
}

/** A sentence that came back unchanged. For a variant of the source's language that may be correct. */
function untranslatedProblem(
  translation: CheckedTranslation,
  { route, recipe }: TextCase,
): string | undefined {
  if (route.policies.checks.untranslated !== 'hold' || recipe.conversion !== undefined) return;
  return findUntranslated([translation]).length > 0
    ? 'untranslated: it equals its source'
    : undefined;
}

function limitsOf(
  { job, route }: TextCase,
  segment: Segment,
): Pick<CheckedTranslation, 'language' | 'maxLength' | 'form'> {
  const maxLength = segment.maxLength ?? maxLengthOf(route.keys.maxLength, segment.id);
  return {
    ...(maxLength === undefined ? {} : { maxLength }),
    language: job.language,
    ...(segment.form === undefined ? {} : { form: segment.form }),
  };
}

/** Keys of texts that are counted already; shared by all jobs of one plan, so that equal texts count once. */
export type CountedTexts = Set<string>;

/** Milliseconds of pricing at a time: 100,000 texts take seconds. */
const TURN_MS = 10;

export interface TextPrice {
  /** Unicode code points that buying would bill: as sent, each text once, without texts that the memory has. */
  readonly characters: number;
  /** For each text, whether the memory has it. */
  readonly isKnown: readonly boolean[];
  /** For each text, whether no request can carry it: it is held and bills nothing. */
  readonly isUnsendable: readonly boolean[];
}

export async function priceTexts(
  texts: readonly JobText[],
  memory: Memory,
  counted: CountedTexts,
): Promise<TextPrice> {
  const known = await memory.find(texts.map(askedFor));
  const turns = turnsOf(TURN_MS);
  let characters = 0;
  const unsendable = new Set<number>();
  for (const [index, wanted] of texts.entries()) {
    if (known[index] !== undefined) continue;
    if (turns.over()) await turns.next();
    const sendForm = firstSendForm(wanted);
    const sent = protect(wanted, sendForm);
    if (isUnsendable(requestKindOf(wanted, sendForm, sent), sent.text)) {
      unsendable.add(index);
      continue;
    }
    const id = textPurchaseKey(wanted, sent);
    if (counted.has(id)) continue;
    counted.add(id);
    characters += codePoints(sent.text);
  }
  return {
    characters,
    isKnown: texts.map((_, index) => known[index] !== undefined),
    isUnsendable: texts.map((_, index) => unsendable.has(index)),
  };
}
