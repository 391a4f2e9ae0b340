/** The `from` side of a route: which paths it claims, and what `{dir}`, `{name}` and `{ext}` of a path are. */
import type { LanguageSpellings } from '../language.ts';
import { extensionOf } from './extensions.ts';
import {
  type GlobPath,
  globSource,
  isLiteral,
  type Piece,
  parseGlob,
  pieceSource,
  type Segment,
  spellTokens,
} from './glob.ts';

/** What a path is made of, seen from the pattern that claims it. */
export interface SourceParts {
  /** Folders below the fixed beginning of the pattern; may be empty. */
  readonly dir: string;
  readonly name: string;
  readonly ext: string;
}

export class SourcePattern {
  /** The alternatives with `{locale}` and its like still in them. */
  readonly #tokens: readonly GlobPath[];
  /** The alternatives in the source language. */
  readonly paths: readonly GlobPath[];
  /** Folders at the beginning that are the same for every path: `{dir}` starts after them. */
  readonly base: readonly string[];
  /** Exclusions: a path or a folder above it. */
  readonly excluded: readonly GlobPath[];
  readonly #prefix: string;
  readonly #suffixes: readonly string[];
  readonly #regex: RegExp;
  readonly #exclusion: RegExp | undefined;

  /** @throws PatternError */
  constructor(
    patterns: { readonly from: string; readonly exclude: readonly string[] },
    source: LanguageSpellings,
  ) {
    this.#tokens = parseGlob(patterns.from);
    this.paths = this.#tokens.map((path) => spellTokens(path, source));
    this.base = commonFolders(this.paths);
    this.#prefix = this.base.map((folder) => `${folder}/`).join('');
    this.#suffixes = literalSuffixes(this.paths);
    this.#regex = union(this.paths.map((path) => globSource(path)));
    this.excluded = parseExclusions(patterns.exclude, source);
    if (this.excluded.length > 0) {
      this.#exclusion = union(this.excluded.map((path) => globSource(path, { dots: 'matched' })));
    }
  }

  /** Whether `{locale}` or another language token is inside `from`. */
  get hasLanguage(): boolean {
    return this.#tokens.some((path) => path.some((segment) => tokensOf(segment).length > 0));
  }

  /** Extensions of all alternatives, lower-case; undefined when any is possible. */
  get extensions(): readonly string[] | undefined {
    const all = this.paths.map((path) => splitName(path.at(-1)).extension);
    return all.every((extension) => extension !== undefined)
      ? all.map((extension) => extension.toLowerCase())
      : undefined;
  }

  /** The one path that the pattern reaches; undefined when it is open. */
  get only(): string | undefined {
    const [path, second] = this.paths;
    if (path === undefined || second !== undefined || !isLiteral(path)) return undefined;
    return path.map(segmentText).join('/');
  }

  /** Whether the pattern reaches a path, exclusions aside. */
  reaches(path: string): boolean {
    // Most paths of a tree belong to other routes: two string comparisons are cheaper than the expression.
    if (!path.startsWith(this.#prefix)) return false;
    if (!this.#suffixes.some((suffix) => path.endsWith(suffix))) return false;
    return this.#regex.test(path);
  }

  excludes(path: string): boolean {
    return this.#exclusion?.test(path) ?? false;
  }

  /** @param path one that the pattern reaches */
  parts(path: string): SourceParts {
    const below = path.slice(this.#prefix.length);
    const slash = below.lastIndexOf('/');
    const ext = extensionOf(below);
    const file = below.slice(slash + 1);
    return {
      dir: slash < 0 ? '' : below.slice(0, slash),
      name: ext === '' ? file : file.slice(0, -ext.length - 1),
      ext,
    };
  }

  /** The pattern in another language. */
  inLanguage(spellings: LanguageSpellings): readonly GlobPath[] {
    return this.#tokens.map((path) => spellTokens(path, spellings));
  }

  /** Turns paths of one language into those of another, where the tokens stand. */
  translator(from: LanguageSpellings, to: LanguageSpellings): (path: string) => string | undefined {
    const swaps = this.#tokens.map((tokens) => tokenSwap(tokens, { from, to }));
    return (path) => {
      for (const swap of swaps) {
        const swapped = swap(path);
        if (swapped !== undefined) return swapped;
      }
      return undefined;
    };
  }
}

/** One expression for a whole path that matches when any of the sources does. */
export function union(sources: readonly string[]): RegExp {
  return new RegExp(`^(?:${sources.join('|')})$`, 'u');
}

// Gitignore's reading, which people expect: a bare name counts at every depth, a folder takes along what is in it.
// Leaving out too much is seen in the plan; too little is paid for.
function parseExclusions(patterns: readonly string[], source: LanguageSpellings): GlobPath[] {
  return patterns.flatMap((pattern) => {
    const anchored = pattern.replace(/\/+$/, '');
    const anywhere = anchored.includes('/') ? anchored : `**/${anchored}`;
    return [anywhere, `${anywhere}/**`].flatMap((text) =>
      parseGlob(text.replace(/(\/\*\*)+$/, '/**')).map((path) => spellTokens(path, source)),
    );
  });
}

function commonFolders(paths: readonly GlobPath[]): string[] {
  const [first = []] = paths;
  const folders: string[] = [];
  for (const [depth, segment] of first.entries()) {
    const text = segmentText(segment);
    const shared = paths.every(
      (path) => depth < path.length - 1 && segmentText(path[depth]) === text,
    );
    if (text === undefined || !shared) break;
    folders.push(text);
  }
  return folders;
}

/** The one name that a segment matches; undefined when it matches several. */
export function segmentText(segment: Segment | undefined): string | undefined {
  if (segment === undefined || segment === 'deep' || !isLiteral([segment])) return undefined;
  return segment.map((piece) => (piece.kind === 'text' ? piece.text : '')).join('');
}

function literalSuffixes(paths: readonly GlobPath[]): string[] {
  const suffixes = paths.map((path) => {
    const last = path.at(-1);
    const end = last === undefined || last === 'deep' ? undefined : last.at(-1);
    return end?.kind === 'text' ? end.text : '';
  });
  return suffixes.includes('') ? [''] : [...new Set(suffixes)];
}

function tokensOf(segment: Segment): readonly Piece[] {
  return segment === 'deep' ? [] : segment.filter((piece) => piece.kind === 'token');
}

/** A file name pattern cut at its last dot. `extension` is undefined when the pattern leaves it open. */
export function splitName(segment: Segment | undefined): {
  stem: readonly Piece[];
  extension: string | undefined;
} {
  if (segment === undefined || segment === 'deep') return { stem: [], extension: undefined };
  const last = segment.at(-1);
  const open = { stem: [{ kind: 'star' }] as const, extension: undefined };
  if (last?.kind !== 'text') return open;
  const dot = last.text.lastIndexOf('.');
  if (dot < 0 || (dot === 0 && segment.length === 1)) {
    return segment.length === 1 ? { stem: segment, extension: '' } : open;
  }
  const stem = last.text.slice(0, dot);
  return {
    stem: [
      ...segment.slice(0, -1),
      ...(stem === '' ? [] : [{ kind: 'text' as const, text: stem }]),
    ],
    extension: last.text.slice(dot + 1),
  };
}

interface Pair {
  readonly from: LanguageSpellings;
  readonly to: LanguageSpellings;
}

function tokenSwap(tokens: GlobPath, { from, to }: Pair): (path: string) => string | undefined {
  const order: Piece[] = [];
  // Tokens are the gaps between groups, so that what is around them is copied and they are replaced.
  const source = globSource(tokens, {
    piece: (piece) => {
      if (piece.kind !== 'token') return pieceSource(piece);
      order.push(piece);
      return `)${RegExp.escape(from[piece.token])}(`;
    },
  });
  const regex = new RegExp(`^(${source})$`, 'u');
  return (path) => {
    const match = regex.exec(path);
    if (match === null) return undefined;
    const [, first = '', ...rest] = match;
    return rest.reduce((built, text, index) => {
      const piece = order[index];
      return built + (piece?.kind === 'token' ? to[piece.token] : '') + text;
    }, first);
  };
}
