/** The baselines of a folder tree that daemons share, in the database of a team. */
import { randomUUID } from 'node:crypto';
import type {
  BaselineKey,
  BaselineMove,
  Baselines,
  SegmentBaseline,
  SegmentRecord,
  StoredBaseline,
} from '../../baseline.ts';
import { hashBytes } from '../../files/disk.ts';
import type { Hash } from '../../job.ts';
import { preparedSegments, segmentBaseline } from '../baselines/segment-baseline.ts';
import type { Database } from './database.ts';

export class TreeBaselines implements Baselines {
  readonly #database: Database;
  readonly #tree: string;

  constructor(database: Database, tree: string) {
    this.#database = database;
    this.#tree = tree;
  }

  of(key: BaselineKey, wrote: Hash | undefined): SegmentBaseline {
    const stored: StoredBaseline = {
      read: async () => await this.copyOf(key),
      write: async (bytes) => await this.putBack(key, bytes),
    };
    return segmentBaseline({ stored, path: key.path, wrote });
  }

  async sources(key: BaselineKey): Promise<readonly Pick<SegmentRecord, 'id' | 'source'>[]> {
    return preparedSegments(await this.copyOf(key));
  }

  async move(moves: readonly BaselineMove[]): Promise<void> {
    const named = moves.map(({ from, to }) => ({ f: idOf(from), t: idOf(to) }));
    // By its name it is not made twice where an answer is lost.
    const name = `move ${randomUUID()}`;
    await this.#call('tree_move_baselines', name, JSON.stringify(named));
  }

  async copyOf(key: BaselineKey): Promise<Uint8Array | undefined> {
    const rows = await this.#database.rows<{ bytes: Buffer }>(
      'select bytes from @.tree_baselines where tree = $1 and id = $2',
      [this.#tree, idOf(key)],
    );
    return rows[0]?.bytes;
  }

  async putBack(key: BaselineKey, copy: Uint8Array): Promise<void> {
    await this.#call('tree_put_baseline', idOf(key), Buffer.from(copy));
  }

  async remove(key: BaselineKey): Promise<void> {
    await this.#call('tree_remove_baseline', idOf(key));
  }

  /** Whoever opened the database closes it. */
  async [Symbol.asyncDispose](): Promise<void> {}

  async #call(name: string, ...values: readonly unknown[]): Promise<void> {
    await this.#database.call(name, this.#tree, ...values);
  }
}

/** A path may be longer than an index takes. */
function idOf({ project, language, path }: BaselineKey): string {
  return `${language}/${hashBytes(`${project}\n${path}`).slice(0, 32)}`;
}
