/**
 * Composes the target of a draft whose texts are answered: the records and the bytes. Texts that the target cannot take are held alone, and
 * all others are written. Pure.
 */

import type { SegmentRecord } from '../baseline.ts';
import { describeFailure, formatLocation, JobFailure } from '../failure.ts';
import { excerptOf, keyName, partsText, sourceParts } from '../format.ts';
import type { ComposedFrame } from '../formats/text/composition.ts';
import type { OpenFile } from '../formats/text/open.ts';
import { refusedSegments } from '../formats/text/verify.ts';
import {
  asRead,
  frameRecord,
  notTakenProblem,
  recordAll,
  recordsOfStaying,
  sourceLineOf,
  type WriteLimits,
  withInputs,
  withKeyTexts,
} from './draft-records.ts';
import { type AnsweredDraft, type ComposedTarget, composed } from './draft-target.ts';
import { suspectsIn, withoutMisfits } from './misfits.ts';
import { unreplacedTexts, withAwaited } from './unreplaced.ts';

export interface ComposedDraft extends Pick<ComposedTarget, 'bytes'> {
  /** Including the frame conflicts that wait for a person. */
  readonly records: readonly SegmentRecord[];
  /** Problems of bought texts, by id. */
  readonly unfit: ReadonlyMap<string, string>;
  readonly frame?: ComposedFrame['record'];
  /** For a file without keys: the target, parsed again. */
  readonly file?: OpenFile;
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
  const { bought } = draft;
  const unfit = new Map<string, string>();
  for (;;) {
    const limits = { unfit, left, reason };
    const { settled, out } = recordsWithin(draft, limits);
    try {
      const { bytes, frame, file, otherwise } = composed(draft, settled, out);
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

/** @returns also the texts that stay out of the target or in it, as `limits.left` and because their message is held */
function recordsWithin(draft: AnsweredDraft, limits: WriteLimits) {
  const { seen, text } = draft;
  const first = recordAll(draft, limits);
  const unreplaced = unreplacedTexts(seen, first);
  const out = limits.left.union(new Set(unreplaced.keys()));
  const staying = recordsOfStaying(seen, out);
  const records = [...withAwaited(first, unreplaced), ...staying];
  const settled = withKeyTexts(
    records.map((record) => withInputs(text, record)),
    seen.segments,
  );
  return { settled, out };
}

function compositionProblem(error: JobFailure, { text, seen }: AnsweredDraft): string {
  const { file } = seen.reader.options;
  const [problem] = refusedSegments(error);
  if (problem !== undefined) {
    const { line } = problem;
    return `with it, in ${formatLocation({ file: text.targetPath, ...(line === undefined ? {} : { line }) })}, a text ${problem.message}`;
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
