/** Measures how fast uploads are, so that no upload is begun that cannot end within its window. */

/** Bytes a second that are assumed before the first upload. With so many, every file is tried, and the try measures a slow line. */
const ASSUMED = 20_000_000;
/** Smaller uploads measure the time of the answer more than the line. */
const LEAST_BYTES = 1_000_000;
const WEIGHT_OF_NEWEST = 0.5;

export class UploadRate {
  #measured: number | undefined;

  /** Bytes a second; undefined before the first upload of `LEAST_BYTES`. */
  get measured(): number | undefined {
    return this.#measured;
  }

  /** @param ms how long the upload of so many bytes took */
  learn(bytes: number, ms: number): void {
    if (bytes < LEAST_BYTES || ms <= 0) return;
    const rate = (bytes / ms) * 1000;
    const before = this.#measured ?? rate;
    this.#measured = before + WEIGHT_OF_NEWEST * (rate - before);
  }

  /** Milliseconds that the upload of so many bytes is expected to take. */
  timeFor(bytes: number): number {
    return (bytes / (this.#measured ?? ASSUMED)) * 1000;
  }
}
