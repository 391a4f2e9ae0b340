/** Paths that may have changed, until two looks agree on what stands there. */

import type { PathOnDisk } from '../files/scan-folder.ts';
import type { Stat } from '../job.ts';
import { type Look, type Suspect, suspect, takeLook } from './settle.ts';

/** What came of a look. */
export type LookVerdict =
  | { readonly kind: 'unsettled' }
  /** As it was known: nothing happened. */
  | { readonly kind: 'unchanged' }
  | Extract<Look, { kind: 'refused' }>
  | { readonly kind: 'still'; readonly look: Extract<Look, { kind: 'file' }> }
  | { readonly kind: 'gone' };

export class Suspects {
  readonly #suspects = new Map<string, Suspect>();
  readonly #absent = new Map<string, Suspect>();
  /** Files that were not known and are being written. */
  readonly #arriving = new Set<string>();

  /** @param from milliseconds since the epoch */
  add(at: PathOnDisk, from: number): void {
    const before = this.#suspects.get(at.path);
    if (before?.raw === at.raw) before.hinted = true;
    else this.#suspects.set(at.path, suspect(at, before?.from ?? from));
  }

  /** Those that deserve a look now. May be changed while it is walked. */
  *due(now: number): Generator<Suspect> {
    for (const suspect of this.#suspects.values()) {
      if (suspect.hinted || now >= suspect.due) yield suspect;
    }
  }

  /** Takes a look into account; all verdicts but `unsettled` and `gone` end the suspicion. */
  judge(suspect: Suspect, look: Look, known: Known): LookVerdict {
    const isStill = takeLook(suspect, look, known);
    const verdict = verdictOf(look, isStill, known.stat);
    if (verdict.kind !== 'unsettled' && verdict.kind !== 'gone') this.clear(suspect.path);
    else this.#note(suspect, look, known);
    return verdict;
  }

  #note(suspect: Suspect, look: Look, { stat }: Known): void {
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

  /** Known files that were not there when they were looked at. */
  get missing(): ReadonlySet<string> {
    return this.#absent.size === 0 ? NONE : new Set(this.#absent.keys());
  }

  /**
   * The missing files, when all of them were missing for long enough: so a folder that is removed is told at once, and a
   * mass deletion is seen as one. They also wait for new files that are still being written, because a missing file may
   * have been moved to one of them. After a minute, those that are due wait no longer.
   */
  takeGone(now: number): string[] {
    const due = [...this.#absent.values()].filter((suspect) => now >= suspect.due);
    const isOver = due.length === this.#absent.size && this.#arriving.size === 0;
    if (!isOver && !due.some((suspect) => now - suspect.due > LONGEST_WAIT_MS)) return [];
    for (const { path } of due) this.clear(path);
    return due.map(({ path }) => path);
  }

  /** Whether nothing that was suspected by then is undecided. */
  isSettledSince(time: number): boolean {
    for (const { from } of this.#suspects.values()) if (from <= time) return false;
    return true;
  }
}

interface Known {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly settle: number;
  /** The fingerprint that is known; undefined for a new file. */
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
