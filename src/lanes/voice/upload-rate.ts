/** How fast uploads are, so that none is begun that cannot end within its window. */

/** Bytes a second that are assumed before the first upload: as many as let any file try; a slow line is found out by it. */
const ASSUMED = 20_000_000;
/** Below it the answer's own time says more than the line. */
const LEAST_BYTES = 1_000_000;
const WEIGHT_OF_NEWEST = 0.5;

export class UploadRate {
  #measured: number | undefined;

  /** Bytes a second; undefined before the first upload that tells. */
  get measured(): number | undefined {
    return this.#measured;
  }

  /** @param ms that so many bytes took */
  learn(bytes: number, ms: number): void {
    if (bytes < LEAST_BYTES || ms <= 0) return;
    const rate = (bytes / ms) * 1000;
    const before = this.#measured ?? rate;
    this.#measured = before + WEIGHT_OF_NEWEST * (rate - before);
  }

  /** Milliseconds that so many bytes are expected to take. */
  timeFor(bytes: number): number {
    return (bytes / (this.#measured ?? ASSUMED)) * 1000;
  }
}
