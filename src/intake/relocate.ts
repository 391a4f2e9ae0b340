/** Moves several files of a project together. A file may move to a path that another one leaves. */
import { dirname, join } from 'node:path';
import { statOf, writeFailure } from '../files/disk.ts';
import { makeFolder } from '../files/make-folder.ts';
import { type MovedStat, moveFile } from '../files/move.ts';
import type { Right } from '../files/right.ts';
import { temporaryName } from '../files/temporary.ts';
import { requireRemovable, requireWritable } from '../files/writable.ts';
import type { MovingFile } from '../ledger.ts';
import type { ProjectContext } from './project-context.ts';

/** Paths relative to the project's root. */
export interface Relocation {
  readonly from: string;
  readonly to: string;
}

/**
 * @param begin is called with the files that will be moved, before the first one is
 * @returns the files that were moved, by their old paths; a file that does not exist or whose new path is taken is not moved
 */
export async function relocate(
  context: Pick<ProjectContext, 'project' | 'trash' | 'right'>,
  relocations: readonly Relocation[],
  begin: (files: readonly MovingFile[]) => Promise<void> = async () => {},
): Promise<ReadonlyMap<string, MovedStat>> {
  const { project, right } = context;
  const { root } = project;
  const possible = await possibleOf(root, relocations);
  await begin(possible);
  const wanted = new Set(possible.map(({ to }) => to));
  const lifted = await liftAll(
    context,
    possible.filter(({ from }) => wanted.has(from)),
  );
  const relocated = new Map<string, MovedStat>();
  for (const { from, to } of possible) {
    const aside = lifted.get(from);
    const moved = await move(right, aside?.path ?? join(root, from), join(root, to));
    if (moved !== undefined) {
      relocated.set(from, { before: aside?.before ?? moved.before, after: moved.after });
    } else if (aside !== undefined) {
      // Another program has written a file at the new path. When the old path is taken too, the trash has a copy.
      await move(right, aside.path, join(root, from));
    }
  }
  return relocated;
}

/** For a dry run. @throws JobFailure as `relocate` would, when a file could not leave its old path or come to its new one */
export async function requireRelocatable(
  { root }: ProjectContext['project'],
  relocations: readonly Relocation[],
): Promise<void> {
  for (const { from, to } of await possibleOf(root, relocations)) {
    await requireWritable(root, [join(root, to)]);
    requireRemovable(join(root, from));
  }
}

/** Those that exist, and whose new path is free or will be. */
async function possibleOf(
  root: string,
  relocations: readonly Relocation[],
): Promise<readonly MovingFile[]> {
  const isThere = async (path: string) => (await statOf(join(root, path))) !== undefined;
  let possible: readonly Relocation[] = relocations;
  for (let before = -1; before !== possible.length; ) {
    before = possible.length;
    const leaving = new Set(possible.map(({ from }) => from));
    const answers = await Promise.all(
      possible.map(
        async ({ from, to }) => (await isThere(from)) && (leaving.has(to) || !(await isThere(to))),
      ),
    );
    possible = possible.filter((_, at) => answers[at]);
  }
  const files = await Promise.all(
    possible.map(async ({ from, to }): Promise<MovingFile[]> => {
      const stat = await statOf(join(root, from));
      return stat === undefined ? [] : [{ from, to, stat }];
    }),
  );
  return files.flat();
}

/**
 * Moves files aside when another file needs their path. A copy of each file goes to the trash first. So no text of a person is lost when
 * the process is killed before all files are at their new paths.
 * @returns by the old path, where the file is meanwhile
 */
async function liftAll(
  { project, trash, right }: Pick<ProjectContext, 'project' | 'trash' | 'right'>,
  relocations: readonly Relocation[],
): Promise<ReadonlyMap<string, Lifted>> {
  const lifted = new Map<string, Lifted>();
  for (const { from, to } of relocations) {
    await trash.keepCopy({ project: project.name, path: from }, project.root);
    const path = join(project.root, dirname(to), temporaryName());
    const moved = await move(right, join(project.root, from), path);
    if (moved !== undefined) lifted.set(from, { path, before: moved.before });
  }
  return lifted;
}

/** The absolute path of a file meanwhile, and its stat before. */
interface Lifted extends Pick<MovedStat, 'before'> {
  readonly path: string;
}

/** @returns undefined when the file is gone, or its new path was taken since */
async function move(right: Right, from: string, to: string): Promise<MovedStat | undefined> {
  try {
    await makeFolder(dirname(to));
    return await moveFile(right, from, to);
  } catch (error) {
    throw writeFailure(to, error);
  }
}
