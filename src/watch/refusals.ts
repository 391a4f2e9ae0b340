/**
 * The paths of a root that cannot be translated, with the reasons. Each reason is reported once, and such a path never counts
 * as gone, except that of a target.
 */
import { folderOf, type Skipped } from '../files/listing.ts';

export class Refusals {
  readonly #inFolders = new Map<string, ReadonlyMap<string, Skipped>>();
  readonly #byLook = new Map<string, Skipped>();

  /** Replaces the refused paths of a folder's listing. @returns those that are new or have a new reason */
  list(folder: string, skipped: readonly Skipped[]): Skipped[] {
    const before = this.#inFolders.get(folder);
    if (skipped.length === 0) this.#inFolders.delete(folder);
    else this.#inFolders.set(folder, new Map(skipped.map((each) => [each.path, each])));
    return skipped.filter(({ path, reason }) => before?.get(path)?.reason !== reason);
  }

  /** Refuses one file after a look at it. @returns whether it is new or has a new reason */
  add(skipped: Skipped): boolean {
    const isNews = this.#byLook.get(skipped.path)?.reason !== skipped.reason;
    this.#byLook.set(skipped.path, skipped);
    return isNews;
  }

  /** All paths that are refused now. */
  *all(): Generator<Skipped> {
    for (const folder of this.#inFolders.values()) yield* folder.values();
    yield* this.#byLook.values();
  }

  /** A look at the file found no reason to refuse it. */
  clear(path: string): void {
    this.#byLook.delete(path);
  }

  /** Why the listing of its folder refuses the path: a look at the file itself would not show the reason. */
  listed(path: string): Skipped | undefined {
    if (this.#inFolders.size === 0) return undefined;
    const folder = folderOf(path);
    return this.#inFolders.get(folder)?.get(path);
  }
}
