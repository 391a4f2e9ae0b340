/** The baselines of a tree for a process that only reads: it keeps its own changes in memory. */
import type { BaselineKey, BaselineMove, Baselines, SegmentBaseline } from '../../baseline.ts';
import type { Hash } from '../../job.ts';
import type { Claim } from '../../ledger.ts';
import { preparedSegments, segmentBaseline } from '../baselines/segment-baseline.ts';

export class LookingBaselines implements Baselines {
  readonly #stored: Baselines;
  /** The changes of this process. Null: the baseline was removed, or moved away. */
  readonly #own = new Map<string, Uint8Array | null>();

  constructor(stored: Baselines) {
    this.#stored = stored;
  }

  of(key: BaselineKey, wrote: Hash | undefined, claim?: Claim): SegmentBaseline {
    const stored = {
      read: () => this.copyOf(key),
      write: (bytes: Uint8Array) => this.putBack(key, bytes),
    };
    return segmentBaseline({ stored, path: key.path, wrote, fence: claim?.fence });
  }

  async sources(key: BaselineKey): ReturnType<Baselines['sources']> {
    return preparedSegments(await this.copyOf(key));
  }

  async move(moves: readonly BaselineMove[]): Promise<void> {
    const copies = await Promise.all(moves.map(({ from }) => this.copyOf(from)));
    for (const { from } of moves) this.#own.set(copyKey(from), null);
    for (const [nth, { to }] of moves.entries()) this.#own.set(copyKey(to), copies[nth] ?? null);
  }

  async copyOf(key: BaselineKey): Promise<Uint8Array | undefined> {
    const own = this.#own.get(copyKey(key));
    return own === undefined ? await this.#stored.copyOf(key) : (own ?? undefined);
  }

  async putBack(key: BaselineKey, copy: Uint8Array): Promise<void> {
    this.#own.set(copyKey(key), copy);
  }

  async remove(key: BaselineKey): Promise<void> {
    this.#own.set(copyKey(key), null);
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#stored[Symbol.asyncDispose]();
  }
}

function copyKey({ project, language, path }: BaselineKey): string {
  return `${language}\n${project}\n${path}`;
}
