/**
 * Checks on the disk that the state folder is outside of every tree that other daemons see. A link or a mount may lead into such a
 * tree.
 */
import { realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Config } from '../config.ts';
import type { ParsedConfig } from './parse.ts';
import { insideTree } from './resolve-head.ts';

/** Adds a fault when the state folder is inside such a tree. */
export async function withOwnFolder(parsed: ParsedConfig): Promise<ParsedConfig> {
  if (parsed.faults !== undefined || parsed.config.team?.tree === undefined) return parsed;
  const { config, faultAt } = parsed;
  const around = await projectAround(config);
  if (around === undefined) return parsed;
  const fault = faultAt(['state', 'tree'], insideTree(config.state, around));
  return { faults: [fault], state: config.state };
}

async function projectAround({ state, projects }: Config): Promise<string | undefined> {
  const above = new Set(await identitiesAbove(state));
  for (const { name, root } of projects) {
    const identity = await identityOf(root);
    if (identity !== undefined && above.has(identity)) return name;
  }
  return undefined;
}

/** Identities of the folder and of all folders above it. If the folder does not exist yet, only those of existing folders. */
async function identitiesAbove(folder: string): Promise<readonly string[]> {
  const place = await realpath(folder).catch(() => undefined);
  if (place === undefined) {
    const above = dirname(folder);
    return above === folder ? [] : await identitiesAbove(above);
  }
  const identity = await identityOf(place);
  const own = identity === undefined ? [] : [identity];
  const above = dirname(place);
  return above === place ? own : [...own, ...(await identitiesAbove(above))];
}

/** Device and inode: the same for all names of a folder. */
async function identityOf(path: string): Promise<string | undefined> {
  return await stat(path, { bigint: true }).then(
    ({ dev, ino }) => `${dev} ${ino}`,
    () => undefined,
  );
}
