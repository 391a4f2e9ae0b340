/** Some extensions stand for two kinds of files: the content tells which lane they go to. */
import { join } from 'node:path';
import { readHead } from '../files/disk.ts';
import type { FoundFile } from '../files/listing.ts';
import type { Lane } from '../job.ts';
import type { Project } from '../project.ts';
import { laneByContent } from '../routes/extensions.ts';
import type { Router } from '../routes/router.ts';

/** Bytes that tell the version of an XLIFF file; a licence may stand before it. */
const HEAD_BYTES = 65_536;

/** @returns undefined where the extension tells the lane */
export async function contentLane(
  router: Router,
  { name, root }: Project,
  { path, raw }: FoundFile,
): Promise<Lane | undefined> {
  const claim = router.claim(name, path);
  if (claim.kind !== 'source' || !claim.contentDecides) return undefined;
  const head = await readHead(join(root, raw), HEAD_BYTES);
  return laneByContent(head.toString('utf8'));
}
