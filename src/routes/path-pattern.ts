/** Matches a path with one alternative of a pattern, folder by folder, in time linear to the path. Pure. */
import { fitsPieces, type Wildcard } from '../files/wildcards.ts';
import {
  type GlobPath,
  type GlobPiece,
  type GlobSegment,
  literalPrefix,
  literalSuffix,
} from './glob.ts';

/** Whether `*` and `**` also match names that begin with a dot. They do in exclusions. */
export type DotNames = 'matched' | 'hidden';

/** The pattern of a name; a string when only one text matches. */
type Name = string | readonly Wildcard[];

/** The path that was split last: many patterns are tried with each path. */
let cut: { readonly path: string; readonly names: readonly string[] } = { path: '', names: [''] };

export class PathPattern {
  readonly #segments: readonly ('deep' | { readonly name: Name })[];
  readonly #dots: DotNames;
  readonly #prefix: string;
  readonly #suffix: string;

  /** @param path its language tokens are spelled out */
  constructor(path: GlobPath, dots: DotNames = 'hidden') {
    this.#segments = path.map((each) => (each === 'deep' ? each : { name: compiledName(each) }));
    this.#dots = dots;
    this.#prefix = literalPrefix(path);
    this.#suffix = literalSuffix(path);
  }

  matches(path: string): boolean {
    // Most paths do not match: two comparisons are cheaper than splitting the path.
    if (!path.startsWith(this.#prefix) || !path.endsWith(this.#suffix)) return false;
    if (cut.path !== path) cut = { path, names: path.split('/') };
    return this.#walk(cut.names, undefined);
  }

  /** The index of the name that each segment matches, undefined for `**`. Undefined as a whole when the path does not match. */
  place(names: readonly string[]): readonly (number | undefined)[] | undefined {
    const places = new Array<number | undefined>(this.#segments.length).fill(undefined);
    return this.#walk(names, places) ? places : undefined;
  }

  /**
   * Walks from the end, as `placePieces` does, with names for characters and `**` for the star. `**` cannot take a hidden
   * name, so the search ends there: the segments after `**` would have to match that name themselves.
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
    // A name is never empty, so a star alone matches at least one character.
    if (name === undefined || name === '') return false;
    if (wanted[0]?.kind !== 'text' && this.#isHidden(name)) return false;
    return fitsPieces(wanted, name);
  }

  #isHidden(name: string | undefined): boolean {
    return this.#dots === 'hidden' && name?.startsWith('.') === true;
  }
}

function compiledName(segment: Exclude<GlobSegment, 'deep'>): Name {
  const pieces = segment.map(spelled);
  const [first, second] = pieces;
  return first?.kind === 'text' && second === undefined ? first.text : pieces;
}

/** @throws Error for a language token: it is spelled out before a path is matched */
function spelled(piece: GlobPiece): Wildcard {
  if (piece.kind !== 'token') return piece;
  throw new Error(`{${piece.token}} is spelled before it is matched`);
}
