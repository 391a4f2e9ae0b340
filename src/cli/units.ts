/** Writes and removes units: what is as it should be is left alone, and what somebody else wrote is not touched. */
import { existsSync } from 'node:fs';
import { lstat, mkdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CommandFailure } from './command.ts';
import {
  configIn,
  type Installation,
  MARK,
  type UnitFile,
  type UnitTemplates,
  unitFiles,
} from './unit-files.ts';

const TEMPLATES = join(import.meta.dirname, '..', '..', 'systemd');

export type UnitFolders = Readonly<Record<UnitFile['place'], string>>;

export async function filesFor(
  installation: Installation,
  kind: 'user' | 'system',
): Promise<UnitFile[]> {
  const read = (name: string) => readFile(join(TEMPLATES, name), 'utf8');
  const templates: UnitTemplates = {
    user: await read('dragoman-user.service'),
    system: await read('dragoman@.service'),
    sysusers: await read('dragoman.sysusers.conf'),
    tmpfiles: await read('dragoman.tmpfiles.conf'),
  };
  return unitFiles(installation, kind, templates);
}

/** @throws CommandFailure 1 when one of them is somebody else's, or for another config: nothing is written then */
export async function installUnits(
  units: readonly UnitFile[],
  folders: UnitFolders,
): Promise<{ files: string[]; unchanged: string[] }> {
  const placed: Found[] = [];
  for (const { place, path, text } of units) {
    const file = join(folders[place], path);
    placed.push({ file, text, old: await textOf(file) });
  }
  for (const found of placed) requireOurs(found);
  const changed = placed.filter(({ text, old }) => text !== old);
  for (const { file, text } of changed) await write(file, text);
  const unchanged = placed.filter((found) => !changed.includes(found));
  return { files: changed.map(({ file }) => file), unchanged: unchanged.map(({ file }) => file) };
}

/**
 * What other configs may need stays: the template, its user and folders.
 * @returns what was removed; nothing when it was not installed
 */
export async function uninstallUnit(
  { file, link }: { file: string; link: string },
  folder: string,
): Promise<string[]> {
  const unit = join(folder, file);
  const text = await textOf(unit);
  if (text === undefined) return [];
  requireOurs({ file: unit, text, old: text });
  const enabled = join(folder, link);
  // Enabling made it; "systemctl disable" would not find the unit any more.
  const isEnabled = await lstat(enabled).then(
    (stats) => stats.isSymbolicLink(),
    () => false,
  );
  const gone = isEnabled ? [unit, enabled] : [unit];
  for (const path of gone) await changing(() => rm(path));
  if (basename(dirname(unit)).endsWith('.service.d')) await rmdir(dirname(unit)).catch(() => {});
  return gone;
}

interface Found {
  readonly file: string;
  /** What is to stand there. */
  readonly text: string;
  readonly old: string | undefined;
}

function requireOurs({ file, text, old }: Found): void {
  if (old === undefined) return;
  if (!old.includes(MARK)) throw new CommandFailure(1, `${file} was written by somebody else`);
  const [other, own] = [configIn(old), configIn(text)];
  if (other !== undefined && own !== undefined && other !== own) {
    throw new CommandFailure(1, `${file} is for another config, ${other}: choose another --name`);
  }
}

async function textOf(file: string): Promise<string | undefined> {
  return existsSync(file) ? await readFile(file, 'utf8') : undefined;
}

async function write(file: string, text: string): Promise<void> {
  await changing(async () => {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  });
}

async function changing(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new CommandFailure(1, `${message}; run it as root, or with --user`, { cause: error });
  }
}
