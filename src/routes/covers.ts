/** Whether a pattern is wholly within an exception, told segment by segment: most patterns that an exception concerns are. Pure. */
import { type GlobPath, type GlobSegment, isLiteral, literalPrefix } from './glob.ts';
import { PathPattern } from './path-pattern.ts';
import type { Steps } from './steps.ts';

/** Segments that are looked at for one step: a look costs less than a state of an automaton. */
const SEGMENTS_OF_STEP = 4;

const made = new WeakMap<GlobPath, Exclusion>();

/** Each route is compared with each other, so that its exceptions are made ready once. */
export function exclusionOf(path: GlobPath): Exclusion {
  const known = made.get(path) ?? new Exclusion(path);
  made.set(path, known);
  return known;
}

/** An exception, ready to be asked. */
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

  /** Whether each path of the pattern is an exception. False where segments alone do not tell, or no steps are left. */
  covers(path: GlobPath, steps: Steps): boolean {
    if (steps.areOver || !literalPrefix(path).startsWith(this.#prefix)) return false;
    // By how many segments of the exception are used up: those that may be.
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

  /** `**` stands for no folder as well. */
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
