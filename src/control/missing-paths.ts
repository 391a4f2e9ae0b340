/** Finds routes, or alternatives of routes, whose fixed folder or file is not on the disk. */
import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { statsAt } from '../files/disk.ts';
import type { Project } from '../project.ts';
import type { Router } from '../routes/router.ts';
import type { FixedPath } from '../routes/source-pattern.ts';
import { KnownWords } from '../routes/suggest.ts';
import type { Blocker } from './blockers.ts';

type MissingPathBlocker = Extract<Blocker, { kind: 'missing-place' }>;

/**
 * Paths of routes that are not on the disk, as far as they are fixed (the part before a wildcard). If each target is its own source, every
 * path counts: only a person (`msginit`, `lupdate`) creates the file of a language.
 */
export function missingPaths({ name, root }: Project, router: Router): MissingPathBlocker[] {
  const folders = new FixedFolders();
  return router.fixedPaths(name).flatMap(({ route, paths }) => {
    const alternatives = distinct(paths);
    const missing = alternatives.flatMap((fixed) => missingPath(folders, root, fixed));
    const place = (each: MissingPath): MissingPathBlocker => ({
      kind: 'missing-place',
      ...{ project: name, route, ...each },
    });
    if (route.embeddedSource) return missing.map((each) => ({ ...place(each), embedded: true }));
    const own = new Set(alternatives.map(({ path }) => path));
    const nearestOf = (each: MissingPath) => {
      const near = each.instead === undefined ? nearestPath(folders, root, each.path) : undefined;
      return near === undefined || own.has(near) ? {} : { nearest: near };
    };
    const whole = missing.length === alternatives.length;
    if (whole) return missing.slice(0, 1).map((each) => ({ ...place(each), ...nearestOf(each) }));
    const missed = new Set(missing.map(({ path }) => path));
    const present = presentPaths(alternatives.filter(({ path }) => !missed.has(path)));
    const parts = missing
      .filter((each) => !isOtherSpelling(each, present) && !isUsedElsewhere(each, present))
      .map(
        (each): MissingPathBlocker => ({ ...place(each), ...nearestOf(each), part: 'misspelled' }),
      );
    return withOneNote(parts);
  });
}

function distinct(paths: readonly FixedPath[]): FixedPath[] {
  return [...new Map(paths.map((each) => [`${each.kind} ${each.path}`, each])).values()];
}

/** `README.mdx` or `readme.md` beside an existing `README.md`: a pattern for both finds the file that a person has. */
function isOtherSpelling({ what, path }: MissingPath, { stems }: PresentPaths): boolean {
  return what === 'file' && stems.has(stemOf(path));
}

function stemOf(path: string): string {
  return path.replace(/(?<=[^/])\.[^./]*$/, '').toLowerCase();
}

/**
 * Whether each alternative of the pattern finds something elsewhere: of `{a,b}/{c,d}`, `a/c` and `b/d` are enough. So it is with an
 * alternative that may be empty, as in `{public/,}locales`.
 */
function isUsedElsewhere({ path }: MissingPath, { names, paths }: PresentPaths): boolean {
  const own = path.split('/');
  const ends = own.keys().map((depth) => own.slice(depth + 1).join('/'));
  return (
    own.every((name, depth) => names[depth]?.has(name)) ||
    ends.some((end) => end !== '' && paths.has(end))
  );
}

/** The alternatives of a route that are on the disk, for many questions. */
interface PresentPaths {
  readonly paths: ReadonlySet<string>;
  /** Of files: their names without an ending. */
  readonly stems: ReadonlySet<string>;
  /** The names of folders and files at each depth. */
  readonly names: readonly ReadonlySet<string>[];
}

function presentPaths(present: readonly FixedPath[]): PresentPaths {
  const names: Set<string>[] = [];
  for (const { path } of present) {
    for (const [depth, name] of path.split('/').entries()) {
      names[depth] ??= new Set();
      names[depth].add(name);
    }
  }
  const files = present.filter(({ kind }) => kind === 'file');
  return {
    paths: new Set(present.map(({ path }) => path)),
    stems: new Set(files.map(({ path }) => stemOf(path))),
    names,
  };
}

/** Without a similar name on the disk, a file or a folder may be missing: a person lists those that not every repository has. */
function withOneNote(parts: readonly MissingPathBlocker[]): MissingPathBlocker[] {
  const isOptional = ({ nearest, instead }: MissingPathBlocker) => !nearest && !instead;
  const optional = Map.groupBy(parts.filter(isOptional), ({ path }) => stemOf(path));
  const [[first] = [], ...more] = optional.values();
  const misspelled = parts.filter((part) => !isOptional(part));
  if (first === undefined) return misspelled;
  return [...misspelled, { ...first, part: 'optional', more: more.length }];
}

interface MissingPath {
  readonly what: 'file' | 'folder';
  readonly path: string;
  /** What stands at the path, or above it, in words: `docs is a symbolic link`. */
  readonly instead?: string;
}

function missingPath(
  folders: FixedFolders,
  root: string,
  { kind: what, path }: FixedPath,
): [] | [MissingPath] {
  const names = path === '' ? [] : path.split('/');
  if (!existsSync(root)) return [{ what, path }];
  let folder = root;
  for (const [depth, name] of names.entries()) {
    const found = folders.nameIn(folder, name);
    if (found === undefined) return [{ what, path }];
    const isLast = depth === names.length - 1;
    const wanted = isLast ? what : 'folder';
    folder = join(folder, found);
    const kind = kindAt(folder);
    if (kind === undefined || kind === wanted) continue;
    if (kind === 'absent') return [{ what, path }];
    const prefix = names.slice(0, depth + 1).join('/');
    return [{ what, path, instead: `${prefix} is ${KIND_WORDS[kind]}` }];
  }
  return [];
}

const KIND_WORDS = {
  file: 'a file',
  folder: 'a folder',
  link: 'a symbolic link, and links are not followed',
  other: 'neither file nor folder',
};

/** @returns undefined when the system does not tell it: the file or folder is then reported as unreadable */
function kindAt(path: string): keyof typeof KIND_WORDS | 'absent' | undefined {
  try {
    const stats = statsAt(path);
    if (stats === undefined) return 'absent';
    if (stats.isSymbolicLink()) return 'link';
    if (stats.isDirectory()) return 'folder';
    return stats.isFile() ? 'file' : 'other';
  } catch {
    return undefined;
  }
}

function nearestPath(folders: FixedFolders, root: string, path: string): string | undefined {
  const names = path.split('/');
  let at = root;
  for (const [depth, name] of names.entries()) {
    if (existsSync(join(at, name))) {
      at = join(at, name);
      continue;
    }
    const near = folders.wordsIn(at).nearest(name);
    if (near === undefined) return undefined;
    const whole = join(at, near, ...names.slice(depth + 1));
    return relative(root, existsSync(whole) ? whole : join(at, near));
  }
  return undefined;
}

/** The names in folders. Each folder is read once for all alternatives of the routes. */
class FixedFolders {
  readonly #names = new Map<string, readonly string[]>();
  readonly #words = new Map<string, KnownWords>();
  readonly #composed = new Map<string, ReadonlyMap<string, string>>();

  wordsIn(folder: string): KnownWords {
    const words = this.#words.get(folder) ?? new KnownWords(this.#namesIn(folder));
    this.#words.set(folder, words);
    return words;
  }

  /** Patterns are NFC; on Linux the same name may be spelled differently on the disk. */
  nameIn(folder: string, name: string): string | undefined {
    // A folder that may not be searched is reported as unreadable, not as missing.
    if (kindAt(join(folder, name)) !== 'absent') return name;
    const composed =
      this.#composed.get(folder) ??
      new Map(this.#namesIn(folder).map((each) => [each.normalize('NFC'), each]));
    this.#composed.set(folder, composed);
    return composed.get(name);
  }

  #namesIn(folder: string): readonly string[] {
    const names = this.#names.get(folder) ?? namesInFolder(folder);
    this.#names.set(folder, names);
    return names;
  }
}

function namesInFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
