/** The marks in a state folder of copies between the folder and a tree: which tree has its jobs, and which copy has not ended. */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { JobFailure } from '../failure.ts';
import { isAbsent } from '../files/disk.ts';
import { flushFolder } from '../files/flush.ts';
import { readText } from '../files/read-file.ts';
import { replaceFile } from '../files/replace.ts';
import { wasShared } from './team.ts';

/** Names the tree to which the jobs of the folder were moved. */
const PUSHED = 'tree.json';
/** Names the copy to a tree that has not ended. */
const PUSHING = 'pushing.json';

/** Names the tree from which the jobs of the folder are copied, while that has not ended. */
const PULLING = 'pulling.json';

/** The process of a copy between a folder and a tree. */
interface CopyProcess {
  /** Id under which it leads the tree while it copies. */
  readonly leader: string;
  /** That of the process before, which was broken off; undefined: there is none, or it is not known. */
  readonly earlier: string | undefined;
}

/** A copy of a folder to a tree. One that was broken off keeps its id when it is begun again. */
export interface PushRecord extends CopyProcess {
  /** Id of the copy. */
  readonly push: string;
}

/** A copy of a tree to a folder. */
export interface PullRecord extends CopyProcess {
  /** Whether the folder held nothing before the first try. */
  readonly wasEmpty: boolean;
}

/** Whether the jobs of a state folder are those of the tree. A folder whose jobs went to another tree does not count. */
export async function isPushedTo(folder: string, tree: string): Promise<boolean> {
  const record = await recordIn(folder, PUSHED);
  return record?.['tree'] === tree && record['pulled'] === undefined;
}

/** Whether the jobs of a state folder may be replaced with those of the tree, because they came from it or went to it. */
export async function isCopyOf(folder: string, tree: string): Promise<boolean> {
  if ((await recordIn(folder, PULLING))?.['tree'] === tree) return true;
  const record = await recordIn(folder, PUSHED);
  return record?.['tree'] === tree && (await wasShared(folder));
}

/**
 * Durable when it resolves.
 * @param folder the state folder, which this process has locked
 * @param isNew the folder holds nothing
 */
export async function beginPull(folder: string, tree: string, isNew: boolean): Promise<PullRecord> {
  const found = await recordIn(folder, PULLING);
  const before = found?.['tree'] === tree ? found : undefined;
  const wasEmpty = before === undefined ? isNew : before['held'] === 'nothing';
  const leader = randomUUID();
  await writeRecord(folder, PULLING, { tree, held: wasEmpty ? 'nothing' : 'something', leader });
  return { wasEmpty, leader, earlier: before?.['leader'] };
}

/** The folder has all jobs of the tree, and works alone from now on. */
export async function endPull(folder: string, tree: string): Promise<void> {
  await writeRecord(folder, PUSHED, { tree, pulled: 'true' });
  await rm(join(folder, PULLING), { force: true });
  await flushFolder(folder);
}

/** @throws JobFailure `team-state` (`partial`) for a folder that got only a part of a tree */
export async function requireWhole(folder: string): Promise<void> {
  const record = await recordIn(folder, PULLING);
  if (record === undefined) return;
  const message = `"dragoman state pull" of the tree "${record['tree'] ?? ''}" was broken off: run it again`;
  throw new JobFailure({ kind: 'team-state', problem: 'partial', host: folder, message });
}

/** Durable when it resolves. @param folder the state folder, which this process has locked */
export async function beginPush(folder: string, tree: string): Promise<PushRecord> {
  const found = await recordIn(folder, PUSHING);
  const before = found?.['tree'] === tree ? found : undefined;
  const record = { push: before?.['push'] ?? randomUUID(), leader: randomUUID() };
  await writeRecord(folder, PUSHING, { tree, ...record });
  return { ...record, earlier: before?.['leader'] };
}

/** From now on, the tree has the jobs of the folder. */
export async function endPush(folder: string, tree: string): Promise<void> {
  await writeRecord(folder, PUSHED, { tree });
  await rm(join(folder, PUSHING), { force: true });
  await flushFolder(folder);
}

type CopyRecord = Readonly<Record<string, string | undefined>>;

/** @returns undefined when there is none; an unreadable one says nothing */
async function recordIn(folder: string, file: string): Promise<CopyRecord | undefined> {
  try {
    return JSON.parse(await readText(join(folder, file))) as CopyRecord;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

async function writeRecord(folder: string, file: string, record: CopyRecord): Promise<void> {
  const content = `${JSON.stringify(record)}\n`;
  await replaceFile({ path: join(folder, file), root: folder, content, mode: 0o600 });
}
