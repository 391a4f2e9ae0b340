/** Checks that the folders and files of a config exist and may be used. Reads no content. */
import { constants } from 'node:fs';
import { access, lstat, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Fault } from '../../config/fault.ts';
import type { SoundConfig } from '../../config/parse.ts';
import type { Config } from '../../config.ts';
import { JobFailure } from '../../failure.ts';
import { errorCode } from '../../files/disk.ts';
import { temporaryName } from '../../files/temporary.ts';
import { requireDisk } from '../../files/writable.ts';
import type { Project } from '../../project.ts';
import { asStateFailure } from '../../state/state-disk.ts';
import { stateFilesIn } from '../../state/state-files.ts';

type FaultAt = SoundConfig['faultAt'];

/** @returns faults at the settings whose file or folder is missing or forbidden */
export async function checkFixedPaths({
  config,
  faultAt,
}: Omit<SoundConfig, 'router'>): Promise<Fault[]> {
  const faults = await Promise.all([
    ...config.projects.flatMap((project) => [
      checkRoot(project, faultAt),
      ...checkTerminologyFiles(project, faultAt),
    ]),
  ]);
  return faults.flat();
}

/** Checks the state folder, the right to write it, and its disk. @throws JobFailure `state-unwritable`, `damaged-state`, as all commands that use the state */
export async function requireState(config: Pick<Config, 'state' | 'team'>): Promise<void> {
  const { state } = config;
  const folder = await nearestPlace(state);
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new JobFailure({ kind: 'state-unwritable', folder, code: 'ENOTDIR' });
  try {
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (cause) {
    const code = errorCode(cause);
    throw new JobFailure({ kind: 'state-unwritable', folder, code }, { cause });
  }
  await stateFilesIn(state).catch((cause: unknown) => {
    throw asStateFailure(cause, config);
  });
  // Other commands write a new file there.
  await requireDisk(join(state, temporaryName())).catch((cause: unknown) => {
    const isFull = cause instanceof JobFailure && cause.failure.kind === 'disk-full';
    throw isFull
      ? new JobFailure({ kind: 'state-unwritable', folder: state, code: 'ENOSPC' }, { cause })
      : cause;
  });
}

// The state folder is made when it is first needed. Until then, the nearest existing folder above it must be writable. A link that leads
// nowhere exists.
async function nearestPlace(path: string): Promise<string> {
  const above = dirname(path);
  const isThere = await lstat(path).then(
    () => true,
    () => false,
  );
  return above === path || isThere ? path : nearestPlace(above);
}

async function checkRoot({ name, root }: Project, faultAt: FaultAt): Promise<Fault[]> {
  const fault = (message: string) => [faultAt(['projects', name, 'root'], `${root} ${message}`)];
  const found = await stat(root).catch(() => undefined);
  if (found === undefined) return fault('does not exist');
  if (!found.isDirectory()) return fault('is not a folder');
  if (!(await allows(root, constants.R_OK | constants.X_OK)))
    return fault('may not be read by this user');
  return (await allows(root, constants.W_OK)) ? [] : fault('may not be written by this user');
}

function checkTerminologyFiles({ name, rules }: Project, faultAt: FaultAt): Promise<Fault[]>[] {
  return [...rules.styles].flatMap(([language, style]) => {
    if (!('file' in style)) return [];
    const setting = ['projects', name, 'style', language];
    return [checkFile(style.file, (message) => faultAt(setting, message))];
  });
}

async function checkFile(file: string, fault: (message: string) => Fault): Promise<Fault[]> {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) return [fault(`${file} does not exist`)];
  if (!found.isFile()) return [fault(`${file} is not a file`)];
  return (await allows(file, constants.R_OK))
    ? []
    : [fault(`${file} may not be read by this user`)];
}

async function allows(path: string, mode: number): Promise<boolean> {
  return await access(path, mode).then(
    () => true,
    () => false,
  );
}
