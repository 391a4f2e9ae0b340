/**
 * Texts that the machine wrote for earlier sources of a segment. An editor that had the old file open saves such a text again, or a person
 * restores an old target from git. Such a text is not an edit of a person. Pure.
 */
import type { SegmentRecord } from '../baseline.ts';
import { type Part, partsText } from '../format.ts';
import { sameText } from './record.ts';
import { targetHash } from './statements.ts';

/** At most so many former texts are kept: a file is rarely open during more changes of one text. */
const KEPT = 8;

/** Whether this text of the target is one that the machine wrote for an earlier source, and not for the one of the record. */
export function isFormer(found: readonly Part[], base: SegmentRecord): boolean {
  // A source that came back has its text among those of earlier sources.
  return (
    !sameText(found, base.target) && base.former?.includes(targetHash(partsText(found))) === true
  );
}

/** The newest is last. A text that was bought again for the same source is not added: a person may prefer it. */
export function formerOf(base: SegmentRecord, source: readonly Part[]): readonly string[] {
  const { former = [], origin, state, target } = base;
  const isOurs = origin === 'machine' && state === 'ok' && target !== null;
  if (!isOurs || base.source === partsText(source)) return former;
  return [...new Set([...former, targetHash(partsText(target))])].slice(-KEPT);
}
