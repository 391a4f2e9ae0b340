/** The commits that files went through, with their merges: the order of dates says nothing about lines that were written side by side. */
import { join, relative } from 'node:path';
import { ask } from './git.ts';
import { answerOf, isShallow, LITERAL, readText, type WorkTree } from './work-tree.ts';

/** A commit that changed one of some files, or brought together what others had changed. */
export interface Revision {
  readonly commit: string;
  /** The next ones before it that did so. */
  readonly parents: readonly string[];
}

/** Revisions that history is read back to: a text whose commit is older is older than all that is looked for. */
const MOST_REVISIONS = 200;

/** By tree, paths and commit: a commit never changes, and the same file is asked about for its page and for its texts. */
const known = new Map<string, Promise<Revision[] | undefined>>();
const MOST_KNOWN = 1000;

/**
 * The commits behind one that changed these absolute paths, the newest first; undefined when git cannot tell, or its history is
 * shallow.
 * @param commit its hash
 */
export async function revisionsOf(
  tree: WorkTree,
  paths: readonly string[],
  commit: string,
): Promise<Revision[] | undefined> {
  if (isShallow(tree)) return undefined;
  const name = [tree.root, commit, ...paths].join('\0');
  const before = known.get(name);
  if (before !== undefined) return await before;
  if (known.size >= MOST_KNOWN) known.clear();
  const asked = askRevisions(tree, paths, commit);
  known.set(name, asked);
  const revisions = await asked;
  if (revisions === undefined) known.delete(name);
  return revisions;
}

async function askRevisions(
  tree: WorkTree,
  paths: readonly string[],
  commit: string,
): Promise<Revision[] | undefined> {
  const answer = await answerOf(
    ask(tree.root, [
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

/** What the files of the work tree are made of: the commit that is checked out, and those that are being brought into it. */
export function headsOf(tree: WorkTree): string[] {
  const head = headOf(tree);
  if (head === undefined) return [];
  const others = UNDER_WAY.flatMap((name) => readText(join(tree.own, name))?.split('\n') ?? []);
  return [...new Set([head, ...others.map((line) => line.trim()).filter(isCommit)])];
}

/** The commit that is checked out, read from git's own files; undefined before the first one. */
function headOf({ own, shared }: WorkTree): string | undefined {
  const text = readText(join(own, 'HEAD'))?.trim();
  const [, ref] = /^ref: (.+)$/.exec(text ?? '') ?? [];
  if (ref === undefined) return text;
  const loose = readText(join(shared, ref))?.trim();
  if (loose !== undefined) return loose;
  const packed = readText(join(shared, 'packed-refs'))?.split('\n');
  return packed?.find((line) => line.endsWith(` ${ref}`))?.split(' ')[0];
}

function isCommit(line: string): boolean {
  return /^[0-9a-f]{40,64}$/.test(line);
}

/** A commit never changes. */
const parents = new Map<string, readonly string[]>();

/** The commits that a merge brought together; none for what is no merge. */
export async function sidesOf(tree: WorkTree, commit: string): Promise<readonly string[]> {
  const known = parents.get(commit);
  if (known !== undefined) return known;
  const answer = await answerOf(ask(tree.root, ['rev-list', '--parents', '--max-count=1', commit]));
  const [, ...all] = answer?.trim().split(' ') ?? [];
  const sides = all.length > 1 ? all : [];
  parents.set(commit, sides);
  return sides;
}
