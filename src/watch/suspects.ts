/** The paths that may have changed, until two looks find the same. */

import type { PathOnDisk } from '../files/scan-folder.ts';
import type { Stat } from '../job.ts';
import { isChanging, LONG_AGO, type Look, type Suspect, suspect, takeLook } from './settle.ts';

/** The result of a look. */
export type LookVerdict =
  | { readonly kind: 'unsettled' }
  /** The file is as it was known. */
  | { readonly kind: 'unchanged' }
  | Extract<Look, { kind: 'refused' }>
  | { readonly kind: 'still'; readonly look: Extract<Look, { kind: 'file' }> }
  | { readonly kind: 'gone' };

export class Suspects {
  readonly #suspects = new Map<string, Suspect>();
  readonly #absent = new Map<string, Suspect>();
  /** New files that are being written. */
  readonly #arriving = new Set<string>();
  #count = 0;

  /** @param from milliseconds since the epoch */
  add(at: PathOnDisk, from: number): void {
    const before = this.#suspects.get(at.path);
    if (before?.raw === at.raw) before.hinted = true;
    else {
      const nth = before?.nth ?? (from === LONG_AGO ? 0 : ++this.#count);
      this.#suspects.set(at.path, suspect(at, before?.lookedAt ?? from, nth));
    }
  }

  /** The number of the last suspect. */
  get count(): number {
    return this.#count;
  }

  /** The suspects to look at now. Suspects may be added and cleared during the iteration. */
  *due(now: number): Generator<Suspect> {
    for (const suspect of this.#suspects.values()) {
      const isSetBack = now < suspect.lookedAt;
      if (suspect.hinted || now >= suspect.due || isSetBack) yield suspect;
    }
  }

  /** Adds a look. After every verdict but `unsettled` and `gone`, the path is no longer a suspect. */
  judge(suspect: Suspect, look: Look, known: LookContext): LookVerdict {
    const isStill = takeLook(suspect, look, known);
    const verdict = verdictOf(look, isStill, known.stat);
    if (verdict.kind !== 'unsettled' && verdict.kind !== 'gone') this.clear(suspect.path);
    else this.#record(suspect, look, known);
    return verdict;
  }

  #record(suspect: Suspect, look: Look, { stat }: LookContext): void {
    const { path } = suspect;
    if (look.kind === 'absent') this.#absent.set(path, suspect);
    else this.#absent.delete(path);
    if (look.kind === 'file' && stat === undefined) this.#arriving.add(path);
    else this.#arriving.delete(path);
  }

  get isEmpty(): boolean {
    return this.#suspects.size === 0;
  }

  clear(path: string): void {
    this.#suspects.delete(path);
    this.#absent.delete(path);
    this.#arriving.delete(path);
  }

  clearAll(): void {
    this.#suspects.clear();
    this.#absent.clear();
    this.#arriving.clear();
  }

  /** Known files that the last look did not find. */
  get missing(): ReadonlySet<string> {
    return this.#absent.size === 0 ? NONE : new Set(this.#absent.keys());
  }

  /**
   * Removes and returns the missing files, when all of them have been missing for long enough. So the files of a removed folder are
   * reported together, and a mass deletion is recognised. They also wait for new files that are still being written, because a missing file
   * may have been moved to one of them. After a minute they wait no longer.
   */
  takeGone(now: number): string[] {
    const due = [...this.#absent.values()].filter((suspect) => now >= suspect.due);
    const isOver = due.length === this.#absent.size && this.#arriving.size === 0;
    if (!isOver && !due.some((suspect) => now - suspect.due > LONGEST_WAIT_MS)) return [];
    for (const { path } of due) this.clear(path);
    return due.map(({ path }) => path);
  }

  /** True when all suspects up to that number are decided, or keep changing. */
  isSettledUpTo(count: number, now: number): boolean {
    for (const suspect of this.#suspects.values()) {
      if (suspect.nth <= count && !isChanging(suspect, now)) return false;
    }
    return true;
  }

  /** The paths that keep changing. */
  changing(now: number): string[] {
    return [...this.#suspects.values()]
      .filter((suspect) => isChanging(suspect, now))
      .map(({ path }) => path);
  }
}

interface LookContext {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly settle: number;
  /** The known stat; undefined for a new file. */
  readonly stat: Stat | undefined;
}

const LONGEST_WAIT_MS = 60_000;
const NONE: ReadonlySet<string> = new Set();

function verdictOf(look: Look, isStill: boolean, known: Stat | undefined): LookVerdict {
  switch (look.kind) {
    case 'refused':
      return look;
    case 'absent':
      if (known === undefined) return { kind: 'unchanged' };
      return isStill ? { kind: 'gone' } : { kind: 'unsettled' };
    case 'file':
      if (look.stat === known) return { kind: 'unchanged' };
      return isStill ? { kind: 'still', look } : { kind: 'unsettled' };
  }
}
