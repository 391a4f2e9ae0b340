/** The `from` of a route: the paths that it matches, and `{dir}`, `{name}` and `{ext}` of a path. */
import { placePieces } from '../files/wildcards.ts';
import type { LanguageSpellings } from '../language.ts';
import { extensionOf } from './extensions.ts';
import {
  type GlobPath,
  type GlobPiece,
  type GlobSegment,
  isLiteral,
  parseGlob,
  spellPiece,
  spellTokens,
} from './glob.ts';
import { PathPattern } from './path-pattern.ts';

/** The parts of a path, by the pattern that matches it. */
export interface SourceParts {
  /** Folders after the fixed beginning of the pattern; may be empty. */
  readonly dir: string;
  readonly name: string;
  readonly ext: string;
}

/** A file or folder whose name the pattern fixes; relative to the root, '' for the root itself. */
export interface FixedPath {
  readonly kind: 'file' | 'folder';
  readonly path: string;
}

export class SourcePattern {
  /** The alternatives with their language tokens. */
  readonly #tokens: readonly GlobPath[];
  /** The alternatives in the languages of the sources. */
  readonly paths: readonly GlobPath[];
  /** Folders at the beginning that are the same for every path: `{dir}` starts after them. */
  readonly base: readonly string[];
  /** Exclusions. Each matches the excluded path, or a folder above it. */
  readonly excluded: readonly GlobPath[];
  readonly #prefix: string;
  readonly #reached: readonly PathPattern[];
  readonly #exclusions: readonly PathPattern[];

  /**
   * @param languages of sources: one; with `embedded_source` all target languages
   * @throws PatternError
   */
  constructor(
    patterns: { readonly from: string; readonly exclude: readonly string[] },
    languages: readonly LanguageSpellings[],
  ) {
    this.#tokens = parseGlob(patterns.from);
    this.paths = languages.flatMap((each) => this.inLanguage(each));
    this.base = commonFolders(this.paths);
    this.#prefix = this.base.map((folder) => `${folder}/`).join('');
    this.#reached = this.paths.map((path) => new PathPattern(path));
    this.excluded = languages.flatMap((each) => parseExclusions(patterns.exclude, each));
    this.#exclusions = this.excluded.map((path) => new PathPattern(path, 'matched'));
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

  /** The only path that the pattern matches; undefined when it can match several. */
  get only(): string | undefined {
    const [path, second] = this.paths;
    if (path === undefined || second !== undefined || !isLiteral(path)) return undefined;
    return path.map(segmentText).join('/');
  }

  /** Files and folders that must exist, or an alternative matches nothing: its only file, or its fixed folders. */
  get fixedPaths(): readonly FixedPath[] {
    return this.paths.map((path) => {
      if (isLiteral(path)) return { kind: 'file', path: path.map(segmentText).join('/') };
      const open = path.findIndex((segment) => segmentText(segment) === undefined);
      // The last segment names files.
      const folders = path.slice(0, Math.min(open, path.length - 1));
      return { kind: 'folder', path: folders.map(segmentText).join('/') };
    });
  }

  /** Whether the pattern matches a path, without regard to exclusions. */
  reaches(path: string): boolean {
    return this.#reached.some((pattern) => pattern.matches(path));
  }

  excludes(path: string): boolean {
    return this.#exclusions.some((pattern) => pattern.matches(path));
  }

  /** @param path that the pattern matches */
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

  /** The pattern with the spellings of a language. */
  inLanguage(spellings: LanguageSpellings): readonly GlobPath[] {
    return this.#tokens.map((path) => spellTokens(path, spellings));
  }

  /** @returns a function that replaces one language in a path by another, at the places of the tokens; undefined when the path does not match */
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

// The rules of .gitignore, which people expect: a plain name matches at every depth, and a folder excludes everything in it.
// If too much is excluded, a person sees it in the plan. If too little is excluded, it is paid for.
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

/** The only name that a segment matches; undefined when it matches several. */
export function segmentText(segment: GlobSegment | undefined): string | undefined {
  if (segment === undefined || segment === 'deep' || !isLiteral([segment])) return undefined;
  return segment.map((piece) => (piece.kind === 'text' ? piece.text : '')).join('');
}

function tokensOf(segment: GlobSegment): readonly GlobPiece[] {
  return segment === 'deep' ? [] : segment.filter((piece) => piece.kind === 'token');
}

/** Splits the pattern of a file name at its last dot. `extension` is undefined when the pattern does not fix it. */
export function splitName(segment: GlobSegment | undefined): {
  stem: readonly GlobPiece[];
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

interface SpellingPair {
  readonly from: LanguageSpellings;
  readonly to: LanguageSpellings;
}

/** Replaces the tokens in a path and copies the text around them. */
function tokenSwap(
  tokens: GlobPath,
  { from, to }: SpellingPair,
): (path: string) => string | undefined {
  const spelled = spellTokens(tokens, from);
  const pattern = new PathPattern(spelled);
  const [before, after] = [from, to].map((each) => beginningWithTokens(tokens, each));
  return (path) => {
    if (before !== undefined && after !== undefined)
      return pattern.matches(path) ? after + path.slice(before.length) : undefined;
    const names = path.split('/');
    const positions = pattern.place(names);
    if (positions === undefined) return undefined;
    for (const [index, place] of positions.entries()) {
      const segment = tokens[index];
      if (place === undefined || segment === undefined || segment === 'deep') continue;
      names[place] = swapped(names[place] ?? '', { segment, from, to });
    }
    return names.join('/');
  };
}

/**
 * The fixed names at the beginning of a pattern that have all its tokens, as in `{locale}/**`; undefined when a token stands elsewhere.
 * To replace only the beginning of a path takes a fifth of the time.
 */
function beginningWithTokens(tokens: GlobPath, spellings: LanguageSpellings): string | undefined {
  const last = tokens.findLastIndex((segment) => tokensOf(segment).length > 0);
  const names = spellTokens(tokens.slice(0, last + 1), spellings).map(segmentText);
  // The last segment is the name of a file.
  const isFixed = last < tokens.length - 1 && names.every((name) => name !== undefined);
  return isFixed ? names.map((name) => `${name}/`).join('') : undefined;
}

function swapped(
  name: string,
  { segment, from, to }: SpellingPair & { readonly segment: readonly GlobPiece[] },
): string {
  if (!segment.some(({ kind }) => kind === 'token')) return name;
  const starts = placePieces(
    segment.map((piece) => spellPiece(piece, from)),
    name,
  );
  return segment
    .map((piece, nth) =>
      piece.kind === 'token' ? to[piece.token] : name.slice(starts?.[nth], starts?.[nth + 1]),
    )
    .join('');
}
