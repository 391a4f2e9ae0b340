/** What is not taken in a root and why: told once for each reason, and never mistaken for gone. */
import type { Skipped } from '../files/listing.ts';

export class Refusals {
  readonly #inFolders = new Map<string, ReadonlyMap<string, Skipped>>();
  readonly #byLook = new Map<string, Skipped>();

  /** Replaces what a folder's listing refused. @returns what was not told before */
  list(folder: string, skipped: readonly Skipped[]): Skipped[] {
    const before = this.#inFolders.get(folder);
    if (skipped.length === 0) this.#inFolders.delete(folder);
    else this.#inFolders.set(folder, new Map(skipped.map((each) => [each.path, each])));
    return skipped.filter(({ path, reason }) => before?.get(path)?.reason !== reason);
  }

  /** Refuses one file after a look at it. @returns whether that is news */
  add(skipped: Skipped): boolean {
    const isNews = this.#byLook.get(skipped.path)?.reason !== skipped.reason;
    this.#byLook.set(skipped.path, skipped);
    return isNews;
  }

  /** All that is refused now. */
  *all(): Generator<Skipped> {
    for (const folder of this.#inFolders.values()) yield* folder.values();
    yield* this.#byLook.values();
  }

  /** A look at the file found nothing to refuse. */
  clear(path: string): void {
    this.#byLook.delete(path);
  }

  /** Whether the listing of its folder refuses it: another look at the file itself would not tell. */
  hasListed(path: string): boolean {
    if (this.#inFolders.size === 0) return false;
    const folder = path.slice(0, Math.max(path.lastIndexOf('/'), 0));
    return this.#inFolders.get(folder)?.has(path) ?? false;
  }
}
