/** A tree of files: half sources, half their targets, a hundred files to a folder. */

import { hash } from 'node:crypto';
import {
  type BigIntStats,
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface BenchTree extends AsyncDisposable {
  readonly root: string;
  readonly files: number;
}

const IN_A_FOLDER = 100;

export async function makeTree(files: number): Promise<BenchTree> {
  const root = await mkdtemp(join(tmpdir(), 'dragoman-bench-'));
  const folders = files / IN_A_FOLDER;
  for (let n = 0; n < folders; n++) {
    const top = n < folders / 2 ? 'en' : 'de';
    const chapter = n % (folders / 2);
    const folder = join(root, top, `section-${chapter % 25}`, `chapter-${chapter}`);
    await mkdir(folder, { recursive: true });
    await Promise.all(
      Array.from({ length: IN_A_FOLDER }, (_, k) =>
        writeFile(join(folder, `page-${k}.json`), `{"title":"${top} ${n} ${k}"}\n`),
      ),
    );
  }
  return { root, files, [Symbol.asyncDispose]: () => rm(root, { recursive: true }) };
}

/** The least work of a program that must know whether anything changed. @returns how many files there are */
export function bareListing(
  root: string,
  onFile: (path: string, stats: BigIntStats) => void = () => {},
): number {
  const open = [root];
  let files = 0;
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) open.push(path);
      else {
        onFile(path, lstatSync(path, { bigint: true }));
        files += 1;
      }
    }
  }
  return files;
}

/** The least work of a program that must recognize each file again: a line with path, stat and hash for each, flushed once. */
export function bareAdoption(root: string): void {
  mkdirSync(join(root, '.bare'), { recursive: true });
  const lines: string[] = [];
  bareListing(root, (path, { size, mtimeNs, ctimeNs, ino }) => {
    const sha256 = hash('sha256', readFileSync(path));
    lines.push(`${path} ${size}:${mtimeNs}:${ctimeNs}:${ino} ${sha256}\n`);
  });
  const log = openSync(join(root, '.bare', 'log'), 'w');
  writeSync(log, lines.join(''));
  fsyncSync(log);
  closeSync(log);
}

/** Gives one source a text that was never there. */
export function editOne(root: string, nth: number): void {
  const folder = join(root, 'en', 'section-0', 'chapter-0');
  writeFileSync(join(folder, 'page-0.json'), `{"title":"edited ${nth} of ${process.pid}"}\n`);
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
