/** Finds which new files are gone files that were moved and edited, by the texts that both have, as git finds renames. Pure. */
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
 * Pairs the most similar files first; each file is used once. When two candidates are equally similar and none has the same name,
 * or both have, it is not clear which one it is: none of them is paired.
 * @returns by the path of the new file, the path of the gone one
 */
export function pairAlike(
  came: readonly Described[],
  went: readonly Described[],
): ReadonlyMap<string, string> {
  const levels = Map.groupBy(candidates(came, went), levelOf);
  const pairs = new Map<string, string>();
  const settled = { came: new Set<string>(), went: new Set<string>() };
  for (const level of [...levels.keys()].sort((a, b) => b - a)) {
    const open = (levels.get(level) ?? []).filter(
      (pair) => !settled.came.has(pair.came) && !settled.went.has(pair.went),
    );
    for (const { came, went } of unrivalled(open)) pairs.set(came, went);
    for (const { came, went } of open) {
      settled.came.add(came);
      settled.went.add(went);
    }
  }
  return pairs;
}

interface SimilarPair {
  readonly came: string;
  readonly went: string;
  readonly alike: number;
}

/**
 * A text that more files have than this does not help to distinguish them, and to compare them all with each other would take
 * too long.
 */
const COMMON = 50;

function candidates(came: readonly Described[], went: readonly Described[]): SimilarPair[] {
  const holders = holdersOf(went);
  return came.flatMap((file) => {
    const possible = new Set<Described>();
    for (const text of file.texts) {
      const found = holders.get(traitOf(file, text)) ?? [];
      if (found.length <= COMMON) for (const other of found) possible.add(other);
    }
    return [...possible].flatMap((other): SimilarPair[] => {
      const alike = alikeness(file, other);
      return alike < ALIKE ? [] : [{ came: file.path, went: other.path, alike }];
    });
  });
}

function holdersOf(files: readonly Described[]): ReadonlyMap<string, readonly Described[]> {
  const holders = new Map<string, Described[]>();
  for (const file of files) {
    for (const text of file.texts) {
      const trait = traitOf(file, text);
      const known = holders.get(trait);
      if (known === undefined) holders.set(trait, [file]);
      else known.push(file);
    }
  }
  return holders;
}

function traitOf({ format }: Described, text: string): string {
  return `${format}\n${text}`;
}

function alikeness(a: Described, b: Described): number {
  const longer = Math.max(a.texts.size, b.texts.size);
  return longer === 0 ? 0 : a.texts.intersection(b.texts).size / longer;
}

/** Less than one text of a million: an equal name decides only between files that are equally similar. */
const SAME_NAME = 1e-9;

function levelOf({ came, went, alike }: SimilarPair): number {
  return alike + (fileNameOf(came) === fileNameOf(went) ? SAME_NAME : 0);
}

function unrivalled(pairs: readonly SimilarPair[]): SimilarPair[] {
  const came = Map.groupBy(pairs, (pair) => pair.came);
  const went = Map.groupBy(pairs, (pair) => pair.went);
  return pairs.filter(
    (pair) => came.get(pair.came)?.length === 1 && went.get(pair.went)?.length === 1,
  );
}
