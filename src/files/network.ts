/** File systems that other machines reach, told by the number that the kernel gives them (Linux; others are not told apart). */
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

/** What it is called; undefined: it is of this machine, or nobody can tell. */
export function networkName(type: number): string | undefined {
  return NETWORK[type];
}

/**
 * What only one daemon may have, such as paid answers on their way, is not for a place that others have too.
 * @param folder made when it is absent
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
