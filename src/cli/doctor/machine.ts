/** Checks of the machine: version of Node, watches, disk space, rights. */
import { constants } from 'node:fs';
import { access, readdir, readFile, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '../../config.ts';
import { describeFailure, failureOf } from '../../failure.ts';
import { errorCode } from '../../files/disk.ts';
import { environment } from '../../files/git.ts';
import { isIgnored } from '../../files/ignore.ts';
import { runProgram } from '../../files/program.ts';
import type { Router } from '../../routes/router.ts';
import { LEAST_STATE_SPACE } from '../../state/state-disk.ts';
import { type DoctorFinding, fail, ok, warn } from './finding.ts';

const MIN_NODE = 24;
const LOW_DISK_BYTES = 1024 ** 3;
/** Share of the limit. Above it, too few watches are left for other programs of the user. */
const WATCH_SHARE = 0.5;

export function examineNode(version: string): DoctorFinding {
  return Number(version.split('.')[0]) >= MIN_NODE
    ? ok('node', `Node ${version}`)
    : fail('node', `Node ${version} is too old`, `install Node ${MIN_NODE} or later`);
}

/** Compares the folders to watch with `fs.inotify.max_user_watches`. Without watches the daemon works, some seconds slower. */
export async function examineWatches(config: Config, router: Router): Promise<DoctorFinding> {
  const limit = await readLimit('/proc/sys/fs/inotify/max_user_watches');
  if (limit === undefined) return ok('watches', 'this system has no limit for watches');
  let folders = 0;
  for (const { name, root } of config.projects) {
    folders += await countFolders(root, '', (folder) => router.enters(name, folder));
  }
  const figures = `${folders} folders to watch, ${limit} allowed`;
  return folders <= limit * WATCH_SHARE
    ? ok('watches', figures)
    : warn('watches', figures, `sudo sysctl fs.inotify.max_user_watches=${folders * 4}`);
}

/** A git that hangs, on a lock or a network folder, delays each command by two minutes. */
const GIT_ANSWERS_MS = 10_000;

/** @param folder of the config */
export async function examineGit(
  folder: string,
  { program = 'git', limitMs = GIT_ANSWERS_MS } = {},
): Promise<DoctorFinding> {
  const words = ['rev-parse', '--show-toplevel'];
  try {
    const { code, text } = await runProgram({
      ...{ program, words, folder, env: environment(), limitMs },
    });
    return ok(
      'git',
      code === 0 ? `it answers for ${text.trim()}` : 'the config is in no repository',
    );
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return ok('git', 'it is not installed');
    return fail(
      'git',
      describeFailure(failureOf(error)),
      'run it yourself to see what it waits for',
    );
  }
}

export async function examineDisk(folder: string): Promise<DoctorFinding> {
  const { bavail, bsize } = await statfs(await nearest(folder));
  const free = bavail * bsize;
  const message = `${(free / 1024 ** 3).toFixed(1)} GiB free for the state folder`;
  if (free < LEAST_STATE_SPACE) {
    return fail('disk', `${message}: it is full, and nothing is bought`, 'free some space');
  }
  return free > LOW_DISK_BYTES ? ok('disk', message) : warn('disk', message, 'free some space');
}

export async function examineRights(config: Config): Promise<DoctorFinding[]> {
  const folders = [
    ['state', config.state] as const,
    ...config.projects.map((p) => [p.name, p.root] as const),
  ];
  return await Promise.all(
    folders.map(async ([name, folder]) => {
      const existing = await nearest(folder);
      return (await isWritable(existing))
        ? ok(`rights ${name}`, `${folder} can be written`)
        : fail(
            `rights ${name}`,
            `${existing} cannot be written by this user`,
            'change its owner, or add it to ReadWritePaths= of the unit',
          );
    }),
  );
}

async function countFolders(
  root: string,
  folder: string,
  enters: (folder: string) => boolean,
): Promise<number> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
  let count = 1;
  for (const entry of entries) {
    const below = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (!entry.isDirectory() || isIgnored(entry.name) || !enters(below)) continue;
    count += await countFolders(root, below, enters);
  }
  return count;
}

async function readLimit(file: string): Promise<number | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : Number(text);
}

async function isWritable(folder: string): Promise<boolean> {
  return await access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function nearest(folder: string): Promise<string> {
  const exists = await access(folder).then(
    () => true,
    () => false,
  );
  return exists || dirname(folder) === folder ? folder : await nearest(dirname(folder));
}
