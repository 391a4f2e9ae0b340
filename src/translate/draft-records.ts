/** The records of an answered draft: what is bought, held or kept of each text. Pure. */
import type { SegmentRecord } from '../baseline.ts';
import { partsText, type Segment, sourceParts } from '../format.ts';
import type { ReadOtherwise } from '../formats/text/verify.ts';
import { withLineEndsOf } from '../formats/text/written-line-ends.ts';
import type { Decision } from '../segments/decision.ts';
import { type FrameConflict, frameId } from '../segments/frame/merge.ts';
import { recordFor, type TextAnswer } from '../segments/record-for.ts';
import type { AnsweredDraft, InspectedDraft } from './draft-target.ts';
import type { TextCase } from './text-case.ts';
import { inputsFor } from './text-inputs.ts';

export interface WriteLimits {
  /** Problems of bought texts, by id. */
  readonly unfit: ReadonlyMap<string, string>;
  /** Ids of texts that are not written, and the reason. */
  readonly left: ReadonlySet<string>;
  readonly reason: string;
}

export function recordAll(
  { seen, bought }: AnsweredDraft,
  { unfit, left, reason }: WriteLimits,
): SegmentRecord[] {
  const fitted = lineEndsIn(seen);
  const { shape } = seen.reader.format;
  const answerTo = (id: string): TextAnswer | undefined => {
    const problem = unfit.get(id);
    if (problem !== undefined) return { kind: 'refused', problem };
    const answer = bought.get(id);
    return answer && fitted(id, answer);
  };
  return seen.merge.decisions.flatMap((decision) => {
    if (left.has(decision.id)) return heldUnwritten(decision, seen, reason);
    return recordFor(decision, answerTo(decision.id), shape) ?? [];
  });
}

/** A text that cannot leave the target yet keeps its record, so that it leaves later. */
export function recordsOfStaying(
  { merge, base }: InspectedDraft,
  left: ReadonlySet<string>,
): SegmentRecord[] {
  if (left.size === 0) return [];
  return merge.removed.flatMap(({ id }) => (left.has(id) ? (base.get(id) ?? []) : []));
}

/** Gives a bought text the line ends of the target, in the formats whose texts have them. A page does this itself, in its frame. */
function lineEndsIn({ reader: { format }, segments, target }: InspectedDraft) {
  if (target === undefined || !format.readsLineEnds) {
    return (_id: string, answer: TextAnswer) => answer;
  }
  const sources = new Map(segments.map((segment) => [segment.id, segment]));
  const current = new Map(target.doc.segments.map((segment) => [segment.id, segment]));
  return (id: string, answer: TextAnswer): TextAnswer => {
    const source = sources.get(id);
    if (answer.kind !== 'translated' || source === undefined) return answer;
    const place = { target, source, existing: current.get(id) };
    return { ...answer, parts: withLineEndsOf(answer.parts, place) };
  };
}

/** Why a text is held that the target cannot take, and what a person can do. */
export function notTakenProblem(reason: string, line: number | undefined): string {
  const what = line === undefined ? 'it' : `it (line ${line} of the source)`;
  return `the target cannot take it: ${reason}; write ${what} there yourself, or change the text in its place and retry the file`;
}

/** Line in the source, 1-based. */
export function sourceLineOf(
  { segments }: Pick<InspectedDraft, 'segments'>,
  id: string,
): number | undefined {
  return segments.find((each) => each.id === id)?.line;
}

/** An existing text stays; a new one is not written. */
function heldUnwritten(
  decision: Decision,
  { found, segments }: InspectedDraft,
  reason: string,
): SegmentRecord {
  if (decision.kind === 'hold') return decision.record;
  const { id } = decision;
  const segment = segments.find((each) => each.id === id);
  return {
    id,
    source: partsText(segment === undefined ? [] : sourceParts(segment)),
    target: found.get(id) ?? null,
    origin: 'machine',
    state: 'held',
    problem: notTakenProblem(reason, segment?.line),
  };
}

/** Notes the inputs of a bought text: later, only a change of one of these inputs buys it again. */
export function withInputs(text: TextCase, record: SegmentRecord): SegmentRecord {
  const isNew = record.origin === 'machine' && record.state === 'ok' && record.made === undefined;
  return isNew ? { ...record, made: inputsFor(text, [record.source], record.id) } : record;
}

/** Notes the keys of texts, where an earlier version may have stated translations of them. */
export function withKeyTexts(
  records: readonly SegmentRecord[],
  segments: readonly Segment[],
): readonly SegmentRecord[] {
  const keys = new Map(
    segments.flatMap(({ id, keyText }) =>
      keyText === undefined ? [] : [[id, partsText(keyText)]],
    ),
  );
  if (keys.size === 0) return records;
  return records.map((record) => {
    const keyText = keys.get(record.id);
    return keyText === undefined ? record : { ...record, keyText };
  });
}

export function asRead(record: SegmentRecord, otherwise: ReadOtherwise = new Map()): SegmentRecord {
  const target = record.target === null ? undefined : otherwise.get(record.id);
  return target === undefined ? record : { ...record, target };
}

/** A frame conflict as a record: lines that a person and the source both changed are reported and resolved like segments. */
export function frameRecord(conflict: FrameConflict): SegmentRecord {
  return {
    id: frameId(conflict),
    isFrame: true,
    source: conflict.source,
    target: [conflict.target],
    machine: [conflict.source],
    origin: 'human',
    state: 'conflict',
  };
}
