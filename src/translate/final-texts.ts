/** The texts that a file calls final or approved. Pure. */
import type { SegmentRecord } from '../baseline.ts';
import { partsText, type Segment } from '../format.ts';
import type { Decision } from '../segments/decision.ts';
import { type Merge, type MergeInput, merge } from '../segments/merge.ts';
import { type Statement, targetHash } from '../segments/statements.ts';

/**
 * Texts that the file calls final or approved stay as they are (XLIFF, "approved" and "state"). Where the lock knows the approval, it is
 * dragoman's own. The lock also knows the source then, and the text is compared with it as all others are.
 */
export function finalTexts(
  segments: readonly Segment[],
  statements: ((id: string) => readonly Statement[]) | undefined,
): ReadonlyMap<string, Segment> {
  const isOwn = ({ id, parts }: Segment) =>
    statements?.(id).some(
      ({ review, target }) => review === 'reviewed' && target === targetHash(partsText(parts)),
    ) === true;
  const final = segments.filter((segment) => segment.state === 'final' && !isOwn(segment));
  return new Map(final.map((segment) => [segment.id, segment]));
}

/**
 * A final text has no record. When its key left the source, and a new key has its source text, it moves there as it is, with its approval.
 */
export function mergeWithFinals(input: MergeInput, found: readonly Segment[]): Merge {
  const moved = movedFinals(input, found);
  if (moved.size === 0) return merge(input);
  const { decisions, ...rest } = merge({ ...input, base: new Map([...input.base, ...moved]) });
  const isFinal = (decision: Decision) => decision.kind === 'move' && moved.has(decision.from);
  return {
    ...rest,
    decisions: decisions.map((each) => (isFinal(each) ? { kind: 'omit', id: each.id } : each)),
  };
}

function movedFinals(
  { base, wanted, found }: MergeInput,
  segments: readonly Segment[],
): ReadonlyMap<string, SegmentRecord> {
  const final = segments.filter(
    ({ state, source, isReference }) => state === 'final' && source !== undefined && !isReference,
  );
  if (final.length === 0) return new Map();
  const ids = new Set(wanted.map(({ id }) => id));
  const left = final.filter(({ id }) => !ids.has(id) && !base.has(id));
  const bySource = Map.groupBy(left, ({ source = [] }) => partsText(source));
  const moved = new Map<string, SegmentRecord>();
  for (const { id, source, treatment } of wanted) {
    if (treatment !== 'translate' || base.has(id) || found.has(id)) continue;
    const text = partsText(source);
    const own = bySource.get(text)?.shift();
    if (own === undefined) continue;
    const { id: from, parts: target } = own;
    moved.set(from, { id: from, source: text, target, origin: 'human', state: 'ok' });
  }
  return moved;
}
