/** Files that have stopped changing and are incomplete: empty, or without their end. They wait, and are reported after ten minutes. */

import type { Skipped } from '../files/listing.ts';
import type { PathOnDisk } from '../files/scan-folder.ts';
import type { Stat } from '../job.ts';

export interface Unfinished {
  readonly at: PathOnDisk;
  readonly stat: Stat;
  readonly reason: string;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/** An incomplete file, as it is reported. */
export interface LackingFile extends Skipped {
  /** Bytes. */
  readonly size: number;
}

/** Milliseconds after which an incomplete file is reported. */
export const INCOMPLETE_AFTER_MS = 10 * 60_000;

export class UnfinishedFiles {
  readonly #files = new Map<string, Unfinished>();
  readonly #told = new Set<string>();

  /** A file that is there already keeps its `since`. */
  put(file: Unfinished): void {
    const since = this.#files.get(file.at.path)?.since ?? file.since;
    this.#files.set(file.at.path, { ...file, since });
  }

  /** The clock may have been set back: the files are there since now then. */
  noticeTime(now: number): void {
    for (const [path, file] of this.#files) {
      if (file.since > now) this.#files.set(path, { ...file, since: now });
    }
  }

  /** Since when the file is there with these times and this size. */
  since(path: string, stat: Stat): number | undefined {
    const file = this.#files.get(path);
    return file?.stat === stat ? file.since : undefined;
  }

  delete(path: string): void {
    this.#files.delete(path);
    this.#told.delete(path);
  }

  all(): Iterable<Unfinished> {
    return this.#files.values();
  }

  list(): LackingFile[] {
    return [...this.#files.values()].map(({ at, reason, size }) => ({
      path: at.path,
      reason,
      size,
    }));
  }

  /** @returns the files that have waited too long, each once */
  overdue(now: number): Skipped[] {
    const late = [...this.#files.values()].filter(
      ({ at, since }) => now - since >= INCOMPLETE_AFTER_MS && !this.#told.has(at.path),
    );
    for (const { at } of late) this.#told.add(at.path);
    return late.map(({ at, reason }) => ({ path: at.path, reason }));
  }
}
