import { expect, test } from 'vitest';
import { doubtAt, doubtOf, mountType, refuseNetwork } from '../../src/files/network.ts';
import { execFileSync } from '../in-time.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const FUSE = 0x65735546;

test.each([
  ['NFS', 0x6969, 'nfs4'],
  ['SMB', 0xfe534d42, 'cifs'],
  ['CephFS', 0x00c36400, 'ceph'],
  ['Lustre', 0x0bd00bd0, 'lustre'],
  ['GPFS', 0x47504653, 'gpfs'],
  ['sshfs', FUSE, 'fuse.sshfs'],
  ['S3', FUSE, 'fuse.s3fs'],
  ['S3', FUSE, 'fuse.mountpoint-s3'],
  ['gcsfuse', FUSE, 'fuse.gcsfuse'],
  ['GlusterFS', FUSE, 'fuse.glusterfs'],
  ['CephFS', FUSE, 'fuse.ceph-fuse'],
])('%s is refused: other machines reach it', (name, type, mount) => {
  expect(doubtOf(type, mount)).toEqual({ name, verdict: 'refused' });
});

test.each([
  ['ext4', 0xef53, 'ext4'],
  ['overlay, as in containers', 0x794c7630, 'overlay'],
  ['tmpfs', 0x01021994, 'tmpfs'],
  ['btrfs', 0x9123683e, 'btrfs'],
  ['a disk by FUSE', FUSE, 'fuseblk'],
  ['a container without root', FUSE, 'fuse.fuse-overlayfs'],
  ['a virtual machine', FUSE, 'virtiofs'],
])('%s is local', (_name, type, mount) => {
  expect(doubtOf(type, mount)).toBeUndefined();
});

test('a disk that may be of this machine gets a warning, and is not refused', () => {
  expect(doubtOf(0x01021997, '9p')).toEqual({ name: '9P', verdict: 'doubted' });
  expect(doubtOf(FUSE, 'fuse.own')).toEqual({ name: 'FUSE, fuse.own', verdict: 'doubted' });
  expect(doubtOf(FUSE, undefined)).toEqual({ name: 'FUSE', verdict: 'doubted' });
});

test('the mount that is nearest above a path, and the last one there, says its type', () => {
  const mounts = [
    '22 1 0:21 / / rw - overlay overlay rw',
    '23 22 0:22 / /srv rw shared:1 - ext4 /dev/sda rw',
    '24 23 0:23 / /srv/a\\040tree rw - fuse.sshfs host:/ rw',
    '25 22 0:24 / /mnt rw - ext4 /dev/sdb rw',
    '26 25 0:25 / /mnt rw master:2 - nfs4 host:/ rw',
  ].join('\n');
  const types = ['/var', '/srv/x', '/srv/a tree/x', '/srv/a treetop', '/mnt', '/mnt/x'];
  expect(types.map((path) => mountType(mounts, path))).toEqual([
    ...['overlay', 'ext4', 'fuse.sshfs', 'ext4', 'nfs4', 'nfs4'],
  ]);
});

test('a folder of this machine is not refused, also where it is not there yet', async () => {
  const folder = `${await temporaryFolder()}/state`;
  await refuseNetwork(folder);
  expect((await doubtAt(folder))?.verdict).not.toBe('refused');
});

test.skipIf(process.platform !== 'linux')(
  'the type of a mount is the one that the system names',
  async () => {
    const folder = await temporaryFolder();
    const named = execFileSync('stat', ['-f', '-c', '%t', folder], { encoding: 'utf8' });
    expect(doubtOf(Number.parseInt(named, 16), undefined)).toEqual(await doubtAt(folder));
  },
);
