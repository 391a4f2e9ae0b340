/** A source that was copied and then removed: a move in two steps, as between file systems. The copy inherits its targets. */
import { join } from 'node:path';
import { hashIfPresent } from '../files/disk.ts';
import { removeFile } from '../files/move.ts';
import type { SourceRecord } from '../ledger.ts';
import { applyMoves } from './move.ts';
import { jobsOf, type ProjectContext } from './project-context.ts';

/** @returns whether it did: what a person wrote into the copy's own targets since then stays instead */
export async function adoptCopy(
  context: ProjectContext,
  before: SourceRecord,
  copy: SourceRecord,
): Promise<boolean> {
  const { project, right } = context;
  const { root } = project;
  const own = jobsOf(context, copy).flatMap(({ wrote }) => wrote);
  // Where one file holds all languages, whoever copied the source has copied its translations.
  if (own.some(({ path }) => path === copy.path)) return false;
  const found = await Promise.all(own.map(({ path }) => hashIfPresent(join(root, path))));
  if (own.some(({ hash }, at) => found[at] !== hash)) return false;
  // Machine texts, all of them in the memory: they make room for those that a person may have corrected.
  for (const { path, hash } of own) {
    if (!(await removeFile(right, join(root, path), hash))) return false;
  }
  await applyMoves(context, [{ before, after: copy }]);
  return true;
}
