/** The result of a draft when its texts are answered: the records, and the bytes to write. Pure. */

import type { BaselineRecord, SegmentRecord } from '../baseline.ts';
import { formatLocation } from '../failure.ts';
import { hashBytes } from '../files/disk.ts';
import { partsText } from '../format.ts';
import { framesOf } from '../formats/text/compose-sequence.ts';
import type { OpenFile } from '../formats/text/open.ts';
import type { Hash } from '../job.ts';
import { finalState } from '../segments/final-state.ts';
import { composeFit } from './draft-composition.ts';
import { notTakenProblem, sourceLineOf } from './draft-records.ts';
import type { AnsweredDraft } from './draft-target.ts';
import { type BoughtText, termsMissing } from './file-notes.ts';
import type { TextInspection } from './inspection.ts';
import { sentTexts } from './text-orders.ts';

export interface Finished {
  /** Undefined: there is nothing to write. */
  readonly content: { readonly bytes: Uint8Array; readonly hash: Hash } | undefined;
  readonly state: ReturnType<typeof finalState>;
  /** Glossary terms that the texts bought now should hold but do not, a sentence each. */
  readonly termsMissing: readonly string[];
}

export interface DraftOutcome {
  readonly finished: Finished;
  /** The baseline of the written target; undefined when nothing is written. */
  readonly base: BaselineRecord | undefined;
}

/** Whether the target is up to date. */
export function isTargetUpToDate({ merge }: TextInspection): boolean {
  return merge.decisions.every(({ kind }) => kind === 'keep' || kind === 'omit');
}

/** The name of a page's text for people, such as `line 3`; undefined in files with keys. A text that the source lost is at no line. */
function lineName(
  { reader, segments }: AnsweredDraft['seen'],
  { id, isFrame }: SegmentRecord,
): string | undefined {
  if (reader.format.shape === 'keyed') return undefined;
  if (isFrame === true) return 'the content between the texts';
  const line = sourceLineOf({ segments }, id);
  return line === undefined ? 'a text that is not in the source' : `line ${line}`;
}

/** Composes the target. A bought text that would not read back is refused, and all others are written. */
export function finishDraft(draft: AnsweredDraft): DraftOutcome {
  const { text, bought, at } = draft;
  const { records, bytes, frame, file } = composeFit(draft);
  const name = (record: SegmentRecord) => lineName(draft.seen, record);
  const state = finalState(at, records, name, ({ id, source }) => {
    const segment = draft.seen.segments.find((each) => each.id === id);
    return segment === undefined ? [source] : sentTexts(text, segment);
  });
  const missing = termsMissing(text, boughtTexts(records, bought));
  if (bytes === undefined) {
    return { finished: { content: undefined, state, termsMissing: missing }, base: undefined };
  }
  const hash = hashBytes(bytes);
  const isOpen = records.some(({ isFrame }) => isFrame === true);
  return {
    finished: { content: { bytes, hash }, state, termsMissing: missing },
    base: {
      segments: records,
      ...(frame === undefined ? {} : { frame: withFrames(draft, frame, { file, isOpen }) }),
      recipe: text.recipe.key,
      at,
      targetHash: hash,
    },
  };
}

/** Finds the texts that the target cannot take, with stand-ins for the texts to be bought. Such texts are held and not paid for. */
export function withoutMisfitTexts(draft: AnsweredDraft): TextInspection['merge'] {
  const { merge } = draft.seen;
  const { records, unfit } = composeFit(draft);
  const places = problemPlaces(draft);
  const held = new Map(
    records.flatMap((record) => {
      const problem = unfit.get(record.id);
      const told =
        problem === undefined
          ? record
          : {
              ...record,
              problem: notTakenProblem(
                `${places(record.id)} ${problem}`,
                sourceLineOf(draft.seen, record.id),
              ),
            };
      return record.state === 'held' ? [[record.id, told]] : [];
    }),
  );
  return {
    ...merge,
    decisions: merge.decisions.map((decision) => {
      const record = held.get(decision.id);
      const isMisfit = decision.kind === 'buy' && record !== undefined;
      if (!isMisfit) return decision;
      return { kind: 'hold', id: decision.id, record: { ...record, awaits: 'target' } };
    }),
  };
}

/** The file and line of the text that is replaced; "it" for a text that the target does not have. */
function problemPlaces({ text, seen }: AnsweredDraft): (id: string) => string {
  const isKeyed = seen.reader.format.shape === 'keyed';
  return (id) => {
    const there = isKeyed ? seen.target?.doc.segments.find((each) => each.id === id) : undefined;
    if (there === undefined) return 'it';
    return `what it would replace at ${formatLocation({ file: text.targetPath, line: there.line })}`;
  };
}

/** With a lock, adds the frames of both files, which the lock states for the team. */
function withFrames(
  { text, seen }: AnsweredDraft,
  frame: NonNullable<BaselineRecord['frame']>,
  { file: target, isOpen }: { readonly file: OpenFile | undefined; readonly isOpen: boolean },
): NonNullable<BaselineRecord['frame']> {
  if (text.lock === undefined || target === undefined) return frame;
  if (seen.frame?.unexplained !== undefined) return { ...frame, isUnexplained: true };
  const { options } = seen.reader;
  const hashes = framesOf({ source: seen.source, target, options });
  // An open frame conflict belongs to the old source.
  return { ...frame, hashes: isOpen ? { ...hashes, source: frame.lines } : hashes };
}

function boughtTexts(
  records: readonly SegmentRecord[],
  bought: AnsweredDraft['bought'],
): BoughtText[] {
  return records.flatMap(({ id, origin, source, target }) =>
    origin === 'machine' && bought.has(id) && target !== null
      ? [{ id, source, target: partsText(target) }]
      : [],
  );
}
