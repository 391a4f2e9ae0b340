/** Copies paid documents and recordings between a state folder and the spool of a tree. */
import { readdir, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { unlessAbsent } from '../files/disk.ts';
import { makeFolder, PRIVATE } from '../files/make-folder.ts';
import { streamFile } from '../files/read-file.ts';
import { replaceFile } from '../files/replace.ts';
import { isTemporary } from '../files/temporary.ts';

/** The folders with paid files, in a state folder and in a spool. */
const PARTS = ['spool', 'voice'];

interface PaidCopy {
  readonly from: string;
  readonly to: string;
  /** What happens to a file that is there with another size; a shorter one was cut by a push that was killed, and is replaced. */
  readonly existing: 'stays' | 'replaced';
}

/** Each file is there completely or not at all, also after a power cut. @returns how many were copied */
export async function copyPaidFiles({ from, to, existing }: PaidCopy): Promise<number> {
  let copied = 0;
  for (const path of await paidFilesIn(from)) {
    const [source, target] = [join(from, path), join(to, path)];
    const before = await sizeOf(target);
    const whole = (await sizeOf(source)) ?? 0;
    if (before === whole) continue;
    if (before !== undefined && before > whole && existing === 'stays') continue;
    await makeFolder(dirname(target), PRIVATE);
    const content = streamFile(source);
    await replaceFile({ path: target, root: to, content, mode: 0o600 });
    copied += 1;
  }
  return copied;
}

/** Relative to the folder. */
async function paidFilesIn(folder: string): Promise<string[]> {
  const paths: string[] = [];
  for (const part of PARTS) {
    const all = { withFileTypes: true, recursive: true } as const;
    for (const file of (await unlessAbsent(readdir(join(folder, part), all))) ?? []) {
      if (!file.isFile() || isTemporary(file.name)) continue;
      paths.push(relative(folder, join(file.parentPath, file.name)));
    }
  }
  return paths;
}

async function sizeOf(file: string): Promise<number | undefined> {
  return (await unlessAbsent(stat(file)))?.size;
}
