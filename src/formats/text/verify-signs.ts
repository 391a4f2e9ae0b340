/**
 * The last check of headings, list items and quotes before a write. Each text has the signs that it had in the target, or those of its
 * source. A text with both would be a list in a list, or a heading above a rule. Pure.
 */
import type { FramePiece } from '../../segments/frame/frame.ts';
import { signsIn } from '../../segments/frame/text-signs.ts';
import type { Reader } from './open.ts';
import { refuseSegments } from './verify.ts';

interface PageSides {
  readonly source: readonly FramePiece[];
  readonly target: readonly FramePiece[];
}

/** @throws JobFailure whose cause is the list of SegmentProblems */
export function verifySigns(
  written: readonly FramePiece[],
  { source, target }: PageSides,
  reader: Reader,
): void {
  const [theirs, mine] = [signsIn(source), signsIn(target)];
  const problems = [...signsIn(written)].flatMap(([key, signs]) => {
    const own = mine.get(key);
    if (own === undefined || own === signs || theirs.get(key) === signs) return [];
    return [{ key, message: 'would have other signs than its list or heading has' }];
  });
  refuseSegments(problems, reader);
}
