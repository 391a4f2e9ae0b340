/** Other configs that name the same lock: their files there are not those of projects that were removed. */
import { type Dirent, existsSync, realpathSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, extname, join, resolve } from 'node:path';
import type { Config } from '../config.ts';
import { sizeOfFile } from '../files/disk.ts';
import { readText } from '../files/read-file.ts';
import { findWorkTree, trackedIn } from '../files/work-tree.ts';

/** How deep below a folder configs are looked for that git does not track. */
const DEPTH = 3;
/** In bytes. */
const LARGEST_CONFIG = 1024 * 1024;

/** @returns whether another config with this lock has a project of this name */
export async function projectsOfOthers(
  config: Pick<Config, 'file' | 'base'>,
  lock: string,
): Promise<(project: string) => boolean> {
  const texts: string[] = [];
  const tree = findWorkTree(config.base);
  const tracked = tree === undefined ? [] : ((await trackedIn(tree, tree.root)) ?? []);
  const below = [config.base, dirname(lock)].map((folder) => configsBelow(folder, DEPTH));
  const files = new Set([...tracked.filter(isYaml), ...(await Promise.all(below)).flat()]);
  for (const file of files) {
    if (file === config.file || (sizeOfFile(file) ?? Infinity) > LARGEST_CONFIG) continue;
    const text = await readText(file).catch(() => '');
    const named = /^lock:\s*["']?([^"'#\n]+)/m.exec(text)?.[1]?.trim();
    if (named !== undefined && isSameFolder(resolve(dirname(file), named), lock)) texts.push(text);
  }
  return (project) => texts.some((text) => text.includes(project));
}

function isYaml(path: string): boolean {
  return /^\.ya?ml$/.test(extname(path));
}

function isSameFolder(one: string, other: string): boolean {
  return one === other || (existsSync(one) && realpathSync(one) === realpathSync(other));
}

async function configsBelow(folder: string, depth: number): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
  const found: string[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isFile() && isYaml(path)) found.push(path);
    const isEntered = entry.isDirectory() && !/^\.git$|^node_modules$/.test(entry.name);
    if (isEntered && depth > 1) found.push(...(await configsBelow(path, depth - 1)));
  }
  return found;
}
