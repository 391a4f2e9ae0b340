/**
 * Finds texts that were paired beside their place, at first contact. A translation may be much shorter than its source, or have its code
 * above the text. Then two paragraphs without partner can cost less than the pairs in order. Pure.
 */
import { append } from '../parsing/append.ts';
import { type BeadRun, from, STEPS } from './beads.ts';
import type { FeatureSides, Features } from './likeness.ts';

/** More pairs in a row are not beside their place by accident. */
const MOST_PAIRS = 4;

/**
 * One paragraph more in the source, one more in the target, and a few pairs between them: these pairs are beside their place. They become one
 * doubt, if nothing that belongs to the paragraphs tells them from the pairs in order.
 */
export function withoutShifts(runs: readonly BeadRun[], page: FeatureSides): BeadRun[] {
  const kept: BeadRun[] = [];
  for (let at = 0; at < runs.length; ) {
    const end = endOfShift(runs, at);
    const stretch = end === undefined ? [] : runs.slice(at, end + 1);
    if (stretch.length === 0 || isTold(stretch, page)) {
      append(kept, runs.slice(at, at + 1));
      at += 1;
    } else {
      kept.push({ is: 'open', beads: stretch.flatMap(({ beads }) => beads) });
      at += stretch.length;
    }
  }
  return kept;
}

/** The run that takes back by how much the run at a place is ahead on one side. */
function endOfShift(runs: readonly BeadRun[], start: number): number | undefined {
  const ahead = aheadIn(runs[start]);
  if (ahead === 0) return undefined;
  for (let at = start + 1; at <= start + MOST_PAIRS + 1; at += 1) {
    const other = aheadIn(runs[at]);
    if (other !== 0) return ahead + other === 0 ? at : undefined;
  }
  return undefined;
}

/** How many paragraphs the source has more in a run. */
function aheadIn(run: BeadRun | undefined): number {
  const steps = run?.beads.map(({ kind }) => STEPS[kind][0] - STEPS[kind][1]) ?? [];
  return steps.reduce<number>((all, each) => all + each, 0);
}

/** Whether the pairs beside their place have more in common than the paragraphs in order. */
function isTold(stretch: readonly BeadRun[], { source, target }: FeatureSides): boolean {
  const beads = stretch.flatMap((run) => run.beads);
  const [first] = beads;
  if (first === undefined) return true;
  const shift = first.b - first.a;
  const isCell = (each: Features | undefined) => each?.cell !== undefined;
  if (beads.some(({ a, b }) => isCell(source[a]) || isCell(target[b]))) return true;
  const counts = beads.flatMap(({ kind, a, b }) => {
    const [ours, theirs] = [from(a, STEPS[kind][0]), from(b, STEPS[kind][1])];
    const beside = ours.flatMap((x) => theirs.map((y) => ({ x, y })));
    return beside
      .filter(({ x, y }) => y - x !== shift)
      .map(({ x, y }) => {
        const partner = theirs.includes(x + shift) ? undefined : target[x + shift];
        const other = ours.includes(y - shift) ? undefined : source[y - shift];
        const inOrder = Math.max(inCommon(source[x], partner), inCommon(other, target[y]));
        return { here: inCommon(source[x], target[y]), inOrder };
      });
  });
  const sum = (of: 'here' | 'inOrder') => counts.reduce((all, count) => all + count[of], 0);
  return counts.length === 0 || sum('here') > sum('inOrder');
}

/** The number of anchors. A heading of code above a list tells where its items belong. */
function inCommon(s: Features | undefined, t: Features | undefined): number {
  if (s === undefined || t === undefined) return 0;
  return s.text === t.text ? SAME_TEXT : s.anchors.intersection(t.anchors).size;
}

/** More than the anchors of any text. */
const SAME_TEXT = 1000;
