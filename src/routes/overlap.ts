/** Finds a path that matches two patterns, by their automata: the answer is exact, or "undecided". Pure. */
import { AutomatonBuilder, type Edge, representatives, takes } from './automaton.ts';
import { type Exclusion, exclusionOf } from './covers.ts';
import { type GlobPath, literalPrefix, literalSuffix } from './glob.ts';
import { Steps } from './steps.ts';

export interface OverlapQuestion {
  readonly a: readonly GlobPath[];
  readonly b: readonly GlobPath[];
  /** Excluded paths. */
  readonly except?: readonly GlobPath[];
  /** The limit of the costs; several questions can share one. */
  readonly steps?: Steps;
}

/** `undecided`: there are too many patterns, or too many wildcards, for the limit. */
export type Common =
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'undecided' };

/** Steps of one found path: the caller compares it with all patterns of two routes. */
const STEPS_OF_PATH = 1000;
/** Steps of one kept place: keeping costs more than comparing. */
const STEPS_OF_PLACE = 10;

/**
 * Paths that match one of `a`, one of `b` and none of `except`: one short path for each pair of alternatives that overlap.
 * Language tokens must be spelled out.
 */
export function* commonPaths(question: OverlapQuestion): Generator<Common> {
  const { except = [], steps = new Steps() } = question;
  const exceptions = except.map(exclusionOf);
  const isOpen = (path: GlobPath) => !exceptions.some((each) => each.covers(path, steps));
  const a = question.a.filter(isOpen);
  const b = question.b.filter(isOpen);
  if (steps.areOver) {
    yield { kind: 'undecided' };
    return;
  }
  const ends = b.map((path) => ({ path, ...literalEnds(path) }));
  for (const left of a) {
    const { prefix, suffix } = literalEnds(left);
    for (const right of ends) {
      steps.take(1);
      // Most routes have their own folders, so no automaton is needed.
      if (!begins(prefix, right.prefix) || !finishes(suffix, right.suffix)) continue;
      const path = commonPath({ left, right: right.path }, exceptions, steps);
      if (steps.areOver) {
        yield { kind: 'undecided' };
        return;
      }
      if (path === undefined) continue;
      steps.take(STEPS_OF_PATH);
      yield { kind: 'path', path };
    }
  }
}

function literalEnds(path: GlobPath): Record<'prefix' | 'suffix', string> {
  return { prefix: literalPrefix(path), suffix: literalSuffix(path) };
}

function begins(left: string, right: string): boolean {
  return left.startsWith(right) || right.startsWith(left);
}

function finishes(left: string, right: string): boolean {
  return left.endsWith(right) || right.endsWith(left);
}

interface PathPair {
  readonly left: GlobPath;
  readonly right: GlobPath;
}

/** Finds a path. Adds only exclusions that match a found path, one by one: most exclusions concern other paths, and all at once cost too much. */
function commonPath(
  pair: PathPair,
  exceptions: readonly Exclusion[],
  steps: Steps,
): string | undefined {
  const needed = new Set<Exclusion>();
  while (!steps.areOver) {
    const automaton = new Exceptions([...needed].map(({ path }) => path));
    const found = new Meeting(pair, automaton, steps).find();
    if (found === undefined) return undefined;
    steps.take(exceptions.length);
    const next = exceptions.find((each) => !needed.has(each) && each.pattern.matches(found));
    if (next === undefined) return found;
    needed.add(next);
  }
  return undefined;
}

/** The exclusions of a question as one automaton, which tracks a set of possible states. */
class Exceptions {
  readonly #automaton = new AutomatonBuilder('matched');
  readonly #ends: Set<number>;
  readonly start: readonly number[];

  constructor(paths: readonly GlobPath[]) {
    const added = paths.map((path) => this.#automaton.add(path));
    this.#ends = new Set(added.map(({ end }) => end));
    this.start = this.#withSkips(added.map(({ start }) => start));
  }

  get edges(): readonly (readonly Edge[])[] {
    return this.#automaton.edges;
  }

  match(states: readonly number[]): boolean {
    return states.some((state) => this.#ends.has(state));
  }

  after(states: readonly number[], letter: number): number[] {
    const next = states.flatMap((state) =>
      (this.edges[state] ?? [])
        .filter((edge) => takes(edge.letters, letter))
        .map((edge) => edge.to),
    );
    return this.#withSkips(next);
  }

  #withSkips(states: readonly number[]): number[] {
    const reached = new Set(states);
    for (const state of reached) {
      for (const next of this.#automaton.skips[state] ?? []) reached.add(next);
    }
    return [...reached].sort((x, y) => x - y);
  }
}

/** The only letter of an edge, or undefined. Most edges are fixed text, so no other letter must be tried. */
function onlyLetter({ letters: { negated, ranges } }: Edge): readonly number[] | undefined {
  const [range, other] = ranges;
  const isOne = !negated && range !== undefined && other === undefined && range[0] === range[1];
  return isOne ? [range[0]] : undefined;
}

/** A place of the search: a state of each pattern, and the possible states of the exclusions. */
interface SearchState {
  readonly left: number;
  readonly right: number;
  readonly excepted: readonly number[];
  readonly text: string;
}

class Meeting {
  readonly #patterns = new AutomatonBuilder('hidden');
  readonly #exceptions: Exceptions;
  readonly #steps: Steps;
  readonly #letters: readonly number[];
  readonly #ends: { readonly left: number; readonly right: number };
  readonly #queue: SearchState[] = [];
  /** By the states of both patterns: the sets of states of the exclusions that were visited. */
  readonly #seen = new Map<string, Set<number>[]>();

  constructor({ left, right }: PathPair, exceptions: Exceptions, steps: Steps) {
    const [ofLeft, ofRight] = [this.#patterns.add(left), this.#patterns.add(right)];
    this.#exceptions = exceptions;
    this.#steps = steps;
    const edges = [...this.#patterns.edges, ...exceptions.edges];
    steps.take(edges.length);
    this.#letters = representatives(edges);
    this.#ends = { left: ofLeft.end, right: ofRight.end };
    const excepted = exceptions.start;
    this.#visit({ left: ofLeft.start, right: ofRight.start, excepted, text: '' });
  }

  /** Searches breadth first, so that the path is short. */
  find(): string | undefined {
    // An index, not an iterator: places are added while the loop runs.
    for (let head = 0; head < this.#queue.length && !this.#steps.areOver; head++) {
      const state = this.#queue[head];
      if (state === undefined) return undefined;
      if (this.#isEnd(state)) return state.text;
      this.#stepOn(state);
    }
    return undefined;
  }

  #isEnd({ left, right, excepted }: SearchState): boolean {
    const ends = this.#ends;
    return left === ends.left && right === ends.right && !this.#exceptions.match(excepted);
  }

  #stepOn(state: SearchState): void {
    const { edges, skips } = this.#patterns;
    for (const left of skips[state.left] ?? []) this.#visit({ ...state, left });
    for (const right of skips[state.right] ?? []) this.#visit({ ...state, right });
    for (const ofLeft of edges[state.left] ?? []) {
      for (const ofRight of edges[state.right] ?? []) {
        for (const letter of onlyLetter(ofLeft) ?? onlyLetter(ofRight) ?? this.#letters) {
          this.#steps.take(1);
          if (!takes(ofLeft.letters, letter) || !takes(ofRight.letters, letter)) continue;
          this.#steps.take(state.excepted.length);
          const excepted = this.#exceptions.after(state.excepted, letter);
          const text = state.text + String.fromCodePoint(letter);
          this.#visit({ left: ofLeft.to, right: ofRight.to, excepted, text });
          // Without exclusions, one letter is enough.
          if (excepted.length === 0) break;
        }
      }
    }
  }

  /** Queues a place, unless one with the same states and fewer states of exclusions was visited: every path from here is also possible from there. */
  #visit(state: SearchState): void {
    const key = `${state.left},${state.right}`;
    const seen = this.#seen.get(key) ?? [];
    const here = new Set(state.excepted);
    for (const other of seen) {
      this.#steps.take(1 + Math.min(other.size, here.size));
      if (other.isSubsetOf(here)) return;
    }
    this.#steps.take(STEPS_OF_PLACE + here.size);
    this.#seen.set(key, [...seen.filter((other) => !here.isSubsetOf(other)), here]);
    this.#queue.push(state);
  }
}
