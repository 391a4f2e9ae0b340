/** Recognises network file systems, by the number that the kernel of Linux gives them. On other systems none is recognised. */
import { statfs } from 'node:fs/promises';
import { JobFailure } from '../failure.ts';
import { makeFolder, PRIVATE } from './make-folder.ts';

const NETWORK: Readonly<Record<number, string>> = {
  26985: 'NFS',
  20859: 'SMB',
  4283649346: 'SMB',
  4266872130: 'SMB',
  1397113167: 'AFS',
  12805120: 'Ceph',
  198183888: 'Lustre',
};

/** The name of a network file system; undefined: it is local or unknown. @param type of `statfs` */
export function networkName(type: number): string | undefined {
  return NETWORK[type];
}

/**
 * Refuses a network file system for a folder that only one daemon may use, for example for paid answers that are not stored yet.
 * @param folder absolute; made when it does not exist
 * @throws JobFailure `unsupported`
 */
export async function refuseNetwork(folder: string): Promise<void> {
  if (process.platform !== 'linux') return;
  await makeFolder(folder, PRIVATE);
  const name = networkName((await statfs(folder)).type);
  if (name === undefined) return;
  throw new JobFailure({
    kind: 'unsupported',
    what: `the state folder ${folder} is on a network file system (${name})`,
    advice: 'With "tree", name a folder on a disk of this machine as "folder" in "state".',
  });
}
