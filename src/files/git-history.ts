/** The commits that changed files, with their merges: dates do not say which of two sides of a merge is newer. */
import { join, relative } from 'node:path';
import { askGit } from './git.ts';
import { gitAnswerOf, isShallow, LITERAL, textOf, type WorkTree } from './work-tree.ts';

/** A commit that changed one of the asked files, or merged commits that did. */
export interface Revision {
  readonly commit: string;
  /** The nearest earlier commits of that kind. */
  readonly parents: readonly string[];
}

/** At most so many revisions are read. */
const MOST_REVISIONS = 200;

/** Cache by the first file, then by tree, paths and commit: a commit never changes, and several callers ask about the same file. */
const answersByPath = new Map<string, Map<string, Promise<Revision[] | undefined>>>();
const MOST_KNOWN = 1000;

/** The answers of git about a file, for another thread: each thread has its own cache. */
export type KnownRevisions = readonly (readonly [question: string, revisions: Revision[]])[];

/**
 * The commits up to one commit that changed these files, the newest first.
 * @param paths absolute @param commit hash of the last commit
 * @returns undefined when git cannot be asked, or its history is shallow
 */
export async function revisionsOf(
  tree: WorkTree,
  paths: readonly string[],
  commit: string,
): Promise<Revision[] | undefined> {
  if (isShallow(tree)) return undefined;
  const question = [tree.root, commit, ...paths].join('\0');
  const answers = answersAbout(paths[0] ?? '');
  const before = answers.get(question);
  if (before !== undefined) return await before;
  const asked = askRevisions(tree, paths, commit);
  answers.set(question, asked);
  const revisions = await asked;
  if (revisions === undefined) answers.delete(question);
  return revisions;
}

/**
 * Whether a commit of any branch has or had this file.
 * @param path absolute @returns undefined when git cannot be asked, or its history is shallow
 */
export async function wasCommitted(tree: WorkTree, path: string): Promise<boolean | undefined> {
  if (isShallow(tree)) return undefined;
  const log = ['log', '--all', '--max-count=1', '--full-history', '--format=%H', '--'];
  const words = [LITERAL, ...log, relative(tree.root, path)];
  const answer = await gitAnswerOf(askGit(tree.root, words));
  return answer === undefined ? undefined : answer.trim() !== '';
}

/** The answers that this thread has. @param path absolute; the first one of the questions */
export async function revisionsKnown(path: string): Promise<KnownRevisions> {
  const all: [string, Revision[]][] = [];
  for (const [question, asked] of answersByPath.get(path) ?? []) {
    const revisions = await asked;
    if (revisions !== undefined) all.push([question, revisions]);
  }
  return all;
}

/** Takes the answers of another thread, so that git is not asked again. */
export function learnRevisions(path: string, answers: KnownRevisions): void {
  if (answers.length === 0) return;
  const mine = answersAbout(path);
  for (const [question, revisions] of answers) mine.set(question, Promise.resolve(revisions));
}

function answersAbout(path: string): Map<string, Promise<Revision[] | undefined>> {
  const before = answersByPath.get(path);
  if (before !== undefined) return before;
  if (answersByPath.size >= MOST_KNOWN) answersByPath.clear();
  const answers = new Map<string, Promise<Revision[] | undefined>>();
  answersByPath.set(path, answers);
  return answers;
}

async function askRevisions(
  tree: WorkTree,
  paths: readonly string[],
  commit: string,
): Promise<Revision[] | undefined> {
  const answer = await gitAnswerOf(
    askGit(tree.root, [
      ...[LITERAL, 'log', '--simplify-merges', '--topo-order', '--parents'],
      ...[`--max-count=${MOST_REVISIONS}`, '--format=%H %P', commit, '--'],
      ...paths.map((path) => relative(tree.root, path)),
    ]),
  );
  return answer?.split('\n').flatMap((line) => {
    const [name, ...parents] = line.trim().split(' ');
    return name ? [{ commit: name, parents }] : [];
  });
}

const UNDER_WAY = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REBASE_HEAD'];

/** The commits that the files of the work tree come from: the one that is checked out, and those that are being merged into it. */
export function headsOf(tree: WorkTree): string[] {
  const head = headCommit(tree);
  if (head === undefined) return [];
  const others = UNDER_WAY.flatMap((name) => textOf(join(tree.own, name))?.split('\n') ?? []);
  return [...new Set([head, ...others.map((line) => line.trim()).filter(isCommit)])];
}

/** The commit that is checked out, read from the files of git; undefined before the first commit. */
function headCommit({ own, shared }: WorkTree): string | undefined {
  const text = textOf(join(own, 'HEAD'))?.trim();
  const [, ref] = /^ref: (.+)$/.exec(text ?? '') ?? [];
  if (ref === undefined) return text;
  const loose = textOf(join(shared, ref))?.trim();
  if (loose !== undefined) return loose;
  const packed = textOf(join(shared, 'packed-refs'))?.split('\n');
  return packed?.find((line) => line.endsWith(` ${ref}`))?.split(' ')[0];
}

function isCommit(line: string): boolean {
  return /^[0-9a-f]{40,64}$/.test(line);
}

/** Cache by commit: a commit never changes. */
const parents = new Map<string, readonly string[]>();

/** The commits that a merge joins; none when the commit is not a merge. */
export async function sidesOf(tree: WorkTree, commit: string): Promise<readonly string[]> {
  const known = parents.get(commit);
  if (known !== undefined) return known;
  const answer = await gitAnswerOf(
    askGit(tree.root, ['rev-list', '--parents', '--max-count=1', commit]),
  );
  const [, ...all] = answer?.trim().split(' ') ?? [];
  const sides = all.length > 1 ? all : [];
  parents.set(commit, sides);
  return sides;
}
