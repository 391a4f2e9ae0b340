/** Checks segment by segment whether an exclusion covers a whole pattern, which is the usual case. Pure. */
import { type GlobPath, type GlobSegment, isLiteral, literalPrefix } from './glob.ts';
import { PathPattern } from './path-pattern.ts';
import type { Steps } from './steps.ts';

/** Segments that count as one step: comparing a segment costs less than a state of an automaton. */
const SEGMENTS_OF_STEP = 4;

const made = new WeakMap<GlobPath, Exclusion>();

/** The compiled exclusion, kept, since each route is compared with every other one. */
export function exclusionOf(path: GlobPath): Exclusion {
  const known = made.get(path) ?? new Exclusion(path);
  made.set(path, known);
  return known;
}

/** A compiled exclusion. */
export class Exclusion {
  readonly path: GlobPath;
  readonly pattern: PathPattern;
  readonly #segments: readonly Cover[];
  readonly #prefix: string;

  constructor(path: GlobPath) {
    this.path = path;
    this.pattern = new PathPattern(path, 'matched');
    this.#segments = path.map(coverOf);
    this.#prefix = literalPrefix(path);
  }

  /** Whether every path of the pattern is excluded. False when segments alone cannot decide, or no steps are left. */
  covers(path: GlobPath, steps: Steps): boolean {
    if (steps.areOver || !literalPrefix(path).startsWith(this.#prefix)) return false;
    // The possible numbers of matched segments of the exclusion.
    let reached = this.#withDeep([0]);
    for (const segment of path) {
      steps.take(Math.ceil(reached.size / SEGMENTS_OF_STEP));
      if (steps.areOver) return false;
      const next: number[] = [];
      for (const index of reached) {
        const cover = this.#segments[index];
        if (cover === 'deep') next.push(index);
        else if (cover?.(segment)) next.push(index + 1);
      }
      if (next.length === 0) return false;
      reached = this.#withDeep(next);
    }
    return reached.has(this.#segments.length);
  }

  /** Adds the numbers after each `**`, which also matches no folder. */
  #withDeep(reached: readonly number[]): ReadonlySet<number> {
    const all = new Set<number>();
    for (const index of reached) {
      all.add(index);
      for (let at = index; this.#segments[at] === 'deep'; at++) all.add(at + 1);
    }
    return all;
  }
}

type Cover = 'deep' | ((segment: GlobSegment) => boolean);

function coverOf(exception: GlobSegment): Cover {
  if (exception === 'deep') return 'deep';
  if (exception.every(({ kind }) => kind === 'star')) return (segment) => segment !== 'deep';
  const text = JSON.stringify(exception);
  const pattern = new PathPattern([exception], 'matched');
  return (segment) => {
    if (segment === 'deep') return false;
    if (!isLiteral([segment])) return JSON.stringify(segment) === text;
    return pattern.matches(
      segment.map((piece) => (piece.kind === 'text' ? piece.text : '')).join(''),
    );
  };
}
