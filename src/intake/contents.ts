/** Reads the files that may have changed: the hash of each, and its lane where the content decides that. */
import { join } from 'node:path';
import { describeFailure, type Failure, failureOf } from '../failure.ts';
import { hashFile, standInFor } from '../files/disk.ts';
import type { FoundFile, Skipped } from '../files/listing.ts';
import { unreadableAt } from '../files/scan.ts';
import type { Hash, Lane } from '../job.ts';
import { LARGEST_SOURCE } from '../lane.ts';
import type { Project } from '../project.ts';
import type { Router } from '../routes/router.ts';
import { contentLane } from './content-lane.ts';
import type { ProjectContext } from './project-context.ts';

export interface Contents {
  /** By path; without files that could not be read. */
  readonly hashes: ReadonlyMap<string, Hash>;
  readonly lanes: ReadonlyMap<string, Lane>;
  readonly unreadable: readonly Skipped[];
  /** Paths of files that were removed since they were listed. */
  readonly gone: readonly string[];
}

/** Files that are hashed at a time: with more, the disk only seeks more. */
const AT_A_TIME = 16;

export async function readContents(
  { project, router }: ProjectContext,
  files: readonly FoundFile[],
): Promise<Contents> {
  const hashes = new Map<string, Hash>();
  const lanes = new Map<string, Lane>();
  const unreadable: Skipped[] = [];
  const gone: string[] = [];
  const rest = files.values();
  const readNext = async () => {
    for (const file of rest) {
      const { path, raw } = file;
      try {
        const hash = isTooLarge(router, project, file)
          ? standInFor(file.stat)
          : await hashFile(join(project.root, raw));
        const lane = await contentLane(router, project, file);
        hashes.set(path, hash);
        if (lane !== undefined) lanes.set(path, lane);
      } catch (error) {
        const failure = failureOf(error);
        // This process is ending. The next one reads the file.
        if (failure.kind === 'stopped') throw error;
        if (failure.kind === 'unreadable' && failure.code === 'ENOENT') gone.push(path);
        else unreadable.push(unreadableAt(path, unreadableWords(failure)));
      }
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, readNext));
  return { hashes, lanes, unreadable, gone };
}

/** Its job fails before the file is read. */
function isTooLarge(router: Router, { name }: Project, { path, size }: FoundFile): boolean {
  if (size <= LEAST_LIMIT) return false;
  const match = router.match(name, path);
  // If the content decides the lane, the lane is not known yet: then the larger limit counts, which is that of documents.
  const isLane = match.kind === 'source' && !match.contentDecides;
  return size > (isLane ? LARGEST_SOURCE[match.lane] : LARGEST_SOURCE.document);
}

const LEAST_LIMIT = Math.min(...Object.values(LARGEST_SOURCE));

/** The reason without the name of the file: the message has it already. */
function unreadableWords(failure: Failure): string {
  if (failure.kind === 'unreadable') return `it cannot be read (${failure.code})`;
  return failure.kind === 'changed-meanwhile'
    ? 'it changed while it was read'
    : describeFailure(failure);
}
