/**
 * Sources that are parsed already: a page of Markdown takes 1 to 3 ms for each kilobyte, and each of its languages reads the
 * same one. What a draft holds open is shared for as long as it does; of small sources, the last ones stay.
 */

/** Bytes of sources that stay without a draft. Parsed they take 10 to 30 times as much. */
const KEPT = 256 * 1024;
/** How many are known at a time, or up to twice as many; what nobody holds any more is forgotten first. */
const KNOWN = 1024;

export interface SourceKey {
  /** All that decides how the source is parsed, its content included. */
  readonly key: string;
  readonly bytes: number;
}

export class OpenSources<File extends object> {
  readonly #known = new Map<string, WeakRef<File>>();
  /** The last ones, oldest first. */
  readonly #kept = new Map<string, { readonly file: File; readonly bytes: number }>();
  #bytes = 0;

  get({ key, bytes }: SourceKey, open: () => File): File {
    const file = this.#known.get(key)?.deref() ?? open();
    this.#known.delete(key);
    this.#known.set(key, new WeakRef(file));
    this.#keep(key, { file, bytes });
    this.#forget();
    return file;
  }

  #keep(key: string, entry: { readonly file: File; readonly bytes: number }): void {
    if (entry.bytes > KEPT) return;
    if (!this.#kept.delete(key)) this.#bytes += entry.bytes;
    this.#kept.set(key, entry);
    for (const [oldest, { bytes }] of this.#kept) {
      if (this.#bytes <= KEPT) return;
      this.#kept.delete(oldest);
      this.#bytes -= bytes;
    }
  }

  /** Not at each file beyond: to look at all of them took 2.7 s of CPU for 50,000 files, and takes 0.35 s so. */
  #forget(): void {
    if (this.#known.size <= 2 * KNOWN) return;
    for (const [key, file] of this.#known) if (file.deref() === undefined) this.#known.delete(key);
    for (const key of this.#known.keys()) {
      if (this.#known.size <= KNOWN) return;
      this.#known.delete(key);
    }
  }
}
