import { expect, test } from 'vitest';
import { networkName, refuseNetwork } from '../../src/files/network.ts';
import { temporaryFolder } from '../temporary-folder.ts';

test('a file system that other machines reach is known by its number', () => {
  // As statfs(2) lists them: NFS, SMB2, ext4, overlay, tmpfs.
  const numbers = [0x6969, 0xfe534d42, 0xef53, 0x794c7630, 0x01021994];
  expect(numbers.map(networkName)).toEqual(['NFS', 'SMB', undefined, undefined, undefined]);
});

test('a folder of this machine is none, also where it is not there yet', async () => {
  const folder = `${await temporaryFolder()}/state`;
  await expect(refuseNetwork(folder)).resolves.toBeUndefined();
});
