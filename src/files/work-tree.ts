/**
 * A work tree of git, and the operation that is not finished in it. Both are read from the files of git, because they are needed often
 * and also where `git` is not installed. The index and the history need the program; without it nothing is known of them.
 */
import { existsSync, type Stats, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { askGit, GitFailure, splitAtNul } from './git.ts';
import type { ProgramAnswer } from './program.ts';
import { readAtOnce } from './read-file.ts';

export interface WorkTree {
  /** Absolute path of the folder with `.git`. */
  readonly root: string;
  /** The folder of git for this work tree: with the index, and with a merge that is not finished. */
  readonly own: string;
  /** The folder of git for all work trees of the repository. */
  readonly shared: string;
}

/** The work tree with a folder. In linked work trees and submodules, `.git` is a file. */
export function findWorkTree(folder: string): WorkTree | undefined {
  for (let root = resolve(folder); ; root = dirname(root)) {
    const own = gitFolderOf(root);
    if (own !== undefined) return { root, own, shared: sharedFolder(own) };
    if (dirname(root) === root) return undefined;
  }
}

function gitFolderOf(root: string): string | undefined {
  const entry = join(root, '.git');
  // Most folders have none. This is asked for each job, and errors would take ten times as long as answers.
  const stats = statsOf(entry);
  if (stats === undefined) return undefined;
  const own = stats.isDirectory() ? entry : linked(root, textOf(entry));
  return own !== undefined && existsSync(join(own, 'HEAD')) ? own : undefined;
}

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // In a folder that may not be read, nothing is known of git. Others say that the folder cannot be read.
    return undefined;
  }
}

function linked(root: string, text: string | undefined): string | undefined {
  const [, path] = /^gitdir: (.+)$/m.exec(text ?? '') ?? [];
  return path === undefined ? undefined : resolve(root, path.trimEnd());
}

function sharedFolder(own: string): string {
  const shared = textOf(join(own, 'commondir'))?.trim();
  return shared === undefined ? own : resolve(own, shared);
}

/** In bytes. A large repository has some megabytes of references. */
const LARGEST_GIT_TEXT = 64 * 1024 * 1024;

/** A text of git; undefined for what cannot be read: another program may have put anything there. */
export function textOf(file: string): string | undefined {
  try {
    return readAtOnce(file, LARGEST_GIT_TEXT).toString('utf8');
  } catch {
    return undefined;
  }
}

/** An operation that changes many files and is not finished. */
export type GitOperation = 'merge' | 'rebase' | 'cherry-pick' | 'revert' | 'index update';

const TRACES: readonly (readonly [file: string, operation: GitOperation])[] = [
  ['index.lock', 'index update'],
  ['MERGE_HEAD', 'merge'],
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
];

export function operationIn({ own }: WorkTree): GitOperation | undefined {
  return TRACES.find(([file]) => existsSync(join(own, file)))?.[1];
}

/** The first such operation in the work trees of these folders. */
export function operationUnderWay(folders: readonly string[]): GitOperation | undefined {
  for (const folder of folders) {
    const tree = findWorkTree(folder);
    const operation = tree && operationIn(tree);
    if (operation !== undefined) return operation;
  }
  return undefined;
}

/** Whether the repository has only the newest part of its history. */
export function isShallow({ shared }: WorkTree): boolean {
  return existsSync(join(shared, 'shallow'));
}

/** Those of these absolute paths that git ignores; undefined when git cannot be asked. */
export async function ignoredBy(
  tree: WorkTree,
  paths: readonly string[],
): Promise<string[] | undefined> {
  const input = paths.map((path) => relative(tree.root, path)).join('\0');
  const answer = await gitAnswerOf(
    askGit(tree.root, ['check-ignore', '--stdin', '-z'], input),
    [0, 1],
  );
  return answer === undefined ? undefined : splitAtNul(answer).map((name) => join(tree.root, name));
}

/** In bytes: the names in a small repository. A daemon does not keep those of a large one in memory. */
const LARGEST_KEPT = 1024 * 1024;

/** The last answers, by the root of a work tree. They count until git writes the index again. */
const indexes = new Map<string, { readonly stamp: string; readonly names: Map<string, string> }>();

/** Absolute paths of tracked files below a folder; undefined when git cannot be asked. */
export async function trackedIn(tree: WorkTree, folder: string): Promise<string[] | undefined> {
  const path = relative(tree.root, folder) || '.';
  const known = namesOfIndex(tree);
  const answer =
    known.get(path) ??
    (await gitAnswerOf(askGit(tree.root, [LITERAL, 'ls-files', '-z', '--', path])));
  if (answer === undefined) return undefined;
  if (answer.length <= LARGEST_KEPT) known.set(path, answer);
  return splitAtNul(answer).map((name) => join(tree.root, name));
}

/** What is known of the index as it is now. An answer that comes after a change belongs to the index before, and is not looked up again. */
function namesOfIndex(tree: WorkTree): Map<string, string> {
  const stamp = stampOf([join(tree.own, 'index')]);
  const known = indexes.get(tree.root);
  if (known?.stamp === stamp) return known.names;
  const names = new Map<string, string>();
  indexes.set(tree.root, { stamp, names });
  return names;
}

/** Git replaces a file that it changes: the new one differs in these numbers, also when both were written in one moment. */
function stampOf(files: readonly string[]): string {
  return files.map(stampOfFile).join('\n');
}

function stampOfFile(file: string): string {
  try {
    const { mtimeNs, ino, size } = statSync(file, { bigint: true });
    return `${mtimeNs} ${ino} ${size}`;
  } catch {
    return '';
  }
}

type IsAbsent = (path: string) => boolean;

/** The last answers, by the root of a work tree. */
const absences = new Map<
  string,
  { readonly stamp: string; readonly isAbsent: Promise<IsAbsent> }
>();

/**
 * @returns whether git tracks a file that is not in the checkout: a sparse checkout leaves it out, or its submodule was not fetched. It
 * takes an absolute path
 */
export async function absentOnPurpose(tree: WorkTree): Promise<IsAbsent> {
  const stamp = stampOf([join(tree.own, 'index'), ...settingsOf(tree)]);
  const known = absences.get(tree.root);
  if (known?.stamp === stamp) return await known.isAbsent;
  const isAbsent = listAbsent(tree);
  absences.set(tree.root, { stamp, isAbsent });
  return await isAbsent;
}

async function listAbsent(tree: WorkTree): Promise<IsAbsent> {
  const entries = (await hasAbsent(tree))
    ? await gitAnswerOf(askGit(tree.root, ['ls-files', '-z', '-t', '--stage']))
    : undefined;
  const files = new Set<string>();
  const modules: string[] = [];
  for (const entry of entries === undefined ? [] : splitAtNul(entries)) {
    const [, tag, mode, name = ''] = /^(\S) (\d+) \S+ \d\t(.*)$/s.exec(entry) ?? [];
    if (mode === '160000' && !existsSync(join(tree.root, name, '.git'))) modules.push(`${name}/`);
    else if (tag === 'S') files.add(name);
  }
  return (path) => {
    const name = relative(tree.root, path).replaceAll(sep, '/');
    return files.has(name) || modules.some((module) => name.startsWith(module));
  };
}

/** Asked first, because it takes long to list the index of a large repository. */
async function hasAbsent(tree: WorkTree): Promise<boolean> {
  const settings = settingsOf(tree).map(textOf).join('\n');
  return existsSync(join(tree.root, '.gitmodules')) || /sparsecheckout\s*=\s*true/i.test(settings);
}

function settingsOf({ own, shared }: WorkTree): string[] {
  return [join(shared, 'config'), join(own, 'config.worktree')];
}

/** So a path is not a pattern for git. */
export const LITERAL = '--literal-pathspecs';

/** @returns undefined when there is no git, or when it refuses, for example a folder of another owner */
export async function gitAnswerOf(asked: Promise<ProgramAnswer>, good: readonly number[] = [0]) {
  try {
    const { code, text } = await asked;
    return good.includes(code) ? text : undefined;
  } catch (error) {
    if (error instanceof GitFailure) return undefined;
    throw error;
  }
}
