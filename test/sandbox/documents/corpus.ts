/** The real files that tests read, where this machine has them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const CORPUS = fileURLToPath(new URL('../../../../shared/corpus/', import.meta.url));

/** For `describe.skipIf`: the name of the suite says why. */
export const corpusMissing = !existsSync(CORPUS);
export const WHERE_CORPUS_IS = '(skipped where ../shared/corpus is absent)';

export function corpusFiles(folder: string, pattern: RegExp): readonly string[] {
  if (corpusMissing) return [];
  return readdirSync(CORPUS + folder).filter((name) => pattern.test(name));
}

export function corpusFile(folder: string, name: string): Uint8Array {
  return readFileSync(`${CORPUS}${folder}/${name}`);
}

/** Paths under a folder of folders, relative to the corpus. */
export function corpusTree(folder: string, pattern: RegExp): readonly string[] {
  if (corpusMissing) return [];
  return readdirSync(CORPUS + folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && pattern.test(entry.name))
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(CORPUS.length));
}
