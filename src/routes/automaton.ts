/** Patterns as automata over characters, for the overlap check. Pure. */
import type { Range } from '../files/wildcards.ts';
import type { GlobPath, GlobPiece } from './glob.ts';
import type { DotNames } from './path-pattern.ts';

/** The characters of an edge: those of the ranges, or with `negated` all others. */
export interface Letters {
  readonly negated: boolean;
  readonly ranges: readonly Range[];
}

export interface Edge {
  readonly letters: Letters;
  readonly to: number;
}

export function takes({ negated, ranges }: Letters, letter: number): boolean {
  return ranges.some(([from, to]) => from <= letter && letter <= to) !== negated;
}

const SLASH: Range = [0x2f, 0x2f];
const DOT: Range = [0x2e, 0x2e];

interface PiecePlace {
  /** State before the piece. */
  readonly at: number;
  /** Whether the piece is the first of a name. */
  readonly first: boolean;
  /** Least number of characters for a `*`. */
  readonly least: 0 | 1;
}

export class AutomatonBuilder {
  /** Edges by state. */
  readonly edges: Edge[][] = [];
  /** States that are reached without reading a character, by state. */
  readonly skips: number[][] = [];
  readonly #firstOfName: readonly Range[];

  constructor(dots: DotNames) {
    this.#firstOfName = dots === 'hidden' ? [SLASH, DOT] : [SLASH];
  }

  /** Adds a path. @returns its first and last state */
  add(path: GlobPath): { start: number; end: number } {
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

  #edge(from: number, letters: Letters, to = this.#state()): number {
    this.edges[from]?.push({ letters, to });
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

  #name(segment: readonly GlobPiece[], from: number): number {
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

  #piece(piece: GlobPiece, { at, first, least }: PiecePlace): number {
    const anything = { negated: true, ranges: first ? this.#firstOfName : [SLASH] };
    switch (piece.kind) {
      case 'text':
        return this.#text(piece.text, at);
      case 'one':
        return this.#edge(at, anything);
      case 'class':
        return this.#edge(at, { negated: piece.negated, ranges: piece.ranges });
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

  #star(from: number, { firstLetter, least }: { firstLetter: Letters; least: 0 | 1 }): number {
    const end = this.#state();
    if (least === 0) this.skips[from]?.push(end);
    const inside = this.#edge(from, firstLetter);
    this.#edge(inside, { negated: true, ranges: [SLASH] }, inside);
    this.skips[inside]?.push(end);
    return end;
  }
}

/**
 * One character of every class that the edges distinguish, readable ones first.
 * All characters of a class behave alike, so one is enough.
 */
export function representatives(edges: Iterable<readonly Edge[]>): number[] {
  const cuts = new Set<number>([1]);
  for (const each of edges) {
    for (const { letters } of each) {
      for (const [from, to] of letters.ranges) cuts.add(from).add(to + 1);
    }
  }
  const borders = [...cuts].sort((x, y) => x - y);
  const letters = borders.flatMap((from, index) => {
    const end = borders[index + 1] ?? 0x11_0000;
    const readable = READABLE.find((code) => from <= code && code < end);
    return from > 0x10_ffff ? [] : [readable ?? from];
  });
  const rank = (letter: number) => (READABLE.includes(letter) ? 0 : 1);
  return letters.sort((x, y) => rank(x) - rank(y));
}

const READABLE = [...'abcdefghijklmnopqrstuvwxyz0123456789'].map((c) => c.codePointAt(0) ?? 0);
