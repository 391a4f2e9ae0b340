/** Which of the files that came are files that went, edited on the way: told by the texts that they share, as git tells renames. Pure. */
import { nameOf } from '../files/listing.ts';

/** A file that came or went, as far as its texts tell. */
export interface Described {
  readonly path: string;
  /** Only files of one format are compared. */
  readonly format: string;
  /** What it says, each once: texts, with their keys where the format has keys. */
  readonly texts: ReadonlySet<string>;
}

/** Share of the longer file's texts that both must have. */
export const ALIKE = 0.5;

/**
 * Pairs the most alike first; each file is used once. Where two are equally alike and equally named, nobody knows:
 * none of them is paired.
 * @returns by the path of the file that came, the path of the one that went
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

interface Candidate {
  readonly came: string;
  readonly went: string;
  readonly alike: number;
}

/** A text that so many files share tells none of them from the others; comparing them all would cost their square. */
const COMMON = 50;

function candidates(came: readonly Described[], went: readonly Described[]): Candidate[] {
  const holders = holdersOf(went);
  return came.flatMap((file) => {
    const possible = new Set<Described>();
    for (const text of file.texts) {
      const found = holders.get(traitOf(file, text)) ?? [];
      if (found.length <= COMMON) for (const other of found) possible.add(other);
    }
    return [...possible].flatMap((other): Candidate[] => {
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

/** Less than one text of a million: an equal name decides only between files that are equally alike. */
const SAME_NAME = 1e-9;

function levelOf({ came, went, alike }: Candidate): number {
  return alike + (nameOf(came) === nameOf(went) ? SAME_NAME : 0);
}

function unrivalled(pairs: readonly Candidate[]): Candidate[] {
  const came = Map.groupBy(pairs, (pair) => pair.came);
  const went = Map.groupBy(pairs, (pair) => pair.went);
  return pairs.filter(
    (pair) => came.get(pair.came)?.length === 1 && went.get(pair.went)?.length === 1,
  );
}
