/** What we last saw and wrote of one segment in one language: the base of the three-way merge. Pure. */
import { type Part, partsText } from '../format.ts';
import type { TranslationInputs } from './translation-inputs.ts';

/**
 * Who wrote a text. `adopted`: it stood there at first contact, and counts as ours when its source changes
 * (decisions.md 9). `copied`: it is the source's own text, of a locked key or without a letter in it.
 */
export type Origin = 'machine' | 'human' | 'adopted' | 'copied';

export interface SegmentRecord {
  readonly id: string;
  /** Text of the source that we last saw. */
  readonly source: string;
  /** What we left in the target; null: the key was left out, or a person took the paragraph out. */
  readonly target: readonly Part[] | null;
  readonly origin: Origin;
  /**
   * `held`: no answer was fit to be written, `target` is not its translation. `conflict`: a person's text stands while
   * its source changed, a decision is open. `stale`: the same, and policy says that the person's text stays.
   */
  readonly state: 'ok' | 'held' | 'conflict' | 'stale';
  /** The source that the text in `target` belongs to, where that is no longer `source`. */
  readonly previousSource?: string;
  /** The machine's text for `source`, where a person's stands: bought once, shown beside it. */
  readonly machine?: readonly Part[];
  /** Why it is held. */
  readonly problem?: string;
  /** What a machine's text in `target` was bought with; absent: unknown. */
  readonly made?: TranslationInputs;
  /** It is no segment but lines between them that a person and the source both changed (sequences). */
  readonly isFrame?: true;
  /** Subtitles only. */
  readonly cue?: CueRecord;
}

export interface CueRecord {
  /** The source's timing line when it was last written: where the target has another one, a person moved the cue. */
  readonly timing: string;
  /** What was done to fit a bought text into its cue. */
  readonly notes: readonly CueNote[];
  /** Texts for the service that begin in it: none where it goes on with a sentence, one for each speaker. */
  readonly texts?: number;
  /** On the first cue: what stood around the source's cues when the target was last written (`subtitles/frame.ts`). */
  readonly frame?: string;
}

export type CueNote = 're-cut' | 'repeated' | 'retried' | 'markup dropped';

/** A person's word on a conflict: which text shall stand. */
export type Choice = 'human' | 'machine' | { readonly parts: readonly Part[] };

/** Ends a conflict. @returns undefined when the machine's text is wanted and was not bought yet */
export function resolve(record: SegmentRecord, choice: Choice): SegmentRecord | undefined {
  const { id, source } = record;
  if (choice === 'human')
    return { id, source, target: record.target, origin: 'human', state: 'ok' };
  if (choice !== 'machine') {
    return { id, source, target: choice.parts, origin: 'human', state: 'ok' };
  }
  if (record.machine === undefined) return undefined;
  return { id, source, target: record.machine, origin: 'machine', state: 'ok' };
}

/** Whether two texts read the same; two that are not there do. */
export function sameText(
  a: readonly Part[] | null | undefined,
  b: readonly Part[] | null | undefined,
): boolean {
  if (!a || !b) return !a && !b;
  return partsText(a) === partsText(b);
}
