/** Other configs that name a lock: their files there are not those of projects that this config had. */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, extname, join, resolve } from 'node:path';
import type { Config } from '../config.ts';
import { sizeOfFile } from '../files/disk.ts';
import { readText } from '../files/read-file.ts';
import { folderName } from '../state/memories/folder.ts';
import { nearbyFiles } from './nearby-files.ts';

/** In bytes. */
const LARGEST_CONFIG = 1024 * 1024;

interface OtherConfig {
  readonly text: string;
  /** Absolute path of its lock. */
  readonly lock: string;
}

/** @returns the other configs with a lock @param lock of this config */
export async function otherConfigs(
  config: Pick<Config, 'file' | 'base'>,
  lock: string,
): Promise<readonly OtherConfig[]> {
  const configs: OtherConfig[] = [];
  for (const file of await nearbyFiles([config.base, dirname(lock)], isYaml)) {
    if (file === config.file || (sizeOfFile(file) ?? Infinity) > LARGEST_CONFIG) continue;
    const text = await readText(file).catch(() => '');
    const named = /^lock:\s*["']?([^"'#\n]+)/m.exec(text)?.[1]?.trim();
    if (named !== undefined) configs.push({ text, lock: resolve(dirname(file), named) });
  }
  return configs;
}

/** @returns whether one of these configs has a project of this name, and this lock */
export function projectsOfOthers(
  configs: readonly OtherConfig[],
  lock: string,
): (project: string) => boolean {
  const texts = configs.filter((other) => isSameFolder(other.lock, lock)).map(({ text }) => text);
  return (project) => texts.some((text) => text.includes(project));
}

/** @returns whether one of these configs has a project of this name, and its lock has nothing of it: another lock may have its lines */
export function projectsWithoutLock(configs: readonly OtherConfig[]): (project: string) => boolean {
  return (project) =>
    configs.some(
      ({ text, lock }) => text.includes(project) && !existsSync(join(lock, folderName(project))),
    );
}

function isYaml(path: string): boolean {
  return /^\.ya?ml$/.test(extname(path));
}

function isSameFolder(one: string, other: string): boolean {
  return one === other || (existsSync(one) && realpathSync(one) === realpathSync(other));
}
