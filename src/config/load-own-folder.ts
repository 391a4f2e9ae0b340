/** Whether the state folder lies in a tree that other daemons see: the disk knows, where a link or another mount hides it. */
import { realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Config } from '../config.ts';
import type { ParsedConfig } from './parse.ts';
import { insideTree } from './resolve-head.ts';

/** The config as it is, or refused for that. */
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

/** Of the folder and all folders around it; of one that is not there yet, of those that are. */
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

/** One folder has one, under all its names. */
async function identityOf(path: string): Promise<string | undefined> {
  return await stat(path, { bigint: true }).then(
    ({ dev, ino }) => `${dev} ${ino}`,
    () => undefined,
  );
}
