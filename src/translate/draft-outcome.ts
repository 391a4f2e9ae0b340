/** What comes of a draft when its texts are answered: the records of what shall stand, and the bytes that hold it. Pure. */

import type { BaselineRecord, SegmentRecord } from '../baseline.ts';
import { formatLocation, JobFailure } from '../failure.ts';
import { hashBytes } from '../files/disk.ts';
import { keyName, type Part, partsText, sourceParts } from '../format.ts';
import { compose } from '../formats/text/compose.ts';
import { framesOf } from '../formats/text/compose-sequence.ts';
import type { ComposedFrame, Composition, Placement } from '../formats/text/composition.ts';
import { openFile } from '../formats/text/open.ts';
import { refusedSegments } from '../formats/text/verify.ts';
import type { Hash } from '../job.ts';
import type { Decision } from '../segments/decide.ts';
import { finalState } from '../segments/final-state.ts';
import { type FrameConflict, frameId } from '../segments/frame-merge.ts';
import { withTheirLinks } from '../segments/own-links.ts';
import { sameText } from '../segments/record.ts';
import { type Bought, settle } from '../segments/settle.ts';

import type { Findings, Inspection } from './inspection.ts';
import { type BoughtText, termsMissing } from './rule-notes.ts';
import type { TextCase } from './text-case.ts';
import { inputsFor } from './text-inputs.ts';
import type { Purchase } from './text-orders.ts';

export interface Finished {
  /** Undefined: there is nothing to write. */
  readonly content: { readonly bytes: Uint8Array; readonly hash: Hash } | undefined;
  readonly state: ReturnType<typeof finalState>;
  /** Terms that the texts bought now should hold and do not, a sentence each. */
  readonly termsMissing: readonly string[];
}

export interface AnsweredDraft {
  readonly text: TextCase;
  readonly seen: Decided;
  readonly purchases: readonly Purchase[];
  /** One per text of the purchases, in order. */
  readonly answers: readonly Bought[];
  /** ISO 8601. */
  readonly at: string;
}

type Decided = Inspection & Pick<Findings, 'found' | 'base'>;

export interface Outcome {
  readonly finished: Finished;
  /** What the target will hold; undefined when nothing is written. */
  readonly base: BaselineRecord | undefined;
}

/** Whether the target that stands is what it shall be. */
export function isSettled({ merge }: Inspection): boolean {
  return merge.decisions.every(({ kind }) => kind === 'keep' || kind === 'omit');
}

/** A bought text that would not read back as it was written is refused, and the rest ships. */
export function finishDraft(draft: AnsweredDraft): Outcome {
  const { text, purchases, at } = draft;
  const { records, bytes, frame } = composeFit(draft);
  const bought = new Set(purchases.map(({ id }) => id));
  const state = finalState(at, records);
  const missing = termsMissing(text, boughtTexts(records, bought));
  if (bytes === undefined) {
    return { finished: { content: undefined, state, termsMissing: missing }, base: undefined };
  }
  const hash = hashBytes(bytes);
  return {
    finished: { content: { bytes, hash }, state, termsMissing: missing },
    base: {
      segments: records,
      ...(frame === undefined ? {} : { frame: withFrames(draft, frame, bytes) }),
      recipe: text.recipe.key,
      at,
      targetHash: hash,
    },
  };
}

/** With a lock, what both files have beside their texts is told to the team. */
function withFrames(
  { text, seen }: AnsweredDraft,
  frame: NonNullable<BaselineRecord['frame']>,
  bytes: Uint8Array,
): NonNullable<BaselineRecord['frame']> {
  if (text.lock === undefined) return frame;
  const { format, options } = seen.reader;
  const target = openFile(bytes, format, options);
  return { ...frame, hashes: framesOf({ source: seen.source, target, options }) };
}

function boughtTexts(records: readonly SegmentRecord[], bought: ReadonlySet<string>): BoughtText[] {
  return records.flatMap(({ id, origin, source, target }) =>
    origin === 'machine' && bought.has(id) && target !== null
      ? [{ id, source, target: partsText(target) }]
      : [],
  );
}

interface Written {
  readonly bytes: Uint8Array | undefined;
  readonly frame?: ComposedFrame;
}

interface Composed extends Pick<Written, 'bytes'> {
  /** With those of the frame that wait for a person. */
  readonly records: readonly SegmentRecord[];
  readonly frame?: ComposedFrame['record'];
}

function composeFit(draft: AnsweredDraft): Composed {
  const { text, purchases } = draft;
  const bought = new Set(purchases.map(({ id }) => id));
  const unfit = new Map<string, string>();
  for (;;) {
    const records = settleAll(draft, unfit).map((record) => withInputs(text, record));
    try {
      const { bytes, frame } = composed(draft, records);
      if (frame === undefined) return { records, bytes };
      const open = frame.conflicts.map(frameRecord);
      const { reading } = draft.seen;
      const record = { ...frame.record, ...(reading === undefined ? {} : { reading }) };
      return { records: [...records, ...open], bytes, frame: record };
    } catch (error) {
      const problems = refusedSegments(error).filter(({ key }) => !unfit.has(key));
      if (!problems.some(({ key }) => bought.has(key))) throw unwritable(draft, error);
      for (const { key, message } of problems) unfit.set(key, message);
    }
  }
}

/** A text that nobody buys and that cannot be written: what stands there names it, and its line in the source. */
function unwritable({ text, seen }: AnsweredDraft, error: unknown): unknown {
  const [problem] = refusedSegments(error);
  const segment = seen.segments.find(({ id }) => id === problem?.key);
  if (problem === undefined || segment === undefined) return error;
  const isKeyed = seen.reader.format.shape === 'keyed';
  const name = isKeyed ? keyName(segment.id) : excerptOf(partsText(sourceParts(segment)));
  return new JobFailure(
    {
      kind: 'unsupported',
      what: `${formatLocation({ file: text.sourcePath, line: segment.line })}: "${name}" ${problem.message}; the translation is not written`,
      advice: 'Write this text differently, or leave its file out with "exclude".',
    },
    { cause: error },
  );
}

/** Characters of a text that name it. */
const EXCERPT = 40;

function excerptOf(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > EXCERPT ? `${line.slice(0, EXCERPT)}…` : line;
}

function settleAll(
  { seen, purchases, answers }: AnsweredDraft,
  unfit: ReadonlyMap<string, string>,
): SegmentRecord[] {
  const rest = answers.values();
  const bought = new Map(
    purchases.map(({ id, texts, join }) => [id, join([...rest.take(texts.length)])]),
  );
  for (const [id, problem] of unfit) bought.set(id, { kind: 'refused', problem });
  const { shape } = seen.reader.format;
  return seen.merge.decisions.flatMap(
    (decision) => settle(decision, answerFor(decision, bought, seen), shape) ?? [],
  );
}

/** A paragraph that replaces one leads where that one did, as long as its source leads to the same places. */
function answerFor(
  decision: Decision,
  bought: ReadonlyMap<string, Bought>,
  { base, reader }: Decided,
): Bought | undefined {
  const answer = bought.get(decision.id);
  const before = base.get(decision.id);
  const isReplaced = decision.kind === 'buy' && decision.standing !== null;
  if (reader.format.shape === 'keyed' || answer?.kind !== 'translated') return answer;
  if (!isReplaced || before === undefined) return answer;
  const source = before.previousSource ?? before.source;
  const standing = decision.standing.parts;
  return { kind: 'translated', parts: withTheirLinks(answer.parts, { source, standing }) };
}

/** What a text is bought with is noted with it: later only a change that it could show re-buys it. */
function withInputs(text: TextCase, record: SegmentRecord): SegmentRecord {
  const isNew = record.origin === 'machine' && record.state === 'ok' && record.made === undefined;
  return isNew ? { ...record, made: inputsFor(text, [record.source], record.id) } : record;
}

/** Lines that a person and the source changed, told and decided as texts are. */
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

function composed(draft: AnsweredDraft, records: readonly SegmentRecord[]): Written {
  const { seen, at } = draft;
  const { target, source, reader, merge, frame } = seen;
  const placements = placementsFor(seen, records);
  if (target === undefined && ![...placements.values()].some(({ kind }) => kind === 'write')) {
    return { bytes: undefined };
  }
  const removed = new Set(merge.removed.map(({ id }) => id));
  const getsNothing = staysAsItIs(seen, { placements, removed });
  if (target !== undefined && getsNothing && reader.format.shape === 'keyed') {
    return { bytes: target.encode(target.text) };
  }
  const { bytes, frame: written } = compose({
    ...reader,
    source,
    ...(target === undefined ? {} : { target }),
    ...(frame === undefined ? {} : { frame }),
    expected: seen.segments,
    placements,
    removed,
    renamed: renamesIn(merge),
    at,
  });
  const stays = target !== undefined && getsNothing && isSourceUnchanged(draft);
  return { bytes: stays ? target.encode(target.text) : bytes, ...(written && { frame: written }) };
}

function renamesIn({ removed }: Inspection['merge']): Map<string, string> {
  return new Map(
    removed.flatMap(({ id, movedTo }) => (movedTo === undefined ? [] : [[id, movedTo] as const])),
  );
}

/**
 * A target that misses nothing and gets nothing stays as it is, to the byte. A sequence takes changes of what is no segment
 * from its source as well, so this holds as long as that is the one that it was last made from, and no person chose otherwise.
 */
function isSourceUnchanged({ seen, text }: AnsweredDraft): boolean {
  const { deliveredSource, word } = text;
  const isFirstContact = deliveredSource === undefined && seen.frame?.before === undefined;
  const isSame = isFirstContact || seen.source.hash === deliveredSource;
  return isSame && (word.choices?.size ?? 0) === 0;
}

/** Nothing is written and nothing taken out; a paragraph that has no place is none that a target without keys misses. */
function staysAsItIs(
  { reader, found }: Decided,
  { placements, removed }: Pick<Composition, 'placements'> & { removed: ReadonlySet<string> },
): boolean {
  const isPage = reader.format.shape === 'sequence';
  return (
    [...placements.values()].every(({ kind }) => kind === 'keep' || (isPage && kind === 'omit')) &&
    ![...removed].some((id) => found.has(id))
  );
}

function placementsFor({ merge, inPlace, target }: Inspection, records: readonly SegmentRecord[]) {
  const byId = new Map(records.map((record) => [record.id, record]));
  const left: Placement = { kind: target === undefined ? 'omit' : 'keep' };
  return new Map(
    merge.decisions.map(({ id, kind }): [string, Placement] => [
      id,
      kind === 'omit' ? left : placementFor(byId.get(id), inPlace.get(id)),
    ]),
  );
}

// What stands there already keeps its own bytes, however it is spelled; only other texts are written.
function placementFor(
  record: SegmentRecord | undefined,
  standing: readonly Part[] | undefined,
): Placement {
  const parts = record?.target ?? null;
  // A key that stands without a text stays so until there is one.
  if (parts === null) return { kind: standing === undefined ? 'omit' : 'keep' };
  return sameText(standing, parts) ? { kind: 'keep' } : { kind: 'write', parts };
}
