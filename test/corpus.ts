/**
 * Real files of other projects, which some tests read: a folder beside the checkout that is not in the repository. Where it is absent,
 * these tests are skipped; docs/adding-a-format.md says so.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Absolute path, without a slash at its end. */
export const CORPUS = join(import.meta.dirname, '..', '..', 'shared', 'corpus');

/** For `describe.skipIf`: the name of the suite says why. */
export const corpusMissing = !existsSync(CORPUS);
export const WHERE_CORPUS_IS = '(skipped where ../shared/corpus is absent)';

export function corpusFiles(folder: string, pattern: RegExp): readonly string[] {
  if (corpusMissing) return [];
  return readdirSync(join(CORPUS, folder)).filter((name) => pattern.test(name));
}

export function corpusFile(folder: string, name: string): Uint8Array {
  return readFileSync(join(CORPUS, folder, name));
}

/** Paths under a folder of folders, relative to the corpus. */
export function corpusTree(folder: string, pattern: RegExp): readonly string[] {
  if (corpusMissing) return [];
  return readdirSync(join(CORPUS, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && pattern.test(entry.name))
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(CORPUS.length + 1));
}
