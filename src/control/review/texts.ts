/** Keeps the texts of translations in memory. A file is read again only when it changed. */
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { statOf } from '../../files/disk.ts';
import type { Hash, JobId, Stat } from '../../job.ts';
import { REVIEW_STATES, type ReviewState } from '../../segments/review.ts';
import type { LocalControlOptions } from '../options.ts';
import type { ReviewCounts } from '../review-report.ts';
import type { ReviewText } from '../review-text.ts';
import { type ReviewPair, readPair, targetPathOf } from './files.ts';
import type { ReviewedFile } from './thread-work.ts';

/** The most texts in memory, about 500 bytes each. The files that were read first are removed first. */
const MOST_TEXTS = 200_000;

interface Kept {
  readonly version: TextsVersion;
  readonly read: ReviewedFile;
  /** Hash of the target after a person's save. */
  readonly left?: Hash;
  /** Index of each text, by its id; made with the first save. */
  places?: ReadonlyMap<string, number>;
}

interface FileRead {
  readonly version: TextsVersion;
  readonly read: Promise<ReviewedFile | string>;
}

/** Identifies all inputs of the texts of a file. */
interface TextsVersion {
  readonly source: string | undefined;
  readonly target: string | undefined;
  readonly lock: string | undefined;
  /** Hash of the target that the last job left. */
  readonly wrote: Hash | undefined;
  /** The settings that affect the texts. */
  readonly more: string;
}

/** A text after a person's save, as it is read back. */
export interface LeftText {
  readonly text: ReviewText;
  /** The target with this text; undefined: the target was not written. */
  readonly target: { readonly stat: Stat; readonly hash: Hash } | undefined;
}

export class ReviewTexts {
  readonly options: LocalControlOptions;
  readonly #kept = new Map<JobId, Kept>();
  readonly #counts = new Map<
    JobId,
    { readonly version: TextsVersion; readonly counts: ReviewCounts }
  >();
  /** The files that are being read. Another request for one meanwhile gets the same texts. */
  readonly #reading = new Map<JobId, FileRead>();
  #texts = 0;

  constructor(options: LocalControlOptions) {
    this.options = options;
  }

  /**
   * A language without a lock file gets one with all its texts: with the statements of a save alone, it would lack the others.
   * Call it before `exclusive`. It may wait for jobs, and a job may wait for that right.
   */
  async prepareLock({ project, language }: ReviewPair): Promise<void> {
    await this.options.prepareLock({ project: project.name, language });
  }

  /** Waits until no other writer of this file for a person is at work. @returns the right to write, until it is disposed of */
  async exclusive(pair: ReviewPair): Promise<Disposable> {
    return await this.options.writers.take(targetPathOf(pair));
  }

  /** @returns the texts; or a sentence that says why they cannot be read */
  async read(pair: ReviewPair): Promise<ReviewedFile | string> {
    const version = await this.#versionOf(pair);
    const kept = this.#stillKept(pair, version);
    if (kept !== undefined) return kept;
    const other = this.#reading.get(pair.id);
    if (other !== undefined && isDeepStrictEqual(other.version, version)) return await other.read;
    const reading: FileRead = { version, read: this.#readNow(pair, version) };
    this.#reading.set(pair.id, reading);
    try {
      return await reading.read;
    } finally {
      if (this.#reading.get(pair.id) === reading) this.#reading.delete(pair.id);
    }
  }

  /** Without reading: undefined when the texts are not in memory, or no longer as on the disk. */
  async kept(pair: ReviewPair): Promise<ReviewedFile | undefined> {
    return this.#stillKept(pair, await this.#versionOf(pair));
  }

  #stillKept({ id }: ReviewPair, version: TextsVersion): ReviewedFile | undefined {
    const kept = this.#kept.get(id);
    return kept !== undefined && isStill(kept, version) ? kept.read : undefined;
  }

  async #readNow(pair: ReviewPair, version: TextsVersion): Promise<ReviewedFile | string> {
    const read = await readPair(this.options, pair);
    this.#forget(pair.id);
    if (typeof read !== 'string') this.#keep(pair.id, { version, read });
    return read;
  }

  /** Finds the texts of a file by their ids. */
  async finder(pair: ReviewPair): Promise<{
    readonly known: (id: string) => ReviewText | undefined;
    /** File status of the target with these texts. */
    readonly seen: Stat | undefined;
    /** Why no text is known: the file cannot be read. */
    readonly problem?: string;
  }> {
    const read = await this.read(pair);
    if (typeof read === 'string') {
      return { known: () => undefined, seen: undefined, problem: read };
    }
    const kept = this.#kept.get(pair.id);
    const places = (kept?.read === read ? kept.places : undefined) ?? textIndices(read);
    if (kept?.read === read) kept.places = places;
    return { known: (id) => read.texts[places.get(id) ?? -1], seen: read.stat };
  }

  /** Undefined: the texts cannot be read. */
  async counts(pair: ReviewPair): Promise<ReviewCounts | undefined> {
    const version = await this.#versionOf(pair);
    const known = this.#counts.get(pair.id);
    if (known !== undefined && isDeepStrictEqual(known.version, version)) return known.counts;
    const read = await this.read(pair);
    if (typeof read === 'string') return undefined;
    const counts = countStates(read.texts);
    this.#counts.set(pair.id, { version, counts });
    return counts;
  }

  /**
   * Notes texts that were just saved, so that their file is not read again. A change by somebody else since then is noticed in the
   * version of the source or target, and then the file is read.
   */
  async put(pair: ReviewPair, left: readonly LeftText[]): Promise<void> {
    const kept = this.#kept.get(pair.id);
    if (kept === undefined || left.length === 0) return;
    const { lock, wrote } = await this.#versionOf(pair);
    // The lock was changed by somebody else, too.
    if (epochOf(lock) !== epochOf(kept.version.lock)) return this.#forget(pair.id);
    const places = kept.places ?? textIndices(kept.read);
    const texts = [...kept.read.texts];
    for (const { text } of left) texts[places.get(text.id) ?? texts.length] = text;
    const target = left.find((each) => each.target !== undefined)?.target;
    // In some formats, source and target are one file.
    const isOneFile = pair.target === pair.source.path;
    const stats = target && {
      target: target.stat,
      ...(isOneFile && { source: target.stat }),
    };
    const version = { ...kept.version, lock, wrote, ...stats };
    const hash = target?.hash ?? kept.left;
    const read = { ...kept.read, texts, ...(target && { stat: target.stat }) };
    this.#kept.set(pair.id, { version, read, places, ...(hash && { left: hash }) });
  }

  #keep(id: JobId, kept: Kept): void {
    this.#kept.set(id, kept);
    this.#texts += kept.read.texts.length;
    for (const first of this.#kept.keys()) {
      if (this.#texts <= MOST_TEXTS) break;
      this.#forget(first);
    }
  }

  #forget(id: JobId): void {
    this.#texts -= this.#kept.get(id)?.read.texts.length ?? 0;
    this.#kept.delete(id);
  }

  async #versionOf(pair: ReviewPair): Promise<TextsVersion> {
    const { project, route, source, language, id } = pair;
    const { ledger } = this.options;
    const { keys, policies } = route;
    const config = [[...keys.maxLength], [...keys.notes], keys.ignore, keys.lock];
    const { want, languages } = policies.review;
    const wrote = ledger.get('jobs', id)?.wrote[0]?.hash;
    return {
      source: await statOf(join(project.root, source.path)),
      target: await statOf(targetPathOf(pair)),
      lock: await this.options.lock?.version({ project: project.name, language }, source.path),
      wrote,
      more: JSON.stringify([config, [...want], languages]),
    };
  }
}

/** Whether the version is the same. The text is also unchanged when a job has since recorded the target that the person's save left. */
function isStill({ version, left }: Kept, now: TextsVersion): boolean {
  const wrote = left !== undefined && now.wrote === left ? version.wrote : now.wrote;
  return isDeepStrictEqual(version, { ...now, wrote });
}

function textIndices({ texts }: ReviewedFile): ReadonlyMap<string, number> {
  return new Map(texts.map(({ id }, place) => [id, place]));
}

function epochOf(lock: string | undefined): string | undefined {
  return lock?.slice(0, lock.lastIndexOf(' '));
}

export function countStates(texts: Iterable<Pick<ReviewText, 'state'>>): ReviewCounts {
  const counts = noTexts();
  for (const { state } of texts) counts[state] += 1;
  return counts;
}

export function sumOfCounts(all: Iterable<ReviewCounts>): ReviewCounts {
  const sum = noTexts();
  for (const counts of all) for (const state of REVIEW_STATES) sum[state] += counts[state];
  return sum;
}

export function noTexts(): { -readonly [State in ReviewState]: number } {
  return { missing: 0, stale: 0, held: 0, unreviewed: 0, reviewed: 0, done: 0 };
}
