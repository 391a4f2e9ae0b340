/**
 * Composes the target of a draft whose texts are answered: the records and the bytes. Texts that the target cannot take are held alone, and
 * all others are written. Pure.
 */

import type { SegmentRecord } from '../baseline.ts';
import { describeFailure, formatLocation, JobFailure } from '../failure.ts';
import { excerptOf, keyName, type Part, partsText, type Segment, sourceParts } from '../format.ts';
import { compose } from '../formats/text/compose.ts';
import type { ComposedFrame, Composition, SegmentPlacement } from '../formats/text/composition.ts';
import type { OpenFile } from '../formats/text/open.ts';
import { type ReadOtherwise, refusedSegments } from '../formats/text/verify.ts';
import { withLineEndsOf } from '../formats/text/written-line-ends.ts';
import type { Decision } from '../segments/decision.ts';
import { type FrameConflict, frameId } from '../segments/frame-merge.ts';
import type { ListOrder } from '../segments/lists.ts';
import { sameText } from '../segments/record.ts';
import { type WantsReview, wantsReview } from '../segments/review.ts';
import { settleSegment, type TextAnswer } from '../segments/settle.ts';
import type { TextFindings, TextInspection } from './inspection.ts';
import { suspectsIn, withoutMisfits } from './misfits.ts';
import type { TextCase } from './text-case.ts';
import { inputsFor } from './text-inputs.ts';

export interface AnsweredDraft {
  readonly text: TextCase;
  readonly seen: InspectedDraft;
  /** The answer for each bought segment, by id. */
  readonly bought: ReadonlyMap<string, TextAnswer>;
  /** ISO 8601. */
  readonly at: string;
}

type InspectedDraft = TextInspection & Pick<TextFindings, 'found' | 'base'>;

interface ComposedTarget {
  readonly bytes: Uint8Array | undefined;
  readonly frame?: ComposedFrame;
  readonly file?: OpenFile;
  readonly otherwise?: ReadOtherwise;
}

export interface ComposedDraft extends Pick<ComposedTarget, 'bytes'> {
  /** Including the frame conflicts that wait for a person. */
  readonly records: readonly SegmentRecord[];
  /** Problems of bought texts, by id. */
  readonly unfit: ReadonlyMap<string, string>;
  readonly frame?: ComposedFrame['record'];
  /** For a file without keys: the target, parsed again. */
  readonly file?: OpenFile;
}

interface WriteLimits extends Pick<ComposedDraft, 'unfit'> {
  /** Ids of texts that are not written, and the reason. */
  readonly left: ReadonlySet<string>;
  readonly reason: string;
}

/** Composes the target. If the target does not read back, finds the texts that it cannot take and composes it without them. */
export function composeFit(draft: AnsweredDraft): ComposedDraft {
  const whole = composeWithin(draft, new Set(), '');
  if (whole.kind === 'composed') return whole;
  const reason = compositionProblem(whole.error, draft);
  const fit = suspectsOf(draft)
    .values()
    .map((groups) =>
      withoutMisfits(groups, (left) => {
        const made = composeWithin(draft, new Set([...left].flat()), reason);
        return made.kind === 'composed' ? made : undefined;
      }),
    )
    .find((found) => found !== undefined);
  if (fit === undefined) throw unwritable(draft, whole.error);
  return withUntried(draft, fit.made, new Set([...fit.untried].flat()));
}

/** Gives another reason to texts that were left out without being tried alone. */
function withUntried(
  { seen }: AnsweredDraft,
  made: ComposedDraft,
  untried: ReadonlySet<string>,
): ComposedDraft {
  if (untried.size === 0) return made;
  const reason = 'too many texts of this file do not fit to try each of them alone';
  const records = made.records.map((record) =>
    record.state === 'held' && untried.has(record.id)
      ? { ...record, problem: notTakenProblem(reason, sourceLineOf(seen, record.id)) }
      : record,
  );
  return { ...made, records };
}

function suspectsOf({ seen }: AnsweredDraft) {
  const { target, merge, found, reader } = seen;
  const isKeyed = reader.format.shape === 'keyed';
  if (target === undefined && !isKeyed) return [];
  return suspectsIn(isKeyed ? merge : { ...merge, removed: [] }, {
    isThere: (id) => found.has(id),
    isNewFile: target === undefined,
    messageOf: reader.format.messageOf,
  });
}

type CompositionAttempt =
  | ({ readonly kind: 'composed' } & ComposedDraft)
  | { readonly kind: 'refused'; readonly error: JobFailure };

function composeWithin(
  draft: AnsweredDraft,
  left: ReadonlySet<string>,
  reason: string,
): CompositionAttempt {
  const { text, bought } = draft;
  const unfit = new Map<string, string>();
  for (;;) {
    const limits = { unfit, left, reason };
    const settled = settleAll(draft, limits).map((record) => withInputs(text, record));
    try {
      const { bytes, frame, file, otherwise } = composed(draft, settled, left);
      const records = settled.map((record) => asRead(record, otherwise));
      if (frame === undefined) return { kind: 'composed', records, unfit, bytes };
      const open = frame.conflicts.map(frameRecord);
      const { reading } = draft.seen;
      const record = { ...frame.record, ...(reading === undefined ? {} : { reading }) };
      const written = { bytes, frame: record, ...(file && { file }) };
      return { kind: 'composed', records: [...records, ...open], unfit, ...written };
    } catch (error) {
      if (!(error instanceof JobFailure)) throw error;
      const problems = refusedSegments(error).filter(({ key }) => !unfit.has(key));
      if (!problems.some(({ key }) => bought.has(key))) return { kind: 'refused', error };
      for (const { key, message } of problems) unfit.set(key, message);
    }
  }
}

function compositionProblem(error: JobFailure, { text, seen }: AnsweredDraft): string {
  const { file } = seen.reader.options;
  const [problem] = refusedSegments(error);
  if (problem !== undefined) {
    const { line } = problem;
    return `with it, ${formatLocation({ file: text.targetPath, ...(line === undefined ? {} : { line }) })} would be read as texts that it does not hold`;
  }
  const { failure } = error;
  return failure.kind === 'malformed' || failure.kind === 'internal'
    ? failure.message
    : describeFailure(failure).replace(`${file}: `, '');
}

/** The failure for a text that is not bought and cannot be written. It names the text and its line in the source. */
function unwritable({ text, seen }: AnsweredDraft, error: unknown): unknown {
  const [problem] = refusedSegments(error);
  const segment = seen.segments.find(({ id }) => id === problem?.key);
  if (problem === undefined || segment === undefined) return error;
  const isKeyed = seen.reader.format.shape === 'keyed';
  const name = isKeyed ? keyName(segment.id) : excerptOf(partsText(sourceParts(segment)), EXCERPT);
  return new JobFailure(
    {
      kind: 'unsupported',
      what: `${formatLocation({ file: text.sourcePath, line: segment.line })}: "${name}" ${problem.message}; the translation is not written`,
      advice: 'Write this text differently, or leave its file out with "exclude".',
    },
    { cause: error },
  );
}

/** Characters of the text that the message shows. */
const EXCERPT = 40;

function settleAll(
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
  const records = seen.merge.decisions.flatMap((decision) => {
    if (left.has(decision.id)) return heldUnwritten(decision, seen, reason);
    return settleSegment(decision, answerTo(decision.id), shape) ?? [];
  });
  return [...records, ...recordsOfStaying(seen, left)];
}

/** A text that cannot leave the target yet keeps its record, so that it leaves later. */
function recordsOfStaying({ merge, base }: InspectedDraft, left: ReadonlySet<string>) {
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
function withInputs(text: TextCase, record: SegmentRecord): SegmentRecord {
  const isNew = record.origin === 'machine' && record.state === 'ok' && record.made === undefined;
  return isNew ? { ...record, made: inputsFor(text, [record.source], record.id) } : record;
}

function asRead(record: SegmentRecord, otherwise: ReadOtherwise = new Map()): SegmentRecord {
  const target = record.target === null ? undefined : otherwise.get(record.id);
  return target === undefined ? record : { ...record, target };
}

/** A frame conflict as a record: lines that a person and the source both changed are reported and resolved like segments. */
function frameRecord(conflict: FrameConflict): SegmentRecord {
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

function composed(
  draft: AnsweredDraft,
  records: readonly SegmentRecord[],
  left: ReadonlySet<string>,
): ComposedTarget {
  const { seen, at } = draft;
  const { target, source, reader, frame } = seen;
  const { merge, orders } = changesWithout(seen, left);
  const placements = placementsFor(draft, records, left);
  if (target === undefined && !isWorthAFile(seen, placements)) return { bytes: undefined };
  const removed = new Set(merge.removed.map(({ id }) => id));
  const getsNothing = staysAsItIs(seen, { placements, removed });
  if (target !== undefined && getsNothing && reader.format.shape === 'keyed') {
    return { bytes: target.encode(target.text) };
  }
  const {
    bytes,
    frame: written,
    file,
    otherwise,
  } = compose({
    ...reader,
    source,
    ...(target === undefined ? {} : { target }),
    ...(frame === undefined ? {} : { frame }),
    expected: seen.segments,
    placements,
    removed,
    removedHuman: humanIn(merge),
    renamed: renamesIn(merge),
    ...(orders === undefined ? {} : { orders, texts: targetsById(records) }),
    at,
  });
  const framed = written && { frame: written };
  if (target !== undefined && getsNothing && isSourceUnchanged(draft)) {
    return { bytes: target.encode(target.text), ...framed, file: target };
  }
  return { bytes, ...framed, ...(file && { file }), ...(otherwise && { otherwise }) };
}

/** In a keyed file, also without the removals and the list orders of texts that are left out. */
function changesWithout(
  { reader, merge, orders }: InspectedDraft,
  left: ReadonlySet<string>,
): Pick<InspectedDraft, 'merge' | 'orders'> {
  if (left.size === 0 || reader.format.shape !== 'keyed') {
    return { merge, ...(orders && { orders }) };
  }
  const removed = merge.removed.filter(({ id }) => !left.has(id));
  const isLeft = ({ open }: ListOrder) => [...left].some((id) => id.startsWith(open));
  return {
    merge: { ...merge, removed },
    ...(orders && { orders: orders.filter((order) => !isLeft(order)) }),
  };
}

/**
 * A page without a text, with only images or code, is written as a copy: otherwise readers of that language would not find the page.
 */
function isWorthAFile(
  { reader, segments }: InspectedDraft,
  placements: Composition['placements'],
): boolean {
  if (segments.length === 0) return reader.format.shape === 'sequence';
  return [...placements.values()].some(({ kind }) => kind === 'write');
}

function targetsById(records: readonly SegmentRecord[]): Map<string, readonly Part[]> {
  return new Map(records.flatMap(({ id, target }) => (target === null ? [] : [[id, target]])));
}

/** Ids of removed texts that a person wrote or that were there at first contact. Texts that move to another key are left out. */
function humanIn({ removed }: TextInspection['merge']): Set<string> {
  return new Set(
    removed.flatMap(({ id, origin, movedTo }) =>
      movedTo === undefined && (origin === 'human' || origin === 'adopted') ? [id] : [],
    ),
  );
}

function renamesIn({ removed }: TextInspection['merge']): Map<string, string> {
  return new Map(
    removed.flatMap(({ id, movedTo }) => (movedTo === undefined ? [] : [[id, movedTo] as const])),
  );
}

/**
 * Whether a sequence that needs no text stays as it is, to the byte. It also takes frame changes from its source. So the target stays
 * only if it was last made from the present source, and no person made a choice.
 */
function isSourceUnchanged({ seen, text }: AnsweredDraft): boolean {
  const { deliveredSource, instructions: word } = text;
  const isFirstContact = deliveredSource === undefined && seen.frame?.before === undefined;
  const isSame = isFirstContact || seen.source.hash === deliveredSource;
  return isSame && (word.choices?.size ?? 0) === 0;
}

/** Whether nothing is written and nothing removed. In a page, a paragraph without a place is not missing. */
function staysAsItIs(
  { reader, found }: InspectedDraft,
  { placements, removed }: Pick<Composition, 'placements'> & { removed: ReadonlySet<string> },
): boolean {
  const isPage = reader.format.shape === 'sequence';
  return (
    [...placements.values()].every(({ kind }) => kind === 'keep' || (isPage && kind === 'omit')) &&
    ![...removed].some((id) => found.has(id))
  );
}

function placementsFor(
  { text, seen }: AnsweredDraft,
  records: readonly SegmentRecord[],
  left: ReadonlySet<string>,
) {
  const { merge, inPlace, found, target, reader, segments } = seen;
  const wants = wantsReview(text.route.policies, text.job.language);
  const byId = new Map(records.map((record) => [record.id, record]));
  const ignored: SegmentPlacement = { kind: target === undefined ? 'omit' : 'keep' };
  // A list element that is left out of a keyed file would get the text of its source.
  const isKeyed = reader.format.shape === 'keyed';
  const placements = new Map(
    merge.decisions.map(({ id, kind }): [string, SegmentPlacement] => {
      if (kind === 'omit' || (isKeyed && left.has(id))) return [id, ignored];
      const record = byId.get(id);
      const placement = placementFor(record, inPlace.get(id), found.get(id));
      const isWanted = placement.kind === 'write' && record && isUnreviewed(record, wants);
      return [id, isWanted ? { ...placement, state: 'review-wanted' } : placement];
    }),
  );
  if (target === undefined || !isKeyed) return placements;
  for (const id of absentLists(segments, byId, left)) placements.set(id, ignored);
  return placements;
}

function isUnreviewed({ origin, review }: SegmentRecord, wants: WantsReview): boolean {
  return origin !== 'copied' && (review === 'wanted' || wants(origin));
}

/** List elements without words, of lists that the target lacks as a whole or cannot take: they stay out together. */
function absentLists(
  segments: readonly Segment[],
  records: ReadonlyMap<string, SegmentRecord>,
  left: ReadonlySet<string>,
): string[] {
  const elements = segments.flatMap(({ id, positional }) => (positional ? [id] : []));
  const lists = Map.groupBy(elements, (id) => id.replace(/(?:\[[^[\]]*\]|\.[^.[\]]*)$/, ''));
  const staysOut = (id: string) => {
    const record = records.get(id);
    return left.has(id) || (record?.origin === 'copied' && record.target === null);
  };
  return [...lists.values()].flatMap((ids) => (ids.every(staysOut) ? ids : []));
}

// A text that is already there keeps its own bytes, however it is spelled; only other texts are written.
function placementFor(
  record: SegmentRecord | undefined,
  current: readonly Part[] | undefined,
  own: readonly Part[] | undefined,
): SegmentPlacement {
  const parts = record?.target ?? null;
  if (parts === null) {
    // A key without a text stays so until there is a text.
    if (current === own) return { kind: current === undefined ? 'omit' : 'keep' };
    // In a list, the text at this index belongs to an element that moved.
    return { kind: 'source' };
  }
  return sameText(current, parts) ? { kind: 'keep' } : { kind: 'write', parts };
}
