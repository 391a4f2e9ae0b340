/** Whether some path can match two patterns: decided exactly, on their automata, with the path as witness. Pure. */
import { AutomatonBuilder, representatives, takes } from './automaton.ts';
import { type GlobPath, literalPrefix } from './glob.ts';

export interface OverlapQuestion {
  readonly a: readonly GlobPath[];
  readonly b: readonly GlobPath[];
  /** Paths that do not count. */
  readonly except?: readonly GlobPath[];
}

/**
 * Paths that match one of `a` and one of `b` and none of `except`: one, short, for each two alternatives that meet.
 * Language tokens must be spelled out.
 */
export function* commonPaths({ a, b, except = [] }: OverlapQuestion): Generator<string> {
  for (const left of a) {
    for (const right of b) {
      // Most routes live in folders of their own: they need no automaton to be told apart.
      if (!mayMeet(literalPrefix(left), literalPrefix(right))) continue;
      const path = new Meeting(left, right, except).find();
      if (path !== undefined) yield path;
    }
  }
}

function mayMeet(left: string, right: string): boolean {
  return left.startsWith(right) || right.startsWith(left);
}

/** Beyond this many steps the answer is "not found"; sources that meet are found again when they are known. */
const STEP_LIMIT = 100_000;

/** Where the walk is: a state of each pattern, and the states that the exceptions may be in. */
interface Place {
  readonly left: number;
  readonly right: number;
  readonly excepted: readonly number[];
  readonly text: string;
}

class Meeting {
  readonly #patterns = new AutomatonBuilder('hidden');
  readonly #exceptions = new AutomatonBuilder('matched');
  readonly #letters: readonly number[];
  readonly #ends: { readonly left: number; readonly right: number; readonly excepted: Set<number> };
  readonly #queue: Place[] = [];
  readonly #seen = new Set<string>();

  constructor(left: GlobPath, right: GlobPath, except: readonly GlobPath[]) {
    const [ofLeft, ofRight] = [this.#patterns.add(left), this.#patterns.add(right)];
    const excepted = except.map((path) => this.#exceptions.add(path));
    this.#letters = representatives([...this.#patterns.edges, ...this.#exceptions.edges]);
    this.#ends = {
      left: ofLeft.end,
      right: ofRight.end,
      excepted: new Set(excepted.map(({ end }) => end)),
    };
    this.#visit({
      left: ofLeft.start,
      right: ofRight.start,
      excepted: this.#withSkips(excepted.map(({ start }) => start)),
      text: '',
    });
  }

  /** Breadth first, so that the path is a short one. */
  find(): string | undefined {
    for (let head = 0; head < this.#queue.length && head < STEP_LIMIT; head++) {
      const place = this.#queue[head];
      if (place === undefined) return undefined;
      if (this.#isEnd(place)) return place.text;
      this.#stepOn(place);
    }
    return undefined;
  }

  #isEnd({ left, right, excepted }: Place): boolean {
    const ends = this.#ends;
    if (left !== ends.left || right !== ends.right) return false;
    return !excepted.some((state) => ends.excepted.has(state));
  }

  #stepOn(place: Place): void {
    const { edges, skips } = this.#patterns;
    for (const left of skips[place.left] ?? []) this.#visit({ ...place, left });
    for (const right of skips[place.right] ?? []) this.#visit({ ...place, right });
    for (const ofLeft of edges[place.left] ?? []) {
      for (const ofRight of edges[place.right] ?? []) {
        for (const letter of this.#letters) {
          if (!takes(ofLeft.letters, letter) || !takes(ofRight.letters, letter)) continue;
          const excepted = this.#afterLetter(place.excepted, letter);
          const text = place.text + String.fromCodePoint(letter);
          this.#visit({ left: ofLeft.to, right: ofRight.to, excepted, text });
          // Without exceptions one letter is as good as another.
          if (excepted.length === 0) break;
        }
      }
    }
  }

  #visit(place: Place): void {
    const key = `${place.left},${place.right};${place.excepted.join()}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.#queue.push(place);
  }

  #afterLetter(states: readonly number[], letter: number): number[] {
    const next = states.flatMap((state) =>
      (this.#exceptions.edges[state] ?? [])
        .filter((edge) => takes(edge.letters, letter))
        .map((edge) => edge.to),
    );
    return this.#withSkips(next);
  }

  #withSkips(states: readonly number[]): number[] {
    const reached = new Set(states);
    for (const state of reached) {
      for (const next of this.#exceptions.skips[state] ?? []) reached.add(next);
    }
    return [...reached].sort((x, y) => x - y);
  }
}
