/** The texts that a text job has to buy, and what the service would bill for them. */

import type { SegmentRecord } from '../baseline.ts';
import { turnsOf } from '../clock.ts';
import {
  keyName,
  type Part,
  type PluralForm,
  partsText,
  type Raw,
  type Segment,
  sourceParts,
} from '../format.ts';
import { titlesIn, withTitles } from '../formats/grammar/markdown-titles.ts';
import {
  type OwnMarkup,
  ownMarkup,
  type ReplacedParagraph,
} from '../formats/grammar/own-markup.ts';
import { codePoints } from '../segments/bill.ts';
import { type CheckedTranslation, findUntranslated, worstHold } from '../segments/check.ts';
import { cutAround } from '../segments/cut-around.ts';
import { buys, type Decision } from '../segments/decision.ts';
import { maxLengthOf, noteOf } from '../segments/key-pattern.ts';
import type { Translatable } from '../segments/pieces.ts';
import { protect, worthSending } from '../segments/protect.ts';
import { type Sentences, sentencesFor } from '../segments/sentences.ts';
import type { TextAnswer } from '../segments/settle.ts';
import type { Memory } from '../state/memory.ts';
import type { TextFindings, TextInspection } from './inspection.ts';
import { askedFor, firstAttempt, type JobText, textPurchaseKey } from './order.ts';
import type { TextCase } from './text-case.ts';
import { scopeFor } from './text-inputs.ts';

/** A text to buy, as data: `wantedFrom` makes it an order of its job. */
export interface OrderableText extends Translatable {
  readonly scope?: string;
  /** A developer's comment, and the note of the config for the key. */
  readonly note?: string;
  /** Its key, or the paragraph before it. */
  readonly place?: string;
  readonly form?: PluralForm;
}

/** The texts that are bought for one segment: itself, or every sentence of its ICU message. */
export interface SegmentPurchase {
  readonly id: string;
  readonly texts: readonly OrderableText[];
  /** Joins the answers to `texts` to the text of the segment, and checks the whole. */
  join(answers: readonly TextAnswer[]): TextAnswer;
}

/** The answer for each segment, by id. @param answers one per text of the purchases, in order */
export function boughtBy(
  purchases: readonly SegmentPurchase[],
  answers: readonly TextAnswer[],
): ReadonlyMap<string, TextAnswer> {
  const rest = answers.values();
  return new Map(purchases.map(({ id, texts, join }) => [id, join([...rest.take(texts.length)])]));
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

/** A segment and where it is. Not a copy of the segment: those of a file took a tenth of what its draft holds. */
interface PlacedSegment {
  readonly segment: Segment;
  readonly place: string | undefined;
  readonly replaced?: ReplacedParagraph | undefined;
}

/** A key path shows whether a text is a button or a heading. A key that is the text itself (gettext, string catalogs) shows nothing. */
function keyPlace(segment: Segment): string | undefined {
  const key = keyName(segment.id);
  return key.includes(partsText(sourceParts(segment))) ? undefined : key;
}

/** Characters of a neighbour. */
const EXCERPT = 120;

function excerpt(segment: Segment): string {
  const text = partsText(sourceParts(segment)).replace(/\s+/g, ' ').trim();
  return [...text].slice(0, EXCERPT).join('');
}

/** For each segment to buy, the number of its texts. */
export interface PurchaseSize {
  readonly texts: number;
  /** False for a conflict: its text is only the version that a person may choose. */
  readonly isPlain: boolean;
}

export function sizesOf(
  purchases: readonly SegmentPurchase[],
  { decisions }: TextInspection['merge'],
): PurchaseSize[] {
  const kinds = new Map(decisions.map(({ id, kind }) => [id, kind]));
  return purchases.map(({ id, texts }) => ({
    texts: texts.length,
    isPlain: kinds.get(id) === 'buy',
  }));
}

function purchaseOf(text: TextCase, { segment, place, replaced }: PlacedSegment): SegmentPurchase {
  const source = { parts: sourceParts(segment), syntax: segment.syntax };
  const sentences = worthSending(source)
    ? cutFor(text, sentencesFor(source, text.job.language))
    : { texts: [], join: (): TextAnswer => ({ kind: 'translated', parts: source.parts }) };
  const { length } = sentences.texts;
  const own = replaced && ownMarkup(source.parts, replaced);
  const titles = titlePurchase(text, segment, own);
  return {
    id: segment.id,
    texts: [
      ...sentences.texts.map((sentence) => openText(text, { segment, place }, sentence)),
      ...titles.texts,
    ],
    join(answers) {
      const whole = joinedSentences({ text, segment, sentences }, answers.slice(0, length));
      if (whole.kind === 'refused') return whole;
      return titles.join(own?.applied(whole.parts) ?? whole.parts, answers.slice(length));
    },
  };
}

/** The texts of a segment as they would be sent. */
export function sentTexts(text: TextCase, segment: Segment): readonly string[] {
  return purchaseOf(text, { segment, place: undefined }).texts.map((each) => {
    const wanted = wantedFrom(text, each);
    return protect(wanted, firstAttempt(wanted)).text;
  });
}

/** An earlier version bought the sentence but left its link titles untranslated. */
function unseenTitles(text: TextCase, segment: Segment, current: readonly Part[]): SegmentPurchase {
  const { texts, join } = titlePurchase(text, segment);
  return { id: segment.id, texts, join: (answers) => join(current, answers) };
}

interface TitlePurchase {
  readonly texts: readonly OrderableText[];
  /** @param parts with the titles of the source */
  join(parts: readonly Part[], answers: readonly TextAnswer[]): TextAnswer;
}

/** Nearly all texts have no titles, so all of them share one object. */
const NO_TITLES: TitlePurchase = {
  texts: [],
  join: (parts) => ({ kind: 'translated', parts }),
};

/** The titles of a text's links and images, each as a text of its own. */
function titlePurchase(text: TextCase, segment: Segment, own?: OwnMarkup): TitlePurchase {
  const isOpen = (piece: Raw) => own?.keepsTitle(piece) !== true;
  const all = segment.syntax === 'markup' ? titlesIn(sourceParts(segment), isOpen) : [];
  if (all.length === 0) return NO_TITLES;
  const titles = [...new Set(all)];
  const cuts = titles.map((title) =>
    cutFor(text, sentencesFor({ parts: [title], syntax: 'generic' }, text.job.language)),
  );
  const place = `title of a link in "${excerpt(segment)}"`;
  return {
    texts: cuts.flatMap(({ texts }) =>
      texts.map((each) => openText(text, { segment, place }, each)),
    ),
    join(parts, answers) {
      const rest = answers.values();
      const written = new Map<string, string>();
      for (const [index, { texts, join }] of cuts.entries()) {
        const answer = join([...rest.take(texts.length)]);
        if (answer.kind === 'refused') return answer;
        written.set(titles[index] ?? '', partsText(answer.parts));
      }
      return { kind: 'translated', parts: withTitles(parts, written) };
    },
  };
}

/** Text improvement does not know markup. */
function cutFor({ recipe }: TextCase, sentences: Sentences): Sentences {
  return recipe.conversion === undefined ? sentences : cutAround(sentences);
}

function openText(
  text: TextCase,
  { segment, place }: PlacedSegment,
  source: Translatable,
): OrderableText {
  const notes = [segment.context, noteOf(text.route.keys.notes, segment.id)];
  const note = notes.filter((each) => each !== undefined).join('; ');
  return {
    ...source,
    ...scopeFor(text, source.parts, segment.id),
    ...(note === '' ? {} : { note }),
    ...(place === undefined ? {} : { place }),
    ...(segment.form === undefined ? {} : { form: segment.form }),
  };
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

interface Whole {
  readonly text: TextCase;
  readonly segment: Segment;
  readonly sentences: Sentences;
}

/** Checks the whole message, since sentences that are correct one by one may still form a message that is not. */
function joinedSentences(
  { text, segment, sentences }: Whole,
  answers: readonly TextAnswer[],
): TextAnswer {
  const whole = sentences.join(answers);
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
}

export async function priceTexts(
  texts: readonly JobText[],
  memory: Memory,
  counted: CountedTexts,
): Promise<TextPrice> {
  const known = await memory.find(texts.map(askedFor));
  const turns = turnsOf(TURN_MS);
  let characters = 0;
  for (const [index, wanted] of texts.entries()) {
    if (known[index] !== undefined) continue;
    if (turns.over()) await turns.next();
    const sent = protect(wanted, firstAttempt(wanted));
    const id = textPurchaseKey(wanted, sent);
    if (counted.has(id)) continue;
    counted.add(id);
    characters += codePoints(sent.text);
  }
  return { characters, isKnown: texts.map((_, index) => known[index] !== undefined) };
}
