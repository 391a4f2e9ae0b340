/** Whether a pattern is wholly within an exception, told segment by segment: most patterns that an exception concerns are. Pure. */
import { type GlobPath, isLiteral, literalPrefix, type Segment } from './glob.ts';
import { PathPattern } from './path-pattern.ts';

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

  /** Whether each path of the pattern is an exception. False where segments alone do not tell. */
  covers(path: GlobPath): boolean {
    if (!literalPrefix(path).startsWith(this.#prefix)) return false;
    // By how many segments of the exception are used up: those that may be.
    let reached = this.#withDeep([true]);
    for (const segment of path) {
      const next: boolean[] = [];
      for (const [index, isReached] of reached.entries()) {
        const cover = this.#segments[index];
        if (!isReached || cover === undefined) continue;
        if (cover === 'deep') next[index] = true;
        else if (cover(segment)) next[index + 1] = true;
      }
      reached = this.#withDeep(next);
    }
    return reached[this.#segments.length] === true;
  }

  /** `**` stands for no folder as well. */
  #withDeep(reached: boolean[]): boolean[] {
    for (const [index, cover] of this.#segments.entries()) {
      if (cover === 'deep' && reached[index]) reached[index + 1] = true;
    }
    return reached;
  }
}

type Cover = 'deep' | ((segment: Segment) => boolean);

function coverOf(exception: Segment): Cover {
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
