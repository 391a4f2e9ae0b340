/** The lane of files whose extension is not enough: their content decides. */
import { join } from 'node:path';
import { readFileHead } from '../files/disk.ts';
import type { FoundFile } from '../files/listing.ts';
import type { Lane } from '../job.ts';
import type { Project } from '../project.ts';
import { laneByContent } from '../routes/extensions.ts';
import type { Router } from '../routes/router.ts';

/** Bytes from the start of an XLIFF file that are read to find its version: a licence may come first. */
const HEAD_BYTES = 65_536;

/** @returns undefined where the extension decides the lane */
export async function contentLane(
  router: Router,
  { name, root }: Project,
  { path, raw }: FoundFile,
): Promise<Lane | undefined> {
  const match = router.match(name, path);
  if (match.kind !== 'source' || !match.contentDecides) return undefined;
  const head = await readFileHead(join(root, raw), HEAD_BYTES);
  return laneByContent(head.toString('utf8'));
}
