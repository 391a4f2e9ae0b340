/** Moves files of a project to new places at once, also where one goes to the place that another leaves. */
import { renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { statOf, writeFailure } from '../files/disk.ts';
import { makeFolder } from '../files/make-folder.ts';
import { changeFile, type Right } from '../files/right.ts';
import { temporaryName } from '../files/temporary.ts';
import type { Stat } from '../job.ts';
import type { ProjectContext } from './project-context.ts';

/** Paths relative to the project's root. */
export interface Relocation {
  readonly from: string;
  readonly to: string;
}

/** The stat of a file at its old place, and at its new one. */
export interface Relocated {
  readonly before: Stat | undefined;
  readonly after: Stat;
}

/** @returns each file that was moved, by its old path: none that is not there, or whose new place is taken */
export async function relocate(
  context: Pick<ProjectContext, 'project' | 'trash' | 'right'>,
  relocations: readonly Relocation[],
): Promise<ReadonlyMap<string, Relocated>> {
  const { project, right } = context;
  const { root } = project;
  const possible = await possibleOf(root, relocations);
  const before = new Map<string, Stat | undefined>();
  for (const { from } of possible) before.set(from, await statOf(join(root, from)));
  const wanted = new Set(possible.map(({ to }) => to));
  const lifted = await liftAll(
    context,
    possible.filter(({ from }) => wanted.has(from)),
  );
  const relocated = new Map<string, Relocated>();
  for (const { from, to } of possible) {
    const after = await moveFile(right, lifted.get(from) ?? join(root, from), join(root, to));
    if (after !== undefined) relocated.set(from, { before: before.get(from), after });
  }
  return relocated;
}

/** Those that are there, and whose new place is free or will be. */
async function possibleOf(
  root: string,
  relocations: readonly Relocation[],
): Promise<readonly Relocation[]> {
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
  return possible;
}

/**
 * Takes files from places that others want. A copy of each is in the trash: should the process be killed before
 * all have arrived, nothing that a person wrote is lost.
 * @returns by their path, where they are meanwhile
 */
async function liftAll(
  { project, trash, right }: Pick<ProjectContext, 'project' | 'trash' | 'right'>,
  relocations: readonly Relocation[],
): Promise<ReadonlyMap<string, string>> {
  const lifted = new Map<string, string>();
  for (const { from, to } of relocations) {
    await trash.keepCopy({ project: project.name, path: from }, project.root);
    const aside = join(project.root, dirname(to), temporaryName());
    await moveFile(right, join(project.root, from), aside);
    lifted.set(from, aside);
  }
  return lifted;
}

async function moveFile(right: Right, from: string, to: string): Promise<Stat | undefined> {
  try {
    await makeFolder(dirname(to));
    await changeFile(right, () => renameSync(from, to));
    return await statOf(to);
  } catch (error) {
    throw writeFailure(to, error);
  }
}
