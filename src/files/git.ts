/** The view that git has of the disk. Only `files/git*.ts` run the program; they read, and never write to a repository. */
import { realpath } from 'node:fs/promises';
import systemPath, { type PlatformPath, resolve, sep } from 'node:path';
import { type ProgramAnswer, runProgram } from './program.ts';

export type GitFault =
  | { readonly kind: 'no-git' }
  | { readonly kind: 'no-repository'; readonly folder: string }
  /** The repository has no such branch, tag or commit. */
  | { readonly kind: 'unknown-ref'; readonly ref: string }
  /** HEAD and the ref are known, but no common ancestor is. */
  | { readonly kind: 'no-merge-base'; readonly ref: string; readonly isShallow: boolean }
  | { readonly kind: 'failed'; readonly message: string };

export class GitFailure extends Error {
  override readonly name = 'GitFailure';
  readonly fault: GitFault;

  constructor(fault: GitFault, options: { cause?: unknown } = {}) {
    super(describeGitFault(fault), options);
    this.fault = fault;
  }
}

export function describeGitFault(fault: GitFault): string {
  switch (fault.kind) {
    case 'no-git':
      return 'the program "git" is not there';
    case 'no-repository':
      return `${fault.folder} is in no git repository`;
    case 'unknown-ref':
      return `git knows no branch, tag or commit "${fault.ref}"`;
    case 'no-merge-base':
      return fault.isShallow
        ? `this is a shallow clone, and the commit that HEAD and "${fault.ref}" have in common is not in it`
        : `HEAD and "${fault.ref}" have no commit in common`;
    case 'failed':
      return `git failed: ${fault.message}`;
  }
}

/** The work tree that a folder is in. */
export interface GitRepository {
  /** Absolute path, spelled like the folder that it was opened from. */
  readonly top: string;
}

/** @throws GitFailure `no-git`, `no-repository`, `failed` */
export async function openRepository(folder: string): Promise<GitRepository> {
  const asked = await askGit(folder, ['rev-parse', '--show-toplevel', '--show-prefix']);
  if (asked.code === 0) return { top: await topOf(folder, asked.text.split('\n')) };
  if (/not a git repository|must be run in a work tree/.test(asked.complaint)) {
    throw new GitFailure({ kind: 'no-repository', folder });
  }
  throw failed(asked);
}

/** The top folder in the spelling of `folder`: git returns it without symbolic links. */
async function topOf(folder: string, [top = '', prefix = '']: readonly string[]): Promise<string> {
  const below = `${sep}${prefix.split('/').join(sep)}`;
  const whole = `${resolve(folder)}${sep}`;
  return whole.endsWith(below) ? whole.slice(0, -below.length) : await realpath(top);
}

/**
 * The last commit that HEAD and a branch, tag or commit have in common.
 * @throws GitFailure `unknown-ref`, `no-merge-base`
 */
export async function mergeBase({ top }: GitRepository, ref: string): Promise<string> {
  // So a ref that begins with "-" is not an option.
  const asked = await askGit(top, ['merge-base', '--end-of-options', 'HEAD', `${ref}^{commit}`]);
  if (asked.code === 0) return asked.text.trim();
  for (const name of [ref, 'HEAD']) await requireCommit(top, name);
  if (asked.code !== 1) throw failed(asked);
  const shallow = await askGit(top, ['rev-parse', '--is-shallow-repository']);
  const isShallow = shallow.text.trim() === 'true';
  throw new GitFailure({ kind: 'no-merge-base', ref, isShallow });
}

async function requireCommit(top: string, ref: string): Promise<void> {
  const named = ['--verify', '--quiet', '--end-of-options', `${ref}^{commit}`];
  const { code } = await askGit(top, ['rev-parse', ...named]);
  if (code !== 0) throw new GitFailure({ kind: 'unknown-ref', ref });
}

/**
 * Files of the work tree that differ from a commit, are gone, or are new and not ignored; for a renamed file both names.
 * @returns absolute paths
 */
export async function changedFiles({ top }: GitRepository, commit: string): Promise<string[]> {
  const unlike = ['diff', '--name-only', '-z', '--no-renames', '--no-ext-diff', commit, '--'];
  const added = ['ls-files', '--others', '--exclude-standard', '-z'];
  const lists = [await mustAsk(top, unlike), await mustAsk(top, added)];
  return lists.flatMap((list) => splitAtNul(list)).map((path) => resolve(top, path));
}

/** The files of a commit. @returns absolute paths, as if they were in the work tree */
export async function filesAtCommit({ top }: GitRepository, commit: string): Promise<string[]> {
  const list = await mustAsk(top, ['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit]);
  return splitAtNul(list).map((path) => resolve(top, path));
}

/** Whether any of these files is or was in a commit that leads to HEAD. @param paths absolute */
export async function isAnyInHistory(
  repository: GitRepository,
  paths: readonly string[],
): Promise<boolean> {
  const named = await Promise.all(paths.map((path) => pathInRepository(repository, path)));
  const inside = named.filter((name) => name !== undefined);
  if (inside.length === 0) return false;
  // Without --full-history git follows only one side of a merge, which may never have had the file.
  const log = ['log', '--max-count=1', '--full-history', '--format=%H', 'HEAD', '--'];
  const literal = inside.map((name) => `:(literal)${name}`);
  return (await mustAsk(repository.top, [...log, ...literal])).trim() !== '';
}

export function splitAtNul(list: string): string[] {
  return list.split('\0').filter((name) => name !== '');
}

/** The path of a file as git names it. @param path absolute @returns undefined when it is not in the repository */
export async function pathInRepository(
  { top }: GitRepository,
  path: string,
): Promise<string | undefined> {
  const asGiven = nameBelow(top, path);
  if (asGiven !== undefined) return asGiven;
  const [above = top, below = path] = await Promise.all(
    [top, path].map((each) => realpath(each).catch(() => each)),
  );
  return nameBelow(above, below);
}

/**
 * The relative path with `/`; undefined when it is not below the folder. (The third parameter lets tests use the paths of
 * another system.)
 */
export function nameBelow(
  folder: string,
  path: string,
  { relative, isAbsolute, sep }: Pick<PlatformPath, 'relative' | 'isAbsolute' | 'sep'> = systemPath,
): string | undefined {
  const inside = relative(folder, path);
  const isBelow = inside !== '' && inside.split(sep)[0] !== '..' && !isAbsolute(inside);
  return isBelow ? inside.split(sep).join('/') : undefined;
}

async function mustAsk(folder: string, words: readonly string[]): Promise<string> {
  const asked = await askGit(folder, words);
  if (asked.code !== 0) throw failed(asked);
  return asked.text;
}

/** In bytes: enough for the names of a million files, and half of what one string of Node can hold. */
const LARGEST_ANSWER = 256 * 1024 * 1024;
/** Milliseconds for an answer. The history of a large repository on a slow disk takes seconds. */
export const GIT_LIMIT_MS = 120_000;

/** Runs git. @param words its arguments @param input its standard input @throws GitFailure `no-git`; JobFailure `program-silent` */
export async function askGit(
  folder: string,
  words: readonly string[],
  input?: string,
): Promise<ProgramAnswer> {
  try {
    return await runProgram({
      ...{ program: 'git', words, folder, env: environment() },
      ...{ maxBuffer: LARGEST_ANSWER, limitMs: GIT_LIMIT_MS },
      ...(input === undefined ? {} : { input }),
    });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new GitFailure({ kind: 'no-git' }, { cause: error });
    if (code !== 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') throw error;
    throw new GitFailure({ kind: 'failed', message }, { cause: error });
  }
}

function failed({ complaint }: ProgramAnswer): GitFailure {
  const [message = ''] = complaint.trim().split('\n');
  return new GitFailure({ kind: 'failed', message });
}

/** With messages in English, and without locks of the index for reads: another program may need it at that moment. */
export function environment(): NodeJS.ProcessEnv {
  return { ...process.env, LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0' };
}
