/**
 * One state for each config file: while a daemon or a run works, a command whose config names another state folder is refused. It would
 * make a second state for the same files, and buy again what the first one has.
 */
import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { realpath, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Config } from '../config.ts';
import { isStateHeld } from '../files/exclusive.ts';
import { makeFolder, PRIVATE } from '../files/make-folder.ts';
import { readText } from '../files/read-file.ts';
import { replaceFile } from '../files/replace.ts';
import { requireOwnFolder, shortFolder } from '../page/control-socket.ts';
import { CommandFailure } from './command.ts';

type StateOfConfig = Pick<Config, 'file' | 'state' | 'team'>;

/** Records which state folder this process works with; forgotten when it is disposed. Where it cannot be recorded, nothing is refused. */
export async function recordState({ file, state }: StateOfConfig): Promise<AsyncDisposable> {
  const name = await recordName(file);
  const recorded: string[] = [];
  for (const root of recordFolders()) {
    const path = join(root, name);
    const record = { path, root, content: state, durability: 'cached', mode: 0o600 } as const;
    await makeFolder(root, PRIVATE)
      .then(() => requireOwnFolder(root))
      .then(() => replaceFile(record))
      .then(() => recorded.push(path))
      .catch(() => undefined);
  }
  return {
    async [Symbol.asyncDispose]() {
      for (const path of recorded) await rm(path, { force: true }).catch(() => {});
    },
  };
}

/** @throws CommandFailure 75 while a process works for the same config file with another state folder */
export async function refuseOtherState({ file, state, team }: StateOfConfig): Promise<void> {
  // Each daemon of a tree has a folder of its own, and the state is in the database.
  if (team?.tree !== undefined) return;
  const name = await recordName(file);
  for (const root of recordFolders()) {
    const recorded = await requireOwnFolder(root)
      .then(() => readText(join(root, name)))
      .catch(() => undefined);
    if (recorded === undefined || (await isSameFolder(recorded, state))) continue;
    // A record may be that of a killed process.
    if (!(await isStateHeld(recorded))) continue;
    throw new CommandFailure(
      75,
      `the process that works for this config has its state in ${recorded}, and the config now names ${state}: stop that process first, or undo the change of "state"`,
    );
  }
}

async function isSameFolder(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all(
    [one, other].map((each) => realpath(each).catch(() => each)),
  );
  return first === second;
}

/** A service with PrivateTmp= has a folder for temporary files of its own, and shares `/dev/shm` with all processes of the machine. */
const SHARED_MEMORY = '/dev/shm';

function recordFolders(): string[] {
  const own = shortFolder();
  const isShared = existsSync(SHARED_MEMORY);
  return isShared ? [own, join(SHARED_MEMORY, basename(own))] : [own];
}

/** By the path of the config. Its folder may be a link; the file of a Kubernetes ConfigMap is one that changes. */
async function recordName(file: string): Promise<string> {
  const folder = await realpath(dirname(file)).catch(() => dirname(file));
  return `${hash('sha256', join(folder, basename(file))).slice(0, 24)}.state`;
}
