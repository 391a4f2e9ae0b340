/**
 * Sources that are already parsed. Parsing Markdown takes 1 to 3 ms per kilobyte, and all languages of a page read the same source. A
 * source stays as long as a draft holds it; of the small sources, the last ones stay longer.
 */

/** Bytes of sources that stay without a draft. Parsed they take 10 to 30 times as much. */
const KEPT = 256 * 1024;
/**
 * Bytes that a source counts at least. Without this, 10,000 sources of 20 bytes all stayed: that took 40 MB and a seventh of the processor
 * time of the run.
 */
const LEAST = 1024;
/** Number of known sources, at most twice as many; those that nobody holds are forgotten first. */
const KNOWN = 1024;

export interface SourceKey {
  /** Everything that decides how the source is parsed, including its content. */
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
    this.#keep(key, { file, bytes: Math.max(bytes, LEAST) });
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

  /** Not for each new file: checking all of them each time took 2.7 s of CPU for 50,000 files instead of 0.35 s. */
  #forget(): void {
    if (this.#known.size <= 2 * KNOWN) return;
    for (const [key, file] of this.#known) if (file.deref() === undefined) this.#known.delete(key);
    for (const key of this.#known.keys()) {
      if (this.#known.size <= KNOWN) return;
      this.#known.delete(key);
    }
  }
}
