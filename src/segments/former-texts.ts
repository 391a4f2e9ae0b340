/**
 * What the machine wrote for earlier sources of a segment. An editor that had the file open meanwhile brings it back when it
 * saves, as does who takes an old target from git: it is no edit of a person. Pure.
 */
import type { SegmentRecord } from '../baseline.ts';
import { type Part, partsText } from '../format.ts';
import { targetHash } from './statements.ts';

/** A file is open over so many changes of one text at most. */
const KEPT = 8;

/** Whether a text that stands there is one of the machine for an earlier source. */
export function isFormer(found: readonly Part[], base: SegmentRecord): boolean {
  return base.former?.includes(targetHash(partsText(found))) === true;
}

/** The latest last. What is bought again for the same source is no former text: a person may prefer it. */
export function formerOf(base: SegmentRecord, source: readonly Part[]): readonly string[] {
  const { former = [], origin, state, target } = base;
  const isOurs = origin === 'machine' && state === 'ok' && target !== null;
  if (!isOurs || base.source === partsText(source)) return former;
  return [...new Set([...former, targetHash(partsText(target))])].slice(-KEPT);
}
