/**
 * Small files that were read a moment ago. A job looks into its files for conflict markers, and later reads their texts. A file that
 * still has its stat is not read and hashed again.
 */
import { statSync } from 'node:fs';
import { type Clock, systemClock } from '../clock.ts';
import { atOnce } from './at-once.ts';
import {
  formatStat,
  isAbsent,
  parseStat,
  type ReadFile,
  readBytesIfPresent,
  readFailure,
  readSmallNow,
  SMALL,
} from './disk.ts';

/** The first ones are forgotten when all together have more bytes. */
const KEPT_BYTES = 2 * 1024 * 1024;
/** Bytes that a file counts at least. */
const LEAST = 1024;
/** Two changes within so many milliseconds may leave the same stat: a file that has just changed is not kept. */
const RACY_MS = 2000;

export class RecentFiles {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #files = new Map<string, ReadFile>();
  #bytes = 0;

  constructor(clock: Pick<Clock, 'now'> = systemClock) {
    this.#clock = clock;
  }

  /** Like `readBytesIfPresent`. Others get the same bytes: nobody changes them. */
  async read(path: string, limit: number): Promise<ReadFile | undefined> {
    try {
      const small = await atOnce(() => this.#readNow(path));
      return small === 'large' ? await readBytesIfPresent(path, limit) : small;
    } catch (error) {
      if (isAbsent(error)) return undefined;
      throw readFailure(path, error);
    }
  }

  #readNow(path: string): ReadFile | 'large' | undefined {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    const known = this.#files.get(path);
    if (known !== undefined && stats !== undefined && formatStat(stats) === known.stat)
      return known;
    this.#forget(path);
    if (stats === undefined) return undefined;
    const file = stats.size > SMALL ? undefined : readSmallNow(path);
    if (file === undefined) return 'large';
    if (!this.#isRacy(file)) this.#keep(path, file);
    return file;
  }

  #isRacy({ stat }: ReadFile): boolean {
    const { mtimeNs, ctimeNs } = parseStat(stat);
    const changed = mtimeNs > ctimeNs ? mtimeNs : ctimeNs;
    return this.#clock.now() - Number(changed / 1_000_000n) < RACY_MS;
  }

  #keep(path: string, file: ReadFile): void {
    this.#files.set(path, file);
    this.#bytes += weightOf(file);
    for (const oldest of this.#files.keys()) {
      if (this.#bytes <= KEPT_BYTES) return;
      this.#forget(oldest);
    }
  }

  #forget(path: string): void {
    const known = this.#files.get(path);
    if (known === undefined) return;
    this.#files.delete(path);
    this.#bytes -= weightOf(known);
  }
}

function weightOf({ bytes }: ReadFile): number {
  return Math.max(bytes.length, LEAST);
}

/** Those of this process. */
export const recentFiles = new RecentFiles();
