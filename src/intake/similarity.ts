/** Finds gone files that were moved and edited: pairs them with new files by their common texts, as git does to find renames. Pure. */
import { fileNameOf } from '../files/listing.ts';

/** A new or gone file with its texts. */
export interface Described {
  readonly path: string;
  /** Only files of one format are compared. */
  readonly format: string;
  /** Its texts, each once; with their keys where the format has keys. */
  readonly texts: ReadonlySet<string>;
}

/** In bytes: a larger file is not read for a comparison. */
export const MOST_BYTES = 16 * 1024 * 1024;

/** Two files are similar when both have at least this share of the texts of the longer one. */
export const ALIKE = 0.5;

/**
 * Pairs the most similar files first; each file is used once. When two candidates are equally similar, the one with the same name is
 * paired. If none or both have the same name, none of them is paired.
 * @returns by the path of the new file, the path of the gone one
 */
export function pairAlike(
  newFiles: readonly Described[],
  goneSources: readonly Described[],
): ReadonlyMap<string, string> {
  const levels = Map.groupBy(candidates(newFiles, goneSources), levelOf);
  const pairs = new Map<string, string>();
  const settled = { added: new Set<string>(), gone: new Set<string>() };
  for (const level of [...levels.keys()].sort((a, b) => b - a)) {
    const open = (levels.get(level) ?? []).filter(
      (pair) => !settled.added.has(pair.added) && !settled.gone.has(pair.gone),
    );
    for (const { added, gone } of inOnePairOnly(open)) pairs.set(added, gone);
    for (const { added, gone } of open) {
      settled.added.add(added);
      settled.gone.add(gone);
    }
  }
  return pairs;
}

interface SimilarPair {
  /** Path of the new file. */
  readonly added: string;
  /** Path of the gone one. */
  readonly gone: string;
  readonly alike: number;
}

/** A text in more files than this does not help to distinguish them. It would take too long to compare all of them with each other. */
const COMMON = 50;

function candidates(
  newFiles: readonly Described[],
  goneSources: readonly Described[],
): SimilarPair[] {
  const filesWith = filesByText(goneSources);
  return newFiles.flatMap((file) => {
    const possible = new Set<Described>();
    for (const text of file.texts) {
      const found = filesWith.get(traitOf(file, text)) ?? [];
      if (found.length <= COMMON) for (const other of found) possible.add(other);
    }
    return [...possible].flatMap((other): SimilarPair[] => {
      const alike = similarityOf(file, other);
      return alike < ALIKE ? [] : [{ added: file.path, gone: other.path, alike }];
    });
  });
}

function filesByText(files: readonly Described[]): ReadonlyMap<string, readonly Described[]> {
  const filesWith = new Map<string, Described[]>();
  for (const file of files) {
    for (const text of file.texts) {
      const trait = traitOf(file, text);
      const known = filesWith.get(trait);
      if (known === undefined) filesWith.set(trait, [file]);
      else known.push(file);
    }
  }
  return filesWith;
}

function traitOf({ format }: Described, text: string): string {
  return `${format}\n${text}`;
}

function similarityOf(a: Described, b: Described): number {
  const longer = Math.max(a.texts.size, b.texts.size);
  return longer === 0 ? 0 : a.texts.intersection(b.texts).size / longer;
}

/** Less than one text of a million: an equal name decides only between files that are equally similar. */
const SAME_NAME = 1e-9;

function levelOf({ added, gone, alike }: SimilarPair): number {
  return alike + (fileNameOf(added) === fileNameOf(gone) ? SAME_NAME : 0);
}

/** The pairs whose two files are in no other pair. */
function inOnePairOnly(pairs: readonly SimilarPair[]): SimilarPair[] {
  const byAdded = Map.groupBy(pairs, ({ added }) => added);
  const byGone = Map.groupBy(pairs, ({ gone }) => gone);
  return pairs.filter(
    ({ added, gone }) => byAdded.get(added)?.length === 1 && byGone.get(gone)?.length === 1,
  );
}
