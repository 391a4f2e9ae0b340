/**
 * The editions of files that are source and target at once: with all languages in one, or with the source texts beside their translations.
 * Each delivery changes such a file and is no new work. So the edition is the content that somebody other than dragoman last wrote. Pure.
 */
import { hash as digest } from 'node:crypto';
import { type Hash, type Stat, sourceHashOf, type TargetPaths, targetList } from '../job.ts';
import type { JobRecord, SourceRecord } from '../ledger.ts';

type SeenSource = Pick<SourceRecord, 'path' | 'hash' | 'edition'>;

/** The content of a source that a job is made from. */
export function editionFor(source: SeenSource, targets: () => TargetPaths): Hash {
  const { path, hash, edition } = source;
  return edition !== undefined && targetList(targets()).includes(path) ? edition : hash;
}

/**
 * @param before the record of the last look at the file
 * @param found the file now
 * @param jobs all jobs of the source
 * @returns for the new record; undefined: the hash of the file names the edition
 */
export function editionNow(
  before: SeenSource,
  found: { readonly hash: Hash; readonly stat: Stat },
  jobs: readonly JobRecord[],
): Hash | undefined {
  const own = jobs.filter(({ targets }) => targetList(targets).includes(before.path));
  if (isOwnWriting(before, found.hash, own)) {
    const edition = before.edition ?? before.hash;
    return edition === found.hash ? undefined : edition;
  }
  // A file that is back at a content that its jobs were made from has lost what they wrote since. So it gets a name of its own.
  const isBack = own.some(({ fingerprint, delivered }) =>
    [fingerprint, delivered].some((print) => print !== null && sourceHashOf(print) === found.hash),
  );
  return isBack ? (digest('sha256', `${found.hash} ${found.stat}`) as Hash) : undefined;
}

/**
 * Whether only deliveries changed the file since the last look. Each of them began with what the one before it had left. Where two began
 * with the same content, the later one overwrote the other.
 */
export function isOwnWriting(before: SeenSource, found: Hash, jobs: readonly JobRecord[]): boolean {
  const edition = before.edition ?? before.hash;
  const written = jobs.flatMap((job) => writingsOf(job, before.path));
  if (written.every(({ from }) => from === undefined))
    return found === before.hash || found === latest(written)?.hash;
  const made = written.filter((each) => each.edition === edition && each.from !== each.hash);
  let last = before.hash;
  for (const _ of made) {
    const [next, ...others] = new Set(
      made.flatMap((each) => (each.from === last ? each.hash : [])),
    );
    if (others.length > 0) return false;
    if (next === undefined) break;
    last = next;
  }
  return last === found;
}

/** The edition of a file that an earlier version, which recorded none, saw last after a delivery of its own. */
export function editionByEarlierVersion(
  { path, hash, edition }: SeenSource,
  jobs: readonly JobRecord[],
): Hash | undefined {
  if (edition !== undefined) return undefined;
  const written = jobs.flatMap((job) => writingsOf(job, path));
  const last = written.some(({ from }) => from !== undefined) ? undefined : latest(written);
  return last?.hash === hash ? last.edition : undefined;
}

interface Writing {
  readonly hash: Hash;
  /** The content that it replaced; undefined: an earlier version wrote it. */
  readonly from: Hash | null | undefined;
  readonly edition: Hash | undefined;
  readonly stat?: Stat;
}

/** What a job wrote at a path, and what it puts in place at this moment. The file may be there before the ledger has it. */
function writingsOf(job: JobRecord, path: string): Writing[] {
  const { state, fingerprint, delivered } = job;
  const edition = delivered === null ? undefined : sourceHashOf(delivered);
  const written = job.wrote.flatMap((each): Writing[] =>
    each.path === path ? [{ hash: each.hash, from: each.from, edition, stat: each.stat }] : [],
  );
  if (state.kind !== 'running' || state.step.kind !== 'publishing') return written;
  const { hash, expectedOld: from } = state.step;
  return [...written, { hash, from, edition: sourceHashOf(fingerprint) }];
}

/** Earlier versions did not record what a delivery replaced. The file of the last one is the youngest. */
function latest(written: readonly Writing[]): Writing | undefined {
  const writtenAt = ({ stat }: Writing) => Number(stat?.split(':')[1]);
  return written.toSorted((a, b) => writtenAt(b) - writtenAt(a))[0];
}
