/** Finds routes, or alternatives of routes, whose fixed folder or file is not on the disk. */
import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Project } from '../project.ts';
import type { Router } from '../routes/router.ts';
import type { FixedPath } from '../routes/source-pattern.ts';
import { nearestWord } from '../routes/suggest.ts';
import type { Blocker } from './blockers.ts';

type MissingPathBlocker = Extract<Blocker, { kind: 'missing-place' }>;

/**
 * Paths of routes that are not on the disk, as far as they are fixed (the part before a wildcard). If each target is its own source, every
 * path counts: only a person (`msginit`, `lupdate`) creates the file of a language.
 */
export function missingPaths({ name, root }: Project, router: Router): MissingPathBlocker[] {
  return router.fixedPaths(name).flatMap(({ route, paths }) => {
    const alternatives = distinct(paths);
    const missing = alternatives.flatMap((fixed) => missingPath(root, fixed));
    const place = (each: MissingPath): MissingPathBlocker => ({
      kind: 'missing-place',
      ...{ project: name, route, ...each },
    });
    if (route.embeddedSource) return missing.map((each) => ({ ...place(each), embedded: true }));
    const nearestOf = (each: MissingPath) => {
      const near = each.instead === undefined ? nearestPath(root, each.path) : undefined;
      const isOwn = alternatives.some(({ path }) => path === near);
      return near === undefined || isOwn ? {} : { nearest: near };
    };
    const whole = missing.length === alternatives.length;
    if (whole) return missing.slice(0, 1).map((each) => ({ ...place(each), ...nearestOf(each) }));
    const there = alternatives.filter(({ path }) => missing.every((each) => each.path !== path));
    const parts = missing
      .filter((each) => !isOtherSpelling(each, there) && !isUsedElsewhere(each, there))
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
function isOtherSpelling({ what, path }: MissingPath, there: readonly FixedPath[]): boolean {
  const stem = stemOf(path);
  return (
    what === 'file' && there.some((each) => each.kind === 'file' && stemOf(each.path) === stem)
  );
}

function stemOf(path: string): string {
  return path.replace(/(?<=[^/])\.[^./]*$/, '').toLowerCase();
}

/**
 * Whether each alternative of the pattern finds something elsewhere: of `{a,b}/{c,d}`, `a/c` and `b/d` are enough. So it is with an
 * alternative that may be empty, as in `{public/,}locales`.
 */
function isUsedElsewhere({ path }: MissingPath, there: readonly FixedPath[]): boolean {
  const names = path.split('/');
  const others = there.map((each) => each.path.split('/'));
  const isFound = names.every((name, depth) => others.some((other) => other[depth] === name));
  return isFound || there.some((each) => each.path !== '' && path.endsWith(`/${each.path}`));
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

function missingPath(root: string, { kind: what, path }: FixedPath): [] | [MissingPath] {
  const names = path === '' ? [] : path.split('/');
  if (!existsSync(root)) return [{ what, path }];
  let folder = root;
  for (const [depth, name] of names.entries()) {
    const found = nameInFolder(folder, name);
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
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return 'absent';
    if (stats.isSymbolicLink()) return 'link';
    if (stats.isDirectory()) return 'folder';
    return stats.isFile() ? 'file' : 'other';
  } catch {
    return undefined;
  }
}

/** Patterns are NFC; on Linux the same name may be spelled differently on the disk. */
function nameInFolder(folder: string, name: string): string | undefined {
  // A folder that may not be searched is reported as unreadable, not as missing.
  if (kindAt(join(folder, name)) !== 'absent') return name;
  return namesInFolder(folder).find((each) => each.normalize('NFC') === name);
}

function nearestPath(root: string, path: string): string | undefined {
  const names = path.split('/');
  let at = root;
  for (const [depth, name] of names.entries()) {
    if (existsSync(join(at, name))) {
      at = join(at, name);
      continue;
    }
    const near = nearestWord(name, namesInFolder(at));
    if (near === undefined) return undefined;
    const whole = join(at, near, ...names.slice(depth + 1));
    return relative(root, existsSync(whole) ? whole : join(at, near));
  }
  return undefined;
}

function namesInFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
