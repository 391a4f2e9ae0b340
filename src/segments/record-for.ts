/** Turns decisions, and the answers that were bought for them, into the texts of the target and their records. Pure. */
import type { SegmentRecord } from '../baseline.ts';
import type { Part } from '../format.ts';
import { partsText } from '../format.ts';
import type { Decision } from './decision.ts';
import { resolve, sameText } from './record.ts';

/** The answer of the service to a text: its translation, or why there is none. */
export type TextAnswer =
  | { readonly kind: 'translated'; readonly parts: readonly Part[] }
  | {
      readonly kind: 'refused';
      readonly problem: string;
      /** A translation that only the checks of this text refuse, its length for example: an equal text may use it. */
      readonly parts?: readonly Part[];
    };

/**
 * The record that a decision leaves. Its `target` is the text to write; null: a keyed target gets no entry.
 * @param answer for decisions that buy
 * @param shape a held segment keeps its old text. Without an old text, a keyed file leaves it out. A sequence gets the source's text, and
 * its record says `held`, so that it is never adopted as a translation
 * @returns undefined for `omit`, which leaves no record
 */
export function recordFor(
  decision: Decision,
  answer: TextAnswer | undefined,
  shape: 'keyed' | 'sequence',
): SegmentRecord | undefined {
  switch (decision.kind) {
    case 'keep':
    case 'adopt':
    case 'restore':
    case 'copy':
    case 'hold':
    case 'move':
      return decision.record;
    case 'omit':
      return undefined;
    case 'conflict':
      if (answer?.kind !== 'translated') return decision.record;
      return sameText(answer.parts, decision.record.target)
        ? resolve(decision.record, 'human')
        : { ...decision.record, machine: answer.parts };
    case 'buy': {
      const { id, current } = decision;
      const source = partsText(decision.source);
      const { replaced, former } = decision;
      const before = { ...(replaced && { replaced }), ...(former && { former }) };
      if (answer?.kind === 'translated') {
        const { review } = decision;
        const bought = {
          id,
          source,
          target: answer.parts,
          origin: 'machine',
          state: 'ok',
          ...before,
        } as const;
        return review === undefined ? bought : { ...bought, review };
      }
      return {
        id,
        source,
        target: current?.parts ?? (shape === 'sequence' ? decision.source : null),
        origin: current?.origin ?? 'machine',
        state: 'held',
        problem: answer?.problem ?? 'not answered yet',
        ...before,
      };
    }
  }
}
