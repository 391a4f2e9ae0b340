/** A path against one alternative of a pattern, folder by folder, in time that grows with the path. Pure. */
import { fitsPieces, type Wildcard } from '../files/wildcards.ts';
import {
  type GlobPath,
  type GlobPiece,
  type GlobSegment,
  literalPrefix,
  literalSuffix,
} from './glob.ts';

/** Whether `*` and `**` also match names that begin with a dot: they do where a pattern excludes. */
export type DotNames = 'matched' | 'hidden';

/** A name that only one text fits is that text. */
type Name = string | readonly Wildcard[];

/** The path that was cut last: many patterns are asked for each path of a tree. */
let cut: { readonly path: string; readonly names: readonly string[] } = { path: '', names: [''] };

export class PathPattern {
  readonly #segments: readonly ('deep' | { readonly name: Name })[];
  readonly #dots: DotNames;
  readonly #prefix: string;
  readonly #suffix: string;

  /** @param path its language tokens are spelled out */
  constructor(path: GlobPath, dots: DotNames = 'hidden') {
    this.#segments = path.map((each) => (each === 'deep' ? each : { name: nameOf(each) }));
    this.#dots = dots;
    this.#prefix = literalPrefix(path);
    this.#suffix = literalSuffix(path);
  }

  matches(path: string): boolean {
    // Most paths belong to other patterns: two comparisons are cheaper than cutting them into names.
    if (!path.startsWith(this.#prefix) || !path.endsWith(this.#suffix)) return false;
    if (cut.path !== path) cut = { path, names: path.split('/') };
    return this.#walk(cut.names, undefined);
  }

  /** Which of the names each segment stands for, undefined for `**`; undefined when the path is another. */
  place(names: readonly string[]): readonly (number | undefined)[] | undefined {
    const places = new Array<number | undefined>(this.#segments.length).fill(undefined);
    return this.#walk(names, places) ? places : undefined;
  }

  /**
   * As `placePieces` walks, with names for characters and `**` for the star. A hidden name stops `**`: to get beyond it,
   * what stands behind would have to move to the left and take that very name.
   */
  #walk(names: readonly string[], places: (number | undefined)[] | undefined): boolean {
    let deep = -1;
    let end = 0;
    let at = names.length;
    for (let index = this.#segments.length - 1; ; ) {
      const segment = this.#segments[index];
      if (segment === undefined && at === 0) return true;
      if (segment === 'deep') {
        deep = index;
        end = at;
        index -= 1;
        continue;
      }
      if (segment !== undefined && this.#fits(segment.name, names[at - 1])) {
        at -= 1;
        if (places !== undefined) places[index] = at;
        index -= 1;
        continue;
      }
      if (deep < 0 || end === 0 || this.#isHidden(names[end - 1])) return false;
      end -= 1;
      at = end;
      index = deep - 1;
    }
  }

  #fits(wanted: Name, name: string | undefined): boolean {
    if (typeof wanted === 'string') return name === wanted;
    // A name is never empty, so a lone star stands for at least one character.
    if (name === undefined || name === '') return false;
    if (wanted[0]?.kind !== 'text' && this.#isHidden(name)) return false;
    return fitsPieces(wanted, name);
  }

  #isHidden(name: string | undefined): boolean {
    return this.#dots === 'hidden' && name?.startsWith('.') === true;
  }
}

function nameOf(segment: Exclude<GlobSegment, 'deep'>): Name {
  const pieces = segment.map(spelled);
  const [first, second] = pieces;
  return first?.kind === 'text' && second === undefined ? first.text : pieces;
}

/** @throws Error for a language token: it is spelled out before a path is matched */
function spelled(piece: GlobPiece): Wildcard {
  if (piece.kind !== 'token') return piece;
  throw new Error(`{${piece.token}} is spelled before it is matched`);
}
