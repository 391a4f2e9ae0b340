/** Puts a result in place: records it in the ledger first, and never replaces content that was not looked at. */
import { join } from 'node:path';
import { JobFailure } from '../../failure.ts';
import { hashIfPresent, statOf } from '../../files/disk.ts';
import { removeFile } from '../../files/move.ts';
import { rightToPublish } from '../../files/publish.ts';
import { streamFile } from '../../files/read-file.ts';
import { replaceFile } from '../../files/replace.ts';
import type { SpooledFile } from '../../files/spool-folder.ts';
import type { Hash } from '../../job.ts';
import type { LaneRun } from '../../lane.ts';
import type { Written } from '../../ledger.ts';
import type { Trash } from '../../state/trash.ts';
import { besidePath } from './decisions/decide.ts';
import type { DocumentCase } from './document-case.ts';

export interface DocumentPublication {
  readonly run: LaneRun;
  readonly doc: DocumentCase;
  readonly kept: SpooledFile;
  /** Hash of the present target; undefined: there is none. */
  readonly found: Hash | undefined;
  readonly trash: Trash;
}

/**
 * Replaces the target, unless it already has these bytes.
 * @param old `kept`: the present target is a person's, and a copy of it goes to the trash
 * @throws JobFailure `changed-meanwhile` when the target was changed since; StaleClaim when the job has newer content
 */
export async function publishResult(
  placement: DocumentPublication,
  old: 'kept' | 'ours',
): Promise<{ wrote: Written; changed: string[] }> {
  const { run, doc, kept, found, trash } = placement;
  const { targetPath: path, targetFile, project } = doc;
  const { hash } = kept;
  const step = { kind: 'publishing', path, hash, expectedOld: found ?? null } as const;
  await run.step(step);
  const written = await write(placement, old);
  await removeBeside(run, doc, hash);
  return { wrote: { path, hash, stat: written.stat }, changed: written.changed };

  async function write({ kept: { file } }: DocumentPublication, keeping: 'kept' | 'ours') {
    if (hash === found) return { stat: await current(targetFile), changed: [] };
    if (keeping === 'kept') await trash.keepCopy({ project: project.name, path }, project.root);
    const placed = await replaceFile({
      path: targetFile,
      root: project.root,
      content: streamFile(file),
      expectedOld: found ?? null,
      right: rightToPublish(run, step),
    });
    return { stat: placed.stat, changed: [path] };
  }
}

/** Keeps the target, and puts the result beside it. @returns the path of the result, relative to the root */
export async function publishBeside({
  run,
  doc,
  kept,
  trash,
}: DocumentPublication): Promise<string> {
  const { project, targetPath } = doc;
  const path = besidePath(targetPath);
  const file = join(project.root, path);
  const expectedOld = (await hashIfPresent(file)) ?? null;
  if (expectedOld === kept.hash) return path;
  const step = { kind: 'publishing', path, hash: kept.hash, expectedOld } as const;
  await run.step(step);
  if (expectedOld !== null) {
    await trash.keepCopy({ project: project.name, path }, project.root);
  }
  const content = streamFile(kept.file);
  const right = rightToPublish(run, step);
  await replaceFile({ path: file, root: project.root, content, expectedOld, right });
  return path;
}

/** Removes the version that was offered beside the target, when the choice is made. */
export async function removeBeside(
  run: LaneRun,
  { project, targetPath }: DocumentCase,
  hash: Hash,
): Promise<void> {
  const path = besidePath(targetPath);
  const file = join(project.root, path);
  if ((await hashIfPresent(file)) !== hash) return;
  const step = { kind: 'publishing', path, hash, expectedOld: hash } as const;
  await run.step(step);
  await removeFile(rightToPublish(run, step), file, hash);
}

async function current(file: string) {
  const stat = await statOf(file);
  if (stat === undefined) throw new JobFailure({ kind: 'changed-meanwhile', file });
  return stat;
}
