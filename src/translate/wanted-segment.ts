/** How a source segment is treated, before anything is known of its target. Pure. */
import { type Segment, sourceParts } from '../format.ts';
import { titlesIn } from '../formats/grammar/markdown-titles.ts';
import type { Route } from '../project.ts';
import type { WantedSegment } from '../segments/decision.ts';
import { worthSending } from '../segments/inline/protect.ts';
import { matchesKey } from '../segments/key-pattern.ts';

/** Locked keys and texts without a letter are copied; ignored keys are left alone. */
export function wantedSegment(segment: Segment, { keys }: Route): WantedSegment {
  if (matchesKey(keys.ignore, segment.id)) return ignoredSegment(segment);
  const { id } = segment;
  const source = sourceParts(segment);
  if (!hasWords(segment)) return { id, source, treatment: 'copy' };
  return matchesKey(keys.lock, id)
    ? { id, source, treatment: 'copy', isLocked: true }
    : { id, source, treatment: 'translate' };
}

export function ignoredSegment(segment: Segment): WantedSegment {
  return { id: segment.id, source: sourceParts(segment), treatment: 'omit' };
}

function hasWords(segment: Segment): boolean {
  const { state, syntax } = segment;
  const parts = sourceParts(segment);
  if (state === 'do-not-translate') return false;
  return worthSending({ parts, syntax }) || (syntax === 'markup' && titlesIn(parts).length > 0);
}
