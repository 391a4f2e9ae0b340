/** Which files are quick to read, so that they pass slow ones. */
import type { Subject } from './thread-call.ts';

/** A call that takes longer makes its file a slow one. */
const QUICK_MS = 1000;
/** Bytes: a file that was not read yet is quick when it is smaller. Of Markdown, the slowest format, they take 0.4 s. */
const QUICK_BYTES = 32_000;
/** Files to remember at most. */
const MOST_PACES = 10_000;

export class FilePaces {
  readonly #known = new Map<string, 'quick' | 'slow'>();

  isQuick({ file, bytes }: Subject): boolean {
    const known = this.#known.get(file);
    return known === undefined ? bytes < QUICK_BYTES : known === 'quick';
  }

  /** @param ms how long a call took. A slow file has quick calls, too, so it stays slow. */
  learn({ file, bytes }: Subject, ms: number): void {
    if (ms <= QUICK_MS && (bytes < QUICK_BYTES || this.#known.has(file))) return;
    if (this.#known.size >= MOST_PACES) this.#known.clear();
    this.#known.set(file, ms > QUICK_MS ? 'slow' : 'quick');
  }
}
