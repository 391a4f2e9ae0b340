/** Recognises file systems that other machines can reach. Only on Linux; on other systems none is recognised. */
import { readFile, realpath, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { JobFailure } from '../failure.ts';
import { unlessAbsent } from './disk.ts';

/** `refused`: other machines can reach it. `doubted`: it may be a disk of this machine, or other machines may reach it. */
export interface Doubt {
  readonly name: string;
  readonly verdict: 'refused' | 'doubted';
}

interface KnownFileSystem {
  /** `f_type` of statfs(2): linux/magic.h and the sources of the file systems. */
  readonly type: number;
  readonly name: string;
  /** The type in /proc/self/mountinfo, when several types share the number; absent: every type with the number. */
  readonly mount?: RegExp;
  readonly verdict: Doubt['verdict'] | 'local';
}

const FUSE = 0x65735546;

/** The first row that matches decides. A type without a row is local. */
const KNOWN: readonly KnownFileSystem[] = [
  ...(
    [
      [0x6969, 'NFS'],
      [0x517b, 'SMB'],
      [0xfe534d42, 'SMB'],
      [0xff534d42, 'SMB'],
      [0x564c, 'NCP'],
      [0x5346414f, 'AFS'],
      [0x6b414653, 'AFS'],
      [0x73757245, 'Coda'],
      [0x00c36400, 'CephFS'],
      [0x0bd00bd0, 'Lustre'],
      [0x47504653, 'GPFS'],
      [0x19830326, 'BeeGFS'],
      [0xaad7aaea, 'PanFS'],
      [0x20030528, 'OrangeFS'],
      [0x7461636f, 'OCFS2'],
      [0x01161970, 'GFS2'],
    ] as const
  ).map(([type, name]) => ({ type, name, verdict: 'refused' }) as const),
  ...(
    [
      ['sshfs', /sshfs/],
      ['S3', /s3|goofys/],
      ['gcsfuse', /gcsfuse/],
      ['Azure', /blobfuse|azure/],
      ['rclone', /rclone/],
      ['WebDAV', /dav/],
      ['FTP', /ftp/],
      ['SMB', /smb|cifs/],
      ['GlusterFS', /gluster/],
      ['CephFS', /ceph/],
      ['JuiceFS', /juicefs/],
      ['SeaweedFS', /seaweed/],
      ['MooseFS', /mfs|moose|lizard/],
    ] as const
  ).map(([name, mount]) => ({ type: FUSE, name, mount, verdict: 'refused' }) as const),
  {
    ...{ type: FUSE, name: 'FUSE', verdict: 'local' },
    mount: /^(fuseblk|virtiofs|fuse\.(ntfs-3g|exfat|ext[234]|mergerfs|fuse-overlayfs|bindfs|zfs))$/,
  },
  { type: FUSE, name: 'FUSE', verdict: 'doubted' },
  // Usually the disk of a sandbox or of a small virtual machine.
  { type: 0x01021997, name: '9P', verdict: 'doubted' },
  { type: 0x786f4256, name: 'a folder of VirtualBox', verdict: 'doubted' },
];

/**
 * @param type from statfs(2)
 * @param mount the type in /proc/self/mountinfo; undefined: not known
 * @returns undefined when it is local or not in the list
 */
export function doubtOf(type: number, mount: string | undefined): Doubt | undefined {
  const found = KNOWN.find(
    (known) => known.type === type && (known.mount === undefined || known.mount.test(mount ?? '')),
  );
  if (found === undefined || found.verdict === 'local') return undefined;
  const { name, verdict } = found;
  return { name: mount !== undefined && name === 'FUSE' ? `FUSE, ${mount}` : name, verdict };
}

/**
 * Where the folder does not exist, it will be on the file system of the next folder above. It is not made here: commands that only read ask, too.
 * @param folder absolute
 * @returns undefined also on systems other than Linux
 */
export async function doubtAt(folder: string): Promise<Doubt | undefined> {
  if (process.platform !== 'linux') return undefined;
  const stats = await unlessAbsent(statfs(folder));
  if (stats === undefined && dirname(folder) !== folder) return await doubtAt(dirname(folder));
  const mounts = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '');
  return stats && doubtOf(stats.type, mountType(mounts, await realpath(folder)));
}

/**
 * @param mounts content of /proc/self/mountinfo (proc_pid_mountinfo(5))
 * @param path absolute, without links
 */
export function mountType(mounts: string, path: string): string | undefined {
  let found: { readonly point: string; readonly type: string } | undefined;
  for (const line of mounts.split('\n')) {
    const [fields = '', source = ''] = line.split(' - ');
    const point = unescaped(fields.split(' ')[4] ?? '');
    const [type] = source.split(' ');
    const holds = path === point || path.startsWith(point.endsWith('/') ? point : `${point}/`);
    if (point === '' || type === undefined || !holds) continue;
    // A later mount at the same point covers the earlier one.
    if (found === undefined || point.length >= found.point.length) found = { point, type };
  }
  return found?.type;
}

function unescaped(point: string): string {
  return point.replaceAll(/\\([0-7]{3})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 8)),
  );
}

/**
 * Refuses a network file system for a folder that only one daemon may use, for example for paid answers that are not stored yet.
 * @param folder absolute
 * @returns the name of a file system that other machines may reach; undefined: none is known
 * @throws JobFailure `unsupported`
 */
export async function refuseNetwork(folder: string): Promise<string | undefined> {
  const doubt = await doubtAt(folder);
  if (doubt?.verdict !== 'refused') return doubt?.name;
  throw new JobFailure({
    kind: 'unsupported',
    what: `the state folder ${folder} is on a network file system (${doubt.name})`,
    advice: 'With "tree", name a folder on a disk of this machine as "folder" in "state".',
  });
}
