/** Reads a source with its translation for a reviewer: the work behind `parsers.ts`. */
import { keyName, type Part, partsText, type Segment, sourceParts } from '../../format.ts';
import type { Reading } from '../../parsing/parser.ts';
import { suggestTerms } from '../../segments/corrections.ts';
import type { Decision } from '../../segments/decide.ts';
import { maxLengthOf, noteOf } from '../../segments/key-pattern.ts';
import { takeApart } from '../../segments/pieces.ts';
import { markOf, reviewState, type WantsReview, wantsReview } from '../../segments/review.ts';
import {
  type Assertion,
  NO_TARGET,
  sourceHash,
  targetHash,
  unitId,
} from '../../segments/statements.ts';
import {
  decide,
  type Findings,
  gather,
  type Inspection,
  look,
} from '../../translate/inspection.ts';
import { Recall } from '../../translate/recall.ts';
import { caseOf, type PackedTarget } from '../../translate/standing-case.ts';
import type { TextCase } from '../../translate/text-case.ts';
import type { Corrections, ReviewedFile, ReviewText, Suggested } from './parsers.ts';

export const review: Reading<PackedTarget, ReviewedFile> = async (packed) => {
  const text = caseOf(packed);
  const material = await gather(text);
  return () => {
    const findings = look(text, material);
    if (findings.blocker !== undefined) return { texts: [], isUnlike: true };
    return {
      texts: textsOf(text, { ...findings, ...decide(text, findings, new Recall()) }),
      isUnlike: false,
    };
  };
};

export const suggest: Reading<Corrections, readonly Suggested[]> = async ({ texts, languages }) => {
  return () => {
    const numbers = new Map(texts.map((text, index) => [text, index]));
    return suggestTerms(texts, languages).map(({ texts: seen, ...term }) => ({
      ...term,
      texts: seen.flatMap((text) => numbers.get(text) ?? []),
    }));
  };
};

type Looked = Findings & Pick<Inspection, 'merge'>;

function textsOf(text: TextCase, looked: Looked): ReviewText[] {
  const wants = wantsReview(text.route.policies, text.job.language);
  const counts = new Map<string, number>();
  return looked.merge.decisions.flatMap((decision, index) => {
    const segment = looked.segments[index];
    if (segment === undefined) return [];
    const read = textOf(text, { looked, decision, segment, wants });
    if (read === undefined) return [];
    const place = `${read.unit}.${read.sourceHash}`;
    const nth = (counts.get(place) ?? 0) + 1;
    counts.set(place, nth);
    return [{ ...read, nth }];
  });
}

interface Judging {
  readonly looked: Looked;
  readonly decision: Decision;
  readonly segment: Segment;
  readonly wants: WantsReview;
}

function textOf(
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
    sourceHash: sourceHash(source),
    targetHash: found === undefined ? NO_TARGET : targetHash(partsText(found)),
  };
  const statements = looked.statements?.(id) ?? [];
  const ofTarget = statements.filter(({ target }) => target === place.targetHash);
  const ofPair = ofTarget.filter((said) => said.source === place.sourceHash);
  const state = reviewState({ decision, said: ofPair, wants });
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
    mark: whoMade(decision, ofPair.length > 0 ? ofPair : ofTarget),
    ...(previous === undefined ? {} : { previousSource: previous }),
    ...(context === undefined ? {} : { context }),
    ...(note === undefined ? {} : { note }),
    ...(maxLength === undefined ? {} : { maxLength }),
    codes: codesOf(parts, syntax),
  };
}

function whoMade(decision: Decision, said: readonly Assertion[]): ReviewText['mark'] {
  if ('record' in decision) {
    const { origin } = decision.record;
    return markOf(said, origin === 'copied' ? 'machine' : origin);
  }
  const origin = decision.kind === 'buy' ? decision.standing?.origin : undefined;
  return markOf(said, origin === undefined || origin === 'copied' ? 'machine' : origin);
}

function previousSource(decision: Decision, { base }: Looked, now: string): string | undefined {
  if (decision.kind === 'conflict') return decision.record.previousSource;
  if (decision.kind !== 'buy' || decision.standing === null) return undefined;
  const before = base.get(decision.id);
  const known = before?.previousSource ?? before?.source;
  return known === now ? undefined : known;
}

function codesOf(parts: readonly Part[], syntax: Segment['syntax']): string[] {
  const { before, inner, after } = takeApart({ parts, syntax });
  const around = (part: Part) => (typeof part === 'string' ? [] : [part.raw]);
  return [
    ...before.flatMap(around),
    ...inner.flatMap((piece) => (piece.kind === 'text' ? [] : [partsText([piece.part])])),
    ...after.flatMap(around),
  ].filter((code) => code.trim() !== '');
}
