/** One text of a source and its translation, as a reviewer sees it. */

import {
  keyName,
  type Part,
  type PlaceholderSyntax,
  type PluralForm,
  partsText,
  type Segment,
  sourceParts,
} from '../format.ts';
import type { OutOfDate } from '../lane.ts';
import type { Decision } from '../segments/decision.ts';
import { hasBranches } from '../segments/inline/icu-text.ts';
import { type Translatable, takeApart } from '../segments/inline/pieces.ts';
import { maxLengthOf, noteOf } from '../segments/key-pattern.ts';
import { outOfDate } from '../segments/out-of-date.ts';
import {
  type ReviewState,
  reviewedMark,
  reviewState,
  type WantsReview,
  wantsReview,
} from '../segments/review.ts';
import {
  type Assertion,
  type Mark,
  NO_TARGET,
  type SourceHash,
  sourceHash,
  type TargetHash,
  targetHash,
  type UnitId,
  unitId,
} from '../segments/statements.ts';
import type { TextFindings, TextInspection } from '../translate/inspection.ts';
import type { TextCase } from '../translate/text-case.ts';

/** One text of a source and its translation in one language; plain data, with the names that `--json` and the page's answers have. */
export interface ReviewText {
  /** Id of the segment. */
  readonly id: string;
  /** The key as people write it; empty in formats without keys. */
  readonly key: string;
  readonly unit: UnitId;
  readonly source_hash: SourceHash;
  /** Position among the texts of the file with the same unit and source; from 1. */
  readonly nth: number;
  /** Line in the source, from 1. */
  readonly line: number;
  readonly source: string;
  /** Text of the target; null: the target does not have it. */
  readonly target: string | null;
  readonly target_hash: TargetHash;
  readonly state: ReviewState;
  /** The lock asks for a review, also when the config does not. */
  readonly is_wanted?: true;
  /** Who made the text of the target, if that is known. */
  readonly mark: Mark;
  /** Why it is stale. */
  readonly because?: readonly OutOfDate[];
  /** The source that the translation was made from, if it is not the present one and is known. */
  readonly previous_source?: string;
  readonly context?: string;
  readonly note?: string;
  /** In Unicode code points. */
  readonly max_length?: number;
  /** Placeholders and markup of the source, in order. They must not be changed. */
  readonly codes: readonly string[];
  /** The inputs for a check of the translation. */
  readonly check: ReviewCheck;
}

export interface ReviewCheck {
  /** The plural that the text is a form of. */
  readonly plural?: string;
  readonly syntax: PlaceholderSyntax;
  /** The source, if it is not plain text. */
  readonly parts?: readonly Part[];
  readonly form?: PluralForm;
}

type Looked = TextFindings & Pick<TextInspection, 'merge'>;

/** In the order of the source. Each text is made when it is needed: making 100,000 texts takes more than a second. */
export function* reviewTextsOf(text: TextCase, looked: Looked): Generator<ReviewText, undefined> {
  const wants = wantsReview(text.route.policies, text.job.language);
  const counts = new Map<string, number>();
  for (const [index, decision] of looked.merge.decisions.entries()) {
    const segment = looked.segments[index];
    if (segment === undefined) continue;
    const read = reviewTextOf(text, { looked, decision, segment, wants });
    if (read === undefined) continue;
    const place = `${read.unit}.${read.source_hash}`;
    const nth = (counts.get(place) ?? 0) + 1;
    counts.set(place, nth);
    yield { ...read, nth };
  }
}

interface Judging {
  readonly looked: Looked;
  readonly decision: Decision;
  readonly segment: Segment;
  readonly wants: WantsReview;
}

function reviewTextOf(
  { job, route }: TextCase,
  { looked, decision, segment, wants }: Judging,
): Omit<ReviewText, 'nth'> | undefined {
  const { id, line, context, syntax } = segment;
  const isKeyed = looked.reader.format.shape === 'keyed';
  const parts = sourceParts(segment);
  const source = partsText(parts);
  const found = looked.vacant?.has(id) ? undefined : looked.found.get(id);
  const place = {
    unit: unitId(job.source, isKeyed ? id : undefined),
    source_hash: sourceHash(source),
    target_hash: found === undefined ? NO_TARGET : targetHash(partsText(found)),
  };
  const statements = looked.statements?.(id) ?? [];
  const ofTarget = statements.filter(({ target }) => target === place.target_hash);
  const ofPair = ofTarget.filter((each) => each.source === place.source_hash);
  const isOutdated = looked.outdated.has(id);
  const state = isOutdated ? 'stale' : reviewState({ decision, stated: ofPair, wants });
  if (state === undefined) return undefined;
  const note = noteOf(route.keys.notes, id);
  const maxLength = segment.maxLength ?? maxLengthOf(route.keys.maxLength, id);
  const previous = previousSource(decision, looked, source);
  return {
    id,
    key: isKeyed ? keyName(id) : '',
    ...place,
    line,
    source,
    target: found === undefined ? null : partsText(found),
    state,
    ...(state === 'unreviewed' && isWanted(ofPair) ? { is_wanted: true as const } : {}),
    ...(state === 'stale' ? { because: isOutdated ? ['source'] : outOfDate(decision) } : {}),
    mark: whoMade(decision, ofPair.length > 0 ? ofPair : ofTarget),
    ...(previous === undefined ? {} : { previous_source: previous }),
    ...(context === undefined ? {} : { context }),
    ...(note === undefined ? {} : { note }),
    ...(maxLength === undefined ? {} : { max_length: maxLength }),
    codes: codesOf({ parts, syntax }),
    check: {
      syntax,
      ...(parts.every((part) => typeof part === 'string') ? {} : { parts }),
      ...(segment.form === undefined ? {} : { form: segment.form }),
      ...(segment.plural === undefined ? {} : { plural: segment.plural.group }),
    },
  };
}

/** The lock does not have the pair yet, and gets it as it is shown. */
function isWanted(ofPair: readonly Assertion[]): boolean {
  return ofPair.length === 0 || ofPair.some(({ review }) => review === 'wanted');
}

function whoMade(decision: Decision, stated: readonly Assertion[]): ReviewText['mark'] {
  if ('record' in decision) {
    const { origin } = decision.record;
    return reviewedMark(stated, origin === 'copied' ? 'machine' : origin);
  }
  const origin = decision.kind === 'buy' ? decision.current?.origin : undefined;
  return reviewedMark(stated, origin === undefined || origin === 'copied' ? 'machine' : origin);
}

function previousSource(decision: Decision, { base }: Looked, now: string): string | undefined {
  if (decision.kind === 'conflict') return decision.record.previousSource;
  if (decision.kind !== 'buy' || decision.current === null) return undefined;
  const before = base.get(decision.id);
  const known = before?.previousSource ?? before?.source;
  return known === now ? undefined : known;
}

/** A message with branches is text: a translator writes the branches of the target language. */
function codesOf(source: Translatable): string[] {
  const around = (part: Part) => (typeof part === 'string' ? [] : [part.raw]);
  const { before, inner, after } = takeApart(source);
  const codes = hasBranches(source)
    ? source.parts.flatMap(around)
    : [
        ...before.flatMap(around),
        ...inner.flatMap((piece) => (piece.kind === 'text' ? [] : [partsText([piece.part])])),
        ...after.flatMap(around),
      ];
  return codes.filter((code) => code.trim() !== '');
}
