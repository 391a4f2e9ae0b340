/** Whether some path can match two patterns: decided exactly, on their automata, with the path as witness. Pure. */
import { type DotNames, type GlobPath, literalPrefix, type Piece, type Range } from './glob.ts';

/** One step of an automaton: a character of the set leads from one state to another. */
interface Edge {
  readonly negated: boolean;
  readonly ranges: readonly Range[];
  readonly to: number;
}

/** Nondeterministic; `skips` are steps that read nothing. */
interface Automaton {
  readonly edges: Edge[][];
  readonly skips: number[][];
  readonly starts: readonly number[];
  readonly accepting: ReadonlySet<number>;
}

/** Beyond this many states the answer is "not found"; paths are checked again when they are known. */
const STATE_LIMIT = 20_000;

/**
 * Up to `most` paths that match one of `a` and one of `b` and none of `except`, shortest first.
 * Empty when there is none. Language tokens must be spelled out.
 */
export function commonPaths(
  { a, b, except = [] }: Record<'a' | 'b', readonly GlobPath[]> & { except?: readonly GlobPath[] },
  most = 1,
): string[] {
  const [left = [], right = []] = withMeetingPrefixes(a, b);
  if (left.length === 0) return [];
  const automata = [
    automaton(left, 'hidden'),
    automaton(right, 'hidden'),
    automaton(except, 'matched'),
  ];
  const letters = representatives(automata);
  const start = automata.map((each) => closure(each, each.starts));
  const queue: { states: number[][]; text: string }[] = [{ states: start, text: '' }];
  const seen = new Set([signature(start)]);
  const found: string[] = [];
  for (let head = 0; head < queue.length && found.length < most; head++) {
    const { states, text } = queue[head] as { states: number[][]; text: string };
    const [inA, inB, excepted] = automata.map((each, index) => accepts(each, states[index] ?? []));
    if (inA && inB && !excepted) found.push(text);
    for (const letter of letters) {
      const next = automata.map((each, index) => move(each, states[index] ?? [], letter));
      if (next[0]?.length === 0 || next[1]?.length === 0) continue;
      const key = signature(next);
      if (seen.has(key) || seen.size > STATE_LIMIT) continue;
      seen.add(key);
      queue.push({ states: next, text: text + String.fromCodePoint(letter) });
    }
  }
  return found;
}

// Most routes live in folders of their own: their patterns need no automaton to be told apart.
function withMeetingPrefixes(a: readonly GlobPath[], b: readonly GlobPath[]): GlobPath[][] {
  const meet = (x: string, y: string) => x.startsWith(y) || y.startsWith(x);
  const ofA = a.map(literalPrefix);
  const ofB = b.map(literalPrefix);
  return [
    a.filter((_, index) => ofB.some((prefix) => meet(prefix, ofA[index] ?? ''))),
    b.filter((_, index) => ofA.some((prefix) => meet(prefix, ofB[index] ?? ''))),
  ];
}

function signature(states: readonly (readonly number[])[]): string {
  return states.map((set) => set.join(',')).join(';');
}

function accepts({ accepting }: Automaton, states: readonly number[]): boolean {
  return states.some((state) => accepting.has(state));
}

function move(of: Automaton, states: readonly number[], letter: number): number[] {
  const next = states.flatMap((state) =>
    (of.edges[state] ?? []).filter((edge) => takes(edge, letter)).map((edge) => edge.to),
  );
  return next.length === 0 ? next : closure(of, next);
}

function takes({ negated, ranges }: Edge, letter: number): boolean {
  return ranges.some(([from, to]) => from <= letter && letter <= to) !== negated;
}

function closure({ skips }: Automaton, states: readonly number[]): number[] {
  const reached = new Set(states);
  for (const state of reached) for (const next of skips[state] ?? []) reached.add(next);
  return [...reached].sort((x, y) => x - y);
}

const SLASH: Range = [0x2f, 0x2f];
const DOT: Range = [0x2e, 0x2e];

function automaton(paths: readonly GlobPath[], dots: DotNames): Automaton {
  const builder = new Builder(dots);
  const ends = paths.map((path) => builder.path(path));
  return {
    edges: builder.edges,
    skips: builder.skips,
    starts: ends.map(({ start }) => start),
    accepting: new Set(ends.map(({ end }) => end)),
  };
}

interface PiecePlace {
  /** State before the piece. */
  readonly at: number;
  /** Whether the name begins with it. */
  readonly first: boolean;
  /** Characters that a `*` stands for at least. */
  readonly least: 0 | 1;
}

class Builder {
  readonly edges: Edge[][] = [];
  readonly skips: number[][] = [];
  readonly #firstOfName: readonly Range[];

  constructor(dots: DotNames) {
    this.#firstOfName = dots === 'hidden' ? [SLASH, DOT] : [SLASH];
  }

  path(path: GlobPath): { start: number; end: number } {
    const start = this.#state();
    let at = start;
    for (const [index, segment] of path.entries()) {
      if (segment === 'deep') at = this.#deep(at);
      else {
        at = this.#name(segment, at);
        if (index < path.length - 1) at = this.#edge(at, { negated: false, ranges: [SLASH] });
      }
    }
    return { start, end: at };
  }

  #state(): number {
    this.skips.push([]);
    return this.edges.push([]) - 1;
  }

  #edge(from: number, letters: Omit<Edge, 'to'>, to = this.#state()): number {
    this.edges[from]?.push({ ...letters, to });
    return to;
  }

  // (name "/")*
  #deep(from: number): number {
    const hub = this.#state();
    this.skips[from]?.push(hub);
    const inName = this.#edge(hub, { negated: true, ranges: this.#firstOfName });
    this.#edge(inName, { negated: true, ranges: [SLASH] }, inName);
    this.#edge(inName, { negated: false, ranges: [SLASH] }, hub);
    return hub;
  }

  #name(segment: readonly Piece[], from: number): number {
    const onlyStars = segment.every((piece) => piece.kind === 'star');
    if (onlyStars) {
      const inName = this.#edge(from, { negated: true, ranges: this.#firstOfName });
      return this.#edge(inName, { negated: true, ranges: [SLASH] }, inName);
    }
    return segment.reduce((at, piece, index) => {
      const first = index === 0;
      const next = segment[index + 1];
      // `*.md` does not match the hidden file `.md`.
      const leadsToDot = first && next?.kind === 'text' && next.text.startsWith('.');
      return this.#piece(piece, { at, first, least: leadsToDot ? 1 : 0 });
    }, from);
  }

  #piece(piece: Piece, { at, first, least }: PiecePlace): number {
    const anything = { negated: true, ranges: first ? this.#firstOfName : [SLASH] };
    switch (piece.kind) {
      case 'text':
        return this.#text(piece.text, at);
      case 'one':
        return this.#edge(at, anything);
      case 'class':
        return this.#edge(at, piece);
      case 'star':
        return this.#star(at, { firstLetter: anything, least });
      case 'token':
        throw new Error(`{${piece.token}} is spelled before it is compared`);
    }
  }

  #text(text: string, from: number): number {
    let at = from;
    for (const character of text) {
      const code = character.codePointAt(0) ?? 0;
      at = this.#edge(at, { negated: false, ranges: [[code, code]] });
    }
    return at;
  }

  #star(
    from: number,
    { firstLetter, least }: { firstLetter: Omit<Edge, 'to'>; least: 0 | 1 },
  ): number {
    const end = this.#state();
    if (least === 0) this.skips[from]?.push(end);
    const inside = this.#edge(from, firstLetter);
    this.#edge(inside, { negated: true, ranges: [SLASH] }, inside);
    this.skips[inside]?.push(end);
    return end;
  }
}

// Characters that no edge tells apart behave alike: one of each kind is enough, a readable one first.
function representatives(automata: readonly Automaton[]): number[] {
  const cuts = new Set<number>([0]);
  for (const { edges } of automata) {
    for (const { ranges } of edges.flat()) {
      for (const [from, to] of ranges) cuts.add(from).add(to + 1);
    }
  }
  const borders = [...cuts].sort((x, y) => x - y);
  return borders.flatMap((from, index) => {
    const next = borders[index + 1] ?? 0x11_0000;
    const readable = [...'axbn0'].map((c) => c.codePointAt(0) ?? 0);
    const letter = readable.find((code) => from <= code && code < next) ?? from;
    return letter === 0 || letter > 0x10_ffff ? [] : [letter];
  });
}
