/**
 * One state for each config file: while a daemon or a run works, a command whose config names another state folder is refused. It would
 * make a second state for the same files, and buy again what the first one has.
 */
import { hash } from 'node:crypto';
import { readFile, realpath, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Config } from '../config.ts';
import { makeFolder, PRIVATE } from '../files/make-folder.ts';
import { replaceFile } from '../files/replace.ts';
import {
  connectControl,
  controlSocketPath,
  requireOwn,
  shortFolder,
} from '../page/control-socket.ts';
import { CommandFailure } from './command.ts';

type StateOfConfig = Pick<Config, 'file' | 'state' | 'team'>;

/** Records which state folder this process works with; forgotten when it is disposed. Where it cannot be recorded, nothing is refused. */
export async function recordState({ file, state }: StateOfConfig): Promise<AsyncDisposable> {
  const path = await recordOf(file);
  const root = dirname(path);
  const record = { path, root, content: state, durability: 'cached', mode: 0o600 } as const;
  const recorded = await makeFolder(root, PRIVATE)
    .then(() => requireOwn(path))
    .then(() => replaceFile(record))
    .catch(() => undefined);
  return {
    async [Symbol.asyncDispose]() {
      if (recorded !== undefined) await rm(path, { force: true }).catch(() => {});
    },
  };
}

/** @throws CommandFailure 75 while a process works for the same config file with another state folder */
export async function refuseOtherState({ file, state, team }: StateOfConfig): Promise<void> {
  // Each daemon of a tree has a folder of its own, and the state is in the database.
  if (team?.tree !== undefined) return;
  const path = await recordOf(file);
  const recorded = await requireOwn(path)
    .then(() => readFile(path, 'utf8'))
    .catch(() => undefined);
  if (recorded === undefined || (await isSameFolder(recorded, state))) return;
  const other = await connectControl(controlSocketPath(recorded));
  if (other === undefined) return;
  throw new CommandFailure(
    75,
    `the process that works for this config has its state in ${recorded}, and the config now names ${state}: stop that process first, or take the change of "state" back`,
  );
}

async function isSameFolder(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all(
    [one, other].map((each) => realpath(each).catch(() => each)),
  );
  return first === second;
}

/** In a folder of this user, by the path of the config. Its folder may be a link; the file of a Kubernetes ConfigMap is one that changes. */
async function recordOf(file: string): Promise<string> {
  const folder = await realpath(dirname(file)).catch(() => dirname(file));
  const name = hash('sha256', join(folder, basename(file))).slice(0, 24);
  return join(shortFolder(), `${name}.state`);
}
